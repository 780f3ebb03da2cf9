//! Birches.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Crown},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, limb, on_trunk, trunk},
};

/// A slender tree about 12 m high: thin ascending limbs with hanging twigs.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 12.0 * random.vary(0.13);
    let spread = 0.23 * height * random.vary(0.15);
    let trunk = trunk(0.97 * height, 0.0105 * height, 0.012, random);
    let mut blobs = Vec::new();
    let mut limbs = Vec::new();
    let count = random.count(15, 18);
    let turn = random.angle();
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.4, 0.4);
        let level = height * (0.3 + 0.61 * share);
        // Widest below the middle, and pointed at the top.
        let wide = (1.0 - 0.85 * share * share) * (0.7 + 1.2 * share).min(1.0);
        let reach = spread * 0.62 * wide * random.vary(0.3);
        let radius = spread * (0.17 + 0.33 * wide) * random.vary(0.15);
        let centre = on_trunk(&trunk, level).centre + horizontal(azimuth) * reach;
        blobs.push(Blob::new(centre, radius, 1.25));
        let fork = on_trunk(&trunk, level - 0.9 * reach - 0.05 * height);
        let tip = centre + horizontal(azimuth) * 0.5 * radius + 0.7 * radius * Vec3::Y;
        limbs.push(limb(fork.centre, tip, -0.12, 0.42 * fork.radius, random));
    }
    let s = height / 12.0;
    Tree {
        trunk,
        limbs,
        crown: Crown::new(blobs),
        bark: Surface::BirchBark,
        leaves: [Surface::BirchLeaves, Surface::BirchLeaves, Surface::BirchFar, Surface::BirchFar],
        sizes: [0.48 * s, 0.85 * s, 1.4 * s],
        far: Vec2::new(1.15, 1.1),
        hanging: true,
    }
    .levels(random)
}
