//! The scripted flight: its path, which is a horizontal figure of eight, low above the ground, and
//! the list of its pictures.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::args::Args;
use super::{presets, tour};

/// Half the extent of the loop along x and z, in metres.
const LOOP: Vec2 = Vec2::new(9000.0, 6000.0);
/// Metres above the highest ground within `LOOK_AHEAD`.
const HEIGHT: f32 = 220.0;
const LOOK_AHEAD: f32 = 600.0;
/// Slope of the view; negative is down.
const PITCH: f32 = -0.14;

/// One picture to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    pub preset: String,
    /// The position on the loop or in the tour, from 0 to 1.
    pub part: f32,
    /// The time of day in hours.
    pub hour: f32,
    /// The file name without .png.
    pub name: String,
}

/// The default number of pictures.
const FRAMES: u32 = 12;

/// The best view of each preset: the fraction of the loop and the time of day.
const BEST: [(&str, f32, f32); 14] = [
    ("alpine", 0.75, 8.7),
    ("archipelago", 0.25, 9.5),
    ("badlands", 0.0, 8.7),
    ("canyon", 0.5, 9.0),
    ("craters", 0.5, 8.0),
    ("dunes", 0.75, 8.2),
    ("fjords", 0.75, 11.0),
    ("highlands", 0.25, 8.7),
    ("hills", 0.5, 8.7),
    ("lowlands", 0.25, 8.7),
    ("ridges", 0.25, 9.0),
    ("sierra", 0.833, 8.7),
    ("valleys", 0.5, 8.7),
    ("world", 0.25, 8.7),
];

/// Numbered pictures along the loop, or one of each preset.
pub fn list(args: &Args, preset: &str) -> Vec<Shot> {
    if args.gallery {
        let names = presets::names().into_iter();
        return names
            .map(|name| {
                let best = BEST.iter().find(|(known, ..)| *known == name);
                let &(_, part, hour) = best.unwrap_or(&("", 0.0, args.time));
                Shot { preset: name.clone(), part, hour, name }
            })
            .collect();
    }
    let count = args.frames.unwrap_or(FRAMES);
    (0..count)
        .map(|i| Shot {
            preset: preset.to_string(),
            part: i as f32 / count as f32,
            hour: if args.tour {
                tour::hour(tour::LENGTH * i as f32 / count as f32)
            } else {
                args.time
            },
            name: format!("{:04}", i + 1),
        })
        .collect()
}

/// The point at a fraction of the loop.
fn at(part: f32) -> Vec2 {
    LOOP * Vec2::new((TAU * part).sin(), (2.0 * TAU * part).sin() / 2.0)
}

/// The length of the loop in metres.
pub fn length() -> f32 {
    const PIECES: u16 = 1000;
    let ends = |i: u16| [i, i + 1].map(|i| at(f32::from(i) / f32::from(PIECES)));
    (0..PIECES).map(ends).map(|[from, to]| from.distance(to)).sum()
}

/// The camera at a fraction of the loop, given the height of the ground or the sea at (x, z).
pub fn camera(height: impl Fn([f64; 2]) -> f32, part: f32) -> Transform {
    let here = at(part);
    let ahead = (at(part + 1e-3) - here).normalize();
    let highest = (0..=8)
        .map(|i| here + ahead * (LOOK_AHEAD * i as f32 / 8.0))
        .map(|p| height(p.as_dvec2().to_array()))
        .fold(f32::MIN, f32::max);
    Transform::from_xyz(here.x, highest + HEIGHT, here.y)
        .looking_to(Vec3::new(ahead.x, PITCH, ahead.y), Vec3::Y)
}
