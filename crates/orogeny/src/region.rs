//! Rectangles along the axes.

use crate::arrays::{self, Each};

/// A rectangle along the axes, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// The smallest coordinates, in metres.
    pub min: [f64; 2],
    /// The largest coordinates, in metres.
    pub max: [f64; 2],
}

impl Region {
    /// No place: the union of nothing.
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    /// All places up to `reach[k]` from `center` along axis k.
    pub fn around(center: [f64; 2], reach: [f64; 2]) -> Self {
        let end = |sign: f64| arrays::from_fn(|k| center[k] + sign * reach[k]);
        Self { min: end(-1.0), max: end(1.0) }
    }

    /// Whether it has no place.
    pub fn is_empty(&self) -> bool {
        !(0..2).all(|k| self.min[k] <= self.max[k])
    }

    /// Whether `p` is in it.
    #[inline]
    pub fn contains(&self, p: [f64; 2]) -> bool {
        (0..2).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Whether `p` is in it, but not on its upper ends: so each place is in one of the regions that
    /// share a border.
    #[inline]
    pub(crate) fn contains_below(&self, p: [f64; 2]) -> bool {
        (0..2).all(|k| self.min[k] <= p[k] && p[k] < self.max[k])
    }

    /// Whether the two have a place in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..2).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// All places up to `by` metres from it along each axis.
    pub fn grown(&self, by: f64) -> Self {
        Self { min: self.min.each(|x| x - by), max: self.max.each(|x| x + by) }
    }

    /// The places in both.
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            min: arrays::from_fn(|k| self.min[k].max(other.min[k])),
            max: arrays::from_fn(|k| self.max[k].min(other.max[k])),
        }
    }

    /// The smallest region that contains both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: arrays::from_fn(|k| self.min[k].min(other.min[k])),
            max: arrays::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }
}
