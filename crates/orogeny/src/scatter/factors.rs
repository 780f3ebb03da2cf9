//! The factors of a density: at points of the lattice, and at a position between them.

use alloc::vec::Vec;

use crate::scatter::explanation::{Cause, Factor};
use crate::scatter::prepared_kind::{PreparedKind, product};
use crate::scatter::site::{Bilinear, Site};

/// What the density is a product of at a point of the lattice: the densities of the scatter, of the
/// kind and on the cover, what five bands leave, and clusters.
pub(super) type PointFactors = [f32; 9];

/// The factors at each point of a site.
pub(super) fn point_factors(kind: &PreparedKind, site: &Site) -> Vec<PointFactors> {
    let clusters: Option<Vec<f32>> = kind.clusters_on(&site.grid).map(Iterator::collect);
    let factors = site.points.iter().enumerate().map(|(i, point)| {
        let [height, slope, curvature, temperature, moisture] = kind.within(point);
        [
            kind.of_scatter,
            kind.kind.density,
            kind.on_cover(&point.cover),
            height,
            slope,
            curvature,
            temperature,
            moisture,
            clusters.as_ref().map_or(1.0, |clusters| clusters[i]),
        ]
    });
    factors.collect()
}

/// The product of the first few factors at a point, as if all others were 1.
pub(super) fn first(count: usize, factors: &PointFactors) -> f32 {
    let f = |i: usize| if i < count { factors[i] } else { 1.0 };
    product(f(0) * f(1), f(2), || [f(3), f(4), f(5), f(6), f(7)]) * f(8)
}

/// The product of all factors at points, interpolated.
pub(super) fn all(points: &[PointFactors], at: Bilinear) -> f32 {
    at.interpolate(|point| first(PointFactors::default().len(), &points[point]))
}

/// A product that keeps its factors.
pub(super) struct Product {
    pub factors: Vec<Factor>,
    /// The product so far.
    left: f32,
}

impl Product {
    pub fn new() -> Self {
        Self { factors: Vec::new(), left: 1.0 }
    }

    /// Multiplies it by a factor.
    pub fn multiply(&mut self, cause: Cause, factor: f32) {
        self.push(cause, factor, self.left * factor);
    }

    /// Multiplies it by a factor that is `alone` on its own, and that leaves `left` if it `suits`
    /// at the position itself: it may differ between the points that are interpolated.
    pub fn interpolate(&mut self, cause: Cause, left: f32, alone: f32, suits: bool) {
        let is_left = self.left > 0.0;
        let left = if is_left && suits { left } else { 0.0 };
        let alone = if suits { alone } else { 0.0 };
        self.push(cause, if is_left { left / self.left } else { alone }, left);
    }

    fn push(&mut self, cause: Cause, factor: f32, left: f32) {
        // NaN, as of ground that there is not, counts as 0; quotients may be rounded to above 1.
        let factor = if factor > 0.0 { factor.min(1.0) } else { 0.0 };
        self.left = left;
        self.factors.push(Factor { cause, factor, left });
    }
}
