//! Trees and bushes with limbs and a crown of blobs.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};

use crate::crown::{Blob, Crown, Foliage, Growth, Lobe, Posture, crossed_trunk, crown_cards};
use crate::mesh::{GOLDEN_ANGLE, Shade, horizontal, smoothstep};
use crate::model::{Form, Random};
use crate::shapes::{Ring, Skin, tube};
use crate::{Mesh, Pattern};

/// A grown tree, before it becomes meshes.
struct Tree<'a> {
    species: &'a Species,
    /// Relative to the height that the sizes of the species are for.
    scale: f32,
    trunk: Vec<Ring>,
    roots: Vec<Vec<Ring>>,
    growth: Growth,
    crown: Crown,
}

/// What a tree is covered with.
struct Species {
    bark: Pattern,
    /// Patterns of the cards of near levels, and of far ones.
    leaves: [Pattern; 2],
    /// Half the side of the cards of each level but the last, in metres, of a tree of this height.
    sizes: [f32; 3],
    height: f32,
    /// Size of the last level's cards, relative to the crown: across and upwards.
    far: Vec2,
    posture: Posture,
}

/// What a level of detail consists of.
struct Detail {
    /// Sides and rings.
    trunk: (u32, usize),
    /// Their number, sides and rings.
    limbs: (usize, u32, usize),
    tilt: f32,
    triangles: u32,
}

const DETAILS: [Detail; 3] = [
    Detail { trunk: (9, 6), limbs: (20, 4, 4), tilt: 0.8, triangles: 1800 },
    Detail { trunk: (5, 3), limbs: (12, 3, 2), tilt: 0.6, triangles: 550 },
    Detail { trunk: (3, 2), limbs: (0, 3, 2), tilt: 0.35, triangles: 70 },
];

impl Species {
    /// The levels of a tree with a height in metres. Its clumps may be smaller than usual.
    fn levels(
        &self,
        height: f32,
        clumps: f32,
        trunk: Vec<Ring>,
        growth: Growth,
        random: &mut Random,
    ) -> Vec<Mesh> {
        let crown = growth.crown();
        let scale = height / self.height * clumps;
        let roots = roots(&trunk, &mut random.fork());
        Tree { species: self, scale, trunk, roots, growth, crown }.levels(random)
    }
}

impl Tree<'_> {
    fn levels(&self, random: &mut Random) -> Vec<Mesh> {
        let Species { bark, leaves: [_, leaves], far, posture, .. } = *self.species;
        let mut levels: Vec<Mesh> = DETAILS
            .iter()
            .enumerate()
            .map(|(level, detail)| self.level(level, detail, &mut random.fork()))
            .collect();
        let mut mesh = Mesh::default();
        crossed_trunk(&mut mesh, &self.trunk, bark, |p| self.wood(p));
        crown_cards(&mut mesh, &self.crown, 5, far, leaves, posture, random);
        levels.push(mesh);
        levels
    }

    fn level(&self, level: usize, detail: &Detail, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        let mut stem = |rings: &[Ring], sides, along, dents| {
            let skin = Skin { pattern: self.species.bark, sides, along, dents };
            tube(&mut mesh, rings, skin, |p| self.wood(p));
        };
        let ((sides, rings), (limbs, limb_sides, limb_rings)) = (detail.trunk, detail.limbs);
        stem(&thin(&self.trunk, rings), sides, [0.0, 1.0], 0.06);
        for limb in self.growth.limbs.iter().take(limbs) {
            let top = self.trunk[self.trunk.len() - 1].centre.y;
            let along = [limb[0].centre.y / top, limb[limb.len() - 1].centre.y / top];
            stem(&thin(limb, limb_rings), limb_sides, along, 0.0);
        }
        for twig in self.growth.twigs.iter().filter(|_| level == 0) {
            stem(twig, 3, [0.6, 0.9], 0.0);
        }
        for root in self.roots.iter().filter(|_| level == 0) {
            stem(root, 4, [0.0, 0.06], 0.0);
        }
        let cards = (detail.triangles - mesh.triangles() as u32) / 2;
        let foliage = Foliage {
            pattern: self.species.leaves[usize::from(level > 1)],
            size: self.species.sizes[level] * self.scale,
            tilt: detail.tilt,
            // Small cards make flat clumps in any posture.
            posture: match self.species.posture {
                Posture::Flat if level < 2 => Posture::Any,
                posture => posture,
            },
        };
        self.crown.cards(&mut mesh, cards, foliage, random);
        mesh
    }

    /// Wood is in shadow inside the crown, and dark where it meets the ground.
    fn wood(&self, p: Vec3) -> Shade {
        let hull = &self.crown.hull;
        let bottom = hull.centre.y - hull.radii.y;
        let within = smoothstep(bottom - 0.5, hull.centre.y, p.y);
        let ground = smoothstep(-0.2, 0.8, p.y);
        let share = (p.y / (hull.centre.y + hull.radii.y)).max(0.0);
        let tone = (0.55 + 0.45 * ground) * (1.0 - 0.45 * within);
        Shade { normal: Vec3::Y, tone, sway: 0.5 * share * share }
    }
}

