//! Units of lengths, heights and angles, and the conversion of a file's values to metres.

use crate::reading::Reading;
use crate::report::Warning;

/// A US survey foot in metres.
const SURVEY_FOOT: f64 = 1200.0 / 3937.0;
const DEGREES_PER_RADIAN: f64 = 180.0 / core::f64::consts::PI;

/// Units of lengths: their EPSG codes, names and metres.
#[rustfmt::skip]
const LENGTHS: &[(u16, &str, f64)] = &[
    (9001, "metres", 1.0), (9002, "feet", 0.3048), (9003, "US survey feet", SURVEY_FOOT),
    (1025, "millimetres", 1e-3), (1033, "centimetres", 1e-2), (9005, "Clarke's feet", 0.3047972654),
    (9014, "fathoms", 1.8288), (9030, "nautical miles", 1852.0),
    (9031, "German legal metres", 1.0000135965), (9033, "US survey chains", 66.0 * SURVEY_FOOT),
    (9034, "US survey links", 0.66 * SURVEY_FOOT), (9035, "US survey miles", 5280.0 * SURVEY_FOOT),
    (9036, "kilometres", 1000.0), (9037, "Clarke's yards", 0.9143917962),
    (9038, "Clarke's chains", 20.1166195164), (9039, "Clarke's links", 0.201166195164),
    (9040, "British yards (Sears 1922)", 0.914398414616029),
    (9041, "British feet (Sears 1922)", 0.304799471538676),
    (9042, "British chains (Sears 1922)", 20.1167651215526),
    (9043, "British links (Sears 1922)", 0.201167651215526),
    (9050, "British yards (Benoit 1895 A)", 0.9143992),
    (9051, "British feet (Benoit 1895 A)", 0.9143992 / 3.0),
    (9052, "British chains (Benoit 1895 A)", 20.1167824),
    (9053, "British links (Benoit 1895 A)", 0.201167824),
    (9060, "British yards (Benoit 1895 B)", 0.914399204289812),
    (9061, "British feet (Benoit 1895 B)", 0.304799734763271),
    (9062, "British chains (Benoit 1895 B)", 20.1167824943759),
    (9063, "British links (Benoit 1895 B)", 0.201167824943759),
    (9070, "British feet (1865)", 0.304800833333333), (9080, "Indian feet", 0.304799510248147),
    (9081, "Indian feet (1937)", 0.30479841), (9082, "Indian feet (1962)", 0.3047996),
    (9083, "Indian feet (1975)", 0.3047995), (9084, "Indian yards", 0.914398530744441),
    (9085, "Indian yards (1937)", 0.91439523), (9086, "Indian yards (1962)", 0.9143988),
    (9087, "Indian yards (1975)", 0.9143985), (9093, "miles", 1609.344),
    (9094, "Gold Coast feet", 0.304799710181509), (9095, "British feet (1936)", 0.3048007491),
    (9096, "yards", 0.9144), (9097, "chains", 20.1168), (9098, "links", 0.201168),
    (9099, "British yards (Sears 1922 truncated)", 0.914398),
    (9300, "British feet (Sears 1922 truncated)", 0.914398 / 3.0),
    (9301, "British chains (Sears 1922 truncated)", 20.116756),
    (9302, "British links (Sears 1922 truncated)", 0.20116756),
];

/// What files call the units of heights.
#[rustfmt::skip]
const NAMES: &[(u16, &[&str])] = &[
    (9001, &["m", "mt", "mtr", "metre", "metres", "meter", "meters"]),
    (9002, &["ft", "foot", "feet", "'", "footinternational", "internationalfoot",
        "internationalfeet", "ftintl", "feetinternational", "footintl"]),
    (9003, &["ftus", "usft", "sft", "ussurveyfoot", "ussurveyfeet", "surveyfoot", "surveyfeet",
        "footus", "feetus", "usfoot", "usfeet", "ussft"]),
    (1025, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    (1033, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    (9036, &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    (9014, &["fath", "fathom", "fathoms"]),
    (9096, &["yd", "yard", "yards"]),
];

/// A unit of lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    pub name: &'static str,
    pub metres: f64,
}

impl Length {
    pub const METRE: Self = Self { name: "metres", metres: 1.0 };

    pub fn of_code(code: u16) -> Option<Self> {
        let (_, name, metres) = LENGTHS.iter().find(|(known, ..)| *known == code)?;
        Some(Self { name, metres: *metres })
    }

    /// The unit that a file calls by a name, however it writes it.
    pub fn of_name(name: &str) -> Option<Self> {
        let is_part = |c: &char| c.is_alphanumeric() || *c == '\'';
        let plain: String = name.chars().filter(is_part).flat_map(char::to_lowercase).collect();
        match plain.as_str() {
            "dm" | "decimetre" | "decimetres" | "decimeter" | "decimeters" => {
                Some(Self { name: "decimetres", metres: 0.1 })
            }
            "in" | "inch" | "inches" => Some(Self { name: "inches", metres: 0.0254 }),
            plain => {
                let (code, _) = NAMES.iter().find(|(_, names)| names.contains(&plain))?;
                Self::of_code(*code)
            }
        }
    }

    pub fn is_foot(&self) -> bool {
        (0.3047..0.3049).contains(&self.metres)
    }
}

/// The degrees of a unit of angles, by its EPSG code.
pub(super) fn degrees(code: u16) -> Option<f64> {
    Some(match code {
        9102 | 9122 => 1.0,
        9101 => DEGREES_PER_RADIAN,
        9103 => 1.0 / 60.0,
        9104 => 1.0 / 3600.0,
        9105 | 9106 => 0.9,
        9109 => 1e-6 * DEGREES_PER_RADIAN,
        9112 => 0.009,
        9113 => 9e-5,
        9114 => 360.0 / 6400.0,
        1031 => 1e-3 / 3600.0,
        _ => return None,
    })
}

/// The degrees of a unit of `radians`.
pub(super) fn degrees_of_radians(radians: f64) -> f64 {
    radians * DEGREES_PER_RADIAN
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

/// A number of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// The text is a number.
    Whole(f64),
    /// The text starts with a number.
    Start(f64),
}

/// The number of a text, with words for those that are not finite, such as "nan" or "-1.#IND", and
/// with a comma or a point. `None` if there is none.
pub(super) fn parse(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let word = text.to_ascii_lowercase();
    match word.trim_start_matches(['-', '+']) {
        "nan" | "1.#ind" | "1.#qnan" | "1.#snan" | "1.#ind00" | "1.#qnan0" | "nan(ind)" => {
            return Some(Number::Whole(f64::NAN));
        }
        "inf" | "infinity" | "1.#inf" | "1.#inf00" => {
            let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
            return Some(Number::Whole(sign * f64::INFINITY));
        }
        _ => {}
    }
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E' | ',');
    // No number is longer.
    let start: String = text.chars().take_while(|c| is_part(*c)).take(64).collect();
    let has_comma = start.matches(',').count() == 1 && !start.contains('.');
    let plain = if has_comma { start.replace(',', ".") } else { start.clone() };
    // The longest start that is a number: "7e" is 7.
    let number = (1..=plain.len()).rev().find_map(|end| plain[..end].parse::<f64>().ok())?;
    let is_whole = start.len() == text.len() && plain.parse::<f64>().is_ok();
    Some(if is_whole { Number::Whole(number) } else { Number::Start(number) })
}
