//! Norway spruces.

mod branch;
mod far;

use glam::Vec3;

use crate::{
    Mesh, Surface,
    form::Form,
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal, smoothstep},
    tree::trunk,
    tube::{Ring, Skin, tube},
};
use branch::{Branch, Detail, Spray};

/// The proportions of a spruce.
struct Spruce {
    height: f32,
    /// Height of the lowest branches.
    bottom: f32,
    /// Height of the highest branches.
    top: f32,
    radius: f32,
    /// Exponent of the outline: below 1 it bulges.
    taper: f32,
    /// How steeply the lowest branches sink, as a slope.
    droop: f32,
    /// How much the crown leans to one side, and to which.
    lean: Vec3,
    trunk: Vec<Ring>,
    branches: Vec<Branch>,
}

/// A slender tree about 16 m high with whorls of drooping branches whose tips rise.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 16.0 * random.vary(0.1);
    let top = form.pick([1.0, 1.0, 0.99, 0.98]);
    let mut spruce = Spruce {
        height,
        bottom: height * form.pick([0.1, 0.04, 0.15, 0.12]) * random.vary(0.2),
        top: height * top,
        radius: height * form.pick([0.165, 0.135, 0.2, 0.175]) * random.vary(0.08),
        taper: form.pick([0.75, 0.9, 0.62, 0.66]) * random.vary(0.06),
        droop: form.pick([0.55, 0.35, 0.7, 0.6]) * random.vary(0.15),
        lean: horizontal(random.angle()) * form.pick([0.08, 0.04, 0.15, 0.34]),
        trunk: trunk(height, 0.0125 * height, 0.002, random),
        branches: Vec::new(),
    };
    // Branches that wind or neighbours have taken leave gaps.
    let gaps = form.pick([0.08, 0.03, 0.14, 0.2]);
    spruce.branches = spruce.whorls(gaps, &mut random.fork());
    vec![
        spruce.near(Detail::Sprays, 7, 6, &mut random.fork()),
        spruce.near(Detail::Fans, 5, 3, &mut random.fork()),
        spruce.middle(&mut random.fork()),
        spruce.far(&mut random.fork()),
    ]
}

impl Spruce {
    /// Radius of the crown at a share of its height.
    fn outline(&self, share: f32) -> f32 {
        // The lowest branches are shaded and short.
        let skirt = (0.72 + 3.0 * share).min(1.0);
        self.radius * (1.0 - share).max(0.0).powf(self.taper) * skirt
    }

    /// Share of the crown's height.
    fn share(&self, y: f32) -> f32 {
        ((y - self.bottom) / (self.top - self.bottom)).clamp(0.0, 1.0)
    }

    /// Yearly whorls of branches, with a few weak ones between them.
    fn whorls(&self, gaps: f32, random: &mut Random) -> Vec<Branch> {
        let mut branches = Vec::new();
        let crown = self.top - self.bottom;
        let (mut y, mut turn) = (self.bottom, random.angle());
        while y < self.top - 0.25 {
            let share = self.share(y);
            let step = crown * (0.064 - 0.036 * share) * random.vary(0.25);
            let vigour = random.range(0.82, 1.1);
            let count = random.count(5, 7);
            for i in 0..count {
                let even = i as f32 / count as f32 * std::f32::consts::TAU;
                let out = horizontal(turn + even + random.range(-0.4, 0.4));
                let weak = if random.unit() < 0.2 { 0.55 } else { 1.0 };
                let side = 1.0 + out.dot(self.lean) / 0.34_f32.max(self.lean.length()) * 0.34;
                let length = self.outline(share) * vigour * weak * side * random.range(0.78, 1.1);
                let base = y + step * random.range(-0.3, 0.3);
                let lost = random.unit() < gaps;
                let branch = Branch::new(base, out, length.max(0.25), share, self.droop, random);
                if !lost || share > 0.8 {
                    branches.push(branch);
                }
            }
            turn += GOLDEN_ANGLE;
            y += step;
        }
        branches
    }