/// Keeps the first and last ring and evenly spaced ones in between.
fn thin(rings: &[Ring], count: usize) -> Vec<Ring> {
    let count = count.min(rings.len());
    (0..count).map(|i| rings[i * (rings.len() - 1) / (count - 1)]).collect()
}

/// A curved limb of four rings from the trunk to a place in the crown. `rise` bends it: positive
/// limbs leave the trunk flat and turn upwards.
pub(crate) fn limb(from: Vec3, to: Vec3, rise: f32, radius: f32, random: &mut Random) -> Vec<Ring> {
    let reach = to - from;
    let length = reach.length();
    (0..4)
        .map(|i| {
            let s = i as f32 / 3.0;
            let sag = Vec3::Y * (-rise * length * s * (1.0 - s));
            let crook = if i % 3 == 0 { Vec3::ZERO } else { 0.06 * length * random.direction() };
            let radius = if i == 3 { 0.0 } else { radius * (1.0 - 0.75 * s) };
            Ring::new(from + reach * s + sag + crook, radius)
        })
        .collect()
}

/// The point of a trunk at a height.
fn on_trunk(trunk: &[Ring], y: f32) -> Ring {
    for pair in trunk.windows(2) {
        if y <= pair[1].centre.y {
            let s = (y - pair[0].centre.y) / (pair[1].centre.y - pair[0].centre.y);
            let radius = pair[0].radius + (pair[1].radius - pair[0].radius) * s;
            return Ring::new(pair[0].centre.lerp(pair[1].centre, s), radius);
        }
    }
    trunk[trunk.len() - 1]
}

/// A trunk of six rings which flares at the ground. `crook` is the relative size of its bends.
pub(crate) fn trunk(height: f32, radius: f32, crook: f32, random: &mut Random) -> Vec<Ring> {
    let shares = [0.0, 0.04, 0.25, 0.5, 0.75, 1.0];
    let widths = [1.5, 1.05, 0.85, 0.62, 0.36, 0.0];
    let mut offset = Vec3::ZERO;
    shares
        .iter()
        .zip(widths)
        .map(|(&share, width)| {
            if share > 0.1 {
                let bend = random.direction() * crook * height;
                offset += Vec3::new(bend.x, 0.0, bend.z);
            }
            let below = if share == 0.0 { -0.1 } else { 0.0 };
            Ring::new(Vec3::Y * (share * height + below) + offset, radius * width)
        })
        .collect()
}

/// Roots that leave the foot of a trunk. On level ground they dive into it some three radii of the
/// trunk away; on a slope, those on the lower side reach farther down.
pub(crate) fn roots(trunk: &[Ring], random: &mut Random) -> Vec<Vec<Ring>> {
    let Ring { centre, radius } = trunk[1];
    let foot = Vec3::new(centre.x, 0.0, centre.z);
    let count = random.count(5, 6);
    let turn = random.angle();
    let root = |i: u32| {
        let even = turn + TAU * i as f32 / count as f32;
        let out = horizontal(even + random.range(-0.4, 0.4));
        let side = horizontal(even + FRAC_PI_2) * random.range(-0.5, 0.5);
        let size = radius * random.vary(0.25);
        // How far out, how high and how thick it is, over the radius of the trunk.
        let ring = |[away, high, thick]: [f32; 3]| {
            let place = out * away + side * (0.2 * away * away) + Vec3::Y * high;
            Ring::new(foot + place * size, thick * size)
        };
        ROOT.map(ring).into()
    };
    (0..count).map(root).collect()
}

