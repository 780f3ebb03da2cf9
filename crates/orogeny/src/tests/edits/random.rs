//! Random edits of all kinds, near a place.

use crate::edits::{
    Area, Crater, Disc, Edit, EditLog, Flatten, Hole, Raise, Rectangle, Roughen, Terrace,
};
use crate::tests::random::Random;

fn place(r: &mut Random, [x, z]: [f64; 2]) -> [f64; 2] {
    [x + r.within(-100.0, 100.0), z + r.within(-100.0, 100.0)]
}

fn area(r: &mut Random, near: [f64; 2]) -> Area {
    let (center, falloff) = (place(r, near), r.magnitude(1.0, 60.0));
    if r.below(2) == 0 {
        let radius = if r.below(4) == 0 { 0.0 } else { r.magnitude(0.1, 40.0) };
        Area::Disc(Disc { center, radius, falloff })
    } else {
        let [length, width] = [0; 2].map(|_| r.magnitude(0.1, 60.0));
        let angle = r.within(-360.0, 360.0);
        Area::Rectangle(Rectangle { center, length, width, angle, falloff })
    }
}

/// An edit within some 100 m of a place.
pub fn edit(r: &mut Random, near: [f64; 2], with_holes: bool) -> Edit {
    let area = area(r, near);
    match r.below(if with_holes { 6 } else { 5 }) {
        0 => Raise { area, height: r.within(-30.0, 30.0) as f32 }.into(),
        1 => Flatten {
            area,
            height: r.within(-50.0, 50.0) as f32,
            slope_x: r.within(-1.0, 1.0) as f32,
            slope_z: if r.below(2) == 0 { 0.0 } else { r.within(-1.0, 1.0) as f32 },
        }
        .into(),
        2 => Roughen {
            area,
            seed: r.bits(),
            amplitude: r.magnitude(0.1, 10.0) as f32,
            wavelength: r.magnitude(2.0, 50.0),
            octaves: r.within(1.0, 5.0),
        }
        .into(),
        3 => {
            Terrace { area, step: r.magnitude(2.0, 20.0) as f32, cliff: r.within(0.2, 1.0) as f32 }
                .into()
        }
        4 => Crater {
            center: place(r, near),
            radius: r.magnitude(1.0, 50.0),
            depth: r.within(0.0, 20.0) as f32,
            rim: r.within(0.0, 5.0) as f32,
        }
        .into(),
        _ => Hole { area }.into(),
    }
}

/// A log of random edits.
pub fn log(r: &mut Random, near: [f64; 2], count: usize, with_holes: bool) -> EditLog {
    let mut log = EditLog::new();
    for _ in 0..count {
        let author = r.below(3) as u64;
        log.add(author, edit(r, near, with_holes)).expect("valid edits");
    }
    log
}
