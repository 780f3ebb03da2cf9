//! Bushes.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Crown, Foliage},
    far::crown_cards,
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal},
    tree::limb,
    tube::{Skin, tube},
};

/// A bush about 1.6 m high with several stems.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 1.6 * random.vary(0.13);
    let spread = 0.52 * height * random.vary(0.15);
    let mut blobs =
        vec![Blob::new(Vec3::Y * 0.64 * height, 0.34 * height, random.range(0.9, 1.05))];
    let count = random.count(6, 7);
    let turn = random.angle();
    let mut stems = Vec::new();
    for i in 0..count {
        let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.3, 0.3);
        let level = height * random.range(0.24, 0.5);
        let radius = 0.28 * height * random.vary(0.2);
        let centre = horizontal(azimuth) * spread * random.range(0.45, 0.7) + level * Vec3::Y;
        blobs.push(Blob::new(centre, radius, random.range(0.8, 1.0)));
        let foot = horizontal(azimuth) * 0.06 - 0.02 * Vec3::Y;
        stems.push(limb(foot, centre + 0.4 * radius * Vec3::Y, 0.1, 0.018, random));
    }
    let crown = Crown::new(blobs);
    let s = height / 1.6;
    let mut levels: Vec<Mesh> = [(3, 134, 0.2, 300), (0, 40, 0.34, 80)]
        .map(|(sides, cards, size, most)| {
            let mut mesh = Mesh::default();
            for stem in stems.iter().filter(|_| sides > 0) {
                let skin = Skin { surface: Surface::Bark, sides, along: [0.3, 0.5], dents: 0.0 };
                tube(&mut mesh, &[stem[0], stem[3]], skin, |p| Shade {
                    normal: Vec3::Y,
                    tone: 0.35,
                    sway: 0.5 * (p.y / height).max(0.0),
                });
            }
            let cards = cards.min((most - mesh.triangles() as u32) / 2);
            let foliage =
                Foliage { surface: Surface::Leaves, size: size * s, tilt: 0.6, hanging: false };
            crown.cards(&mut mesh, cards, foliage, &mut random.fork());
            mesh
        })
        .into();
    let mut far = Mesh::default();
    crown_cards(&mut far, &crown, 4, Vec2::splat(1.06), Surface::BushFar, false, random);
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
        let share = 1.0 - vertex.position[1] / height;
        vertex.position[1] = (vertex.position[1] - hover * share.max(0.0)).max(-0.02);
        vertex.sway *= (vertex.position[1] / height).clamp(0.0, 1.0).sqrt();
    }
}
