//! The kinds of files.

use std::path::Path;

use clap::ValueEnum;

use crate::picture::{Content, Format, Picture};

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// 16-bit greyscale PNG of heights
    Png16,
    /// Raw 16-bit heights, little-endian
    R16,
    /// Raw 32-bit floating-point heights in metres, little-endian
    F32,
    /// 16-bit TIFF of heights, with its range and position
    Tiff16,
    /// 32-bit floating-point TIFF of heights in metres, with its position
    Tiff32,
    /// 32-bit floating-point OpenEXR of heights in metres
    Exr,
    /// The depth of water in metres: .png, .r16, .f32, .tif or .exr
    Depth,
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
    /// Splat maps, the weights of ground cover: an 8-bit RGBA PNG for each four layers
    Cover,
    /// The weights of ground cover: an 8-bit greyscale PNG for each layer
    Layers,
    /// The weights of lands: an 8-bit RGBA PNG for each four lands
    Lands,
    /// Map to look at: 8-bit RGB PNG, lands or heights in colours, light from the top left, water
    Map,
    /// The mean temperature on the ground in °C: .png, .r16, .f32, .tif or .exr
    Temperature,
    /// The moisture, 0 to 1: .png, .r16, .f32, .tif or .exr
    Moisture,
    /// Table of plants and rocks: CSV
    Plants,
    /// Mesh with levels of detail: binary glTF
    Glb,
}

/// How a kind is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// As pixels.
    Picture(Picture),
    /// As a table of plants.
    Plants,
    /// As a mesh.
    Mesh,
}

/// The file endings of the kinds.
const ENDINGS: [(&str, Kind); 10] = [
    ("png", Kind::Png16),
    ("r16", Kind::R16),
    ("raw", Kind::R16),
    ("f32", Kind::F32),
    ("r32", Kind::F32),
    ("tif", Kind::Tiff32),
    ("tiff", Kind::Tiff32),
    ("exr", Kind::Exr),
    ("csv", Kind::Plants),
    ("glb", Kind::Glb),
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
            Self::Tiff16 => "tiff16",
            Self::Tiff32 => "tiff32",
            Self::Exr => "exr",
            Self::Depth => "depth",
            Self::Normal => "normal",
            Self::Hillshade => "hillshade",
            Self::Water => "water",
            Self::Flow => "flow",
            Self::Discharge => "discharge",
            Self::Cover => "cover",
            Self::Layers => "layers",
            Self::Lands => "lands",
            Self::Map => "map",
            Self::Temperature => "temperature",
            Self::Moisture => "moisture",
            Self::Plants => "plants",
            Self::Glb => "glb",
        }
    }

    /// A description of the kind.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Png16 => "16-bit greyscale PNG",
            Self::R16 => "raw 16-bit heights",
            Self::F32 => "raw 32-bit heights",
            Self::Tiff16 => "16-bit TIFF of heights",
            Self::Tiff32 => "32-bit TIFF of heights",
            Self::Exr => "32-bit OpenEXR of heights",
            Self::Depth => "depth of water",
            Self::Normal => "normal map, 8-bit RGB PNG",
            Self::Hillshade => "hillshade, 8-bit greyscale PNG",
            Self::Water => "mask of water, 8-bit greyscale PNG",
            Self::Flow => "flow map, 8-bit RGB PNG",
            Self::Discharge => "discharge, 16-bit greyscale PNG",
            Self::Cover => "splat maps, 8-bit RGBA PNG",
            Self::Layers => "weights of cover, 8-bit greyscale PNG",
            Self::Lands => "weights of lands, 8-bit RGBA PNG",
            Self::Map => "map, 8-bit RGB PNG",
            Self::Temperature => "mean temperature",
            Self::Moisture => "moisture",
            Self::Plants => "table of plants, CSV",
            Self::Glb => "mesh, binary glTF",
        }
    }

    /// How it is written to a file; `None` if it needs another file ending.
    pub fn output(self, file: &Path) -> Option<Output> {
        let heights = |format| Picture { content: Content::Height, format };
        let png = |content| Picture { content, format: Format::Png };
        Some(Output::Picture(match self {
            Self::Png16 => heights(Format::Png),
            Self::R16 => heights(Format::R16),
            Self::F32 => heights(Format::F32),
            Self::Tiff16 => heights(Format::Tiff16),
            Self::Tiff32 => heights(Format::Tiff32),
            Self::Exr => heights(Format::Exr),
            Self::Depth => numbers(Content::Depth, file)?,
            Self::Temperature => numbers(Content::Temperature, file)?,
            Self::Moisture => numbers(Content::Moisture, file)?,
            Self::Normal => png(Content::Normal),
            Self::Hillshade => png(Content::Hillshade),
            Self::Water => png(Content::Water),
            Self::Flow => png(Content::Flow),
            Self::Discharge => png(Content::Discharge),
            Self::Cover => png(Content::Cover),
            Self::Layers => png(Content::Layer),
            Self::Lands => png(Content::Lands),
            Self::Map => png(Content::Map),
            Self::Plants => return Some(Output::Plants),
            Self::Glb => return Some(Output::Mesh),
        }))
    }
}

/// Numbers in the format that heights have in a file of the same ending.
fn numbers(content: Content, file: &Path) -> Option<Picture> {
    match Kind::of_ending(file)?.output(file)? {
        Output::Picture(heights) => Some(Picture { content, ..heights }),
        Output::Plants | Output::Mesh => None,
    }
}