/// The middle line of a root.
const ROOT: [[f32; 3]; 4] =
    [[0.5, 2.4, 0.3], [1.15, 0.75, 0.5], [2.1, 0.0, 0.36], [3.9, -1.3, 0.0]];

const PINE: Species = Species {
    bark: Pattern::PineBark,
    leaves: [Pattern::PineNeedles, Pattern::PineFar],
    sizes: [0.36, 0.58, 1.24],
    height: 14.0,
    far: Vec2::new(0.98, 1.08),
    posture: Posture::Flat,
};

/// A Scots pine about 14 m high with a bare trunk and flat clumps of needles.
pub(crate) fn pine(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = PINE.height * random.vary(0.1);
    let spread = form.pick([0.21, 0.15, 0.27, 0.22]) * height * random.vary(0.08);
    let bare = form.pick([0.54, 0.38, 0.62, 0.5]) * random.vary(0.06);
    let crook = form.pick([0.02, 0.008, 0.032, 0.045]);
    let trunk = trunk(0.95 * height, 0.0145 * height, crook, random);
    let mut growth = Growth::default();
    // Old pines have flat tops, young ones pointed ones.
    let taper = form.pick([0.45, 0.75, 0.1, 0.3]);
    let count = form.pick([13, 14, 12, 11]);
    let (turn, wind) = (random.angle(), horizontal(random.angle()));
    let wind = wind * form.pick([0.1, 0.0, 0.15, 0.55]);
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let out = horizontal(turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5));
        let level = height * (bare + (0.94 - bare) * share + random.range(-0.02, 0.02));
        let side = 1.0 + out.dot(wind);
        // The last one is the crest.
        let reach = if i + 1 == count { 0.12 } else { (1.0 - taper * share) * random.vary(0.3) };
        let reach = 0.72 * spread * reach * side;
        let radius = spread * (0.44 - 0.3 * taper * share) * random.vary(0.25);
        let centre = on_trunk(&trunk, level).centre + out * reach;
        growth.lobe(
            Lobe {
                fork: on_trunk(&trunk, level - 0.05 * height - 0.12 * reach),
                thick: 0.45,
                bend: random.range(0.0, 0.25),
                space: Blob::new(centre, radius, random.range(0.42, 0.6)),
                clumps: random.count(2, 4),
                size: 0.6,
            },
            random,
        );
    }
    // Stubs of branches that died in the shade.
    for _ in 0..4 {
        let fork = on_trunk(&trunk, height * bare * random.range(0.55, 0.95));
        let reach = horizontal(random.angle()) * random.range(0.4, 1.3);
        growth.dead(fork, reach, random);
    }
    // The clumps of young ones are small.
    let clumps = form.pick([1.0, 0.76, 1.0, 1.0]);
    PINE.levels(height, clumps, trunk, growth, random)
}

const BIRCH: Species = Species {
    bark: Pattern::BirchBark,
    leaves: [Pattern::BirchLeaves, Pattern::BirchFar],
    sizes: [0.46, 0.68, 1.25],
    height: 12.0,
    far: Vec2::new(1.02, 1.06),
    posture: Posture::Hanging,
};

