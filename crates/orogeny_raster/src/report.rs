//! What a file says, how it is read, and what looks wrong.

use std::fmt::{self, Display};

use crate::raster::{MAX_SAMPLES, MAX_SIDE, checked_size};
use crate::reading::Format;

/// What a file says about itself, and how it is read. `Display` prints it for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The format.
    pub format: Format,
    /// The type of samples, such as "16-bit signed integer".
    pub sample_type: String,
    /// The number of samples: \[columns, rows\].
    pub size: [usize; 2],
    /// The spacing along x and z in metres, if it is known.
    pub spacing: Option<[f64; 2]>,
    /// Where the spacing comes from.
    pub spacing_source: String,
    /// The centre (x, z) of the first sample in metres, if it is known.
    pub position: Option<[f64; 2]>,
    /// The position of the first sample on Earth as the file says it.
    pub georeference: Option<String>,
    /// The EPSG code of the projection or of the geographic coordinates.
    pub epsg: Option<u16>,
    /// The height of one unit of the file in metres, if it is known.
    pub height_scale: Option<f64>,
    /// The height of the file's 0 in metres.
    pub height_offset: f64,
    /// Where the unit of heights comes from.
    pub height_source: String,
    /// Whether the file has a mask of where it has data, or an alpha band. With a mask, its own
    /// value for samples without data is not used.
    pub has_mask: bool,
    /// The value of samples without data, in units of the file.
    pub no_data: Option<f64>,
    /// The number of samples without data; `None` if only the header was read.
    pub no_data_count: Option<usize>,
    /// The range of values in units of the file, if there are any and they were read.
    pub values: Option<[f64; 2]>,
    /// The range of heights in metres, if their unit is known.
    pub heights: Option<[f64; 2]>,
    /// The sizes \[columns, rows\] of the image's overviews in the file, in its order. They are
    /// not read.
    pub overviews: Vec<[usize; 2]>,
    /// Whether [`RasterTiles`](crate::RasterTiles) can read it.
    pub can_be_tiled: bool,
    /// The fields of [`Reading`](crate::Reading) that must be given, and why.
    pub missing: Vec<String>,
    /// What looks wrong.
    pub warnings: Vec<Warning>,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [columns, rows] = self.size;
        writeln!(f, "format       {:?}, {}", self.format, self.sample_type)?;
        writeln!(f, "size         {columns} x {rows} samples")?;
        let ways = match (checked_size(self.size).is_ok(), self.can_be_tiled) {
            (true, true) => "whole or in tiles",
            (true, false) => "whole",
            (false, _) => "in tiles",
        };
        writeln!(f, "read         {ways}")?;
        if !self.overviews.is_empty() {
            let sizes: Vec<_> = self.overviews.iter().map(|[x, z]| format!("{x} x {z}")).collect();
            writeln!(f, "overviews    {}; not read", sizes.join(", "))?;
        }
        match self.spacing {
            Some([x, z]) => {
                writeln!(f, "spacing      {x} m by {z} m ({})", self.spacing_source)?;
                let [width, height] =
                    [(columns - 1) as f64 * x / 1000.0, (rows - 1) as f64 * z / 1000.0];
                writeln!(f, "extent       {width:.3} km by {height:.3} km")?;
            }
            None => writeln!(f, "spacing      unknown")?,
        }
        if let Some([x, z]) = self.position {
            writeln!(f, "position     first sample at x = {x} m, z = {z} m")?;
        }
        writeln!(f, "on Earth     {}", self.georeference.as_deref().unwrap_or("not said"))?;
        match self.epsg {
            Some(code) => writeln!(f, "projection   EPSG:{code}")?,
            None => writeln!(f, "projection   no EPSG code")?,
        }
        match self.height_scale {
            Some(scale) => writeln!(
                f,
                "unit         {scale} m, 0 is at {} m ({})",
                self.height_offset, self.height_source
            )?,
            None => writeln!(f, "unit         unknown")?,
        }
        match (self.no_data, self.has_mask) {
            (Some(value), false) => write!(f, "no data      {value}")?,
            (Some(value), true) => write!(f, "no data      {value} and by a mask")?,
            (None, true) => write!(f, "no data      by a mask")?,
            (None, false) => write!(f, "no data      not declared")?,
        }
        match self.no_data_count {
            Some(count) => writeln!(f, ", {count} samples")?,
            None => writeln!(f, "; the samples were not read")?,
        }
        if let Some([min, max]) = self.values {
            writeln!(f, "values       {min} to {max}")?;
        }
        if let Some([min, max]) = self.heights {
            writeln!(f, "heights      {min} m to {max} m")?;
        }
        self.missing.iter().try_for_each(|what| writeln!(f, "missing      {what}"))?;
        self.warnings.iter().try_for_each(|what| writeln!(f, "warning      {what}"))
    }
}

