//! Broad-leaved trees.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Posture},
    form::Form,
    lobe::{Growth, Lobe},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, on_trunk, trunk},
};

/// A tree about 13 m high whose limbs end in lobes of several clumps.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 13.0 * random.vary(0.1);
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
    let s = height / 13.0;
    let crown = growth.crown();
    Tree {
        trunk,
        limbs: growth.limbs,
        twigs: growth.twigs,
        crown,
        bark: Surface::Bark,
        leaves: [Surface::Leaves, Surface::Leaves, Surface::CrownFar, Surface::CrownFar],
        sizes: [0.52 * s, 0.86 * s, 1.75 * s],
        far: Vec2::new(1.02, 1.06),
        posture: Posture::Any,
    }
    .levels(random)
}
