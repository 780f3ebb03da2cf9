//! The kinds of files: what their pixels show, and the formats that store these.

use std::path::Path;

use clap::ValueEnum;
use png::{BitDepth, ColorType};

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// 16-bit greyscale PNG of heights: .png
    Png16,
    /// Heights as unsigned 16-bit integers, little-endian, by rows, no header: .r16, .raw
    R16,
    /// Heights in metres as 32-bit floats, little-endian, by rows, bit for bit: .f32, .r32
    F32,
    /// 16-bit TIFF of heights, with the scale and offset of GDAL
    Tiff16,
    /// TIFF of heights in metres as 32-bit floats: .tif, .tiff
    Tiff32,
    /// OpenEXR of heights in metres as 32-bit floats, channel Y: .exr
    Exr,
    /// Depth of water in metres, 0 where it is dry
    Depth,
    /// Normal map, 8-bit RGB PNG, in the convention of glTF, OpenGL and Blender: red points right
    /// (+x), green to the top of the picture (-z), blue up, each (component + 1) / 2 * 255; from
    /// the exact gradient
    Normal,
    /// 8-bit greyscale PNG, lit from the top left at 45 degrees
    Hillshade,
    /// 8-bit greyscale PNG: 0 is dry, 85 sea, 170 lake, 255 river
    Water,
    /// Flow map, 8-bit RGB PNG: red is the velocity to the right (+x), green to the top (-z), 128
    /// +- 127 for 8 m/s; blue is 255 in water
    Flow,
    /// 16-bit greyscale PNG: (pixel / 1000)^2 cubic metres per second
    Discharge,
    /// Splat maps: an 8-bit RGBA PNG for each four layers of ground cover, NAME_splat0.png and so
    /// on; the weights of all layers add up to 255
    Cover,
    /// The same as an 8-bit greyscale PNG for each layer, NAME_layer0_grass.png
    Layers,
    /// Splat maps of lands, such as desert and tundra, of a recipe that has them: NAME_lands0.png
    /// and so on; orogeny:layers names the channels
    Lands,
    /// Lands or heights in colours, lit from the top left, with water: the command `map`
    #[value(skip)]
    Map,
    /// Mean temperature on the ground in °C
    Temperature,
    /// Moisture, 0 to 1
    Moisture,
    /// Table of plants and rocks: kind, model, x, height, z, yaw in degrees from +x to +z, rotation
    /// as a quaternion (right-handed, y up), scale: .csv
    Plants,
    /// Mesh with levels of detail as nodes terrain_lod0, terrain_lod1, ..; exact normals; x and z
    /// are relative to the middle of the region: .glb
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
    let kinds: Vec<&str> = Kind::value_variants().iter().map(|kind| kind.name()).collect();
    format!("{}; or give --kind with one of {}", endings.join(", "), kinds.join(", "))
}

impl Kind {
    /// The kind that belongs to a file ending.
    pub fn of_ending(file: &Path) -> Option<Self> {
        let found = file.extension()?.to_str()?.to_lowercase();
        ENDINGS.into_iter().find(|(ending, _)| *ending == found).map(|(_, kind)| kind)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// A description of the kind.
    pub fn describe(self) -> &'static str {
        self.facts().1
    }

    /// How it is written to a file; `None` if it needs another file ending.
    pub fn output(self, file: &Path) -> Option<Output> {
        let content = match self.facts().2 {
            Output::Picture(Picture { content, .. }) if content.takes_ending() => content,
            output => return Some(output),
        };
        match Self::of_ending(file)?.facts().2 {
            Output::Picture(Picture { content: Content::Height, format }) => {
                Some(Output::Picture(Picture { content, format }))
            }
            _ => None,
        }
    }

    /// Its name, a description, and how it is written.
    fn facts(self) -> (&'static str, &'static str, Output) {
        let heights = |format| Output::Picture(Picture { content: Content::Height, format });
        let picture = |content| Output::Picture(Picture { content, format: Format::Png });
        match self {
            Self::Png16 => ("png16", "16-bit greyscale PNG", heights(Format::Png)),
            Self::R16 => ("r16", "raw 16-bit heights", heights(Format::R16)),
            Self::F32 => ("f32", "raw 32-bit heights", heights(Format::F32)),
            Self::Tiff16 => ("tiff16", "16-bit TIFF of heights", heights(Format::Tiff16)),
            Self::Tiff32 => ("tiff32", "32-bit TIFF of heights", heights(Format::Tiff32)),
            Self::Exr => ("exr", "32-bit OpenEXR of heights", heights(Format::Exr)),
            Self::Depth => ("depth", "depth of water", picture(Content::Depth)),
            Self::Normal => ("normal", "normal map, 8-bit RGB PNG", picture(Content::Normal)),
            Self::Hillshade => {
                ("hillshade", "hillshade, 8-bit greyscale PNG", picture(Content::Hillshade))
            }
            Self::Water => ("water", "mask of water, 8-bit greyscale PNG", picture(Content::Water)),
            Self::Flow => ("flow", "flow map, 8-bit RGB PNG", picture(Content::Flow)),
            Self::Discharge => {
                ("discharge", "discharge, 16-bit greyscale PNG", picture(Content::Discharge))
            }
            Self::Cover => ("cover", "splat maps, 8-bit RGBA PNG", picture(Content::Cover)),
            Self::Layers => {
                ("layers", "weights of cover, 8-bit greyscale PNG", picture(Content::Layer))
            }
            Self::Lands => ("lands", "weights of lands, 8-bit RGBA PNG", picture(Content::Lands)),
            Self::Map => ("map", "map, 8-bit RGB PNG", picture(Content::Map)),
            Self::Temperature => ("temperature", "mean temperature", picture(Content::Temperature)),
            Self::Moisture => ("moisture", "moisture", picture(Content::Moisture)),
            Self::Plants => ("plants", "table of plants, CSV", Output::Plants),
            Self::Glb => ("glb", "mesh, binary glTF", Output::Mesh),
        }
    }
}

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Height,
    Depth,
    Normal,
    Hillshade,
    Water,
    Flow,
    Discharge,
    /// Four layers of cover.
    Cover,
    /// One layer of cover.
    Layer,
    /// Four lands.
    Lands,
    Map,
    Temperature,
    Moisture,
}

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG: of 16 bits for numbers and discharges.
    Png,
    /// Unsigned 16-bit integers without a header.
    R16,
    /// 32-bit floats without a header.
    F32,
    /// TIFF of unsigned 16-bit integers.
    Tiff16,
    /// TIFF of 32-bit floats.
    Tiff32,
    /// OpenEXR of 32-bit floats.
    Exr,
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What it shows.
    pub content: Content,
    /// How it stores that.
    pub format: Format,
}

