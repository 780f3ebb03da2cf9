//! Random edits of all kinds, near a place.

use crate::Cover;
use crate::edits::{
    Area, Blend, Clear, Crater, Disc, Edit, EditLog, Flatten, Flood, Hole, Paint, Path, Plant,
    Raise, Raster, Rectangle, Roughen, Smooth, Stamp, Terrace,
};
use crate::kind_id::KindId;
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

/// A path with bends, of 2 to 6 points.
pub fn path(r: &mut Random, near: [f64; 2]) -> Path {
    loop {
        let ([mut x, mut z], mut height) = (place(r, near), r.within(-30.0, 30.0));
        let (mut angle, mut points) = (r.within(-3.2, 3.2), vec![[x, z, height]]);
        for _ in 0..1 + r.below(5) {
            let step = r.magnitude(8.0, 50.0);
            angle += r.within(-0.9, 0.9);
            (x, z) = (x + step * angle.cos(), z + step * angle.sin());
            height += step * r.within(-0.3, 0.3);
            points.push([x, z, height]);
        }
        let depth = if r.below(2) == 0 { 0.0 } else { r.within(-1.0, 3.0) as f32 };
        let (width, falloff) = (r.magnitude(1.0, 12.0), r.magnitude(1.0, 15.0));
        let path = Path { points, width, falloff, depth, max_grade: 0.0 };
        if Edit::from(path.clone()).check().is_ok() {
            return path;
        }
    }
}

/// A stamp of 4 to 12 samples a side.
pub fn stamp(r: &mut Random, near: [f64; 2], blend: Blend) -> Stamp {
    let [width, rows] = [0; 2].map(|_| 4 + r.below(9));
    let samples = (0..width * rows).map(|_| r.within(-1.0, 1.0) as f32).collect();
    let cell = r.magnitude(2.0, 12.0);
    Stamp {
        center: place(r, near),
        raster: Raster::new(width as u32, samples).expect("a valid raster"),
        blend,
        cell,
        angle: r.within(-360.0, 360.0),
        height: r.within(-20.0, 20.0) as f32,
        level: if r.below(2) == 0 { 0.0 } else { r.within(-20.0, 20.0) as f32 },
        falloff: r.within(0.3, 1.5) * cell,
    }
}

/// An edit within some 100 m of a place.
pub fn edit(r: &mut Random, near: [f64; 2], with_holes: bool) -> Edit {
    let area = area(r, near);
    match r.below(if with_holes { 13 } else { 12 }) {
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
        5 => path(r, near).into(),
        6 => {
            let blend = [Blend::Add, Blend::Replace, Blend::Max, Blend::Min][r.below(4)];
            stamp(r, near, blend).into()
        }
        7 => Smooth {
            area,
            wavelength: r.magnitude(1.0, 1000.0),
            strength: if r.below(3) == 0 { 1.0 } else { r.within(0.0, 1.0) as f32 },
        }
        .into(),
        8 => paint(r, near).into(),
        9 => Flood { area, level: r.within(-30.0, 30.0) as f32 }.into(),
        10 => Clear { area, kind: None }.into(),
        11 => {
            let [size, turn] = [r.magnitude(0.1, 9.0), r.within(-360.0, 360.0)].map(|x| x as f32);
            Plant { center: place(r, near), kind: KindId(r.bits()), size, turn }.into()
        }
        _ => Hole { area }.into(),
    }
}

/// Paint of any layer.
pub fn paint(r: &mut Random, near: [f64; 2]) -> Paint {
    let layer = r.below(Cover::MAX_LAYERS) as u32;
    Paint { area: area(r, near), layer, strength: r.within(0.0, 1.0) as f32 }
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
