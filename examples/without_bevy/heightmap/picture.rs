//! What the pixels of a file show, and the format that stores them.

use png::{BitDepth, ColorType};

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The height of the ground in metres.
    Height,
    /// The depth of water in metres.
    Depth,
    /// The normal.
    Normal,
    /// The brightness under a light.
    Hillshade,
    /// The kind of water.
    Water,
    /// The velocity of water.
    Flow,
    /// The discharge of rivers.
    Discharge,
    /// The weights of four layers of cover.
    Cover,
    /// The weight of one layer of cover.
    Layer,
    /// The weights of four lands.
    Lands,
    /// Lands or heights in colours, and water.
    Map,
    /// The mean temperature on the ground in °C.
    Temperature,
    /// The moisture, 0 to 1.
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

impl Picture {
    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        match self.content {
            Content::Height | Content::Depth | Content::Temperature | Content::Moisture => {
                match self.format {
                    Format::Png | Format::R16 | Format::Tiff16 => 2,
                    Format::F32 | Format::Tiff32 | Format::Exr => 4,
                }
            }
            Content::Discharge => 2,
            Content::Normal | Content::Flow | Content::Map => 3,
            Content::Hillshade | Content::Water | Content::Layer => 1,
            Content::Cover | Content::Lands => 4,
        }
    }

    /// Whether integers stand for a range of numbers.
    pub fn is_ranged(self) -> bool {
        use Content::{Depth, Height, Moisture, Temperature};
        matches!(self.content, Height | Depth | Temperature | Moisture) && self.bytes() == 2
    }

    /// What its numbers are.
    pub fn numbers(self) -> &'static str {
        match self.content {
            Content::Depth => "depths",
            Content::Temperature => "temperatures",
            Content::Moisture => "moistures",
            _ => "heights",
        }
    }

    /// The unit of its numbers, if they have one.
    pub fn unit(self) -> Option<&'static str> {
        match self.content {
            Content::Temperature => Some("°C"),
            Content::Moisture => None,
            _ => Some("m"),
        }
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
    pub fn formula(self) -> &'static str {
        match self.content {
            Content::Height if self.is_ranged() => {
                "height in metres = min + pixel * (max - min) / 65535"
            }
            Content::Height => "height in metres = pixel",
            Content::Depth if self.is_ranged() => {
                "depth of water in metres = min + pixel * (max - min) / 65535; 0 m is dry"
            }
            Content::Depth => "depth of water in metres = pixel; 0 is dry",
            Content::Normal => {
                "normal = pixel / 255 * 2 - 1: red points right (+x), green to the top (-z), \
                 blue up"
            }
            Content::Hillshade => {
                "pixel = 255 * max(0, normal . light), light from the top left, 45 degrees high"
            }
            Content::Water => "0 is dry, 85 sea, 170 lake, 255 river",
            Content::Flow => {
                "velocity in m/s = 8 * (pixel - 128) / 127: red points right (+x), green to the \
                 top (-z); blue is 255 in water and 0 elsewhere"
            }
            Content::Discharge => "discharge in cubic metres per second = (pixel / 1000)^2",
            Content::Cover | Content::Layer => {
                "weight of a layer = channel / 255; those of all layers add up to 255"
            }
            Content::Lands => "weight of a land = channel / 255; those of all lands add up to 255",
            Content::Map => {
                "colours of lands, or of heights from min to max, lit from the top left; water is \
                 blue"
            }
            Content::Temperature if self.is_ranged() => {
                "mean temperature in °C = min + pixel * (max - min) / 65535"
            }
            Content::Temperature => "mean temperature in °C = pixel",
            Content::Moisture if self.is_ranged() => {
                "moisture, 0 to 1 = min + pixel * (max - min) / 65535"
            }
            Content::Moisture => "moisture, 0 to 1 = pixel",
        }
    }
}
