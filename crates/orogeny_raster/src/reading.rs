//! What the caller adds to a file, or overrides.

use crate::error::RasterError;
use crate::raster::{MAX_HEIGHT, MAX_POSITION, check_spacing, checked_tiled_size};

/// The format of a file. It follows from the extension, where that names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// GeoTIFF, and TIFF with one band: `.tif`, `.tiff`.
    GeoTiff,
    /// A tile of the Shuttle Radar Topography Mission: `.hgt`, with a name like `N45E006`.
    Srtm,
    /// A grey PNG of 16 bits: `.png`.
    Png,
    /// An RGB PNG of 8 bits whose height is R * 256 + G + B / 256 - 32768 metres. No extension
    /// names it.
    Terrarium,
    /// An RGB PNG of 8 bits in Mapbox's Terrain-RGB, whose height in metres is -10000 +
    /// (R * 65536 + G * 256 + B) / 10. No extension names it.
    TerrainRgb,
    /// OpenEXR with one channel of heights, or with the one of [`Reading::channel`]: `.exr`.
    Exr,
    /// Unsigned 16-bit integers and nothing else: `.r16`.
    Raw16,
    /// 32-bit floating-point numbers and nothing else: `.r32`.
    Raw32,
}

/// The order of the bytes of a number in a raw file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The least significant byte first: what most programs on PCs write.
    LittleEndian,
    /// The most significant byte first.
    BigEndian,
}

/// Where the raster lies in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Placement {
    /// The middle of the raster is at (0, 0), wherever it is on Earth.
    #[default]
    Centred,
    /// x is the easting and z the negative northing of the file in metres. Tiles of one projected
    /// grid fit together. Tiles in degrees fit if all are read with the same
    /// [`latitude`](Reading::latitude), also across the antimeridian. Tiles in Web Mercator and
    /// other projections that are scaled have each its own scale: they fit if all are read with the
    /// same [`spacing`](Reading::spacing).
    Georeferenced,
    /// The centre (x, z) of the first sample, the one in the north-west, in metres.
    At([f64; 2]),
}

/// What the caller adds to a file, or overrides. By default everything comes from the file; what
/// neither says is an error that names the field to give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The format; by default that of the file's extension.
    pub format: Option<Format>,
    /// The size \[columns, rows\] of a raw file. A square needs none.
    pub size: Option<[usize; 2]>,
    /// The byte order of a raw file.
    pub byte_order: Option<ByteOrder>,
    /// The spacing of samples (x, z) in metres, each within 1e-3 to 1e5.
    pub spacing: Option<[f64; 2]>,
    /// The name of the channel that has the heights of an EXR file, with that of its layer if it
    /// has one, such as "height.Y". A file of one channel needs none.
    pub channel: Option<String>,
    /// The metres of the unit of heights: not 0, within +-1e5. PNG, EXR and raw files need it:
    /// 1000.0 / 65535.0 spreads 16 bits over a kilometre. It replaces the unit that a file names,
    /// not its scale and offset, which come first: 0.3048 is right for feet, however they are
    /// stored.
    pub height_scale: Option<f64>,
    /// Metres that are added to all heights, within +-1e5.
    pub height_offset: Option<f64>,
    /// The value, in units of the file, of samples without data.
    pub no_data: Option<f64>,
    /// The latitude in degrees, within +-89, at which degrees are converted to metres. By default,
    /// that of the raster's middle.
    pub latitude: Option<f64>,
    /// Whether the first row of the file is in the south. It is in the north by default. A file
    /// with a georeference says so itself, so it is an error to give it.
    pub south_first: bool,
    /// Whether the first column of the file is in the east. It is in the west by default. A file
    /// with a georeference says so itself, so it is an error to give it.
    pub east_first: bool,
    /// Where the raster lies in the world.
    pub placement: Placement,
    /// Reads heights of 8 bits. They make terraces: 256 steps from the lowest to the highest.
    pub allow_8_bit: bool,
}

impl Reading {
    /// Checks the limits of all fields.
    pub(crate) fn check(&self) -> Result<(), RasterError> {
        let setting = |field| move |e: RasterError| RasterError::setting(field, e);
        self.size.map_or(Ok(0), checked_tiled_size).map_err(setting("size"))?;
        self.spacing.map_or(Ok(()), check_spacing).map_err(setting("spacing"))?;
        let limit = f64::from(MAX_HEIGHT);
        let within = |field, x: Option<f64>, limit: f64| match x {
            Some(x) if x.is_nan() || x.abs() > limit => {
                Err(RasterError::setting(field, format!("{x} is not within +-{limit}")))
            }
            _ => Ok(()),
        };
        within("height_scale", self.height_scale, limit)?;
        within("height_offset", self.height_offset, limit)?;
        within("latitude", self.latitude, 89.0)?;
        if self.height_scale == Some(0.0) {
            return Err(RasterError::setting("height_scale", "0 would make all heights equal"));
        }
        if let Placement::At(position) = self.placement {
            for x in position {
                within("placement", Some(x), MAX_POSITION)?;
            }
        }
        Ok(())
    }
}
