//! What a recipe or an elevation file is, and what looks wrong in it.

use std::fmt::{self, Display};
use std::path::PathBuf;

use clap::Args;
use orogeny::{Bounds, Field, Landscape, Recipe};
use orogeny_raster::{ByteOrder, Format, Reading, Report, Weights};
use serde_json::{Value, json};

use crate::cli::Failure;
use crate::recipes;

const HELP: &str = "\
Of a recipe: its seed, the proven bounds of heights and slopes, the sea, rivers, fields with a name,
lands, layers of cover and kinds of plants, or the first error in it with its path and its limit.

Of an elevation file (.tif, .hgt, .png, .exr, .r16, .r32): its format, size and overviews, the
spacing and the position of its samples, its projection, the unit of heights, each with where it
comes from, the samples without data and whether a mask says where they are, the range of heights,
what a program must add to read it, and warnings about all that is assumed or looks wrong. An image
whose channels are no heights may be weights, as splat maps are: it says whether they add up to 1.

With --json, numbers that are not known or not finite are null. `kind` is recipe, elevation or
weights. `sums` says where weights do not add up to 1, and is null if they do. `problems` lists why
something cannot be used at all, and is empty otherwise.

Exit codes: 0 readable, 1 not: it has problems, 2 invalid arguments.

Examples:
  orogeny inspect alpine
  orogeny inspect my/terrain.ron
  orogeny inspect alps.tif --json
  orogeny inspect peak.exr --channel height.Y
  orogeny inspect tile.png --format terrain-rgb";

/// The arguments of `inspect`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct InspectArgs {
    /// A preset such as alpine, the path of a recipe (.ron, .json), or an elevation file
    pub file: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// The channel of an EXR with several that has the heights, such as height.Y
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,

    /// The format of an elevation file [default: that of its ending]
    ///
    /// One of geotiff, srtm, png, terrarium, terrain-rgb, exr, r16 and r32.
    #[arg(long, value_name = "NAME", value_parser = format)]
    pub format: Option<Format>,
}

/// The largest bound of slopes that says anything: no ground is higher than this over a metre.
const STEEPEST: f64 = orogeny::limits::MAX_HEIGHT.max;

/// The formats of elevation files, by their names on the command line.
const FORMATS: [(&str, Format); 8] = [
    ("geotiff", Format::GeoTiff),
    ("srtm", Format::Srtm),
    ("png", Format::Png),
    ("terrarium", Format::Terrarium),
    ("terrain-rgb", Format::TerrainRgb),
    ("exr", Format::Exr),
    ("r16", Format::Raw16),
    ("r32", Format::Raw32),
];

fn format(name: &str) -> Result<Format, String> {
    let found = FORMATS.into_iter().find(|(known, _)| *known == name);
    let names = FORMATS.map(|(known, _)| known).join(", ");
    found.map(|(_, format)| format).ok_or_else(|| format!("must be one of {names}"))
}

/// What a file is.
enum Found {
    Recipe(Box<(Recipe, Landscape)>),
    Elevation(Box<Report>),
    Weights(Weights),
    /// Nothing that can be used: what it should be by its name, and why it is not.
    Nothing(&'static str, String),
}

/// Inspects a file. Returns what to print.
///
/// # Errors
/// See [`Failure`]: a file that has problems is a failure with the report.
pub fn run(args: &InspectArgs) -> Result<String, Failure> {
    let found = find(args)?;
    let problems = found.problems();
    let text = if args.json {
        let mut object = found.json();
        object["file"] = json!(args.file.display().to_string());
        object["problems"] = json!(problems);
        format!("{object}\n")
    } else {
        let problems = problems.iter().map(|problem| format!("problem      {problem}\n"));
        format!("{}\n{found}{}", args.file.display(), problems.collect::<String>())
    };
    if problems.is_empty() { Ok(text) } else { Err(Failure::Inspected(text)) }
}

fn find(args: &InspectArgs) -> Result<Found, Failure> {
    let name = args.file.to_str().unwrap_or_default();
    let is_recipe = recipes::is_recipe(name);
    if is_recipe || (args.file.extension().is_none() && !args.file.exists()) {
        return match recipes::read(name) {
            Ok(read) => Ok(Found::Recipe(Box::new(read))),
            Err(Failure::Request(problem)) if is_recipe => Ok(Found::Nothing("recipe", problem)),
            Err(failure) => Err(failure),
        };
    }
    // A raw file is taken as little endian, and a warning says if it looks like the other order.
    let reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        allow_8_bit: true,
        channel: args.channel.clone(),
        format: args.format,
        ..Reading::default()
    };
    let problem = match orogeny_raster::inspect(&args.file, &reading) {
        Ok(report) => return Ok(Found::Elevation(Box::new(report))),
        Err(error) => error.to_string(),
    };
    // Where an image lies does not matter here.
    let reading = Reading { spacing: Some([1.0; 2]), ..reading };
    match orogeny_raster::read_weights(&args.file, &reading) {
        Ok(weights) => Ok(Found::Weights(weights)),
        Err(_) => Ok(Found::Nothing("elevation", problem)),
    }
}

