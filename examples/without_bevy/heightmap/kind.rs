//! The kinds of files.

use std::path::Path;

use clap::ValueEnum;
use png::{BitDepth, ColorType};

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// 16-bit greyscale PNG of heights
    Png16,
    /// Raw 16-bit heights, little-endian
    R16,
    /// Raw 32-bit floating-point heights in metres, little-endian
    F32,
    /// Normal map: 8-bit RGB PNG, red right, green to the top, blue up
    Normal,
    /// Hillshade: 8-bit greyscale PNG, light from the top left
    Hillshade,
    /// Where sea, lakes and rivers are: 8-bit greyscale PNG
    Water,
    /// The flow of rivers and lakes: 8-bit RGB PNG, red right, green to the top, blue in water
    Flow,
    /// The discharge of rivers and lakes: 16-bit greyscale PNG
    Discharge,
}

/// The file endings of the kinds.
const ENDINGS: [(&str, Kind); 5] = [
    ("png", Kind::Png16),
    ("r16", Kind::R16),
    ("raw", Kind::R16),
    ("f32", Kind::F32),
    ("r32", Kind::F32),
];

/// The endings, and the kinds for `--kind`, for an error message.
pub fn endings() -> String {
    let endings = ENDINGS.map(|(ending, kind)| format!(".{ending} is {}", kind.name()));
    let kinds: Vec<&str> = Kind::value_variants().iter().map(Kind::name).collect();
    format!("{}; or give --kind with one of {}", endings.join(", "), kinds.join(", "))
}

impl Kind {
    /// The kind that belongs to a file ending.
    pub fn of_ending(file: &Path) -> Option<Self> {
        let found = file.extension()?.to_str()?.to_lowercase();
        ENDINGS.into_iter().find(|(ending, _)| *ending == found).map(|(_, kind)| kind)
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Png16 => "png16",
            Self::R16 => "r16",
            Self::F32 => "f32",
            Self::Normal => "normal",
            Self::Hillshade => "hillshade",
            Self::Water => "water",
            Self::Flow => "flow",
            Self::Discharge => "discharge",
        }
    }

    /// A description of the kind.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Png16 => "16-bit greyscale PNG",
            Self::R16 => "raw 16-bit heights",
            Self::F32 => "raw 32-bit heights",
            Self::Normal => "normal map, 8-bit RGB PNG",
            Self::Hillshade => "hillshade, 8-bit greyscale PNG",
            Self::Water => "mask of water, 8-bit greyscale PNG",
            Self::Flow => "flow map, 8-bit RGB PNG",
            Self::Discharge => "discharge, 16-bit greyscale PNG",
        }
    }

    /// How to interpret a pixel, for users of the file.
    pub fn formula(self) -> &'static str {
        match self {
            Self::Png16 | Self::R16 => "height in metres = min + pixel * (max - min) / 65535",
            Self::F32 => "height in metres = pixel",
            Self::Normal => {
                "normal = pixel / 255 * 2 - 1: red points right (+x), green to the top (-z), \
                 blue up"
            }
            Self::Hillshade => {
                "pixel = 255 * max(0, normal . light), light from the top left, 45 degrees high"
            }
            Self::Water => "0 is dry, 85 sea, 170 lake, 255 river",
            Self::Flow => {
                "velocity in m/s = 8 * (pixel - 128) / 127: red points right (+x), green to the \
                 top (-z); blue is 255 in water and 0 elsewhere"
            }
            Self::Discharge => "discharge in cubic metres a second = (pixel / 1000)^2",
        }
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Png16 | Self::R16 | Self::Discharge => 2,
            Self::F32 => 4,
            Self::Normal | Self::Flow => 3,
            Self::Hillshade | Self::Water => 1,
        }
    }

    /// Whether heights are mapped from a range.
    pub fn is_ranged(self) -> bool {
        matches!(self, Self::Png16 | Self::R16)
    }

    /// Whether pixels come from the gradient rather than the height.
    pub fn is_sloped(self) -> bool {
        matches!(self, Self::Normal | Self::Hillshade)
    }

    /// The colour type and bit depth of the PNG, if the kind is a PNG.
    pub fn png(self) -> Option<(ColorType, BitDepth)> {
        match self {
            Self::Png16 | Self::Discharge => Some((ColorType::Grayscale, BitDepth::Sixteen)),
            Self::Normal | Self::Flow => Some((ColorType::Rgb, BitDepth::Eight)),
            Self::Hillshade | Self::Water => Some((ColorType::Grayscale, BitDepth::Eight)),
            Self::R16 | Self::F32 => None,
        }
    }

    /// Whether a text file next to it has the information that a PNG has in its text chunks.
    pub fn sidecar(self) -> bool {
        self.png().is_none()
    }
}
