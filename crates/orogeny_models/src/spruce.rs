//! Norway spruces.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::crown::crossed_trunk;
use crate::mesh::{GOLDEN_ANGLE, Shade, horizontal, smoothstep};
use crate::model::{Form, Random};
use crate::shapes::{Print, Ring, Skin, roof, tube};
use crate::tree::{roots, trunk};
use crate::{Mesh, Pattern};

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
    roots: Vec<Vec<Ring>>,
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
        roots: Vec::new(),
        branches: Vec::new(),
    };
    spruce.roots = roots(&spruce.trunk, &mut random.fork());
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
                let even = i as f32 / count as f32 * TAU;
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
        self.bark(mesh, &rings, sides, 0.03);
    }

    fn bark(&self, mesh: &mut Mesh, rings: &[Ring], sides: u32, dents: f32) {
        let skin = Skin { pattern: Pattern::Bark, sides, along: [0.0, 1.0], dents };
        tube(mesh, rings, skin, |p| self.wood(p));
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
                self.roots.iter().for_each(|root| self.bark(&mut mesh, root, 4, 0.0));
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
                mesh.push(p, [0.5, 0.4], Pattern::Bark, shade)
            });
            mesh.triangle(a, b, c);
        }
    }

    /// Silhouettes, and the longest branches, which make the outline irregular.
    fn middle(&self, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        self.stem(&mut mesh, 3, 2);
        self.silhouettes(&mut mesh, 7, 0.82, random);
        let room = (70 - mesh.triangles()) / 4;
        // One from each part of the crown. The longest would stick out like wings.
        let part = self.branches.len().div_ceil(room);
        for some in self.branches.chunks(part) {
            let excess = |branch: &&Branch| (branch.length / self.reach(branch) - 0.96).abs();
            if let Some(branch) = some.iter().min_by(|a, b| excess(a).total_cmp(&excess(b))) {
                branch.add(&mut mesh, Detail::Fans, random, |p| self.shade(p));
            }
        }
        mesh
    }

    /// Radius of the crown at the height of a branch.
    fn reach(&self, branch: &Branch) -> f32 {
        self.outline(self.share(branch.base.y)).max(0.25)
    }

    /// Five silhouettes, which lean to the axis.
    fn far(&self, random: &mut Random) -> Mesh {
        let mut mesh = Mesh::default();
        crossed_trunk(&mut mesh, &self.trunk, Pattern::Bark, |p| self.wood(p));
        self.silhouettes(&mut mesh, 5, 0.97, random);
        mesh
    }

    /// Cards with the silhouette of a crown that is `wide` times as wide.
    fn silhouettes(&self, mesh: &mut Mesh, count: u32, wide: f32, random: &mut Random) {
        let radius = wide * self.radius;
        let dark = 0.72 + 0.25 * wide;
        let start = random.angle();
        let low = self.bottom - 0.1 * (self.top - self.bottom) * (0.6 + self.droop);
        for i in 0..count {
            let azimuth = start + i as f32 / count as f32 * TAU;
            let out = horizontal(azimuth);
            let side = Vec3::new(-out.z, 0.0, out.x);
            let print = Print { pattern: Pattern::ConiferFar, cell: random.cell() };
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
        mesh.push(p, uv, Pattern::ConiferFar, shade)
    }
}

/// How a branch is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Every side branch is a card, and twigs hang from the branch.
    Sprays,
    /// A bent card, and one for the hanging twigs.
    Fans,
}

/// A branch of the first order.
struct Branch {
    /// Where it leaves the trunk.
    base: Vec3,
    /// Horizontal direction.
    out: Vec3,
    length: f32,
    /// Slope at the trunk. Low branches sink.
    slope: f32,
    /// How much the slope grows towards the tip, which catches light and turns up.
    lift: f32,
    /// Share of its length without needles, in the dark inside of the crown.
    bare: f32,
}

impl Branch {
    /// A branch at a height of the trunk which is a `share` of the crown's.
    fn new(y: f32, out: Vec3, length: f32, share: f32, droop: f32, random: &mut Random) -> Branch {
        let low = 1.0 - share;
        Branch {
            base: Vec3::Y * y,
            out,
            length,
            slope: 0.95 * share * share - droop * low + random.range(-0.12, 0.12),
            lift: (0.12 + 0.3 * low) * random.vary(0.4),
            bare: 0.28 * low * random.vary(0.4),
        }
    }

    /// The point at a share of the length.
    fn at(&self, t: f32) -> Vec3 {
        let rise = self.slope * t + self.lift * t * t;
        self.base + (self.out * t + Vec3::Y * rise) * self.length
    }

