//! The arguments of `export` and `map`, and their help.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::export::about::Range;
use crate::export::kind::{self, Kind, Output};

/// The default and the greatest number of plants in a table.
const PLANTS: usize = 1_000_000;
const MOST_PLANTS: usize = 100_000_000;
/// The default and the greatest number of levels of detail.
const LEVELS: usize = 4;
const MOST_LEVELS: usize = 8;
/// The longest side of a picture, in pixels.
const MAX_SIDE: usize = 65_536;
/// The maximum number of tiles along a side.
const MAX_TILES: usize = 256;
/// The maximum height of a recipe, in metres: no range needs to be wider.
const MAX_HEIGHT: f64 = orogeny::limits::MAX_HEIGHT.max;

/// Which terrain, which part of it, and where to write it.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    /// A preset such as alpine, or the path of a recipe
    ///
    /// A name that ends in .ron or .json is a path. A wrong name lists the presets.
    pub preset: String,

    /// Size in pixels: N for a square, or WxH, each side 1 to 65536
    ///
    /// With --tiles it is the size of each tile, at least 2.
    #[arg(long, value_name = "N|WxH", default_value = "1024", value_parser = size)]
    pub size: [usize; 2],

    /// Write tiles that share their borders: N for a square, or NxM, each 1 to 256
    #[arg(long, value_name = "N|NxM", value_parser = tiles)]
    pub tiles: Option<[usize; 2]>,

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

    /// Overwrite existing files, and their FILE.txt
    #[arg(long)]
    pub force: bool,
}

/// The arguments of `export`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXPORT_HELP)]
pub struct ExportArgs {
    /// What `map` has, too.
    #[command(flatten)]
    pub common: CommonArgs,

    /// What to write [default: by the ending of the file]
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,

    /// Metres that become 0 and 65535 (png16, r16, tiff16): LO below HI, -1e6 to 1e6
    ///
    /// Heights outside are clamped, and a warning counts them. All tiles of a run have one range.
    /// Use the same one for several runs over one map. The range of temperatures is in °C.
    #[arg(long, value_name = "LO,HI", value_parser = range, allow_hyphen_values = true,
        conflicts_with = "fit")]
    pub range: Option<Range>,

    /// Map the lowest and highest height found to 0 and 65535 (the default, in two passes)
    #[arg(long)]
    pub fit: bool,

    /// Plants in the table, by name or model, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub plants: Option<Vec<String>>,

    /// Maximum number of plants in a table, 1 to 100000000 [default: 1000000]
    #[arg(long, value_name = "N", value_parser = count::<MOST_PLANTS>)]
    pub max_plants: Option<usize>,

    /// Levels of detail of a mesh, 1 to 8, each with twice the spacing of the last [default: 4]
    #[arg(long, value_name = "N", value_parser = count::<MOST_LEVELS>)]
    pub levels: Option<usize>,
}

/// The arguments of `map`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = MAP_HELP)]
pub struct MapArgs {
    /// What `export` has, too.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl From<MapArgs> for ExportArgs {
    fn from(MapArgs { common }: MapArgs) -> Self {
        let kind = Some(Kind::Map);
        Self { common, kind, range: None, fit: false, plants: None, max_plants: None, levels: None }
    }
}

impl ExportArgs {
    /// The kind of file to write, and how.
    pub fn output(&self) -> Result<(Kind, Output), Failure> {
        let no_kind = || {
            let problem = format!("the file ending gives no kind; {}", kind::endings());
            Failure::request(format!("--out {}", self.common.out.display()), problem)
        };
        let kind = self.kind.or_else(|| Kind::of_ending(&self.common.out)).ok_or_else(no_kind)?;
        let output = kind.output(&self.common.out).ok_or_else(|| {
            let problem = format!(
                "{} needs a file ending of .png, .r16, .raw, .f32, .r32, .tif, .tiff or .exr",
                kind.name()
            );
            Failure::request(format!("--out {}", self.common.out.display()), problem)
        })?;
        let is_ranged = matches!(output, Output::Picture(picture) if picture.is_ranged());
        let (plants, mesh) = (output == Output::Plants, output == Output::Mesh);
        let ranged = "only png16, r16, tiff16, and depth, temperature and moisture as .png or .r16 \
                      have a range";
        for (option, is_given, applies, problem) in [
            ("--range", self.range.is_some(), is_ranged, ranged),
            ("--fit", self.fit, is_ranged, ranged),
            ("--plants", self.plants.is_some(), plants, "it applies only to plants"),
            ("--max-plants", self.max_plants.is_some(), plants, "it applies only to plants"),
            ("--levels", self.levels.is_some(), mesh, "only glb has levels of detail"),
        ] {
            if is_given && !applies {
                return Err(Failure::request(option, format!("{problem}, not {}", kind.name())));
            }
        }
        Ok((kind, output))
    }

    /// The most plants in a table.
    pub fn plant_limit(&self) -> usize {
        self.max_plants.unwrap_or(PLANTS)
    }

    /// The number of levels of detail.
    pub fn level_count(&self) -> usize {
        self.levels.unwrap_or(LEVELS)
    }
}

