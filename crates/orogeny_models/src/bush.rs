//! Bushes.

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    crown::{Blob, Crown, Foliage, Posture},
    far::crown_cards,
    form::Form,
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal},
    tree::limb,
    tube::{Skin, tube},
};

/// A bush about 1.6 m high with several stems.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
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
                let skin = Skin { surface: Surface::Bark, sides, along: [0.3, 0.5], dents: 0.0 };
                tube(&mut mesh, &[stem[0], stem[3]], skin, |p| Shade {
                    normal: Vec3::Y,
                    tone: 0.35,
                    sway: 0.5 * (p.y / height).max(0.0),
                });
            }
            let cards = cards.min((most - mesh.triangles() as u32) / 2);
            let foliage = Foliage {
                surface: Surface::Leaves,
                size: size * s,
                tilt: 0.6,
                posture: Posture::Any,
            };
            crown.cards(&mut mesh, cards, foliage, &mut random.fork());
            mesh
        })
        .into();
    let mut far = Mesh::default();
    crown_cards(&mut far, &crown, 4, Vec2::splat(1.06), Surface::BushFar, Posture::Any, random);
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
