//! Norway spruces.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::{
    Mesh, Surface,
    card::{Print, Section, ribbon, roof},
    far::crossed_trunk,
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal, smoothstep},
    tree::trunk,
    tube::{Ring, Skin, tube},
};

/// The proportions of a spruce.
struct Spruce {
    height: f32,
    /// Height of the lowest branches.
    bottom: f32,
    radius: f32,
    /// Exponent of the outline: below 1 it bulges.
    taper: f32,
    /// Angle of the lowest branches below the horizon, in radians.
    droop: f32,
    /// Phases of the outline's deviations from a circle.
    phases: [f32; 2],
    trunk: Vec<Ring>,
}

/// A slender tree about 16 m high with whorls of drooping branches.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 16.0 * random.vary(0.13);
    let spruce = Spruce {
        height,
        bottom: height * random.range(0.07, 0.15),
        radius: 0.165 * height * random.vary(0.14),
        taper: random.range(0.66, 0.9),
        droop: random.range(0.4, 0.65),
        phases: [random.angle(), random.angle()],
        trunk: trunk(height, 0.0125 * height, 0.002, random),
    };
    vec![
        spruce.mesh(7, 6, 322, 1.0, &mut random.fork()),
        spruce.mesh(4, 3, 80, 1.6, &mut random.fork()),
        spruce.mesh(3, 2, 28, 2.5, &mut random.fork()),
        spruce.far(&mut random.fork()),
    ]
}

impl Spruce {
    /// Radius of the crown at a share of its height.
    fn outline(&self, share: f32) -> f32 {
        // The lowest branches are shaded and short.
        let skirt = (0.6 + 5.0 * share).min(1.0);
        self.radius * (1.0 - share).max(0.0).powf(self.taper) * skirt
    }

    fn lobes(&self, azimuth: f32, share: f32) -> f32 {
        let [a, b] = self.phases;
        1.0 + 0.1 * (2.0 * azimuth + a + 4.0 * share).sin()
            + 0.08 * (3.0 * azimuth + b - 7.0 * share).sin()
    }

    fn shade(&self, p: Vec3) -> Shade {
        let share = (p.y - self.bottom) / (self.height - self.bottom);
        let around = self.outline(share.clamp(0.0, 1.0)) + 0.15;
        let out = Vec3::new(p.x, 0.0, p.z);
        let depth = (out.length() / around).min(1.2);
        let tone = 0.52 + 0.48 * smoothstep(0.1, 0.95, depth);
        let tone = tone * (0.88 + 0.12 * smoothstep(-0.1, 0.6, share));
        let high = (p.y / self.height).max(0.0);
        Shade {
            normal: out / around + Vec3::Y * (0.4 + 0.3 * high),
            tone,
            sway: 0.5 * high * high + 0.4 * depth.min(1.0) * (0.2 + 0.8 * high),
        }
    }

    fn wood(&self, p: Vec3) -> Shade {
        let tone = 0.85 - 0.4 * smoothstep(0.5 * self.bottom, 2.0 * self.bottom, p.y);
        let high = (p.y / self.height).clamp(0.0, 1.0);
        let ground = 0.6 + 0.4 * smoothstep(-0.1, 0.6, p.y);
        Shade { normal: Vec3::Y, tone: tone * ground, sway: 0.5 * high * high }
    }