impl Found {
    /// Why it cannot be used.
    fn problems(&self) -> Vec<String> {
        let problem = match self {
            Self::Nothing(_, problem) => Some(problem.clone()),
            Self::Recipe(_) | Self::Elevation(_) | Self::Weights(_) => None,
        };
        problem.into_iter().collect()
    }

    fn json(&self) -> Value {
        match self {
            Self::Recipe(read) => recipe_json(&read.0, &read.1),
            Self::Elevation(report) => elevation_json(report),
            Self::Weights(weights) => json!({
                "kind": "weights",
                "layers": weights.layers(),
                "sums": weights.check_sums().err().map(|error| error.to_string()),
            }),
            Self::Nothing(kind, _) => json!({ "kind": kind }),
        }
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recipe(read) => print_recipe(&read.0, &read.1, f),
            Self::Elevation(report) => write!(f, "{report}"),
            Self::Weights(weights) => {
                writeln!(f, "weights      {} layers", weights.layers())?;
                match weights.check_sums() {
                    Ok(()) => writeln!(f, "sums         1 at each sample"),
                    Err(error) => writeln!(f, "sums         {error}"),
                }
            }
            Self::Nothing(..) => Ok(()),
        }
    }
}

fn print_recipe(recipe: &Recipe, field: &Landscape, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Bounds { min, max, lipschitz, .. } = field.bounds();
    writeln!(f, "recipe       seed {}", recipe.seed)?;
    writeln!(f, "heights      {min:.1} m to {max:.1} m, proven")?;
    match lipschitz <= STEEPEST {
        true => writeln!(f, "slopes       at most {lipschitz:.3}, proven")?,
        false => writeln!(f, "slopes       unbounded (no proven bound)")?,
    }
    match recipe.sea_level {
        Some(level) => writeln!(f, "sea          at {level} m")?,
        None => writeln!(f, "sea          none")?,
    }
    match &recipe.rivers {
        Some(rivers) => {
            let levels = rivers.levels.ceil();
            writeln!(f, "rivers       {levels} levels, the largest {} m apart", rivers.spacing)?;
        }
        None => writeln!(f, "rivers       none")?,
    }
    let mut kinds = cover(recipe);
    kinds.sort();
    kinds.dedup();
    for (what, names) in [
        ("fields", recipe.fields.keys().cloned().collect()),
        ("lands", lands(field)),
        ("cover", kinds),
        ("plants", recipe.scatter.kinds.iter().map(|kind| kind.name.clone()).collect()),
    ] {
        let names = if names.is_empty() { "none".into() } else { names.join(", ") };
        writeln!(f, "{what:<12} {names}")?;
    }
    Ok(())
}

fn recipe_json(recipe: &Recipe, field: &Landscape) -> Value {
    let Bounds { min, max, lipschitz, curvature } = field.bounds();
    let plants = recipe.scatter.kinds.iter();
    let plants = plants.map(|kind| json!({ "name": kind.name, "model": recipes::model(kind) }));
    json!({
        "kind": "recipe",
        "seed": recipe.seed,
        "bounds": { "min": min, "max": max, "slope": lipschitz, "curvature": curvature },
        "sea_level": recipe.sea_level,
        "rivers": recipe.rivers.as_ref().map(|rivers| {
            json!({ "spacing": rivers.spacing, "levels": rivers.levels })
        }),
        "fields": recipe.fields.keys().collect::<Vec<_>>(),
        "lands": lands(field),
        "cover": cover(recipe),
        "plants": plants.collect::<Vec<_>>(),
    })
}

fn lands(field: &Landscape) -> Vec<String> {
    field.lands().lands().iter().map(|land| land.name.clone()).collect()
}

fn cover(recipe: &Recipe) -> Vec<String> {
    recipe.cover.layers.iter().map(|layer| layer.kind.name().to_string()).collect()
}

fn elevation_json(report: &Report) -> Value {
    json!({
        "kind": "elevation",
        "format": format!("{:?}", report.format),
        "sample_type": report.sample_type,
        "size": report.size,
        "spacing": report.spacing,
        "spacing_source": report.spacing_source,
        "position": report.position,
        "georeference": report.georeference,
        "epsg": report.epsg,
        "height_scale": report.height_scale,
        "height_offset": report.height_offset,
        "height_source": report.height_source,
        "has_mask": report.has_mask,
        // JSON has no NaN, which many files declare.
        "no_data": report.no_data.map(|value| value.to_string()),
        "no_data_count": report.no_data_count,
        "values": report.values,
        "heights": report.heights,
        "overviews": report.overviews,
        "can_be_tiled": report.can_be_tiled,
        "missing": report.missing,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
