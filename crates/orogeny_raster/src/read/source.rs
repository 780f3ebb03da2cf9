//! What the reader of a format finds, before the caller's settings are applied.

use std::fmt::{self, Display};
use std::fs::File;
use std::path::Path;

use crate::read::earth::Ellipsoid;
use crate::read::projection::Projection;
use crate::read::units::Length;
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
    /// Whether its columns run from the east, and its rows from the south, if the file says so or
    /// has a georeference. What is read is mirrored then.
    pub mirrored: Option<[bool; 2]>,
    /// Whether the file has a mask of where it has data, or an alpha band.
    pub has_mask: bool,
    /// Whether parts of the file can be read on demand.
    pub can_be_tiled: bool,
    pub warnings: Vec<Warning>,
}

impl Source {
    /// A file that says nothing but its size.
    pub fn plain(sample_type: impl Into<String>, size: [usize; 2]) -> Self {
        Self {
            sample_type: sample_type.into(),
            size,
            georeference: None,
            mirrored: None,
            has_mask: false,
            can_be_tiled: false,
            warnings: Vec::new(),
        }
    }

    /// Takes what says where the file lies.
    pub fn place(&mut self, found: Option<(Georeference, [bool; 2])>) {
        if let Some((georeference, mirrored)) = found {
            self.georeference = Some(georeference);
            self.mirrored = Some(mirrored);
        }
    }
}

/// The heights of a file's values: metres (scale value + offset).
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// What the file does with its values first.
    pub scale: f64,
    pub offset: f64,
    /// The metres of a unit.
    pub metres: f64,
    pub source: String,
    /// What is assumed about the unit, or contradicts it.
    pub doubts: Vec<String>,
}

impl Unit {
    pub fn metres(source: &str) -> Self {
        let source = source.into();
        Self { scale: 1.0, offset: 0.0, metres: 1.0, source, doubts: Vec::new() }
    }
}

/// The coordinates of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Coordinates {
    Degrees,
    /// Lengths in a projection.
    Projected {
        unit: Length,
        projection: Projection,
    },
}

impl Coordinates {
    /// Whether their lengths may not be those on the ground, and are not corrected.
    pub fn is_stretched(&self) -> bool {
        matches!(self, Self::Projected { projection: Projection::Stretched, .. })
    }
}

/// Where samples lie on Earth.
#[derive(Clone, Debug)]
pub(super) struct Georeference {
    /// The centre of the sample in the north-west: east and north, in units of the coordinates.
    pub first: [f64; 2],
    /// The distance of samples to the east and to the south: both positive.
    pub step: [f64; 2],
    pub coordinates: Coordinates,
    pub ellipsoid: Ellipsoid,
    pub epsg: Option<u16>,
    /// Such as ", pixels are areas".
    pub remark: &'static str,
}

impl Georeference {
    /// Turns a georeference whose steps to the east and to the south may be negative: its first
    /// sample becomes that in the north-west. Returns whether columns and rows are mirrored.
    pub fn upright(mut self, size: [usize; 2]) -> (Self, [bool; 2]) {
        let mirrored = self.step.map(|step| step < 0.0);
        let length = |k: usize| (size[k] - 1) as f64 * self.step[k];
        let last = [self.first[0] + length(0), self.first[1] - length(1)];
        for k in 0..2 {
            if mirrored[k] {
                self.first[k] = last[k];
                self.step[k] = -self.step[k];
            }
        }
        (self, mirrored)
    }

    pub fn is_in_degrees(&self) -> bool {
        self.coordinates == Coordinates::Degrees
    }

    /// Once around the Earth along a parallel, in units of the coordinates, if they come round.
    pub fn turn(&self) -> Option<f64> {
        match &self.coordinates {
            Coordinates::Degrees => Some(360.0),
            Coordinates::Projected { unit, projection } => {
                let radius = match *projection {
                    Projection::WebMercator => self.ellipsoid.axis,
                    Projection::Mercator { scale, .. } => self.ellipsoid.axis * scale,
                    Projection::Equirectangular { radius, cos, .. } => radius * cos,
                    _ => return None,
                };
                Some(2.0 * core::f64::consts::PI * radius / unit.metres)
            }
        }
    }
}

impl Display for Georeference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [east, north] = self.first;
        match &self.coordinates {
            Coordinates::Degrees => {
                write!(f, "first sample at longitude {east}, latitude {north}")?;
            }
            Coordinates::Projected { unit, projection } => {
                write!(f, "first sample at easting {east}, northing {north} in {}", unit.name)?;
                if *projection == Projection::WebMercator {
                    f.write_str(" of Web Mercator")?;
                }
            }
        }
        f.write_str(self.remark)
    }
}