    fn mesh(&self, sides: u32, rings: usize, count: u32, wide: f32, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        let last = self.trunk.len() - 1;
        let rings: Vec<Ring> = (0..rings).map(|i| self.trunk[i * last / (rings - 1)]).collect();
        let skin = Skin { surface: Surface::Bark, sides, along: [0.0, 1.0], dents: 0.03 };
        tube(&mut mesh, &rings, skin, |p| self.wood(p));
        let turn = random.angle();
        for i in 0..count {
            let even = (i as f32 + random.range(0.2, 0.8)) / count as f32;
            // Branches crowd towards the top, where they are short.
            let share = 1.0 - (1.0 - even).powf(1.12);
            let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.35, 0.35);
            self.branch(&mut mesh, share, azimuth, wide, random);
        }
        if sides == 7 {
            self.dead_twigs(&mut mesh, random);
        }
        // The dense inside of the crown. Fewer branches show more of it.
        let inside = if wide < 1.5 { 0.4 } else { 0.78 };
        self.silhouettes(&mut mesh, inside, random);
        mesh
    }

    fn branch(&self, mesh: &mut Mesh, share: f32, azimuth: f32, wide: f32, random: &mut Random) {
        let out = horizontal(azimuth);
        let side = Vec3::new(-out.z, 0.0, out.x);
        let length =
            (self.outline(share) * self.lobes(azimuth, share) * random.range(0.72, 1.08)).max(0.22);
        // Wide ones would stick out of the crown.
        let length = if wide > 1.0 { 0.9 * length } else { length };
        // Branches rise near the top and droop below. The tips of drooping ones turn up.
        let rise = 0.85 * share * share - self.droop * (1.0 - share) + random.range(-0.1, 0.1);
        let curl = 0.12 * (1.0 - share);
        let base = Vec3::Y * (self.bottom + (self.height - self.bottom) * share - rise * 0.2);
        let base = base.min(Vec3::Y * (self.height - 0.3));
        let mid = base + (out + Vec3::Y * rise) * (0.5 * length);
        let tip = mid + (out + Vec3::Y * (rise + curl)) * (0.5 * length);
        let half = (0.36 * length + 0.13) * wide * random.vary(0.15);
        // Side twigs hang, so a branch has the shape of a roof.
        let hang = random.range(0.75, 1.2) * (1.0 - 0.4 * share);
        let print = Print { surface: Surface::Needles, cell: random.cell() };
        let across = side * (half * hang.cos());
        let down = Vec3::Y * (-half * hang.sin());
        let shade = |p: Vec3| self.shade(p);
        if wide > 2.0 {
            let eaves = [mid + across + down, mid - across + down];
            roof(mesh, [base, eaves[0], eaves[1], tip], print, shade);
        } else {
            let middle = Section { centre: mid, left: across + down, right: down - across };
            let sections = [Section::point(base), middle, Section::point(tip)];
            ribbon(mesh, &sections, true, print, shade);
        }
    }

    /// Bare twigs below the crown, as spruces in a wood have.
    fn dead_twigs(&self, mesh: &mut Mesh, random: &mut Random) {
        for _ in 0..10 {
            let out = horizontal(random.angle());
            let base = Vec3::Y * self.bottom * random.range(0.35, 1.3);
            let tip = base + (out - Vec3::Y * random.range(0.0, 0.4)) * random.range(0.3, 1.1);
            let corners = [base + 0.018 * Vec3::Y, base - 0.018 * Vec3::Y, tip];
            let [a, b, c] = corners.map(|p| {
                let shade = Shade { normal: out + Vec3::Y, ..self.wood(p) };
                mesh.push(p, [0.5, 0.4], Surface::Bark, shade)
            });
            mesh.triangle(a, b, c);
        }
    }

    /// Five cards with the whole silhouette, which lean to the axis.
    fn far(&self, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        crossed_trunk(&mut mesh, &self.trunk, Surface::Bark, |p| self.wood(p));
        self.silhouettes(&mut mesh, 0.92, random);
        mesh
    }

    /// Cards with the silhouette of a crown that is `wide` times as wide.
    fn silhouettes(&self, mesh: &mut Mesh, wide: f32, random: &mut Random) {
        let radius = wide * self.radius;
        let start = random.angle();
        let low = self.bottom - self.droop * radius * 0.7 + (1.0 - wide);
        for i in 0..5 {
            let azimuth = start + i as f32 / 5.0 * TAU;
            let out = horizontal(azimuth);
            let side = Vec3::new(-out.z, 0.0, out.x);
            let print = Print { surface: Surface::ConiferFar, cell: random.cell() };
            let bottom = Vec3::Y * low + out * (0.4 * radius);
            let top = Vec3::Y * self.height;
            let corners = [(0.0, bottom - side * radius), (1.0, bottom + side * radius)];
            let tops = [(0.62, top + side * 0.24 * radius), (0.38, top - side * 0.24 * radius)];
            let [a, b] = corners.map(|(u, p)| self.far_vertex(mesh, p, print.uv(u, 0.0), out));
            let [c, d] = tops.map(|(u, p)| self.far_vertex(mesh, p, print.uv(u, 1.0), out));
            mesh.triangle(a, b, c);
            mesh.triangle(a, c, d);
        }
    }

    fn far_vertex(&self, mesh: &mut Mesh, p: Vec3, uv: [f32; 2], out: Vec3) -> u32 {
        let shade = self.shade(p);
        let shade =
            Shade { normal: shade.normal + 0.3 * out, tone: 0.7 + 0.2 * shade.sway, ..shade };
        mesh.push(p, uv, Surface::ConiferFar, shade)
    }
}
