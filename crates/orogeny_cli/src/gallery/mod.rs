//! A picture of every noise, fractal, shape, combinator and edit, with proven ranges.
//!
//! To add a picture, add a line to a table: in `noises.rs` or `combinators.rs` or, if it needs more
//! than a field, in `lessons.rs`, `films.rs` or `works.rs`. An `Entry` has a file name, a caption
//! and a `Picture`, the kinds of which are in `picture.rs`.

#[cfg(target_family = "wasm")]
pub mod browser;
mod combinators;
#[cfg(not(target_family = "wasm"))]
mod command;
mod films;
mod lessons;
mod noises;
mod page;
mod picture;
mod view;
mod works;

#[cfg(not(target_family = "wasm"))]
pub use crate::gallery::command::{GalleryArgs, run};
use crate::gallery::picture::Picture;

/// A picture of the gallery.
pub struct Entry {
    /// Its file name.
    pub name: &'static str,
    /// Its title, with the settings that made it.
    pub caption: &'static str,
    /// What to draw.
    pub picture: Picture,
}

/// Pictures with a heading.
pub struct Group {
    /// The heading.
    pub title: &'static str,
    /// The pictures, in order.
    pub entries: &'static [Entry],
}

/// All pictures.
pub const GALLERY: &[Group] = &[
    Group { title: "Gradient noise", entries: noises::GRADIENT },
    Group { title: "Value, simplex and cellular noise", entries: noises::OTHERS },
    Group { title: "Noise in one dimension", entries: noises::CURVES },
    Group { title: "Fractals", entries: noises::FRACTALS },
    Group { title: "Shapes: functions of the value", entries: combinators::SHAPES },
    Group { title: "Combinators", entries: combinators::COMBINATORS },
    Group { title: "Transforms, warps and tiles", entries: combinators::DOMAINS },
    Group { title: "Edits of the ground", entries: combinators::EDITS },
    Group { title: "From white noise to fractals", entries: lessons::LESSONS },
    Group { title: "Animations", entries: films::FILMS },
    Group { title: "Noise at work", entries: works::WORKS },
];

/// A row of a table.
const fn entry(name: &'static str, caption: &'static str, picture: Picture) -> Entry {
    Entry { name, caption, picture }
}