    /// Crowns are shaded as soft volumes: normals point outwards and upwards, and the inside, which
    /// sees little of the sky, is darker.
    fn shade(&self, p: Vec3) -> Shade {
        let share = self.share(p.y);
        let around = self.outline(share) + 0.25;
        let out = Vec3::new(p.x, 0.0, p.z);
        let depth = (out.length() / around).min(1.2);
        let tone = 0.6 + 0.4 * smoothstep(0.05, 0.95, depth);
        let tone = tone * (0.9 + 0.1 * smoothstep(-0.1, 0.5, share));
        let high = (p.y / self.height).max(0.0);
        Shade {
            normal: 0.6 * out / around + Vec3::Y * (0.8 + 0.2 * high),
            tone,
            sway: 0.5 * high * high + 0.4 * depth.min(1.0) * (0.2 + 0.8 * high),
        }
    }

    fn wood(&self, p: Vec3) -> Shade {
        let tone = 0.9 - 0.35 * smoothstep(0.5 * self.bottom, 2.0 * self.bottom, p.y);
        let high = (p.y / self.height).clamp(0.0, 1.0);
        let ground = 0.6 + 0.4 * smoothstep(-0.1, 0.6, p.y);
        Shade { normal: Vec3::Y, tone: tone * ground, sway: 0.5 * high * high }
    }

    fn stem(&self, mesh: &mut Mesh, sides: u32, rings: usize) {
        let last = self.trunk.len() - 1;
        let rings: Vec<Ring> = (0..rings).map(|i| self.trunk[i * last / (rings - 1)]).collect();
        let skin = Skin { surface: Surface::Bark, sides, along: [0.0, 1.0], dents: 0.03 };
        tube(mesh, &rings, skin, |p| self.wood(p));
    }

    /// A level that shows every branch.
    fn near(&self, detail: Detail, sides: u32, rings: usize, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        self.stem(&mut mesh, sides, rings);
        for branch in &self.branches {
            branch.add(&mut mesh, detail, random, |p| self.shade(p));
        }
        // The inside is too dense to see through.
        match detail {
            Detail::Fans => self.silhouettes(&mut mesh, 5, 0.5, random),
            Detail::Sprays => {
                self.inside(&mut mesh, random);
                self.dead_twigs(&mut mesh, random);
            }
        }
        mesh
    }

    /// Sprays that hang near the trunk, in the dark.
    fn inside(&self, mesh: &mut Mesh, random: &mut Random) {
        const COUNT: u32 = 60;
        for i in 0..COUNT {
            // There are more below, where the crown is wide.
            let even = (i as f32 + random.unit()) / COUNT as f32;
            let share = 0.03 + 0.9 * even * (0.6 + 0.4 * even);
            let out = horizontal(i as f32 * GOLDEN_ANGLE + random.range(-0.3, 0.3));
            let around = self.outline(share);
            let y = self.bottom + (self.top - self.bottom) * share + 0.4 * around;
            let spray = Spray {
                base: Vec3::Y * y.min(self.top) + out * (0.2 * around),
                ahead: (out * 0.3 - Vec3::Y) * (0.35 + 0.5 * around),
                side: Vec3::new(-out.z, 0.0, out.x),
                half: 0.12 + 0.36 * around,
                hang: random.range(-0.3, 0.3),
            };
            spray.add(mesh, random, |p| self.shade(p));
        }
    }

    /// Bare twigs below the crown, as spruces in a wood have.
    fn dead_twigs(&self, mesh: &mut Mesh, random: &mut Random) {
        for _ in 0..14 {
            let out = horizontal(random.angle());
            let base = Vec3::Y * self.bottom * random.range(0.35, 1.6);
            let tip = base + (out - Vec3::Y * random.range(0.0, 0.5)) * random.range(0.3, 1.2);
            let corners = [base + 0.018 * Vec3::Y, base - 0.018 * Vec3::Y, tip];
            let [a, b, c] = corners.map(|p| {
                let shade = Shade { normal: out + Vec3::Y, ..self.wood(p) };
                mesh.push(p, [0.5, 0.4], Surface::Bark, shade)
            });
            mesh.triangle(a, b, c);
        }
    }
}
