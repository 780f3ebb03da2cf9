//! The coordinate reference systems that the geo keys of a GeoTIFF name: their units, and how long
//! their metres are on the ground.

use crate::error::RasterError;
use crate::read::codes::{angle_unit, projected_unit, vertical_unit};
use crate::read::geo_tags::{Keys, USER_DEFINED};
use crate::read::place::Coordinates;
use crate::read::projection::{Ellipsoid, Projection};
use crate::read::units::{Length, degrees, degrees_of_radians};
use crate::read::wkt;
use crate::report::Warning;

/// How much the axis of another planet differs from that of the Earth. Those of older surveys
/// differ by less.
const ANOTHER_PLANET: f64 = 1e-3;
/// The relative difference of two units that are not the same.
const ANOTHER_UNIT: f64 = 1e-9;

/// A horizontal system.
pub(super) struct Horizontal {
    pub coordinates: Coordinates,
    /// The factor from units of the file to those of the coordinates.
    pub factor: f64,
    pub epsg: Option<u16>,
    pub ellipsoid: Ellipsoid,
}

/// The unit that the vertical system of a file has.
pub(super) struct Vertical {
    pub unit: Length,
    /// Where it comes from.
    pub source: String,
    /// What contradicts it.
    pub doubts: Vec<String>,
}

