//! Draws all models and their levels into a PNG file.
//!
//! `cargo run --release -p orogeny_models --example contact_sheet -- --out sheet.png`

use std::path::PathBuf;

use clap::Parser;
use orogeny_models::Model;

mod camera;
mod canvas;
mod light;
mod measure;
mod picture;
mod sheet;
mod table;
mod view;

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
    view: view::View,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let models: Vec<&Model> = Model::GROWN
        .iter()
        .filter(|model| format!("{model:?}").starts_with(&arguments.model))
        .collect();
    if arguments.measure {
        table::print(&models);
    }
    let sheet = sheet::sheet(&models, &arguments.seed, arguments.size, arguments.view);
    sheet.save(&arguments.out)?;
    Ok(())
}
