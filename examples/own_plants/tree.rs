//! A broad-leaved tree of about 7 m, as a game's artist would deliver it: a glTF file with three
//! levels of detail.

use std::f32::consts::FRAC_PI_2;

use serde_json::{Value, json};

use super::glb::Glb;
use super::images;
use super::numbers::*;
use super::surface::{Branch, Card, Surface};

const SEED: u32 = 11;
const LIMBS: u32 = 7;
/// The middle of the crown.
const MIDDLE: Vector = [0.0, 4.3, 0.0];
/// The area of a clump's cards, over the square of its radius.
const CARDS: f32 = 10.0;
/// The angle between the directions of successive limbs, as leaves have it at a stalk.
const GOLDEN_ANGLE: f32 = 2.399_963;

/// How finely a level is made: sides and segments of tubes, and pairs of cards in a clump.
struct Level {
    trunk: [u32; 2],
    limb: [u32; 2],
    twig: [u32; 2],
    crosses: u32,
}

const LEVELS: [Level; 3] = [
    Level { trunk: [10, 9], limb: [7, 6], twig: [5, 5], crosses: 22 },
    Level { trunk: [6, 5], limb: [4, 3], twig: [3, 1], crosses: 6 },
    Level { trunk: [5, 4], limb: [3, 1], twig: [3, 1], crosses: 1 },
];

/// Leaves about a place.
struct Clump {
    centre: Vector,
    radius: f32,
    /// How far wind moves the centre.
    sway: f32,
}

struct Skeleton {
    trunk: Branch,
    limbs: Vec<Branch>,
    twigs: Vec<Branch>,
    clumps: Vec<Clump>,
}

/// The file.
pub fn tree() -> Vec<u8> {
    let mut glb = Glb::default();
    let bark = material(&mut glb, "bark", &images::bark(), json!({}));
    let mask = json!({ "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true });
    let leaves = material(&mut glb, "leaves", &images::leaves(), mask);
    let skeleton = skeleton(&mut Random(SEED));
    let mut nodes = Vec::new();
    for (i, level) in LEVELS.iter().enumerate() {
        let wood = wood(&skeleton, level).primitive(&mut glb, bark);
        let crown = crown(&skeleton.clumps, level.crosses).primitive(&mut glb, leaves);
        nodes.push(glb.mesh(&format!("tree_LOD{i}"), &[wood, crown]));
    }
    let root = glb.add("nodes", json!({ "name": "tree", "children": nodes }));
    glb.finish(&[root])
}

/// Adds a rough material with an image and further fields.
fn material(glb: &mut Glb, name: &str, png: &[u8], mut fields: Value) -> usize {
    let texture = json!({ "index": glb.texture(name, png) });
    fields["name"] = name.into();
    fields["pbrMetallicRoughness"] =
        json!({ "baseColorTexture": texture, "metallicFactor": 0.0, "roughnessFactor": 0.9 });
    glb.add("materials", fields)
}

fn skeleton(random: &mut Random) -> Skeleton {
    let points = [[0.0; 3], [0.0, 2.0, 0.0], [-0.45, 4.0, 0.25], [0.1, 6.0, 0.05]];
    let trunk = Branch { points, radius: 0.16, flare: 1.45, sway: 0.0 };
    let clump = |branch: &Branch, t, radius| Clump {
        centre: branch.at(t),
        radius,
        sway: branch.sway_at(t),
    };
    let mut clumps = vec![clump(&trunk, 1.0, 0.9), clump(&trunk, 0.8, 0.9)];
    let (mut limbs, mut twigs) = (Vec::new(), Vec::new());
    for i in 0..LIMBS {
        let part = i as f32 / (LIMBS - 1) as f32;
        let turn = i as f32 * GOLDEN_ANGLE + random.range(-0.3, 0.3);
        let out = mix(1.75, 0.9, part) * random.range(0.9, 1.1);
        let rise = random.range(0.95, 1.2);
        let limb = fork(&trunk, mix(0.34, 0.76, part), turn, [out, rise], random);
        clumps.push(clump(&limb, 1.0, random.range(0.8, 1.0)));
        let aside = if i % 2 == 0 { 0.9 } else { -0.9 };
        let twig = fork(&limb, random.range(0.4, 0.55), turn + aside, [0.6 * out, 0.7], random);
        clumps.push(clump(&twig, 1.0, random.range(0.7, 0.9)));
        limbs.push(limb);
        twigs.push(twig);
    }
    Skeleton { trunk, limbs, twigs, clumps }
}

/// A branch that leaves another one at a part of its length, first outwards and then up.
fn fork(parent: &Branch, t: f32, turn: f32, [out, rise]: [f32; 2], random: &mut Random) -> Branch {
    let foot = parent.at(t);
    let bend = horizontal(turn + FRAC_PI_2).map(|x| x * out * random.range(-0.15, 0.15));
    let point = |x: f32, y: f32, aside: f32| {
        let point = along(foot, horizontal(turn), out * x);
        along(along(point, UP, rise * y), bend, aside)
    };
    let points = [foot, point(0.35, 0.2, 1.0), point(0.75, 0.55, -1.0), point(1.0, 1.0, 0.0)];
    let radius = 0.55 * parent.radius_at(t);
    Branch { points, radius, flare: 1.3, sway: parent.sway_at(t) }
}

fn wood(skeleton: &Skeleton, level: &Level) -> Surface {
    let mut wood = Surface::default();
    let mut add = |branches: &[Branch], [sides, segments]: [u32; 2]| {
        branches.iter().for_each(|branch| wood.tube(branch, sides, segments));
    };
    add(std::slice::from_ref(&skeleton.trunk), level.trunk);
    add(&skeleton.limbs, level.limb);
    add(&skeleton.twigs, level.twig);
    wood
}

/// The clumps, of pairs of cards that cross each other. Fewer cards are larger, so that their area
/// stays the same.
fn crown(clumps: &[Clump], crosses: u32) -> Surface {
    let mut leaves = Surface::default();
    let mut random = Random(SEED + 1);
    for clump in clumps {
        let Clump { centre, radius, sway } = *clump;
        let size = radius * (CARDS / (2 * crosses) as f32).sqrt();
        let room = (radius - 0.35 * size).max(0.1);
        for i in 0..crosses {
            // Evenly over the sphere, more densely near its surface.
            let y = 1.0 - (2 * i + 1) as f32 / crosses as f32;
            let around = horizontal(i as f32 * GOLDEN_ANGLE + random.range(0.0, 0.5));
            let direction = along(around.map(|x| x * (1.0 - y * y).sqrt()), UP, y);
            let place = along(centre, direction, room * random.range(0.2, 1.0).sqrt());
            // Leaves grow away from the branch, and to the light.
            let up = along(along(direction, UP, 0.6), random.direction(), 0.6);
            let up = unit(along(up, unit(difference(place, MIDDLE)), 0.4));
            let right = across(random.direction(), up);
            for right in [right, cross(right, up)] {
                leaves.card(&Card { centre: place, up, right, size }, MIDDLE, |corner| {
                    let out = length(difference(corner, centre)) / radius;
                    mix(sway, 1.0, out.min(1.0))
                });
            }
        }
    }
    leaves
}
