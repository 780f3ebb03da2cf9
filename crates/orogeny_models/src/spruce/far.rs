//! Spruces from afar: cards with the silhouette of the crown.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{
    Spruce,
    branch::{Branch, Detail},
};
use crate::{
    Mesh, Surface, card::Print, far::crossed_trunk, random::Random, shade::Shade, shade::horizontal,
};

impl Spruce {
    /// Silhouettes, and the longest branches, which make the outline irregular.
    pub(super) fn middle(&self, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        self.stem(&mut mesh, 3, 2);
        self.silhouettes(&mut mesh, 7, 0.82, random);
        let room = (70 - mesh.triangles()) / 4;
        // One from each part of the crown. The longest would stick out like wings.
        let part = self.branches.len().div_ceil(room);
        for some in self.branches.chunks(part) {
            let excess = |branch: &&Branch| (branch.length() / self.reach(branch) - 0.96).abs();
            if let Some(branch) = some.iter().min_by(|a, b| excess(a).total_cmp(&excess(b))) {
                branch.add(&mut mesh, Detail::Fans, random, |p| self.shade(p));
            }
        }
        mesh
    }

    /// Radius of the crown at the height of a branch.
    fn reach(&self, branch: &Branch) -> f32 {
        self.outline(self.share(branch.base().y)).max(0.25)
    }

    /// Five silhouettes, which lean to the axis.
    pub(super) fn far(&self, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        crossed_trunk(&mut mesh, &self.trunk, Surface::Bark, |p| self.wood(p));
        self.silhouettes(&mut mesh, 5, 0.97, random);
        mesh
    }

    /// Cards with the silhouette of a crown that is `wide` times as wide.
    pub(super) fn silhouettes(&self, mesh: &mut Mesh, count: u32, wide: f32, random: &mut Random) {
        let radius = wide * self.radius;
        let dark = 0.72 + 0.25 * wide;
        let start = random.angle();
        let low = self.bottom - 0.1 * (self.top - self.bottom) * (0.6 + self.droop);
        for i in 0..count {
            let azimuth = start + i as f32 / count as f32 * TAU;
            let out = horizontal(azimuth);
            let side = Vec3::new(-out.z, 0.0, out.x);
            let print = Print { surface: Surface::ConiferFar, cell: random.cell() };
            let bottom = Vec3::Y * low + out * (0.34 * radius);
            let top = Vec3::Y * self.top;
            let corners = [(0.0, bottom - side * radius), (1.0, bottom + side * radius)];
            let tops = [(0.62, top + side * 0.24 * radius), (0.38, top - side * 0.24 * radius)];
            let [a, b] =
                corners.map(|(u, p)| self.far_vertex(mesh, p, print.uv(u, 0.0), out, dark));
            let [c, d] = tops.map(|(u, p)| self.far_vertex(mesh, p, print.uv(u, 1.0), out, dark));
            mesh.triangle(a, b, c);
            mesh.triangle(a, c, d);
        }
    }

    fn far_vertex(&self, mesh: &mut Mesh, p: Vec3, uv: [f32; 2], out: Vec3, tone: f32) -> u32 {
        let shade = self.shade(p);
        let shade = Shade {
            normal: shade.normal + 0.15 * out,
            tone: tone * (0.95 + 0.05 * shade.sway),
            ..shade
        };
        mesh.push(p, uv, Surface::ConiferFar, shade)
    }
}
