//! Sampling a tree at arrays, tuples and vectors.

use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::field::Field;
use crate::node::Tree;
use crate::position::Position;

impl<const N: usize> Tree<N> {
    /// The value and the exact gradient at a position, see [`Field::sample`].
    pub fn sample<T>(&self, at: impl Position<N, T>) -> Sample<N> {
        Field::sample(self, at.coordinates())
    }

    /// The value at a position, see [`Field::value`].
    pub fn value<T>(&self, at: impl Position<N, T>) -> f32 {
        Field::value(self, at.coordinates())
    }

    /// The value, the gradient and the second derivatives at a position, see [`Field::jet`].
    pub fn jet<T>(&self, at: impl Position<N, T>) -> Jet<N> {
        Field::jet(self, at.coordinates())
    }
}
