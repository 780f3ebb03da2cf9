//! Ferns.

use glam::Vec3;

use crate::{
    Mesh, Surface,
    card::{Print, Section, ribbon},
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal},
};

/// A frond, before it becomes a ribbon.
struct Frond {
    azimuth: f32,
    length: f32,
    /// Steepness at the base, in radians.
    rise: f32,
    /// How far the frond bends over its length, in radians.
    bend: f32,
    cell: u32,
}

/// A fern about 0.7 m high: a funnel of arching fronds.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 0.7 * random.vary(0.13);
    let turn = random.angle();
    let rise = random.range(1.15, 1.3);
    let mut fronds: Vec<Frond> = (0..15)
        .map(|i| Frond {
            azimuth: turn + i as f32 * GOLDEN_ANGLE + random.range(-0.25, 0.25),
            length: 1.32 * height * random.range(0.8, 1.05),
            rise: rise - random.range(0.0, 0.35),
            bend: random.range(1.3, 1.9),
            cell: random.cell(),
        })
        .collect();
    fronds[0].rise = rise;
    let detail = [(15, 5, true, 1.0), (10, 2, true, 1.2), (4, 1, false, 1.75)];
    let mut levels: Vec<Mesh> = detail
        .into_iter()
        .map(|(count, steps, folded, wide)| {
            let mut mesh = Mesh::default();
            for frond in &fronds[..count] {
                frond.add(&mut mesh, steps, folded, wide, height);
            }
            mesh
        })
        .collect();
    // Ferns differ in length and bend, so the height is set at the end.
    for mesh in &mut levels {
        let stretch = height / mesh.top();
        for vertex in &mut mesh.vertices {
            vertex.position[1] *= stretch;
        }
    }
    levels
}

impl Frond {
    /// Centre line at a share of the length, and the direction there.
    fn at(&self, share: f32) -> (Vec3, Vec3) {
        let out = horizontal(self.azimuth);
        // The integral of the direction along an arc of constant curvature.
        let end = self.rise - self.bend * share;
        let x = (self.rise.sin() - end.sin()) / self.bend;
        let y = (end.cos() - self.rise.cos()) / self.bend;
        let centre = (out * x + Vec3::Y * y) * self.length + out * 0.02;
        (centre, out * end.cos() + Vec3::Y * end.sin())
    }

    fn add(&self, mesh: &mut Mesh, steps: u32, folded: bool, wide: f32, height: f32) {
        let out = horizontal(self.azimuth);
        let side = Vec3::new(-out.z, 0.0, out.x);
        let half = 0.15 * self.length * wide;
        let sections: Vec<Section> = (0..=steps + 1)
            .map(|i| {
                // The first ring is wide already at a quarter, as fronds are.
                let share = if steps == 1 { [0.0, 0.5, 1.0][i as usize] } else { spread(i, steps) };
                let (centre, ahead) = self.at(share);
                let width = half * (share / 0.45).min((1.0 - share) / 0.55).min(1.0);
                let above = side.cross(ahead);
                let up = above * if above.y < 0.0 { -0.25 } else { 0.25 };
                let [left, right] = [side, -side].map(|across| (across + up) * width);
                if i == 0 || i > steps {
                    Section::point(centre)
                } else {
                    Section { centre, left, right }
                }
            })
            .collect();
        let print = Print { surface: Surface::Frond, cell: self.cell };
        ribbon(mesh, &sections, folded, print, |p| {
            let far = Vec3::new(p.x, 0.0, p.z).length() / height;
            let high = (p.y / height).clamp(0.0, 1.0);
            Shade {
                normal: Vec3::new(p.x, 0.0, p.z) / height * 0.7 + Vec3::Y * 0.8,
                tone: 0.48 + 0.42 * high + 0.2 * far,
                sway: high.max(0.8 * far).min(1.0) * far.min(1.0).sqrt(),
            }
        });
    }
}

/// Share of the length of a section. The last steps are the shorter ones.
fn spread(i: u32, steps: u32) -> f32 {
    i as f32 / (steps + 1) as f32
}
