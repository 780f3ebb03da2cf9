//! The spacing and the position of a raster in metres, from what the file and the caller say.

use crate::raster::{Earth, MIN_SPACING};
use crate::read::projection::{Ground, Projection};
use crate::read::source::{Coordinates, Georeference, Source};
use crate::reading::{Placement, Reading};
use crate::warning::Warning;

/// A spacing below this many metres may be in degrees.
const TINY: f64 = 0.02;
/// How much longer or shorter steps may be at the corners than in the middle, without a warning.
const UNEVEN: f64 = 0.05;
const NO_SPACING: &str = "Give Reading::spacing, the distance of samples in metres: there is no \
                          georeference that can be used";

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
