//! Tufts of grass, and the blades that reed has too.

use glam::Vec3;

use crate::{
    Mesh, Surface,
    card::{Print, Section, ribbon},
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal},
};

/// A curved blade.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blade {
    pub(crate) foot: Vec3,
    /// Direction of its lean.
    pub(crate) azimuth: f32,
    /// Height of the tip if the blade did not lean.
    pub(crate) length: f32,
    /// Horizontal distance of the tip from the foot, over the length.
    pub(crate) lean: f32,
    pub(crate) half_width: f32,
    /// Whether it is narrow at the foot, as a leaf on a stem is.
    pub(crate) pointed: bool,
    pub(crate) cell: u32,
}

impl Blade {
    /// Centre line at a share of the length. The lean grows quadratically, and the tip nods.
    fn at(&self, share: f32) -> Vec3 {
        let out = horizontal(self.azimuth) * (self.lean * share * share);
        let up = share * (1.0 - 0.35 * self.lean * share);
        self.foot + (out + Vec3::Y * up) * self.length
    }

    /// Adds the blade with `joints` sections between foot and tip. With none it is one triangle.
    pub(crate) fn add(&self, mesh: &mut Mesh, joints: u32, wide: f32, height: f32) {
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
        let print = Print { surface: Surface::Blade, cell: self.cell };
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
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
    let random = &mut random;
    let height = 0.45 * random.vary(0.13);
    let count = random.count(24, 27);
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
    levels(&blades, height, [(2, 27), (1, 10), (0, 8)], [1.0, 0.95, 1.5])
}

/// Meshes of the first blades, each with joints and a number of blades. The blades get wider as
/// they get fewer.
pub(crate) fn levels(
    blades: &[Blade],
    height: f32,
    detail: [(u32, usize); 3],
    wide: [f32; 3],
) -> Vec<Mesh> {
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
