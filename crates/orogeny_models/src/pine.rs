//! Scots pines.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Crown},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, limb, on_trunk, trunk},
};

/// A tree about 14 m high with a bare trunk and flat clumps of needles.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 14.0 * random.vary(0.13);
    let spread = 0.2 * height * random.vary(0.2);
    let bare = random.range(0.48, 0.6);
    let trunk = trunk(0.95 * height, 0.0145 * height, 0.02, random);
    let crest = on_trunk(&trunk, 0.93 * height).centre;
    let mut blobs = vec![Blob::new(crest - 0.02 * height * Vec3::Y, 0.42 * spread, 0.75)];
    let mut limbs = Vec::new();
    let count = random.count(10, 13);
    let turn = random.angle();
    for i in 0..count {
        let share = i as f32 / (count - 1) as f32;
        let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5);
        let level = height * (bare + (0.9 - bare) * share + random.range(-0.02, 0.02));
        let reach = spread * (0.75 - 0.4 * share) * random.vary(0.3);
        let radius = spread * (0.4 - 0.08 * share) * random.vary(0.25);
        let centre = on_trunk(&trunk, level).centre + horizontal(azimuth) * reach;
        blobs.push(Blob::new(centre, radius, random.range(0.5, 0.7)));
        let fork = on_trunk(&trunk, level - 0.03 * height);
        let tip = centre + horizontal(azimuth) * 0.5 * radius;
        limbs.push(limb(fork.centre, tip, 0.15, 0.5 * fork.radius, random));
    }
    let s = height / 14.0;
    Tree {
        trunk,
        limbs,
        crown: Crown::new(blobs),
        bark: Surface::PineBark,
        leaves: [Surface::PineNeedles, Surface::PineNeedles, Surface::PineFar, Surface::PineFar],
        sizes: [0.42 * s, 0.75 * s, 1.25 * s],
        far: Vec2::new(0.86, 1.1),
        hanging: false,
    }
    .levels(random)
}