/// A slender birch about 12 m high: thin ascending limbs with hanging twigs.
pub(crate) fn birch(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = BIRCH.height * random.vary(0.1);
    let spread = form.pick([0.21, 0.15, 0.27, 0.22]) * height * random.vary(0.08);
    let lean = horizontal(random.angle()) * form.pick([0.05, 0.03, 0.07, 0.2]);
    let trunk = trunk(0.92 * height, 0.0105 * height, 0.012, random);
    let trunk = leaning(&trunk, lean * height);
    let mut growth = Growth::default();
    if form == Form::Old {
        growth.limbs.push(second_stem(&trunk, height, random));
    }
    let stems = [Some(&trunk), growth.limbs.first()].map(|stem| stem.cloned());
    let count = form.pick([19, 16, 20, 17]);
    let low = form.pick([0.3, 0.24, 0.26, 0.36]);
    let turn = random.angle();
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let out = horizontal(turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5));
        let stem = if i % 3 == 0 && share < 0.8 { &stems[1] } else { &stems[0] };
        let stem = stem.as_ref().unwrap_or(&trunk);
        let level = height * (low + (0.92 - low) * share);
        // Widest below the middle, and pointed at the top.
        let wide = (1.0 - 0.85 * share * share) * (0.75 + 0.9 * share).min(1.0);
        // The light side of a leaning one has the longer limbs.
        let bright = 1.0 + 1.8 * out.dot(lean);
        let reach = spread * 0.68 * wide * bright * random.vary(0.4);
        let radius = spread * (0.2 + 0.26 * wide) * random.vary(0.3);
        let centre = on_trunk(stem, level).centre + out * reach;
        let fork = on_trunk(stem, level - 1.1 * reach - 0.05 * height);
        growth.lobe(
            Lobe {
                fork,
                thick: 0.42,
                bend: -0.12,
                space: Blob::new(centre, radius, 1.35),
                clumps: if wide > 0.5 { 4 } else { 3 },
                size: 0.6,
            },
            random,
        );
    }
    BIRCH.levels(height, 1.0, trunk, growth, random)
}

/// The trunk, bent to one side: most near the top. Its foot stays where it is.
fn leaning(trunk: &[Ring], lean: Vec3) -> Vec<Ring> {
    let top = trunk[trunk.len() - 1].centre.y;
    let bent = |ring: &Ring| {
        let share = (ring.centre.y / top).max(0.0);
        Ring::new(ring.centre + lean * share * (0.5 + 0.5 * share), ring.radius)
    };
    trunk.iter().map(bent).collect()
}

/// A second stem, which leaves the first near the ground.
fn second_stem(trunk: &[Ring], height: f32, random: &mut Random) -> Vec<Ring> {
    let fork = on_trunk(trunk, 0.03 * height);
    let aside = horizontal(random.angle()) * random.range(0.14, 0.2);
    let tip = fork.centre + height * (aside + random.range(0.76, 0.86) * Vec3::Y);
    limb(fork.centre, tip, 0.05, 0.8 * fork.radius, &mut random.fork())
}

const BROADLEAF: Species = Species {
    bark: Pattern::Bark,
    leaves: [Pattern::Leaves, Pattern::CrownFar],
    sizes: [0.52, 0.86, 1.75],
    height: 13.0,
    far: Vec2::new(1.02, 1.06),
    posture: Posture::Any,
};

/// A broad-leaved tree about 13 m high whose limbs end in lobes of several clumps.
pub(crate) fn broadleaf(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = BROADLEAF.height * random.vary(0.1);
    let spread = form.pick([0.35, 0.25, 0.43, 0.36]) * height * random.vary(0.06);
    let crook = form.pick([0.018, 0.01, 0.03, 0.035]);
    let trunk = trunk(0.84 * height, 0.021 * height, crook, random);
    let mut growth = Growth::default();
    let top = on_trunk(&trunk, 0.74 * height);
    growth.lobe(
        Lobe {
            fork: on_trunk(&trunk, 0.5 * height),
            thick: 0.5,
            bend: 0.0,
            space: Blob::new(top.centre, 0.2 * height * random.vary(0.15), 1.0),
            clumps: 6,
            size: 0.52,
        },
        random,
    );
    let count = form.pick([9, 8, 10, 8]);
    // Battered ones have lost the limbs on one side.
    let (turn, lost) = (random.angle(), horizontal(random.angle()));
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let out = horizontal(turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5));
        let low = form.pick([0.36, 0.32, 0.33, 0.42]);
        let level = height * (low + (0.68 - low) * share + random.range(-0.05, 0.05));
        let fork = on_trunk(&trunk, height * (0.2 + 0.3 * share + random.range(0.0, 0.06)));
        let reach = spread * (0.58 - 0.2 * share) * random.vary(0.15);
        let centre = Vec3::Y * level + out * reach;
        if form == Form::Battered && out.dot(lost) > 0.35 {
            let stump = (centre - fork.centre) * random.range(0.35, 0.7);
            growth.dead(fork, stump, random);
            continue;
        }
        let radius = spread * (0.45 - 0.1 * share) * random.vary(0.2);
        growth.lobe(
            Lobe {
                fork,
                thick: 0.55,
                bend: random.range(0.05, 0.2),
                space: Blob::new(centre, radius, random.range(0.65, 0.9)),
                clumps: random.count(4, 5),
                size: 0.52,
            },
            random,
        );
    }
    BROADLEAF.levels(height, 1.0, trunk, growth, random)
}

