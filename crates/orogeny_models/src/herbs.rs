//! Grass, flowers, reed and ferns, made of ribbons.

use glam::Vec3;

use crate::mesh::{GOLDEN_ANGLE, Shade, horizontal};
use crate::model::{Form, Random};
use crate::shapes::{Print, Section, rectangle, ribbon};
use crate::{Mesh, Pattern};

/// A curved blade.
#[derive(Clone, Copy, Debug)]
struct Blade {
    foot: Vec3,
    /// Direction of its lean.
    azimuth: f32,
    /// Height of the tip if the blade did not lean.
    length: f32,
    /// Horizontal distance of the tip from the foot, over the length.
    lean: f32,
    half_width: f32,
    /// Whether it is narrow at the foot, as a leaf on a stem is.
    pointed: bool,
    cell: u32,
}

impl Blade {
    /// Centre line at a share of the length. The lean grows quadratically, and the tip nods.
    fn at(&self, share: f32) -> Vec3 {
        let out = horizontal(self.azimuth) * (self.lean * share * share);
        let up = share * (1.0 - 0.35 * self.lean * share);
        self.foot + (out + Vec3::Y * up) * self.length
    }

    /// Adds the blade with `joints` sections between foot and tip. With none it is one triangle.
    fn add(&self, mesh: &mut Mesh, joints: u32, wide: f32, height: f32) {
        // The flat side faces along the lean, turned a little so that blades differ.
        let side = horizontal(self.azimuth + 1.57 + 0.5 * (self.cell as f32 - 1.5));
        let half = side * (self.half_width * wide);
        let sections: Vec<Section> = (0..=joints + 1)
            .map(|i| {
                let mut share = i as f32 / (joints + 1) as f32;
                if self.pointed && i == 1 {
                    share *= 0.75;
                }
                let width = if i == 0 { 0.8 } else { 1.0 - 0.3 * share };
                if i > joints || (self.pointed && i == 0) {
                    Section::point(self.at(share))
                } else {
                    Section::flat(self.at(share), half * width)
                }
            })
            .collect();
        let print = Print { pattern: Pattern::Blade, cell: self.cell };
        let out = horizontal(self.azimuth);
        ribbon(mesh, &sections, false, print, |p| {
            let high = (p.y / height).clamp(0.0, 1.0);
            Shade {
                normal: Vec3::Y + out * (0.5 * self.lean),
                tone: 0.5 + 0.5 * high.sqrt(),
                sway: high,
            }
        });
    }
}

/// A tuft about 0.45 m high and 0.6 m wide: some long blades among many short ones, as in a meadow,
/// where the ground hardly shows.
pub(crate) fn grass(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 0.45 * random.vary(0.13);
    let count = random.count(38, 40);
    let turn = random.angle();
    let mut blades: Vec<Blade> = (0..count)
        .map(|i| {
            let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5);
            let lean = random.range(0.1, 0.75);
            Blade {
                // Far apart, so that tufts grow together, but not so far that they float on slopes.
                foot: horizontal(azimuth) * (0.19 * random.range(0.0, 1.0).sqrt()) - 0.01 * Vec3::Y,
                azimuth,
                length: height * random.range(0.25, 1.0) * (1.0 + 0.2 * lean),
                lean,
                half_width: 0.006 * random.vary(0.2),
                pointed: false,
                cell: random.cell(),
            }
        })
        .collect();
    blades[0] = Blade { length: 1.06 * height, lean: 0.25, ..blades[0] };
    levels(&blades, height, [(2, 40), (1, 14), (0, 9)], [1.0, 0.95, 1.5])
}

/// Meshes of the first blades, each with joints and a number of blades. The blades get wider as
/// they get fewer.
fn levels(blades: &[Blade], height: f32, detail: [(u32, usize); 3], wide: [f32; 3]) -> Vec<Mesh> {
    let all = area(blades);
    detail
        .iter()
        .zip(wide)
        .map(|(&(joints, count), wide)| {
            let mut mesh = Mesh::default();
            let blades = &blades[..count.min(blades.len())];
            let wide = wide * all / area(blades);
            for blade in blades {
                blade.add(&mut mesh, joints, wide, height);
            }
            mesh
        })
        .collect()
}

fn area(blades: &[Blade]) -> f32 {
    blades.iter().map(|blade| blade.length * blade.half_width).sum()
}

/// A stem with a flower.
struct Bloom {
    stem: Blade,
    /// The direction that the flower faces.
    facing: Vec3,
    /// Half its width.
    half: f32,
}

/// A few flowers of one kind about 0.5 m high, with leaves at their feet.
pub(crate) fn flower(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let height = 0.5 * random.vary(0.13);
    let turn = random.angle();
    let blade = |i: usize, length: f32, lean: f32, half_width: f32, random: &mut Random| {
        let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5);
        let foot = horizontal(azimuth) * random.range(0.02, 0.16) - 0.01 * Vec3::Y;
        let cell = random.cell();
        Blade { foot, azimuth, length, lean, half_width, pointed: false, cell }
    };
    let mut blooms: Vec<Bloom> = (0..5)
        .map(|i| {
            let long = if i == 0 { 1.0 } else { random.range(0.62, 0.95) };
            let stem = blade(i, height * long, random.range(0.05, 0.3), 0.0045, random);
            let aside = horizontal(stem.azimuth + random.range(-1.0, 1.0));
            let facing = (Vec3::Y + aside * random.range(0.3, 0.9)).normalize();
            let half = form.pick([0.031, 0.026, 0.03, 0.024]) * random.vary(0.15);
            Bloom { stem, facing, half }
        })
        .collect();
    blooms[0].stem.lean = 0.1;
    let leaves: Vec<Blade> =
        (0..4).map(|i| blade(i, 0.3 * height * random.vary(0.3), 0.8, 0.011, random)).collect();
    // Stems and leaves, their joints, and how much wider those that are left are.
    [(5, 4, 1, [1.0, 1.0]), (3, 3, 0, [2.6, 2.0]), (2, 2, 0, [4.0, 3.0])]
        .into_iter()
        .map(|(stems, low, joints, wide)| {
            let mut mesh = Mesh::default();
            for bloom in &blooms[..stems] {
                bloom.stem.add(&mut mesh, joints, wide[0], height);
                bloom.add(&mut mesh, form, stems == 5, (5.0 / stems as f32).sqrt());
            }
            leaves[..low].iter().for_each(|leaf| leaf.add(&mut mesh, joints, wide[1], height));
            mesh
        })
        .collect()
}

