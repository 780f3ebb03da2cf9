//! The spacing and the position of a raster in metres, from what the file and the caller say.

use crate::raster::MIN_SPACING;
use crate::read::source::{Coordinates, Georeference, Source};
use crate::reading::{Placement, Reading};
use crate::warning::Warning;

/// A spacing below this many metres may be in degrees.
const TINY: f64 = 0.02;

pub(crate) struct Place {
    pub spacing: Option<[f64; 2]>,
    pub spacing_source: String,
    pub position: Option<[f64; 2]>,
    /// Once around the Earth, in metres along x, if the position is on it.
    pub turn: Option<f64>,
    pub missing: Vec<String>,
    pub warnings: Vec<Warning>,
}

pub(super) fn place(source: &Source, reading: &Reading) -> Place {
    let georeference = source.georeference.as_ref();
    let (mut missing, mut warnings) = (Vec::new(), Vec::new());
    // Metres of one unit of the coordinates, eastwards and northwards.
    let scale = georeference.map(|geo| scale(geo, source.size, reading));
    let from_file = georeference.zip(scale.as_ref()).map(|(geo, (scale, source))| {
        ([geo.step[0] * scale[0], geo.step[1] * scale[1]], source.clone())
    });
    if georeference.is_none() {
        warnings.push(Warning::NoGeoreference);
    }
    let (spacing, spacing_source) = match (reading.spacing, from_file) {
        (Some(given), None) => (Some(given), "Reading::spacing".into()),
        (Some(given), Some(([x, z], _))) => {
            (Some(given), format!("Reading::spacing; the file says {x} m by {z} m"))
        }
        (None, Some((found, source))) => (Some(found), source),
        (None, None) => {
            missing.push(
                "Give Reading::spacing, the distance of samples in metres: there is no \
                 georeference that can be used"
                    .into(),
            );
            (None, String::new())
        }
    };
    if let Some([x, z]) = spacing {
        let smallest = x.min(z);
        let is_in_degrees = georeference.is_some_and(|geo| geo.coordinates == Coordinates::Degrees)
            && reading.spacing.is_none();
        if (MIN_SPACING..TINY).contains(&smallest) && !is_in_degrees {
            warnings.push(Warning::TinySpacing { spacing: smallest });
        }
    }
    let mut turn = None;
    let position = match reading.placement {
        Placement::At(position) => Some(position),
        Placement::Centred => {
            spacing.map(|spacing| [0, 1].map(|k| -0.5 * (source.size[k] - 1) as f64 * spacing[k]))
        }
        Placement::Georeferenced => match georeference.zip(scale) {
            Some((geo, (scale, _))) => {
                turn = geo.turn().map(|turn| turn * scale[0]);
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
    Place { spacing, spacing_source, position, turn, missing, warnings }
}

/// The length in metres of one unit of the coordinates, eastwards and northwards, and how it was
/// found.
fn scale(geo: &Georeference, size: [usize; 2], reading: &Reading) -> ([f64; 2], String) {
    let half = [0, 1].map(|k| 0.5 * (size[k] - 1) as f64 * geo.step[k]);
    let middle = [geo.first[0] + half[0], geo.first[1] - half[1]];
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
            let Some(ground) = projection.ground(&geo.ellipsoid, middle.map(|x| x * metres)) else {
                return ([metres; 2], source);
            };
            let [east, north] = ground.lengths;
            let long = match east == north {
                true => format!("{east:.4}"),
                false => format!("{east:.4} and {north:.4}"),
            };
            let of = match projection {
                crate::read::projection::Projection::WebMercator => " of Web Mercator",
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