/// Something that looks wrong in elevation data, although it can be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// There are so few distinct heights that slopes become terraces.
    FewDistinctValues {
        /// The number of distinct values.
        count: usize,
    },
    /// All samples have the same value.
    AllEqual {
        /// The value in units of the file.
        value: f64,
    },
    /// A value that commonly marks missing data occurs, but is not declared as such.
    UndeclaredNoData {
        /// The value in units of the file.
        value: f64,
        /// How many samples have it.
        count: usize,
    },
    /// All values are within 0 to 1, and one unit is one metre: the heights are normalised.
    Normalised,
    /// Some heights are beyond the limit of 1e5 m.
    BeyondLimit {
        /// The value of the first such sample in units of the file.
        value: f64,
        /// How many there are.
        count: usize,
    },
    /// Some heights are lower than -12 km or higher than 9.5 km, where no ground on Earth is.
    BeyondEarth {
        /// The first such height in metres.
        height: f64,
        /// How many there are.
        count: usize,
    },
    /// The file does not say where on Earth it lies.
    NoGeoreference,
    /// Bytes swapped, the heights would be far smoother.
    ByteOrder,
    /// Neighbouring samples differ by more than their distance on average.
    Steep {
        /// The mean difference in height of neighbours, over their distance.
        slope: f64,
    },
    /// The spacing is so small that it may be in degrees.
    TinySpacing {
        /// The spacing in metres.
        spacing: f64,
    },
    /// The raster is too large to be read whole.
    LargerThanMemory,
    /// The samples were not looked at, since the bounds of a raster in tiles were given.
    NotSurveyed,
    /// Something was assumed that the file does not say.
    Assumed(String),
}

impl Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewDistinctValues { count } => {
                write!(f, "only {count} distinct values: expect terraces, as from 8-bit data")
            }
            Self::AllEqual { value } => write!(f, "all samples are {value}: a flat plane"),
            Self::UndeclaredNoData { value, count } => write!(
                f,
                "{count} samples are {value}, which often marks missing data, but is not declared \
                 so: give Reading::no_data = Some({value:?}) if it is"
            ),
            Self::Normalised => f.write_str(
                "all values are within 0 to 1: normalised heights? Give Reading::height_scale, \
                 the height in metres of the value 1",
            ),
            Self::BeyondLimit { value, count } => write!(
                f,
                "{count} samples are beyond +-100000 m, the first one has the value {value}: a \
                 wrong byte order, unit, or undeclared Reading::no_data"
            ),
            Self::BeyondEarth { height, count } => write!(
                f,
                "{count} samples are lower than -12 km or higher than 9.5 km, the first one is at \
                 {height} m: a wrong format (Terrain-RGB, Terrarium), unit, or undeclared \
                 Reading::no_data, unless it is not on Earth"
            ),
            Self::NoGeoreference => f.write_str("no georeference: where it lies is unknown"),
            Self::ByteOrder => f.write_str(
                "with the other byte order the ground would be far smoother: check \
                 Reading::byte_order",
            ),
            Self::Steep { slope } => write!(
                f,
                "neighbours differ by {slope:.1} times their distance on average: check the units \
                 of Reading::spacing and Reading::height_scale"
            ),
            Self::TinySpacing { spacing } => {
                write!(f, "the spacing is only {spacing} m: is it in degrees?")
            }
            Self::LargerThanMemory => write!(
                f,
                "larger than {MAX_SIDE} samples a side or {MAX_SAMPLES} in all: read it in tiles, \
                 by RasterTiles; its samples were not looked at"
            ),
            Self::NotSurveyed => f.write_str(
                "its samples were not looked at, since its bounds were given: open it with \
                 TileBounds::Scan for all warnings",
            ),
            Self::Assumed(what) => f.write_str(what),
        }
    }
}
