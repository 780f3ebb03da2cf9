//! What feet stand on.

use bevy_math::DVec2;

/// Height and slopes of a surface at a point. Unlike those of a [`Sample`](orogeny::Sample) they
/// are not rounded to `f32`: between two frames a walker goes a millimetre, on mountains where
/// `f32` resolves half of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Footing {
    /// In metres.
    pub height: f64,
    /// The slopes along x and z.
    pub gradient: DVec2,
}

impl Footing {
    /// A level one.
    pub const fn level(height: f64) -> Self {
        Self { height, gradient: DVec2::ZERO }
    }

    /// The angle of its slope in radians from the horizontal.
    pub fn slope(&self) -> f64 {
        self.gradient.length().atan()
    }
}