/// The horizontal system; `None` if the file names none.
pub(super) fn horizontal(
    keys: &Keys,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Horizontal>, RasterError> {
    let ellipsoid = ellipsoid(keys);
    let has_projection = keys.get(3072).is_some() || keys.get(3075).is_some();
    match keys.get(1024) {
        Some(1) => projected(keys, ellipsoid, warnings).map(Some),
        Some(USER_DEFINED) if has_projection => projected(keys, ellipsoid, warnings).map(Some),
        Some(2) => geographic(keys, ellipsoid, warnings).map(Some),
        // Projections without a code are a text.
        _ => Ok(keys.texts().split_once("ESRI PE String =").and_then(|(_, text)| {
            let found = wkt::read(text).horizontal?;
            if found.coordinates.is_stretched() {
                warnings.push(stretched("its projection"));
            }
            Some(found)
        })),
    }
}

/// What is said of a projection that is not true to scale.
pub(super) fn stretched(name: &str) -> Warning {
    Warning::Assumed(format!(
        "{name} stretches or shrinks distances by more than 1 % in parts of its area, which is not \
         corrected: give Reading::spacing if you know the distances on the ground"
    ))
}

fn ellipsoid(keys: &Keys) -> Ellipsoid {
    let own = keys.number(2057).and_then(|axis| {
        let flattening = keys.number(2059).or_else(|| {
            let minor = keys.number(2058)?;
            Some(if axis == minor { 0.0 } else { axis / (axis - minor) })
        });
        Ellipsoid::new(axis, flattening?)
    });
    ellipsoid_of(own)
}

/// The ellipsoid of a file: WGS 84 for all of the Earth but spheres.
pub(super) fn ellipsoid_of(own: Option<Ellipsoid>) -> Ellipsoid {
    let is_other = |own: &Ellipsoid| {
        (own.axis / Ellipsoid::WGS84.axis - 1.0).abs() > ANOTHER_PLANET
            || own.eccentricity_squared == 0.0
    };
    own.filter(is_other).unwrap_or(Ellipsoid::WGS84)
}

fn geographic(
    keys: &Keys,
    ellipsoid: Ellipsoid,
    warnings: &mut Vec<Warning>,
) -> Result<Horizontal, RasterError> {
    let epsg = keys.code(2048);
    let by_code = epsg.and_then(angle_unit);
    let factor = match keys.get(2054).or(by_code) {
        Some(USER_DEFINED) => keys.number(2055).map(degrees_of_radians),
        Some(code) => degrees(code),
        None if epsg.is_some() => Some(1.0),
        None => {
            let what = "the file names no unit of longitudes and latitudes: degrees are assumed";
            warnings.push(Warning::Assumed(what.into()));
            Some(1.0)
        }
    };
    let factor = factor.filter(|factor| *factor > 0.0).ok_or_else(|| {
        let code = keys.get(2054).or(by_code).unwrap_or(USER_DEFINED);
        RasterError::unsupported(format!(
            "its angles are in the unit EPSG:{code}, but must be in degrees, radians or grads: \
             export it in degrees (9102)"
        ))
    })?;
    Ok(Horizontal { coordinates: Coordinates::Degrees, factor, epsg, ellipsoid })
}

fn projected(
    keys: &Keys,
    ellipsoid: Ellipsoid,
    warnings: &mut Vec<Warning>,
) -> Result<Horizontal, RasterError> {
    let epsg = keys.code(3072);
    let name = epsg.map_or_else(|| "its projection".into(), |code| format!("EPSG:{code}"));
    let unit = length_unit(keys, epsg, &name, warnings)?;
    let method = keys.code(3075);
    let projection = match (epsg, method) {
        (Some(code), None) => Projection::of_code(code),
        (code, Some(method)) => {
            let known = code.map_or(Projection::True, Projection::of_code);
            let texts = keys.texts();
            let is_web = ["Auxiliary_Sphere", "Pseudo", "Popular Visualisation", "Web_Merc"]
                .iter()
                .any(|name| texts.contains(name));
            let own = Projection::of_method(method, is_web, &ellipsoid, |id| {
                let is_length = matches!(id, 3082 | 3083 | 3087);
                keys.number(id).map(|x| if is_length { x * unit.metres } else { x })
            });
            if code.is_some() { known } else { own }
        }
        // Zones of UTM and of the states of the USA.
        (None, None) if keys.code(3074).is_some() => Projection::True,
        // A plane of its own, which is nowhere on the Earth.
        (None, None) if [2048, 2050, 2056, 2057].iter().all(|&key| keys.number(key).is_none()) => {
            Projection::True
        }
        (None, None) => Projection::Stretched,
    };
    if projection == Projection::Stretched {
        warnings.push(stretched(&name));
    }
    let is_unknown = epsg.is_some_and(|code| projected_unit(code).is_none());
    if is_unknown && method.is_none() {
        warnings.push(Warning::Assumed(format!(
            "{name} is not known: its distances are taken for those on the ground"
        )));
    }
    let coordinates = Coordinates::Projected { unit, projection };
    Ok(Horizontal { coordinates, factor: 1.0, epsg, ellipsoid })
}

/// The unit of lengths of the projection with a `name`.
fn length_unit(
    keys: &Keys,
    epsg: Option<u16>,
    name: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Length, RasterError> {
    let by_code = epsg.and_then(projected_unit);
    let by_key = match keys.get(3076) {
        Some(USER_DEFINED) => {
            let metres = keys.number(3077).filter(|metres| (1e-6..1e6).contains(metres));
            let metres = metres.ok_or_else(|| {
                RasterError::unsupported("its unit of lengths is its own, but its size is not said")
            })?;
            Some(Length { name: "units of its own", metres })
        }
        Some(code) => Some(Length::of_code(code).ok_or_else(|| {
            RasterError::unsupported(format!(
                "its lengths are in the unit EPSG:{code}, which is none that is known"
            ))
        })?),
        None => None,
    };
    Ok(match (by_key, by_code) {
        (Some(key), code) => {
            if let Some(code) = code.filter(|code| differ(&key, code)) {
                warnings.push(Warning::Assumed(format!(
                    "the file says that its lengths are in {}, while {name} has {}: {} are taken",
                    key.name, code.name, key.name
                )));
            }
            key
        }
        (None, Some(unit)) => unit,
        (None, None) => {
            warnings.push(Warning::Assumed(format!(
                "{name} names no unit of lengths: metres are assumed; else give Reading::spacing"
            )));
            Length::METRE
        }
    })
}

/// The unit of heights by the keys of the vertical system; `None` if they name none.
pub(super) fn vertical(keys: &Keys) -> Option<Vertical> {
    let known = keys.code(4096).and_then(|code| {
        // Heights above ellipsoids had codes of their own in GeoTIFF 1.0.
        let heights = (5001..=5033).contains(&code).then_some((Length::METRE, false));
        let (unit, is_depth) = vertical_unit(code).or(heights)?;
        Some((code, unit, is_depth))
    });
    let by_key = keys.get(4099).map(|code| (code, Length::of_code(code)));
    let mut doubts = Vec::new();
    if let Some((code, unit, is_depth)) = known {
        let name = unit.name;
        if let Some((key, other)) = by_key.filter(|(_, key)| key.is_none_or(|k| differ(&k, &unit)))
        {
            let other = other.map_or_else(|| format!("the unit EPSG:{key}"), |o| o.name.into());
            doubts.push(format!(
                "the file says that its heights are in {other}, while its vertical system \
                 EPSG:{code} has {name}: {name} are taken, as GDAL does; else give \
                 Reading::height_scale"
            ));
        }
        if is_depth {
            doubts.push(format!(
                "its vertical system EPSG:{code} counts depths, but its values are taken for \
                 heights: for depths give Reading::height_scale = Some({:?})",
                -unit.metres
            ));
        }
        let source = format!("{name} of the vertical system EPSG:{code}");
        return Some(Vertical { unit, source, doubts });
    }
    let (code, unit) = by_key?;
    let Some(unit) = unit else {
        let what = format!(
            "the file says that its heights are in the unit EPSG:{code}, which is none that is \
             known: metres are assumed; else give Reading::height_scale"
        );
        let source = "assumed metres".into();
        return Some(Vertical { unit: Length::METRE, source, doubts: vec![what] });
    };
    Some(Vertical { unit, source: format!("{} in the file", unit.name), doubts })
}

/// Whether two units are not the same.
pub(super) fn differ(a: &Length, b: &Length) -> bool {
    (a.metres / b.metres - 1.0).abs() > ANOTHER_UNIT
}