/// What is known of a content.
struct Facts {
    /// Bytes of a pixel of its PNG.
    png: usize,
    /// Of numbers such as heights: their name, and their unit if they have one.
    numbers: Option<(&'static str, Option<&'static str>)>,
    /// What a pixel is, for users of the file.
    text: &'static str,
}

impl Content {
    /// Whether it is written in the format that heights have in a file of the same ending.
    fn takes_ending(self) -> bool {
        self != Self::Height && self.facts().numbers.is_some()
    }

    fn facts(self) -> Facts {
        let number = |name, unit, text| Facts { png: 2, numbers: Some((name, unit)), text };
        let pixel = |png, text| Facts { png, numbers: None, text };
        let weights = "weight of a layer = channel / 255; those of all layers add up to 255";
        match self {
            Self::Height => number("heights", Some("m"), "height in metres"),
            Self::Depth => number("depths", Some("m"), "depth of water in metres"),
            Self::Temperature => number("temperatures", Some("°C"), "mean temperature in °C"),
            Self::Moisture => number("moistures", None, "moisture, 0 to 1"),
            Self::Normal => pixel(
                3,
                "normal = pixel / 255 * 2 - 1: red points right (+x), green to the top (-z), \
                 blue up",
            ),
            Self::Hillshade => pixel(
                1,
                "pixel = 255 * max(0, normal . light), light from the top left, 45 degrees high",
            ),
            Self::Water => pixel(1, "0 is dry, 85 sea, 170 lake, 255 river"),
            Self::Flow => pixel(
                3,
                "velocity in m/s = 8 * (pixel - 128) / 127: red points right (+x), green to the \
                 top (-z); blue is 255 in water and 0 elsewhere",
            ),
            Self::Discharge => pixel(2, "discharge in cubic metres per second = (pixel / 1000)^2"),
            Self::Cover => pixel(4, weights),
            Self::Layer => pixel(1, weights),
            Self::Lands => {
                pixel(4, "weight of a land = channel / 255; those of all lands add up to 255")
            }
            Self::Map => pixel(
                3,
                "colours of lands, or of heights from min to max, lit from the top left; water is \
                 blue",
            ),
        }
    }
}

impl Picture {
    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        match self.format {
            Format::F32 | Format::Tiff32 | Format::Exr => 4,
            Format::Png | Format::R16 | Format::Tiff16 => self.content.facts().png,
        }
    }

    /// Whether integers stand for a range of numbers.
    pub fn is_ranged(self) -> bool {
        self.content.facts().numbers.is_some() && self.bytes() == 2
    }

    /// What its numbers are: heights, unless it says otherwise.
    pub fn numbers(self) -> &'static str {
        self.content.facts().numbers.map_or("heights", |(name, _)| name)
    }

    /// The unit of its numbers, if they have one.
    pub fn unit(self) -> Option<&'static str> {
        self.content.facts().numbers.map_or(Some("m"), |(_, unit)| unit)
    }

    /// Whether pixels need the gradient of the ground.
    pub fn is_sloped(self) -> bool {
        matches!(self.content, Content::Normal | Content::Hillshade | Content::Map)
    }

    /// The colour type and bit depth of its PNG.
    pub fn png(self) -> (ColorType, BitDepth) {
        match self.bytes() {
            1 => (ColorType::Grayscale, BitDepth::Eight),
            2 => (ColorType::Grayscale, BitDepth::Sixteen),
            3 => (ColorType::Rgb, BitDepth::Eight),
            _ => (ColorType::Rgba, BitDepth::Eight),
        }
    }

    /// Whether a text file has what other formats store in the file.
    pub fn has_sidecar(self) -> bool {
        matches!(self.format, Format::R16 | Format::F32)
    }

    /// How to interpret a pixel, for users of the file.
    pub fn formula(self) -> String {
        let Facts { numbers, text, .. } = self.content.facts();
        let (pixel, dry) = match self.is_ranged() {
            true => ("min + pixel * (max - min) / 65535", "; 0 m is dry"),
            false => ("pixel", "; 0 is dry"),
        };
        match self.content {
            Content::Depth => format!("{text} = {pixel}{dry}"),
            _ if numbers.is_some() => format!("{text} = {pixel}"),
            _ => text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for kind in Kind::value_variants() {
            assert_eq!(kind.to_possible_value().unwrap().get_name(), kind.name());
        }
    }
}