    /// Adds the cards.
    fn add(
        &self,
        mesh: &mut Mesh,
        detail: Detail,
        random: &mut Random,
        shade: impl Fn(Vec3) -> Shade,
    ) {
        match detail {
            Detail::Sprays => self.sprays(mesh, random, shade),
            Detail::Fans => self.fan(mesh, random, shade),
        }
    }

    /// The tip, side branches that leave left and right, and curtains of hanging twigs.
    fn sprays(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let side = Vec3::new(-self.out.z, 0.0, self.out.x);
        let size = (0.3 + 0.42 * self.length).min(1.1);
        let from = (1.0 - size / self.length).max(0.0);
        let tip = Spray {
            base: self.at(from),
            ahead: (self.at(1.0) - self.at(from)) * 1.06,
            side,
            half: 0.48 * size,
            hang: random.range(0.3, 0.8),
        };
        tip.add(mesh, random, &shade);
        let count = ((self.length - 0.2) / 0.3).round().clamp(0.0, 6.0) as u32;
        let mut hand = if random.unit() < 0.5 { 1.0 } else { -1.0 };
        for i in 0..count {
            let t =
                self.bare + (0.8 - self.bare) * (i as f32 + random.range(0.1, 0.7)) / count as f32;
            let along = (self.at(t + 0.05) - self.at(t)).normalize_or(self.out);
            let aside = hand * side;
            // They sink more than the branch, and their twigs hang.
            let ahead = along * random.range(0.5, 0.9) + aside * random.range(0.6, 0.95)
                - Vec3::Y * random.range(0.15, 0.8);
            let reach = (0.5 + 0.5 * self.length * (1.0 - 0.6 * t)).min(1.3) * random.vary(0.2);
            Spray {
                base: self.at(t),
                ahead: ahead.normalize_or(along) * reach,
                side: ahead.cross(Vec3::Y).normalize_or(side),
                half: 0.46 * reach,
                hang: random.range(0.2, 1.1),
            }
            .add(mesh, random, &shade);
            hand = -hand;
        }
        if self.length > 0.5 {
            let deep = (0.2 + 0.28 * self.length).min(0.7) * random.vary(0.25);
            self.curtain(mesh, deep, random, shade);
        }
    }

    /// Twigs that hang from the branch: half of the pattern of a spray, upright.
    fn curtain(
        &self,
        mesh: &mut Mesh,
        deep: f32,
        random: &mut Random,
        shade: impl Fn(Vec3) -> Shade,
    ) {
        let print = Print { pattern: Pattern::Needles, cell: random.cell() };
        let side = Vec3::new(-self.out.z, 0.0, self.out.x) * random.range(-0.2, 0.2);
        let foot = self.bare.max(0.1);
        let middle = 0.5 * (foot + 1.0);
        let down = (side - Vec3::Y) * deep;
        let corners = [
            (self.at(foot), 0.0, 0.5),
            (self.at(middle) + down, 0.45, 1.0),
            (self.at(1.0) + 0.1 * down, 1.0, 0.55),
            (self.at(middle), 0.45, 0.5),
        ];
        let [a, b, c, d] =
            corners.map(|(p, u, v)| mesh.push(p, print.uv(u, v), print.pattern, shade(p)));
        mesh.triangle(a, b, d);
        mesh.triangle(d, b, c);
    }

    /// The whole branch as a roof that is bent in its middle, with a curtain.
    fn fan(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let side = Vec3::new(-self.out.z, 0.0, self.out.x);
        let base = self.at(0.6 * self.bare);
        let half = 0.26 + 0.42 * self.length;
        Spray {
            base,
            ahead: self.at(1.0) - base,
            side,
            half: half * random.vary(0.15),
            hang: random.range(0.5, 1.1),
        }
        .add(mesh, random, &shade);
        if self.length > 0.5 {
            let deep = (0.3 + 0.42 * self.length).min(1.1) * random.vary(0.25);
            self.curtain(mesh, deep, random, shade);
        }
    }
}

/// A card for a twig with its side twigs, folded along its axis.
struct Spray {
    base: Vec3,
    /// From the base to the tip.
    ahead: Vec3,
    side: Vec3,
    half: f32,
    /// How far the edges hang, in radians.
    hang: f32,
}

impl Spray {
    fn add(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let print = Print { pattern: Pattern::Needles, cell: random.cell() };
        // Every spray catches the light a little differently.
        let own = 0.22 * random.direction();
        let middle = self.base + 0.45 * self.ahead;
        let across = self.side * (self.half * self.hang.cos());
        let down = Vec3::Y * (-self.half * self.hang.sin());
        let tip = self.base + self.ahead;
        let eaves = [middle + across + down, middle - across + down];
        roof(mesh, [self.base, eaves[0], eaves[1], tip], print, |p| {
            let shade = shade(p);
            Shade { normal: shade.normal + own, ..shade }
        });
    }
}
