//! What a file says, and how it is read.

use std::fmt::{self, Display};

use crate::raster::checked_size;
use crate::reading::Format;
use crate::warning::Warning;

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
