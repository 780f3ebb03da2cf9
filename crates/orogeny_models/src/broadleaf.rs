//! Broad-leaved trees.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Crown},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, limb, on_trunk, trunk},
};

/// A tree about 13 m high with a wide crown of several domes.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 13.0 * random.vary(0.13);
    let spread = 0.36 * height * random.vary(0.15);
    let trunk = trunk(0.86 * height, 0.021 * height, 0.018, random);
    let mut blobs = vec![Blob::new(
        Vec3::Y * (0.76 * height) + horizontal(random.angle()) * 0.08 * spread,
        0.24 * height,
        random.range(0.85, 1.0),
    )];
    let mut limbs = Vec::new();
    let count = random.count(9, 11);
    let turn = random.angle();
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.4, 0.4);
        let level = height * (0.42 + 0.3 * share + random.range(-0.03, 0.03));
        let reach = spread * (0.62 - 0.24 * share) * random.vary(0.15);
        let centre = Vec3::Y * level + horizontal(azimuth) * reach;
        let radius = spread * (0.46 - 0.1 * share) * random.vary(0.2);
        blobs.push(Blob::new(centre, radius, random.range(0.72, 0.95)));
        let fork = on_trunk(&trunk, height * (0.24 + 0.26 * share));
        let tip = centre + horizontal(azimuth) * 0.4 * radius + 0.3 * radius * Vec3::Y;
        limbs.push(limb(fork.centre, tip, 0.1, 0.55 * fork.radius, random));
    }
    let s = height / 13.0;
    Tree {
        trunk,
        limbs,
        crown: Crown::new(blobs),
        bark: Surface::Bark,
        leaves: [Surface::Leaves, Surface::Leaves, Surface::CrownFar, Surface::CrownFar],
        sizes: [0.66 * s, 1.15 * s, 1.95 * s],
        far: Vec2::new(1.06, 1.12),
        hanging: false,
    }
    .levels(random)
}
