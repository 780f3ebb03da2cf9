//! The spacing and the position of a raster in metres, from what the file and the caller say.

use std::fmt::{self, Display};

use crate::raster::{Earth, MIN_SPACING};
use crate::read::projection::{Ellipsoid, Ground, Projection};
use crate::read::source::Source;
use crate::read::units::Length;
use crate::reading::{Placement, Reading};
use crate::report::Warning;

/// A spacing below this many metres may be in degrees.
const TINY: f64 = 0.02;
/// How much longer or shorter steps may be at the corners than in the middle, without a warning.
const UNEVEN: f64 = 0.05;
const NO_SPACING: &str = "Give Reading::spacing, the distance of samples in metres: there is no \
                          georeference that can be used";

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

pub(crate) struct Place {
    pub spacing: Option<[f64; 2]>,
    pub spacing_source: String,
    pub position: Option<[f64; 2]>,
    /// If the position is on Earth.
    pub earth: Earth,
    pub missing: Vec<String>,
    pub warnings: Vec<Warning>,
}

pub(super) fn place(source: &Source, reading: &Reading) -> Place {
    let georeference = source.georeference.as_ref();
    let (mut missing, mut warnings, size) = (Vec::new(), Vec::new(), source.size);
    let from_file = georeference.map(|geo| {
        let (scale, source) = scale(geo, size, reading);
        ([geo.step[0] * scale[0], geo.step[1] * scale[1]], source)
    });
    if georeference.is_none() {
        warnings.push(Warning::NoGeoreference);
    }
    let (spacing, spacing_source) = match (reading.spacing, from_file) {
        (Some(given), None) => (Some(given), "Reading::spacing".into()),
        (Some(given), Some(([x, z], _))) => {
            (Some(given), format!("Reading::spacing; the file says {x} m by {z} m"))
        }
        (None, Some((found, source))) => {
            warnings.extend(georeference.and_then(|geo| uneven(geo, size, reading)));
            (Some(found), source)
        }
        (None, None) => {
            missing.push(NO_SPACING.into());
            (None, String::new())
        }
    };
    if let Some([x, z]) = spacing {
        let smallest = x.min(z);
        let is_in_degrees =
            reading.spacing.is_none() && georeference.is_some_and(Georeference::is_in_degrees);
        if (MIN_SPACING..TINY).contains(&smallest) && !is_in_degrees {
            warnings.push(Warning::TinySpacing { spacing: smallest });
        }
    }
    let mut earth = Earth::default();
    let position = match reading.placement {
        Placement::At(position) => Some(position),
        Placement::Centred => {
            spacing.map(|spacing| [0, 1].map(|k| -0.5 * (size[k] - 1) as f64 * spacing[k]))
        }
        Placement::Georeferenced => match georeference.zip(spacing) {
            Some((geo, spacing)) => {
                // A given spacing replaces the unit of the file.
                let scale = [0, 1].map(|k| spacing[k] / geo.step[k]);
                let projection = if geo.is_in_degrees() { Some(0) } else { geo.epsg };
                earth = Earth { turn: geo.turn().map(|turn| turn * scale[0]), projection };
                Some([geo.first[0] * scale[0], -geo.first[1] * scale[1]])
            }
            None => {
                missing.push(
                    "Give another Reading::placement than Georeferenced: there is no georeference"
                        .into(),
                );
                None
            }
        },
    };
    Place { spacing, spacing_source, position, earth, missing, warnings }
}

/// The length in metres of one unit of the coordinates, eastwards and northwards, and how it was
/// found.
fn scale(geo: &Georeference, size: [usize; 2], reading: &Reading) -> ([f64; 2], String) {
    let middle = at(geo, size, [0.5; 2]);
    let [x, z] = geo.step;
    match &geo.coordinates {
        Coordinates::Degrees => {
            let latitude = reading.latitude.unwrap_or(middle[1]);
            let of = if reading.latitude.is_some() { "Reading::latitude" } else { "the middle" };
            let body = geo.ellipsoid.name();
            let source = format!("{x} by {z} degrees, at latitude {latitude:.4} of {of} on {body}");
            (geo.ellipsoid.metres_per_degree(latitude), source)
        }
        Coordinates::Projected { unit, projection } => {
            let metres = unit.metres;
            let source = format!("{x} by {z} {} in the file", unit.name);
            let Some(ground) = ground(geo, middle) else { return ([metres; 2], source) };
            let [east, north] = ground.lengths;
            let long = match east == north {
                true => format!("{east:.4}"),
                false => format!("{east:.4} and {north:.4}"),
            };
            let of = match projection {
                Projection::WebMercator => " of Web Mercator",
                _ => "",
            };
            let latitude = ground.latitude;
            let source = format!(
                "{source}{of}, which are {long} as long on the ground at latitude {latitude:.4} of \
                 the middle"
            );
            ([metres * east, metres * north], source)
        }
    }
}

/// The coordinates of a place in the raster, from 0 to 1 along its rows and columns.
fn at(geo: &Georeference, size: [usize; 2], [x, z]: [f64; 2]) -> [f64; 2] {
    let length = |k: usize| (size[k] - 1) as f64 * geo.step[k];
    [geo.first[0] + x * length(0), geo.first[1] - z * length(1)]
}

/// The lengths on the ground of a degree or of a metre of the projection; `None` if they are not
/// known.
fn ground(geo: &Georeference, at: [f64; 2]) -> Option<Ground> {
    match &geo.coordinates {
        Coordinates::Degrees => {
            Some(Ground { lengths: geo.ellipsoid.metres_per_degree(at[1]), latitude: at[1] })
        }
        Coordinates::Projected { unit, projection } => {
            projection.ground(&geo.ellipsoid, at.map(|x| x * unit.metres))
        }
    }
}

/// What is said of a raster that is far from where its projection is true to scale, or so large
/// that its steps are not about as long everywhere.
fn uneven(geo: &Georeference, size: [usize; 2], reading: &Reading) -> Option<Warning> {
    let middle = at(geo, size, [0.5; 2]);
    if let Coordinates::Projected { unit, projection } = &geo.coordinates
        && projection.is_far(&geo.ellipsoid, middle.map(|x| x * unit.metres))
    {
        return Some(Warning::Assumed(
            "it is so far from the middle of its projection that distances are wrong by more than \
             1 %, which is not corrected: give Reading::spacing if you know those on the ground"
                .into(),
        ));
    }
    let middle = ground(geo, middle)?.lengths;
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let ratios = corners.into_iter().filter_map(|corner| {
        let corner = ground(geo, at(geo, size, corner))?.lengths;
        Some([0, 1].map(|k| corner[k] / middle[k] - 1.0))
    });
    let most = ratios.flatten().max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let is_asked = reading.latitude.is_none() && most.abs() > UNEVEN;
    is_asked.then(|| {
        let (percent, longer) = (100.0 * most.abs(), if most > 0.0 { "longer" } else { "shorter" });
        Warning::Assumed(format!(
            "it is so large that steps at its corners are up to {percent:.0} % {longer} on the \
             ground than in its middle, whose lengths are taken for all: cut it, or warp it to a \
             projection that is true to scale"
        ))
    })
}
