//! What the reader of a format finds, before the caller's settings are applied.

use std::fmt::{self, Display};
use std::fs::File;
use std::path::Path;

use crate::reading::Reading;
use crate::warning::Warning;

/// A file to read, and the caller's settings.
pub(super) struct Input<'a> {
    pub path: &'a Path,
    pub file: File,
    /// The length of the file in bytes.
    pub len: u64,
    pub reading: &'a Reading,
}

/// What a file says.
pub(super) struct Source {
    pub sample_type: String,
    pub size: [usize; 2],
    pub georeference: Option<Georeference>,
    /// Whether the unit of heights is assumed, not said.
    pub has_assumed_unit: bool,
    /// Whether parts of the file can be read on demand.
    pub can_be_tiled: bool,
    pub warnings: Vec<Warning>,
}

/// The unit of heights.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The height of one unit, and that of 0, in metres.
    pub scale: f64,
    pub offset: f64,
    pub source: String,
}

impl Unit {
    pub fn metres(source: &str) -> Self {
        Self { scale: 1.0, offset: 0.0, source: source.into() }
    }
}

/// The unit of coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Coordinates {
    Degrees,
    /// A projection: its unit in metres, and the unit's name.
    Projected(f64, &'static str),
    /// The spherical Mercator projection of web maps, which stretches distances.
    WebMercator,
}

/// Where samples lie on Earth.
#[derive(Clone, Debug)]
pub(super) struct Georeference {
    /// The centre of the first sample: east and north, in units of the coordinates.
    pub first: [f64; 2],
    /// The distance of samples to the east and to the south: both positive.
    pub step: [f64; 2],
    pub coordinates: Coordinates,
    pub epsg: Option<u16>,
    /// Such as ", pixels are areas".
    pub remark: &'static str,
}

impl Display for Georeference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [east, north] = self.first;
        match &self.coordinates {
            Coordinates::Degrees => {
                write!(f, "first sample at longitude {east}, latitude {north}")?;
            }
            Coordinates::Projected(_, unit) => {
                write!(f, "first sample at easting {east}, northing {north} in {unit}")?;
            }
            Coordinates::WebMercator => {
                write!(f, "first sample at easting {east}, northing {north} in Web Mercator")?;
            }
        }
        f.write_str(self.remark)
    }
}
