//! The contact sheet: a row for each model, and a column for each level.

use orogeny_models::{Levels, Model, grow};

use crate::{picture::Picture, view::View};

/// Draws `models` with cells of `size` pixels.
pub fn sheet(models: &[&Model], seeds: &[u64], size: usize, view: View) -> Picture {
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
