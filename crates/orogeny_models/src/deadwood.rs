//! Fallen logs.

use glam::Vec3;

use crate::{
    Mesh, Surface,
    random::Random,
    shade::{Shade, smoothstep},
    tube::{Ring, Skin, cap, tube},
};

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

/// A log about 5 m long with bark, broken ends and stubs of branches.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let length = 5.0 * random.vary(0.14);
    let radius = 0.21 * random.vary(0.14);
    let bends = [random.range(-0.12, 0.12), random.range(-0.12, 0.12)];
    let rings: Vec<Ring> = (0..7)
        .map(|i| {
            let s = i as f32 / 6.0;
            let radius = radius * (1.12 - 0.5 * s) * random.vary(0.05);
            let z = bends[0] * (s * 3.0).sin() + bends[1] * (s * 6.0).sin();
            // The log is sunk a little into the ground.
            let y = 0.8 * radius;
            Ring::new(Vec3::new((s - 0.5) * length, y, z), radius)
        })
        .collect();
    let mut stubs: Vec<Stub> = (0..random.count(5, 7))
        .map(|i| {
            let turn = random.range(-1.3, 1.3);
            let lean = random.range(0.2, 0.7);
            Stub {
                share: 0.22 + 0.7 * (i as f32 + random.range(0.1, 0.9)) / 7.0,
                out: Vec3::new(lean, turn.cos().max(0.1), turn.sin()).normalize(),
                length: random.range(0.12, 0.45),
            }
        })
        .collect();
    // Coarse levels keep the highest stubs, and with them the height.
    stubs.sort_by(|a, b| b.rise(&rings).total_cmp(&a.rise(&rings)));
    [(9, 7, stubs.len(), 3), (6, 3, 3, 3), (4, 2, 1, 3)]
        .into_iter()
        .map(|(sides, count, stubs_kept, stub_sides)| {
            let kept: Vec<Ring> = (0..count).map(|i| rings[i * 6 / (count - 1)]).collect();
            log(&kept, sides, &rings, &stubs[..stubs_kept], stub_sides)
        })
        .collect()
}

fn log(kept: &[Ring], sides: u32, rings: &[Ring], stubs: &[Stub], stub_sides: u32) -> Mesh {
    let mut mesh = Mesh::default();
    // Fewer sides span a narrower polygon.
    let grow = if sides < 9 { 1.0 + 0.9 / (sides * sides) as f32 } else { 1.0 };
    let kept: Vec<Ring> =
        kept.iter().map(|ring| Ring { radius: ring.radius * grow, ..*ring }).collect();
    let skin = Skin { surface: Surface::Bark, sides, along: [0.0, 1.0], dents: 0.05 };
    tube(&mut mesh, &kept, skin, shade);
    if sides > 4 {
        let (first, last) = (kept[0], kept[kept.len() - 1]);
        cap(&mut mesh, first, -Vec3::X, sides, -0.06, shade(first.centre + 0.1 * Vec3::Y));
        cap(&mut mesh, last, Vec3::X, sides, 0.12, shade(last.centre + 0.1 * Vec3::Y));
    }
    for stub in stubs {
        let skin =
            Skin { surface: Surface::Wood, sides: stub_sides, along: [0.0, 0.4], dents: 0.0 };
        let bones = stub.bones(rings);
        // From afar it is a spike.
        let bones = if sides > 6 { &bones[..] } else { &[bones[0], bones[2]] };
        tube(&mut mesh, bones, skin, shade);
    }
    mesh
}

fn shade(p: Vec3) -> Shade {
    Shade { normal: Vec3::Y, tone: 0.35 + 0.65 * smoothstep(-0.05, 0.3, p.y), sway: 0.0 }
}
