//! Draws all models and their levels into a PNG file.
//!
//! `cargo run --release -p orogeny_models --example contact_sheet -- --out sheet.png`

use std::path::PathBuf;

use clap::Parser;
use glam::Vec3;
use orogeny_models::{Levels, Model, grow};

mod appearance;
mod picture;

use appearance::Appearance;
use picture::{Picture, View};

/// What to draw.
#[derive(Parser)]
struct Arguments {
    /// The PNG file.
    #[arg(long)]
    out: PathBuf,
    /// Draw only models whose name starts so.
    #[arg(long, default_value = "")]
    model: String,
    /// Seeds of the models, a row each.
    #[arg(long, default_values_t = [1])]
    seed: Vec<u64>,
    /// Pixels per model.
    #[arg(long, default_value_t = 256)]
    size: usize,
    /// Print how the levels compare.
    #[arg(long)]
    measure: bool,
    #[command(flatten)]
    view: View,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let models: Vec<&Model> = Model::GROWN
        .iter()
        .filter(|model| format!("{model:?}").starts_with(&arguments.model))
        .collect();
    if arguments.measure {
        print(&models);
    }
    let sheet = sheet(&models, &arguments.seed, arguments.size, arguments.view);
    sheet.save(&arguments.out)?;
    Ok(())
}

/// Draws `models` with cells of `size` pixels: a row for each, and a column for each level.
fn sheet(models: &[&Model], seeds: &[u64], size: usize, view: View) -> Picture {
    let grown = models.iter().flat_map(|model| seeds.iter().filter_map(|&seed| grow(model, seed)));
    let grown: Vec<Levels> = grown.collect();
    let columns = grown.iter().map(|levels| levels.levels.len()).max().unwrap_or(1);
    let mut sheet = Picture::new(columns * size, grown.len() * size);
    for (row, levels) in grown.iter().enumerate() {
        for (column, mesh) in levels.levels.iter().enumerate() {
            sheet.paste(&view.draw(levels, mesh, size), column * size, row * size);
        }
    }
    sheet
}

/// Prints the appearance of each level: means of a few seeds, and the extremes relative to the
/// finest level.
fn print(models: &[&Model]) {
    for &model in models {
        let grown: Vec<Levels> = (0..8).filter_map(|seed| grow(model, seed)).collect();
        let all: Vec<Vec<Appearance>> = grown
            .iter()
            .map(|levels| levels.levels.iter().map(|m| Appearance::of(m, levels, 128)).collect())
            .collect();
        println!("{model:?}");
        for level in 0..grown[0].levels.len() {
            let most = grown.iter().map(|l| l.levels[level].triangles()).max().unwrap_or(0);
            let count = all.len() as f32;
            let area = all.iter().map(|a| a[level].area).sum::<f32>() / count;
            let colour = all.iter().map(|a| a[level].encoded()).sum::<Vec3>() / count;
            let difference = |a: &Vec<Appearance>| (a[level].encoded() - a[0].encoded()).abs();
            let difference = all.iter().map(difference).fold(Vec3::ZERO, Vec3::max).max_element();
            println!(
                "  {level}: {most:4} triangles, {area:6.3} m2 ({}), top {}, colour {colour:.3} \
                 (differs by {difference:.3})",
                range(all.iter().map(|a| a[level].area / a[0].area)),
                range(all.iter().map(|a| a[level].top / a[0].top)),
            );
        }
    }
}

/// Minimum and maximum.
fn range(values: impl Iterator<Item = f32>) -> String {
    let (low, high) = values.fold((f32::MAX, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
    format!("{low:.2}..{high:.2}")
}