/// `N` or `WxH`.
fn size(text: &str) -> Result<[usize; 2], String> {
    sides(text, MAX_SIDE)
        .ok_or_else(|| format!("a size is like 8192 or 8192x4096, each side 1 to {MAX_SIDE}"))
}

/// `N` or `NxM`.
fn tiles(text: &str) -> Result<[usize; 2], String> {
    sides(text, MAX_TILES)
        .ok_or_else(|| format!("a number of tiles is like 4 or 4x2, each side 1 to {MAX_TILES}"))
}

fn sides(text: &str, max: usize) -> Option<[usize; 2]> {
    let sides: Option<Vec<usize>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    let sides = match sides.as_deref() {
        Some(&[side]) => [side, side],
        Some(&[width, height]) => [width, height],
        _ => return None,
    };
    sides.iter().all(|side| (1..=max).contains(side)).then_some(sides)
}

/// Two finite numbers.
fn pair(text: &str) -> Result<[f64; 2], String> {
    text.split_once(',')
        .and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]))
        .filter(|pair: &[f64; 2]| pair.iter().all(|number| number.is_finite()))
        .ok_or_else(|| "must be two finite numbers like -2000,512.5".into())
}

/// Metres above 0.
fn spacing(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|spacing: &f64| spacing.is_finite() && *spacing > 0.0)
        .ok_or_else(|| "must be a finite number above 0, in metres".into())
}

/// `LO,HI`.
fn range(text: &str) -> Result<Range, String> {
    pair(text)
        .ok()
        .filter(|[lo, hi]| lo < hi && -MAX_HEIGHT <= *lo && *hi <= MAX_HEIGHT)
        .map(|[lo, hi]| Range { lo, hi })
        .ok_or_else(|| {
            format!("must be LO,HI in metres, LO below HI, both -{MAX_HEIGHT:e} to {MAX_HEIGHT:e}")
        })
}

/// A whole number from 1 to a maximum.
fn count<const MAX: usize>(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=MAX).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MAX}"))
}

/// What `export --help` prints after the options.
const EXPORT_HELP: &str = "\
The ending of --out selects the kind where one is named above. Depth, temperature and moisture are
written as .png or .r16, both with a range, or as .f32, .tif or .exr.

A PNG has the range of heights, its position and the formula of a pixel in text chunks such as
orogeny:min, an EXR in its comments, a TIFF in its description; r16 and f32 have the same keys in
FILE.txt. A TIFF also has the pixel scale and tie point of GeoTIFF in a plane in metres (x east, -z
north). Flat terrain is 0 in every pixel. A .glb has at most 8,388,608 vertices in all levels.
Plants and meshes reach at most 10,000 km.

Tiles have the size of --size and share their borders: the last row and column of a tile are the
first ones of the next. All have one range. Use 2^n + 1 (513, 1025, 2049, 4097) for Unity and Godot,
and 505, 1009, 2017, 4033 or 8129 for Unreal. NAME.png becomes NAME_x0_y0.png, NAME_x1_y0.png, ..; x
counts columns and y rows from the top left. In another NAME, {x} and {y} stand for these numbers,
and {yup} for rows from the bottom.

Files appear once all of them are complete. After an error, Ctrl-C or a full disk, no files are left
behind. Only a killed process leaves hidden files, .orogeny-*, in the same folder.

Exit codes: 0 done, 1 cannot write the file or it exists, 2 invalid arguments, 130 interrupted.

A map for people is a command of its own: `orogeny map`. docs/other_engines.md in the project says
how to bring files into Unreal, Unity and Godot.

Examples:
  orogeny export alpine --size 8192 --origin -4096,1000 --spacing 2 --out alpine.png
  orogeny export hills --size 2048x1024 --spacing 8 --kind hillshade --out hills.png
  orogeny export valleys --size 2048 --spacing 4 --kind discharge --out valleys-rivers.png
  orogeny export my/terrain.ron --size 4097 --range -500,3000 --out landscape.r16
  orogeny export alpine --size 1009 --tiles 4x4 --out alpine.png
  orogeny export alpine --size 2017 --kind cover --out alpine.png
  orogeny export alpine --size 1000 --plants spruce,pine,boulder --out plants.csv
  orogeny export alpine --size 1025 --spacing 4 --levels 4 --out alpine.glb";

/// What `map --help` prints after the options.
const MAP_HELP: &str = "\
Ground without lands has a ramp of colours from the lowest to the highest height on the map, which
all tiles share. Seas and lakes are darker where they are deep. Rivers are lines as wide as their
water, but at least a pixel wide; rivers nearer each other than two pixels are left out.

The PNG has its position and scale in text chunks such as orogeny:origin and orogeny:spacing. Files
appear once all of them are complete.

Exit codes: 0 done, 1 cannot write the file or it exists, 2 invalid arguments, 130 interrupted.

Examples:
  orogeny map world --size 512 --spacing 800 --out world.png
  orogeny map lowlands --size 1920x1080 --origin -12000,-14000 --spacing 10 --out lowlands.png
  orogeny map world --size 1025 --tiles 4x4 --spacing 200 --out world.png";
