//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::failure::Failure;
use crate::kind::{self, Kind};
use crate::pixel::Range;

/// The longest side of a picture, in pixels.
const MAX_SIDE: usize = 65_536;
/// The maximum height of a recipe, in metres: no range needs to be wider.
const MAX_HEIGHT: f64 = orogeny::limits::MAX_HEIGHT.max;

/// Write terrain as a picture or raw data: heights, normals, a hillshade, or its water.
///
/// Pixel (i, j) from the top left is the sample at (x, z) = origin + spacing * (i, j): x grows to
/// the right, z downwards, all in metres. Memory use does not depend on the height of the picture.
#[derive(Parser, Debug)]
#[command(name = "heightmap", after_long_help = AFTER_HELP)]
pub struct Args {
    /// A preset, named as in assets/presets without .terrain.ron, or the path of a recipe
    ///
    /// A name that ends in .ron or .json is a path.
    pub preset: String,

    /// Size in pixels: N for a square, or WxH, each side 1 to 65536
    #[arg(long, value_name = "N|WxH", default_value = "1024", value_parser = size)]
    pub size: [usize; 2],

    /// Position of the first pixel, top left, in metres
    ///
    /// Any two finite numbers, such as -1e12,5, as far as the noises of the terrain reach.
    #[arg(long, value_name = "X,Z", default_value = "0,0", value_parser = pair,
        allow_hyphen_values = true)]
    pub origin: [f64; 2],

    /// Metres between pixels, above 0
    #[arg(long, value_name = "S", default_value = "1", value_parser = spacing,
        allow_hyphen_values = true)]
    pub spacing: f64,

    /// File to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// What to write [default: by the ending of the file]
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,

    /// Heights in metres that become 0 and 65535 (png16 and r16): LO below HI, -1e6 to 1e6
    ///
    /// Heights outside are clamped, and a warning counts them. Use one range for all tiles of a
    /// map.
    #[arg(long, value_name = "LO,HI", value_parser = range, allow_hyphen_values = true,
        conflicts_with = "fit")]
    pub range: Option<Range>,

    /// Map the lowest and highest height found to 0 and 65535 (the default, in two passes)
    #[arg(long)]
    pub fit: bool,

    /// Replace the file if it exists, and its FILE.txt
    #[arg(long)]
    pub force: bool,
}

const AFTER_HELP: &str = "\
Kinds, and the file endings that select them:
  png16      .png         16-bit greyscale PNG of heights
  r16        .r16, .raw   heights as unsigned 16-bit integers, little-endian, by rows, no header
  f32        .f32, .r32   heights in metres as 32-bit floats, little-endian, bit for bit
  normal                  normal map, 8-bit RGB PNG, in the convention of glTF, OpenGL and Blender:
                          red points right (+x), green to the top of the picture (-z), blue up,
                          each (component + 1) / 2 * 255; from the exact gradient
  hillshade               8-bit greyscale PNG, lit from the top left at 45 degrees
  water                   8-bit greyscale PNG: 0 is dry, 85 sea, 170 lake, 255 river
  flow                    flow map, 8-bit RGB PNG: red is the velocity to the right (+x), green to
                          the top (-z), 128 +- 127 for 8 m/s; blue is 255 in water
  discharge               16-bit greyscale PNG: (pixel / 1000)^2 cubic metres a second

A PNG has the range of heights, its position and the formula of a pixel in text chunks such as
orogeny:min; r16 and f32 have the same keys in FILE.txt. Flat terrain is 0 in every pixel.

The file appears when it is complete. After an error, Ctrl-C or on a full disk no file is left; only
a killed process leaves a hidden file .heightmap-* in the same folder.

Exit codes: 0 done, 1 cannot write the file or it exists, 2 invalid arguments, 130 interrupted.

Examples:
  heightmap alpine --size 8192 --origin -4096,1000 --spacing 2 --out alpine.png
  heightmap hills --size 2048x1024 --spacing 8 --kind hillshade --out hills.png
  heightmap valleys --size 2048 --spacing 4 --kind discharge --out valleys-rivers.png
  heightmap my/terrain.ron --size 4097 --range -500,3000 --out landscape.r16";

impl Args {
    /// The kind of file to write.
    ///
    /// # Errors
    /// Neither `--kind` nor the file ending gives a kind, or a range is given for a kind without
    /// one.
    pub fn kind(&self) -> Result<Kind, Failure> {
        let kind = match self.kind {
            Some(kind) => kind,
            None => Kind::of_ending(&self.out).ok_or_else(|| {
                let problem = format!("the file ending gives no kind; {}", kind::endings());
                Failure::request(format!("--out {}", self.out.display()), problem)
            })?,
        };
        if !kind.is_ranged() && (self.range.is_some() || self.fit) {
            let option = if self.fit { "--fit" } else { "--range" };
            let problem = format!("only png16 and r16 have a range, not {}", kind.name());
            return Err(Failure::request(option, problem));
        }
        Ok(kind)
    }

    /// How often each sample is computed.
    pub fn passes(&self, kind: Kind) -> u64 {
        if kind.is_ranged() && self.range.is_none() { 2 } else { 1 }
    }
}

fn size(text: &str) -> Result<[usize; 2], String> {
    let sides: Option<Vec<usize>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    let size = match sides.as_deref() {
        Some(&[side]) => Some([side, side]),
        Some(&[width, height]) => Some([width, height]),
        _ => None,
    };
    size.filter(|size| size.iter().all(|side| (1..=MAX_SIDE).contains(side)))
        .ok_or_else(|| format!("a size is like 8192 or 8192x4096, each side 1 to {MAX_SIDE}"))
}

fn pair(text: &str) -> Result<[f64; 2], String> {
    text.split_once(',')
        .and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]))
        .filter(|pair: &[f64; 2]| pair.iter().all(|number| number.is_finite()))
        .ok_or_else(|| "must be two finite numbers like -2000,512.5".into())
}

fn spacing(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|spacing: &f64| spacing.is_finite() && *spacing > 0.0)
        .ok_or_else(|| "must be a finite number above 0, in metres".into())
}

fn range(text: &str) -> Result<Range, String> {
    pair(text)
        .ok()
        .filter(|[lo, hi]| lo < hi && -MAX_HEIGHT <= *lo && *hi <= MAX_HEIGHT)
        .map(|[lo, hi]| Range { lo, hi })
        .ok_or_else(|| {
            format!("must be LO,HI in metres, LO below HI, both -{MAX_HEIGHT:e} to {MAX_HEIGHT:e}")
        })
}
