//! The conversion of a file's values to heights in metres.

use crate::read::source::Unit;
use crate::reading::Reading;
use crate::warning::Warning;

/// How values of a file become heights.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    pub unit: Option<Unit>,
    /// The value of samples without data.
    pub no_data: Option<f64>,
}

impl Conversion {
    /// `unit` and `no_data` are those of the file.
    pub fn new(unit: Option<Unit>, no_data: Option<f64>, reading: &Reading) -> Self {
        Self { unit: unit_of(unit, reading), no_data: reading.no_data.or(no_data) }
    }

    /// The height in metres of a value, or the value itself if the unit is unknown.
    #[inline]
    pub fn height(&self, value: f64) -> f64 {
        self.unit.as_ref().map_or(value, |unit| value * unit.scale + unit.offset)
    }

    /// The height in metres of a value, NaN if the value marks a sample without data.
    #[inline]
    pub fn height_or_nan(&self, value: f64) -> f32 {
        if self.is_missing(value) { f32::NAN } else { self.height(value) as f32 }
    }

    /// A warning if the unit is assumed.
    pub fn assumed_unit(&self) -> Option<Warning> {
        let is_assumed = |unit: &Unit| unit.source.starts_with("assumed");
        self.unit.as_ref().is_some_and(is_assumed).then(|| {
            let what = "the file names no unit of heights: metres are assumed; else give \
                        Reading::height_scale";
            Warning::Assumed(what.into())
        })
    }

    /// Whether a value marks a sample without data. A marker near the ends of `f32` is often
    /// written with fewer digits.
    #[inline]
    pub fn is_missing(&self, value: f64) -> bool {
        let is_marker = self.no_data.is_some_and(|marker| {
            value == marker
                || value as f32 == marker as f32
                || (marker.abs() > 1e30 && value.abs() > 1e30 && (value < 0.0) == (marker < 0.0))
        });
        is_marker || value.is_nan()
    }
}

/// The unit of the file with what the caller gives instead.
fn unit_of(unit: Option<Unit>, reading: &Reading) -> Option<Unit> {
    let [scale, offset] = [reading.height_scale, reading.height_offset];
    let (has_scale, has_offset) = (scale.is_some(), offset.is_some());
    let found = unit.as_ref().map(|unit| unit.source.as_str());
    let source = match (has_scale, has_offset, found) {
        (false, false, found) => found.unwrap_or_default().to_owned(),
        (true, false, _) => "Reading::height_scale".into(),
        (true, true, _) => "Reading::height_scale and height_offset".into(),
        (false, true, found) => {
            format!("{}, and Reading::height_offset", found.unwrap_or_default())
        }
    };
    let scale = scale.or(unit.as_ref().map(|unit| unit.scale))?;
    let offset = offset.or(unit.map(|unit| unit.offset)).unwrap_or(0.0);
    Some(Unit { scale, offset, source })
}