impl Bloom {
    /// Adds the flower: a bowl, so that it is seen from the side as well, or else a card.
    fn add(&self, mesh: &mut Mesh, form: Form, is_bowl: bool, wide: f32) {
        let print = Print { pattern: Pattern::Flower, cell: form as u32 };
        let tip = self.stem.at(1.0);
        let right = self.facing.any_orthonormal_vector();
        let [right, up] = [right, self.facing.cross(right)].map(|side| side * self.half * wide);
        let shade = Shade { normal: Vec3::Y + self.facing, tone: 1.0, sway: 1.0 };
        if !is_bowl {
            rectangle(mesh, tip, right, up, print, |_| shade);
            return;
        }
        let rim = tip + self.facing * (0.45 * self.half);
        let centre = mesh.push(tip, print.uv(0.5, 0.5), print.pattern, shade);
        let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| {
            let place = rim + right * (2.0 * u - 1.0) + up * (2.0 * v - 1.0);
            mesh.push(place, print.uv(u, v), print.pattern, shade)
        });
        for (from, to) in [(a, b), (b, c), (c, d), (d, a)] {
            mesh.triangle(centre, from, to);
        }
    }
}

/// A stalk with its leaves and perhaps a plume.
struct Stalk {
    stem: Blade,
    leaves: Vec<Blade>,
    plume: bool,
}

/// A clump about 1.8 m high.
pub(crate) fn reed(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 1.8 * random.vary(0.13);
    let turn = random.angle();
    let mut stalks: Vec<Stalk> = (0..6)
        .map(|i| {
            let azimuth = turn + i as f32 * GOLDEN_ANGLE + random.range(-0.5, 0.5);
            stalk(azimuth, height * random.range(0.68, 0.98), i % 2 == 0, random)
        })
        .collect();
    stalks[0].stem.length = height;
    [(6, 4, 1.0, 1.0), (3, 2, 2.7, 1.35), (2, 1, 4.6, 2.0)]
        .into_iter()
        .map(|(count, leaves, wide, long)| {
            let mut mesh = Mesh::default();
            for stalk in &stalks[..count] {
                stalk.stem.add(&mut mesh, 0, 1.3 * wide - 0.3, height);
                for leaf in &stalk.leaves[..leaves] {
                    // The few leaves of coarse levels stand for others above them.
                    let leaf = Blade { length: leaf.length * long, ..*leaf };
                    leaf.add(&mut mesh, 1, wide / long, height);
                }
                if stalk.plume && (count > 2 || mesh.triangles() < 4) {
                    plume(&mut mesh, &stalk.stem, height, wide);
                }
            }
            mesh
        })
        .collect()
}

fn stalk(azimuth: f32, length: f32, plume: bool, random: &mut Random) -> Stalk {
    let lean = random.range(0.04, 0.16);
    let foot = horizontal(azimuth) * random.range(0.02, 0.16) - 0.02 * Vec3::Y;
    let stem = Blade {
        foot,
        azimuth,
        length,
        lean,
        half_width: 0.009,
        pointed: false,
        cell: random.cell(),
    };
    let leaves = (0..4)
        .map(|k| {
            let level = 0.2 + 0.18 * k as f32 + random.range(-0.06, 0.06);
            let turn = azimuth + random.angle();
            Blade {
                foot: foot
                    + (horizontal(azimuth) * lean * level * level + Vec3::Y * level) * length,
                azimuth: turn,
                length: 0.42 * length * random.vary(0.2),
                lean: random.range(0.5, 1.1),
                half_width: 0.021 * random.vary(0.2),
                pointed: true,
                cell: random.cell(),
            }
        })
        .collect();
    Stalk { stem, leaves, plume }
}

/// A plume at the top of a stem: one card along it.
fn plume(mesh: &mut Mesh, stem: &Blade, height: f32, wide: f32) {
    let out = horizontal(stem.azimuth);
    let tip = stem.foot + (out * stem.lean + Vec3::Y * (1.0 - 0.35 * stem.lean)) * stem.length;
    let along = (Vec3::Y + out * 0.35) * 0.24;
    let half = Vec3::new(-out.z, 0.0, out.x) * (0.05 * wide.sqrt());
    let top = Vec3::new(tip.x, tip.y, tip.z) + 0.1 * out;
    let sections = [
        Section::point(tip - along),
        Section::flat(tip - 0.45 * along, half),
        Section::point(top - 0.02 * Vec3::Y),
    ];
    let print = Print { pattern: Pattern::Plume, cell: stem.cell };
    ribbon(mesh, &sections, false, print, |p| Shade {
        normal: Vec3::Y + out,
        tone: 1.0,
        sway: (p.y / height).clamp(0.0, 1.0),
    });
}

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
pub(crate) fn fern(mut random: Random) -> Vec<Mesh> {
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
                let share = i as f32 / (steps + 1) as f32;
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
        let print = Print { pattern: Pattern::Frond, cell: self.cell };
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
