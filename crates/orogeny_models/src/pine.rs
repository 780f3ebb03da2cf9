//! Scots pines.

use glam::Vec2;

use crate::{
    Mesh, Surface,
    crown::{Blob, Posture},
    form::Form,
    lobe::{Growth, Lobe},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, on_trunk, trunk},
};

/// A tree about 14 m high with a bare trunk and flat clumps of needles.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 14.0 * random.vary(0.1);
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
    let s = height / 14.0 * form.pick([1.0, 0.76, 1.0, 1.0]);
    let crown = growth.crown();
    Tree {
        trunk,
        limbs: growth.limbs,
        twigs: growth.twigs,
        crown,
        bark: Surface::PineBark,
        leaves: [Surface::PineNeedles, Surface::PineNeedles, Surface::PineFar, Surface::PineFar],
        sizes: [0.36 * s, 0.58 * s, 1.24 * s],
        far: Vec2::new(0.98, 1.08),
        posture: Posture::Flat,
    }
    .levels(random)
}
