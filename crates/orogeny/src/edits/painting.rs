//! What is painted on the ground.

use alloc::vec::Vec;

use crate::cover::Cover;
use crate::edits::grids::{Block, region_of};
use crate::edits::index::Edits;
use crate::edits::operations::Prepared;
use crate::samples::grid::Grid;

/// The layers of cover that are painted over a point.
///
/// [`Paint`](crate::edits::Paint) edits apply in the order of their ids. One of opacity a, which is
/// its strength times the weight of its area, multiplies what is there by 1 - a, and adds a to its
/// own layer. What is left of 1 shows the cover of the ground.
///
/// ```
/// use orogeny::Cover;
/// use orogeny::cover::CoverPoint;
/// use orogeny::edits::{EditLog, Paint};
///
/// let mut log = EditLog::new();
/// log.add(1, Paint { layer: 2, strength: 0.75, ..Paint::default() }.into())?;
/// let painting = log.edits().painting([0.0, 0.0]);
/// assert_eq!(painting.weights[2], 0.75);
///
/// let cover = Cover::default();
/// let weights = painting.over(cover.weights(&CoverPoint::default()), cover.layers.len());
/// assert!(weights[2] >= 0.75 && (weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
/// # Ok::<(), orogeny::RecipeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Painting {
    /// The weight of each layer, 0 to 1. Together they are at most 1, but for rounding.
    pub weights: [f32; Cover::MAX_LAYERS],
}

impl Painting {
    /// No paint.
    pub const NONE: Self = Self { weights: [0.0; Cover::MAX_LAYERS] };

    /// Adds a coat of a layer.
    pub(crate) fn add(&mut self, layer: usize, opacity: f32) {
        for weight in &mut self.weights {
            *weight *= 1.0 - opacity;
        }
        self.weights[layer] += opacity;
    }

    /// The same with another painting over it.
    pub fn under(mut self, other: &Self) -> Self {
        let bare = (1.0 - other.weights.iter().sum::<f32>()).max(0.0);
        for (weight, paint) in self.weights.iter_mut().zip(other.weights) {
            *weight = *weight * bare + paint;
        }
        self
    }

    /// The weights of cover with the paint over it. Paint of layers from `layers` on is not seen.
    pub fn over(
        &self,
        mut cover: [f32; Cover::MAX_LAYERS],
        layers: usize,
    ) -> [f32; Cover::MAX_LAYERS] {
        let seen = layers.min(Cover::MAX_LAYERS);
        let bare = (1.0 - self.weights[..seen].iter().sum::<f32>()).max(0.0);
        for (weight, paint) in cover[..seen].iter_mut().zip(self.weights) {
            *weight = *weight * bare + paint;
        }
        cover
    }
}

impl Edits {
    /// What is painted over a point.
    pub fn painting(&self, p: [f64; 2]) -> Painting {
        let mut painting = Painting::NONE;
        self.each_at(p, |step| {
            if let Prepared::Paint(paint) = &*step.first().operation {
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
            let Prepared::Paint(paint) = &*step.first().operation else { continue };
            out.resize(grid.len(), Painting::NONE);
            for block in Block::all(grid, step.region()) {
                for i in 0..block.len {
                    paint.paint(block.point(i), &mut out[block.first + i]);
                }
            }
        }
    }
}
