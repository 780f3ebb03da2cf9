//! Reed.

use glam::Vec3;

use crate::{
    Mesh, Surface,
    card::{Print, Section, ribbon},
    grass::Blade,
    random::Random,
    shade::{GOLDEN_ANGLE, Shade, horizontal},
};

/// A stalk with its leaves and perhaps a plume.
struct Stalk {
    stem: Blade,
    leaves: Vec<Blade>,
    plume: bool,
}

/// A clump about 1.8 m high.
pub(crate) fn grow(mut random: Random) -> Vec<Mesh> {
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
    let print = Print { surface: Surface::Plume, cell: stem.cell };
    ribbon(mesh, &sections, false, print, |p| Shade {
        normal: Vec3::Y + out,
        tone: 1.0,
        sway: (p.y / height).clamp(0.0, 1.0),
    });
}
