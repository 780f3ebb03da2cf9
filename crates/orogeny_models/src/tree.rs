//! Trees with limbs and a crown of blobs, as levels of detail.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Crown, Foliage, Posture},
    far::{crossed_trunk, crown_cards},
    random::Random,
    shade::{Shade, smoothstep},
    tube::{Ring, Skin, tube},
};

/// A grown tree, before it becomes meshes.
pub(crate) struct Tree {
    pub(crate) trunk: Vec<Ring>,
    /// Limbs with four rings each, thickest first.
    pub(crate) limbs: Vec<Vec<Ring>>,
    /// Thin ones of two rings, which only the finest level shows.
    pub(crate) twigs: Vec<Vec<Ring>>,
    pub(crate) crown: Crown,
    pub(crate) bark: Surface,
    /// Patterns of the cards of each level.
    pub(crate) leaves: [Surface; 4],
    /// Half the side of the cards of each level but the last, in metres.
    pub(crate) sizes: [f32; 3],
    /// Size of the last level's cards, relative to the crown: across and upwards.
    pub(crate) far: Vec2,
    pub(crate) posture: Posture,
}

/// What a level of detail consists of.
struct Detail {
    trunk_sides: u32,
    trunk_rings: usize,
    limbs: usize,
    limb_sides: u32,
    limb_rings: usize,
    tilt: f32,
    triangles: u32,
}

const DETAILS: [Detail; 3] = [
    Detail {
        trunk_sides: 9,
        trunk_rings: 6,
        limbs: 20,
        limb_sides: 4,
        limb_rings: 4,
        tilt: 0.8,
        triangles: 1800,
    },
    Detail {
        trunk_sides: 5,
        trunk_rings: 3,
        limbs: 12,
        limb_sides: 3,
        limb_rings: 2,
        tilt: 0.6,
        triangles: 550,
    },
    Detail {
        trunk_sides: 3,
        trunk_rings: 2,
        limbs: 0,
        limb_sides: 3,
        limb_rings: 2,
        tilt: 0.35,
        triangles: 70,
    },
];

impl Tree {
    pub(crate) fn levels(&self, random: &mut Random) -> Vec<Mesh> {
        let mut levels: Vec<Mesh> = DETAILS
            .iter()
            .enumerate()
            .map(|(level, detail)| self.level(level, detail, &mut random.fork()))
            .collect();
        let mut mesh = Mesh::default();
        crossed_trunk(&mut mesh, &self.trunk, self.bark, |p| self.wood(p));
        crown_cards(&mut mesh, &self.crown, 5, self.far, self.leaves[3], self.posture, random);
        levels.push(mesh);
        levels
    }

    fn level(&self, level: usize, detail: &Detail, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        let skin =
            Skin { surface: self.bark, sides: detail.trunk_sides, along: [0.0, 1.0], dents: 0.06 };
        tube(&mut mesh, &thin(&self.trunk, detail.trunk_rings), skin, |p| self.wood(p));
        for limb in self.limbs.iter().take(detail.limbs) {
            let top = self.trunk[self.trunk.len() - 1].centre.y;
            let along = [limb[0].centre.y / top, limb[limb.len() - 1].centre.y / top];
            let skin = Skin { surface: self.bark, sides: detail.limb_sides, along, dents: 0.0 };
            tube(&mut mesh, &thin(limb, detail.limb_rings), skin, |p| self.wood(p));
        }
        for twig in self.twigs.iter().filter(|_| level == 0) {
            let skin = Skin { surface: self.bark, sides: 3, along: [0.6, 0.9], dents: 0.0 };
            tube(&mut mesh, twig, skin, |p| self.wood(p));
        }
        let cards = (detail.triangles - mesh.triangles() as u32) / 2;
        let foliage = Foliage {
            surface: self.leaves[level],
            size: self.sizes[level],
            tilt: detail.tilt,
            // Small cards make flat clumps in any posture.
            posture: match self.posture {
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
pub(crate) fn on_trunk(trunk: &[Ring], y: f32) -> Ring {
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
