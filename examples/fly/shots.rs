//! The list of pictures of a headless flight.

use super::args::Args;
use super::{presets, tour};

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
