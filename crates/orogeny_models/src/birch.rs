//! Birches.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Posture},
    form::Form,
    lobe::{Growth, Lobe},
    random::Random,
    shade::{GOLDEN_ANGLE, horizontal},
    tree::{Tree, limb, on_trunk, trunk},
    tube::Ring,
};

/// A slender tree about 12 m high: thin ascending limbs with hanging twigs.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 12.0 * random.vary(0.1);
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
    let s = height / 12.0;
    let crown = growth.crown();
    Tree {
        trunk,
        limbs: growth.limbs,
        twigs: growth.twigs,
        crown,
        bark: Surface::BirchBark,
        leaves: [Surface::BirchLeaves, Surface::BirchLeaves, Surface::BirchFar, Surface::BirchFar],
        sizes: [0.46 * s, 0.68 * s, 1.25 * s],
        far: Vec2::new(1.02, 1.06),
        posture: Posture::Hanging,
    }
    .levels(random)
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
