//! The conversion of a file's values to heights in metres.

use crate::read::source::Unit;
use crate::reading::Reading;
use crate::warning::Warning;

/// How values of a file become heights.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    /// The height of one unit of the file's values, and that of 0; `None` if the unit is unknown.
    pub unit: Option<Scale>,
    /// The value of samples without data.
    pub no_data: Option<f64>,
    /// The value of samples that the file leaves out.
    pub left_out: f64,
    /// What is assumed about the unit, or contradicts it.
    doubts: Vec<String>,
}

/// The height in metres of a value: scale * value + offset.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub scale: f64,
    pub offset: f64,
    pub source: String,
}

impl Conversion {
    /// `unit` and `no_data` are those of the file.
    pub fn new(unit: Option<Unit>, no_data: Option<f64>, reading: &Reading) -> Self {
        let is_given = reading.height_scale.is_some();
        let doubts = unit.as_ref().filter(|_| !is_given).map(|unit| unit.doubts.clone());
        Self {
            unit: scale(unit, reading),
            no_data: reading.no_data.or(no_data),
            left_out: if no_data.is_some() { f64::NAN } else { 0.0 },
            doubts: doubts.unwrap_or_default(),
        }
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

    /// What is assumed about the unit, or contradicts it.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.doubts.iter().cloned().map(Warning::Assumed)
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

/// The scale of the file first, then the unit: that of the file, or what the caller gives instead.
fn scale(unit: Option<Unit>, reading: &Reading) -> Option<Scale> {
    let found = unit.as_ref().map_or("", |unit| &unit.source);
    let source = match (reading.height_scale, reading.height_offset) {
        (None, None) => found.to_owned(),
        (Some(_), None) => "Reading::height_scale".into(),
        (Some(_), Some(_)) => "Reading::height_scale and height_offset".into(),
        (None, Some(_)) => format!("{found}, and Reading::height_offset"),
    };
    let metres = reading.height_scale.or(unit.as_ref().map(|unit| unit.metres))?;
    let (scale, offset) = unit.map_or((1.0, 0.0), |unit| (unit.scale, unit.offset));
    let is_scaled = scale != 1.0 || offset != 0.0;
    let of_file = if is_scaled { ", with the scale and offset of the file" } else { "" };
    Some(Scale {
        scale: scale * metres,
        offset: offset * metres + reading.height_offset.unwrap_or(0.0),
        source: source + of_file,
    })
}
