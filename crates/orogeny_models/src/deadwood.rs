//! Fallen logs.

use glam::Vec3;

use crate::mesh::{GOLDEN_ANGLE, Shade, smoothstep};
use crate::model::{Form, Random};
use crate::shapes::{Ring, Skin, cap, tube};
use crate::{Mesh, Pattern};

/// A stub of a branch.
struct Stub {
    /// Place along the log.
    share: f32,
    out: Vec3,
    length: f32,
}

impl Stub {
    /// Height of its tip.
    fn rise(&self, rings: &[Ring]) -> f32 {
        self.bones(rings)[2].centre.y
    }

    /// The foot, where it broke off, and the tip of the splinters there.
    fn bones(&self, rings: &[Ring]) -> [Ring; 3] {
        let ring = rings[(self.share * 6.0).round() as usize];
        let foot = ring.centre + self.out * (0.7 * ring.radius);
        let reach = 0.3 * ring.radius + self.length;
        let thick = 0.025 + 0.16 * ring.radius;
        let broken = Ring::new(foot + self.out * (0.85 * reach), 0.6 * thick);
        [Ring::new(foot, thick), broken, Ring::new(foot + self.out * reach, 0.0)]
    }
}

/// A log.
struct Log {
    rings: Vec<Ring>,
    stubs: Vec<Stub>,
    /// Whether it was blown down and its roots stand up at one end.
    plate: bool,
}

/// A log about 5 m long with bark, broken ends and stubs of branches: a young one with long
/// branches, a thick old one that sinks into the ground, or one with the plate of its roots.
pub(crate) fn grow(mut random: Random, form: Form) -> Vec<Mesh> {
    let random = &mut random;
    let length = 5.0 * form.pick([1.0, 1.05, 0.86, 1.0]) * random.vary(0.1);
    let radius = form.pick([0.21, 0.16, 0.25, 0.19]) * random.vary(0.1);
    let bend = form.pick([0.14, 0.26, 0.1, 0.14]);
    let bends = [random.range(-bend, bend), random.range(-bend, bend)];
    // Logs sink into the ground as they rot.
    let sunk = form.pick([0.8, 0.88, 0.55, 0.8]);
    let plate = form == Form::Battered;
    let rings: Vec<Ring> = (0..7)
        .map(|i| {
            let s = i as f32 / 6.0;
            let flare = if plate && i == 0 { 2.5 } else { 1.0 };
            let radius = radius * flare * (1.12 - 0.5 * s) * random.vary(0.06);
            let z = bends[0] * (s * 3.0).sin() + bends[1] * (s * 6.0).sin();
            // Roots spread within a short distance.
            let s = if plate && i == 1 { 0.09 } else { s };
            Ring::new(Vec3::new((s - 0.5) * length, sunk * radius, z), radius)
        })
        .collect();
    let most = form.pick([7, 8, 4, 5]);
    let [short, long] = form.pick([[0.12, 0.5], [0.25, 0.75], [0.06, 0.2], [0.15, 0.6]]);
    let mut stubs: Vec<Stub> = (0..random.count(most - 1, most))
        .map(|i| {
            let turn = random.range(-1.4, 1.4);
            let lean = random.range(0.2, 0.8);
            Stub {
                share: 0.22 + 0.7 * (i as f32 + random.range(0.1, 0.9)) / most as f32,
                out: Vec3::new(lean, turn.cos().max(0.1), turn.sin()).normalize(),
                length: random.range(short, long),
            }
        })
        .collect();
    // Coarse levels keep the highest stubs, and with them the height.
    stubs.sort_by(|a, b| b.rise(&rings).total_cmp(&a.rise(&rings)));
    let log = Log { rings, stubs, plate };
    let kept: [(u32, &[usize], usize); 3] = if plate {
        [(9, &[0, 1, 2, 3, 4, 5, 6], 5), (6, &[0, 1, 3, 6], 3), (3, &[0, 1, 6], 0)]
    } else {
        [(9, &[0, 1, 2, 3, 4, 5, 6], 8), (6, &[0, 3, 6], 3), (4, &[0, 6], 1)]
    };
    kept.map(|(sides, rings, stubs)| log.mesh(sides, rings, stubs)).into()
}

impl Log {
    /// A level with some of the rings and stubs.
    fn mesh(&self, sides: u32, rings: &[usize], stubs: usize) -> Mesh {
        let mut mesh = Mesh::default();
        // Fewer sides span a narrower polygon.
        let grow = if sides < 9 { 1.0 + 0.9 / (sides * sides) as f32 } else { 1.0 };
        let grown = |&i: &usize| Ring { radius: self.rings[i].radius * grow, ..self.rings[i] };
        let kept: Vec<Ring> = rings.iter().map(grown).collect();
        let dents = if self.plate { 0.08 } else { 0.05 };
        let skin = Skin { pattern: Pattern::Bark, sides, along: [0.06, 0.42], dents };
        tube(&mut mesh, &kept, skin, shade);
        if sides > 4 {
            let (first, last) = (kept[0], kept[kept.len() - 1]);
            let hollow = if self.plate { 0.12 } else { -0.06 };
            let low = shade(first.centre + 0.1 * Vec3::Y);
            cap(&mut mesh, first, -Vec3::X, sides, hollow, low);
            cap(&mut mesh, last, Vec3::X, sides, 0.12, shade(last.centre + 0.1 * Vec3::Y));
        }
        for stub in self.stubs.iter().take(stubs) {
            let skin = Skin { pattern: Pattern::Wood, sides: 3, along: [0.0, 0.4], dents: 0.0 };
            let bones = stub.bones(&self.rings);
            // From afar it is a spike.
            let bones = if sides > 6 { &bones[..] } else { &[bones[0], bones[2]] };
            tube(&mut mesh, bones, skin, shade);
        }
        if self.plate && sides > 6 {
            self.roots(&mut mesh);
        }
        mesh
    }

    /// Roots that stand out of the plate.
    fn roots(&self, mesh: &mut Mesh) {
        let Ring { centre, radius } = self.rings[0];
        for i in 0..5 {
            let (sin, cos) = (0.3 + i as f32 * GOLDEN_ANGLE).sin_cos();
            // Those below are pressed flat.
            let out = Vec3::new(-0.35, cos.max(-0.2), sin).normalize();
            let foot = Ring::new(centre + out * (0.7 * radius), 0.2 * radius);
            // None is higher than the plate, so that all levels are as high.
            let reach = (0.75 + 0.12 * i as f32) * radius;
            let tip = foot.centre + out * reach;
            let tip = tip.min(Vec3::new(tip.x, centre.y + 1.02 * radius, tip.z));
            let skin = Skin { pattern: Pattern::Wood, sides: 3, along: [0.0, 0.4], dents: 0.0 };
            tube(mesh, &[foot, Ring::new(tip, 0.0)], skin, shade);
        }
    }
}

fn shade(p: Vec3) -> Shade {
    Shade { normal: Vec3::Y, tone: 0.35 + 0.65 * smoothstep(-0.05, 0.3, p.y), sway: 0.0 }
}
