//! Layers of cover over others.

use crate::cover::Cover;

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
/// log.add(1, Paint { layer: 2, strength: 0.75, ..Paint::default() })?;
/// let painting = log.edits().painting([0.0, 0.0]);
/// assert_eq!(painting.weights[2], 0.75);
///
/// let cover = Cover::default();
/// let weights = painting.over(cover.weights(&CoverPoint::default()), cover.layers.len());
/// assert!(weights[2] >= 0.75 && (weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
/// # Ok::<(), orogeny::DataError>(())
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
