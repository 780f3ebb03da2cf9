//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::failure::Failure;
use crate::help::AFTER_HELP;
use crate::kind::{self, Kind, Output};
use crate::parse;
use crate::tally::Range;

/// The default and the greatest number of plants in a table.
const PLANTS: usize = 1_000_000;
const MOST_PLANTS: usize = 100_000_000;
/// The default and the greatest number of levels of detail.
const LEVELS: usize = 4;
const MOST_LEVELS: usize = 8;

/// Export terrain for other programs and engines: heights, water, cover, climate, plants, meshes.
///
/// Pixel (i, j) from the top left is the sample at (x, z) = origin + spacing * (i, j): x grows to
/// the right, z downwards, all in metres. Memory use does not depend on the height of a picture; a
/// mesh is kept in memory.
#[derive(Parser, Debug)]
#[command(name = "heightmap", after_long_help = AFTER_HELP)]
pub struct Args {
    /// A preset, named as in assets/presets without .terrain.ron, or the path of a recipe
    ///
    /// A name that ends in .ron or .json is a path.
    pub preset: String,

    /// Size in pixels: N for a square, or WxH, each side 1 to 65536
    ///
    /// With --tiles it is the size of each tile, at least 2.
    #[arg(long, value_name = "N|WxH", default_value = "1024", value_parser = parse::size)]
    pub size: [usize; 2],

    /// Write tiles that share their borders: N for a square, or NxM, each 1 to 256
    #[arg(long, value_name = "N|NxM", value_parser = parse::tiles)]
    pub tiles: Option<[usize; 2]>,

    /// Position of the first pixel, top left, in metres
    ///
    /// Any two finite numbers, such as -1e12,5, as far as the noises of the terrain reach.
    #[arg(long, value_name = "X,Z", default_value = "0,0", value_parser = parse::pair,
        allow_hyphen_values = true)]
    pub origin: [f64; 2],

    /// Metres between pixels, above 0
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse::spacing,
        allow_hyphen_values = true)]
    pub spacing: f64,

    /// File to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// What to write [default: by the ending of the file]
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,

    /// Metres that become 0 and 65535 (png16, r16, tiff16): LO below HI, -1e6 to 1e6
    ///
    /// Heights outside are clamped, and a warning counts them. All tiles of a run have one range.
    /// Use the same one for several runs over one map. The range of temperatures is in °C.
    #[arg(long, value_name = "LO,HI", value_parser = parse::range, allow_hyphen_values = true,
        conflicts_with = "fit")]
    pub range: Option<Range>,

    /// Map the lowest and highest height found to 0 and 65535 (the default, in two passes)
    #[arg(long)]
    pub fit: bool,

    /// Plants in the table, by name or model, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub plants: Option<Vec<String>>,

    /// Maximum number of plants in a table, 1 to 100000000 [default: 1000000]
    #[arg(long, value_name = "N", value_parser = parse::count::<MOST_PLANTS>)]
    pub max_plants: Option<usize>,

    /// Levels of detail of a mesh, 1 to 8, each with twice the spacing of the last [default: 4]
    #[arg(long, value_name = "N", value_parser = parse::count::<MOST_LEVELS>)]
    pub levels: Option<usize>,

    /// Overwrite existing files, and their FILE.txt
    #[arg(long)]
    pub force: bool,
}

impl Args {
    /// The kind of file to write, and how.
    ///
    /// # Errors
    /// Neither `--kind` nor the file ending gives a kind, or an option does not apply to it.
    pub fn output(&self) -> Result<(Kind, Output), Failure> {
        let no_kind = || {
            let problem = format!("the file ending gives no kind; {}", kind::endings());
            Failure::request(format!("--out {}", self.out.display()), problem)
        };
        let kind = self.kind.or_else(|| Kind::of_ending(&self.out)).ok_or_else(no_kind)?;
        let output = kind.output(&self.out).ok_or_else(|| {
            let problem = format!(
                "{} needs a file ending of .png, .r16, .raw, .f32, .r32, .tif, .tiff or .exr",
                kind.name()
            );
            Failure::request(format!("--out {}", self.out.display()), problem)
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
