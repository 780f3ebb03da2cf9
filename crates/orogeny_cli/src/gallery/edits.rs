//! Edits of the ground.

use orogeny::edits::{
    Area, Blend, Crater, Disc, Edit, Flatten, Hole, Path, Raise, Raster, Rectangle, Roughen, Stamp,
    Terrace,
};

use super::{Entry, entry};
use crate::gallery::picture::Picture::Edits;

/// The operations.
#[rustfmt::skip]
pub const EDITS: &[Entry] = &[
    entry("edit-raise", "Raise: 12 m up or down, radius 30 m, falloff 50 m", Edits(&[
        ("raised", || Raise { area: disc(30.0, 50.0), height: 12.0 }.into()),
        ("lowered", || Raise { area: disc(30.0, 50.0), height: -12.0 }.into()),
    ])),
    entry("edit-flatten", "Flatten: a pad of 80 x 50 m, level and tilted, falloff 30 m", Edits(&[
        ("level", || Flatten { area: pad(), height: 5.0, ..Flatten::default() }.into()),
        ("slope 0.2 along x", || Flatten {
            area: pad(), height: 5.0, slope_x: 0.2, ..Flatten::default()
        }.into()),
    ])),
    entry("edit-roughen", "Roughen: noise of amplitude 1.5 m and wavelength 16 m", Edits(&[
        ("1 octave", || roughen(1.0)),
        ("4 octaves", || roughen(4.0)),
    ])),
    entry("edit-terrace", "Terrace: steps of 4 m", Edits(&[
        ("cliff 0.3", || Terrace { area: disc(70.0, 40.0), step: 4.0, cliff: 0.3 }.into()),
        ("cliff 0.8", || Terrace { area: disc(70.0, 40.0), step: 4.0, cliff: 0.8 }.into()),
    ])),
    entry("edit-crater", "Crater: radius 40 m", Edits(&[
        ("depth 12 m, rim 3 m", || Crater {
            radius: 40.0, depth: 12.0, rim: 3.0, ..Crater::default()
        }.into()),
        ("depth 24 m, rim 8 m", || Crater {
            radius: 40.0, depth: 24.0, rim: 8.0, ..Crater::default()
        }.into()),
    ])),
    entry("edit-hole", "Hole: no ground, black in the picture", Edits(&[
        ("a disc", || Hole { area: disc(25.0, 0.01) }.into()),
        ("a rectangle", || Hole { area: pad() }.into()),
    ])),
    entry("edit-path", "Path: a spline with a cross-section", Edits(&[
        ("a road 8 m wide, banks of 20 m", || path(8.0, 20.0, 0.0)),
        ("a canal 20 m wide, 8 m deep", || path(20.0, 12.0, 8.0)),
    ])),
    entry("edit-stamp", "Stamp: a raster of 9 x 9 samples by cubic B-splines, 20 m apart", Edits(&[
        ("add", || stamp(Blend::Add)),
        ("replace", || stamp(Blend::Replace)),
        ("max", || stamp(Blend::Max)),
        ("min", || stamp(Blend::Min)),
    ])),
];

fn disc(radius: f64, falloff: f64) -> Area {
    Area::Disc(Disc { center: [0.0; 2], radius, falloff })
}

fn pad() -> Area {
    Area::Rectangle(Rectangle {
        center: [0.0; 2],
        length: 80.0,
        width: 50.0,
        angle: 30.0,
        falloff: 30.0,
    })
}

fn roughen(octaves: f64) -> Edit {
    let area = disc(70.0, 40.0);
    Roughen { area, amplitude: 1.5, wavelength: 16.0, octaves, seed: 3 }.into()
}

fn path(width: f64, falloff: f64, depth: f32) -> Edit {
    let points = vec![
        [-160.0, -60.0, 0.0],
        [-60.0, -70.0, 2.0],
        [20.0, 0.0, 4.0],
        [60.0, 90.0, 2.0],
        [160.0, 100.0, 0.0],
    ];
    Path { points, width, falloff, depth, ..Path::default() }.into()
}

/// A ring of hills.
fn stamp(blend: Blend) -> Edit {
    let sample = |i: i32| {
        let from_middle = f64::from(i % 9 - 4).hypot(f64::from(i / 9 - 4));
        (1.0 - (from_middle - 2.0).abs()).max(0.0) as f32
    };
    let raster = Raster::new(9, (0..81).map(sample).collect()).expect("81 samples in 9 columns");
    Stamp { raster, blend, cell: 20.0, height: 12.0, falloff: 20.0, ..Stamp::default() }.into()
}