/// A bush about 1.6 m high with several stems.
pub(crate) fn bush(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 1.6 * random.vary(0.13);
    let spread = form.pick([0.5, 0.36, 0.62, 0.5]) * height * random.vary(0.1);
    let side = horizontal(random.angle()) * form.pick([0.15, 0.1, 0.2, 0.6]);
    let crest = 0.7 * height * Vec3::Y + side * (0.4 * spread);
    let mut blobs = vec![Blob::new(crest, 0.24 * height, random.range(0.9, 1.1))];
    let count = form.pick([8, 7, 10, 8]);
    let turn = random.angle();
    let mut stems = Vec::new();
    for i in 0..count {
        let out = horizontal(turn + i as f32 * GOLDEN_ANGLE + random.range(-0.4, 0.4));
        let rise = random.unit();
        // High stems are near the middle, low ones lean outwards.
        let level = height * (0.17 + 0.46 * rise);
        let reach = spread * (0.85 - 0.45 * rise) * (1.0 + out.dot(side)) * random.vary(0.25);
        let centre = out * reach + level * Vec3::Y;
        let radius = height * form.pick([0.22, 0.2, 0.22, 0.21]) * random.vary(0.3);
        blobs.push(Blob::new(centre, radius, random.range(0.75, 1.05)));
        let foot = out * 0.06 - 0.02 * Vec3::Y;
        stems.push(limb(foot, centre + 0.4 * radius * Vec3::Y, 0.1, 0.018, random));
    }
    let crown = Crown::new(blobs);
    let s = height / 1.6;
    let mut levels: Vec<Mesh> = [(3, 134, 0.19, 300), (0, 40, 0.31, 80)]
        .map(|(sides, cards, size, most)| {
            let mut mesh = Mesh::default();
            for stem in stems.iter().filter(|_| sides > 0) {
                let skin = Skin { pattern: Pattern::Bark, sides, along: [0.3, 0.5], dents: 0.0 };
                tube(&mut mesh, &[stem[0], stem[3]], skin, |p| Shade {
                    normal: Vec3::Y,
                    tone: 0.35,
                    sway: 0.5 * (p.y / height).max(0.0),
                });
            }
            let cards = cards.min((most - mesh.triangles() as u32) / 2);
            let foliage = Foliage {
                pattern: Pattern::Leaves,
                size: size * s,
                tilt: 0.6,
                posture: Posture::Any,
            };
            crown.cards(&mut mesh, cards, foliage, &mut random.fork());
            mesh
        })
        .into();
    let mut far = Mesh::default();
    crown_cards(&mut far, &crown, 4, Vec2::splat(1.06), Pattern::BushFar, Posture::Any, random);
    levels.push(far);
    for mesh in &mut levels {
        settle(mesh, height);
    }
    levels
}

/// Moves the lowest foliage to the ground, and makes sway vanish there.
fn settle(mesh: &mut Mesh, height: f32) {
    let low = mesh.vertices.iter().map(|vertex| vertex.position[1]).fold(f32::MAX, f32::min);
    let hover = low.max(0.0);
    for vertex in &mut mesh.vertices {
        let share = (1.4 - 1.4 * vertex.position[1] / height).min(1.0);
        vertex.position[1] = (vertex.position[1] - hover * share.max(0.0)).max(-0.02);
        vertex.sway *= (vertex.position[1] / height).clamp(0.0, 1.0).sqrt();
    }
}
