//! Where the samples of a raster lie.

use crate::field::taps::Taps;

/// The size of a raster, and its place in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub size: [usize; 2],
    pub spacing: [f64; 2],
    /// The centres of the first and of the last sample.
    pub corners: [[f64; 2]; 2],
}

impl Frame {
    pub fn new(size: [usize; 2], spacing: [f64; 2], position: [f64; 2]) -> Self {
        let last = [0, 1].map(|k| position[k] + (size[k] - 1) as f64 * spacing[k]);
        Self { size, spacing, corners: [position, last] }
    }

    /// The taps of a coordinate along an axis.
    #[inline(always)]
    pub fn taps(&self, axis: usize, coordinate: f64) -> Taps {
        Taps::new(self.index(axis, coordinate), self.size[axis], self.spacing[axis])
    }

    /// The taps of a position; `None` outside the rectangle.
    #[inline(always)]
    pub fn both(&self, [x, z]: [f64; 2]) -> Option<[Taps; 2]> {
        let taps = [self.taps(0, x), self.taps(1, z)];
        (taps[0].is_inside() && taps[1].is_inside()).then_some(taps)
    }

    #[inline(always)]
    fn index(&self, axis: usize, coordinate: f64) -> f64 {
        (coordinate - self.corners[0][axis]) / self.spacing[axis]
    }

    /// The first and the last cell that the square of `radius` around a position meets, or the
    /// nearest ones.
    pub fn cells(&self, p: [f64; 2], radius: f64) -> [[usize; 2]; 2] {
        let cell = |axis: usize, x: f64| {
            self.index(axis, x).floor().clamp(0.0, (self.size[axis] - 2) as f64) as usize
        };
        [-radius, radius].map(|r| [cell(0, p[0] + r), cell(1, p[1] + r)])
    }

    /// Whether the square of `radius` around a position meets the rectangle.
    pub fn meets(&self, p: [f64; 2], radius: f64) -> bool {
        let [first, last] = self.corners;
        (0..2).all(|k| p[k] + radius >= first[k] && p[k] - radius <= last[k])
    }
}
