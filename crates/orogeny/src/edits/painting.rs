//! What is painted on the ground.

use alloc::vec::Vec;

use crate::cover::Painting;
use crate::edits::grids::{GridRow, region_of};
use crate::edits::index::Edits;
use crate::edits::operations::PreparedEdit;
use crate::position::Position;
use crate::samples::grid::Grid;

impl Edits {
    /// What is painted over a point.
    pub fn painting<T>(&self, at: impl Position<2, T>) -> Painting {
        let p = at.coordinates();
        let mut painting = Painting::NONE;
        self.each_at(p, |step| {
            if let PreparedEdit::Paint(paint) = &*step.first().operation {
                paint.paint(p, &mut painting);
            }
        });
        painting
    }

    /// What is painted over the points of a grid, in the order of
    /// [`Samples`](crate::Samples). Empty if nothing is.
    pub fn painting_grid(&self, grid: &Grid<2>, out: &mut Vec<Painting>) {
        out.clear();
        let Some(region) = region_of(grid) else { return };
        for step in self.within(&region) {
            let PreparedEdit::Paint(paint) = &*step.first().operation else { continue };
            out.resize(grid.len(), Painting::NONE);
            for span in GridRow::all(grid, step.region()).flat_map(GridRow::spans) {
                paint.paint_span(&span, &mut out[span.first..span.first + span.len]);
            }
        }
    }
}
