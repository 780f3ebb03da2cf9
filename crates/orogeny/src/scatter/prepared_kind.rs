//! How dense a kind is on a site.

use alloc::vec::Vec;

use crate::band::Band;
use crate::band::fade::cubic;
use crate::climate::ClimatePoint;
use crate::cover::{Cover, CoverPoint, in_range, patches, with_edges};
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::hash::derive;
use crate::samples::positions::Grid;
use crate::scatter::candidate::Cells;
use crate::scatter::ground::ScatterGround;
use crate::scatter::kind::ScatterKind;
use crate::scatter::site::SitePoint;
use crate::scatter::variation::Variation;

/// A kind, prepared for evaluation.
#[derive(Clone, Debug)]
pub(super) struct PreparedKind {
    pub kind: ScatterKind,
    pub cells: Cells,
    /// The density of the scatter.
    pub of_scatter: f32,
    /// The product of its density and that of the scatter.
    density: f32,
    /// The density on each layer of cover.
    on_layers: [f32; Cover::MAX_LAYERS],
    /// The bands of height, slope and curvature.
    pub bands: [Band; 3],
    /// Those of temperature and moisture; `None` if it grows in any climate.
    climate: Option<[Band; 2]>,
    clusters: Option<Variation>,
}

impl PreparedKind {
    /// A checked kind in a world with a cover, with the density of its scatter.
    ///
    /// # Errors
    /// None for numbers within their limits.
    pub fn new(
        kind: &ScatterKind,
        world: u64,
        cover: &Cover,
        density: f32,
    ) -> Result<Self, DataError> {
        let seed = derive(world, kind.seed);
        let noise = || Variation::new(seed, CLUSTERS, kind.cluster_size.into());
        let bands = with_edges([kind.height, kind.slope, kind.curvature]);
        let mut on_layers = [0.0; Cover::MAX_LAYERS];
        for (density, layer) in on_layers.iter_mut().zip(&cover.layers) {
            *density = kind.density_on(&layer.kind);
        }
        Ok(Self {
            on_layers,
            cells: Cells::new(world, kind.seed, kind.radius),
            of_scatter: density,
            density: density * kind.density,
            bands,
            climate: kind.climate_bands(),
            clusters: (kind.coverage < 1.0).then(noise).transpose()?,
            kind: kind.clone(),
        })
    }

    /// Its density at each point of a grid; `None` if it is 0 everywhere.
    pub fn on(&self, grid: &Grid<2>, points: &[SitePoint]) -> Option<Vec<f32>> {
        let mut densities: Vec<f32> = points.iter().map(|point| self.at(point)).collect();
        // NaN is kept: what is interpolated between it and other points is NaN, too.
        let any = |densities: &[f32]| densities.iter().any(|&density| density != 0.0);
        if !any(&densities) {
            return None;
        }
        let Some(clusters) = self.clusters_on(grid) else { return Some(densities) };
        for (density, cluster) in densities.iter_mut().zip(clusters) {
            *density *= cluster;
        }
        any(&densities).then_some(densities)
    }

    /// The part of its density that its clusters leave, at each point of a grid; `None` if it has
    /// even density.
    pub fn clusters_on(&self, grid: &Grid<2>) -> Option<impl Iterator<Item = f32> + use<>> {
        let (noise, coverage) = (self.clusters.as_ref()?.on(grid), self.kind.coverage);
        Some(noise.into_iter().map(move |noise| patches(coverage, noise)))
    }

    #[inline]
    fn at(&self, point: &SitePoint) -> f32 {
        product(self.density, self.on_cover(&point.cover), || self.within(point))
    }

    /// Its density on cover with these weights.
    #[inline]
    pub fn on_cover(&self, weights: &[f32; Cover::MAX_LAYERS]) -> f32 {
        let on_layers = self.on_layers.iter().zip(weights);
        on_layers.map(|(density, weight)| density * weight).sum()
    }

    /// What its bands of height, slope, curvature, temperature and moisture leave of its density.
    #[inline]
    pub fn within(&self, point: &SitePoint) -> [f32; 5] {
        let at = in_range(point.height, point.slope, point.curvature);
        let [height, slope, curvature] = [0, 1, 2].map(|i| self.bands[i].opacity(at[i]));
        let [temperature, moisture] = self.in_climates(|| point.climate);
        [height, slope, curvature, temperature, moisture]
    }

    /// Whether there is any of it.
    pub fn has_density(&self) -> bool {
        self.density > 0.0 && self.kind.coverage > 0.0
    }

    /// Whether it may stand at a position, of which the ground is given: whether the depth, the
    /// height, the slope and the curvature are within its bands there. Between points of the
    /// lattice they may not be.
    pub fn may_stand(&self, p: [f64; 2], sample: &Sample<2>, ground: &ScatterGround) -> bool {
        if !self.suits_depth(ground.depth(p, sample.value)) {
            return false;
        }
        // NaN, where there is no ground, is not above 0.
        let [height, slope] = self.in_bands(sample);
        let curvature = || CoverPoint::curvature_of(&*ground.smooth, p, CoverPoint::SCALE);
        height * slope > 0.0 && self.suits_curvature(curvature)
    }

    /// What its bands of height and slope leave of its density at a position.
    #[inline]
    pub fn in_bands(&self, sample: &Sample<2>) -> [f32; 2] {
        let [x, z] = sample.gradient;
        let [height, slope, _] = in_range(sample.value, (x * x + z * z).sqrt(), 0.0);
        [self.bands[0].opacity(height), self.bands[1].opacity(slope)]
    }

    /// Whether it grows at a depth.
    #[inline]
    pub fn suits_depth(&self, depth: f32) -> bool {
        self.kind.depth.contains(depth.into())
    }

    /// Whether it grows at a curvature, which is asked for if some do not suit it.
    #[inline]
    pub fn suits_curvature(&self, curvature: impl FnOnce() -> f32) -> bool {
        let [_, _, band] = self.bands;
        let bends = || band.opacity(in_range(0.0, 0.0, curvature())[2]) > 0.0;
        band.min <= -1.0 && 1.0 <= band.max || bends()
    }

    /// Whether it may grow in some climate between two temperatures and two moistures.
    pub fn suits_climates(&self, temperatures: [f32; 2], moistures: [f32; 2]) -> bool {
        self.climate.is_none_or(|[temperature, moisture]| {
            temperature.overlaps(temperatures, 0.0) && moisture.overlaps(moistures, 0.0)
        })
    }

    /// The part of its density that a climate leaves.
    #[inline]
    pub fn in_climate(&self, climate: impl FnOnce() -> ClimatePoint) -> f32 {
        let [temperature, moisture] = self.in_climates(climate);
        temperature * moisture
    }

    /// The parts that a temperature and a moisture leave.
    #[inline]
    fn in_climates(&self, climate: impl FnOnce() -> ClimatePoint) -> [f32; 2] {
        let Some([temperature, moisture]) = self.climate else { return [1.0; 2] };
        let climate = climate();
        [temperature.opacity(climate.temperature), moisture.opacity(climate.moisture)]
    }

    /// Its size, given a random number, the density where it stands, and the part of it that the
    /// climate has left.
    pub fn size(&self, number: f32, density: f32, climate: f32) -> f32 {
        let ScatterKind { size_min, size_max, stunting, .. } = self.kind;
        let share = cubic(density / (self.density * climate));
        (size_min + number * (size_max - size_min)) * (1.0 - stunting * (1.0 - share))
    }
}

/// The density at a point of the lattice, without clusters: the product of that of the kind, that
/// on the cover there, and what the bands [`within`](PreparedKind::within) leave.
#[inline]
pub(super) fn product(density: f32, on_cover: f32, within: impl FnOnce() -> [f32; 5]) -> f32 {
    // NaN has no density either.
    if density == 0.0 || on_cover.is_nan() || on_cover <= 0.0 {
        return 0.0;
    }
    let [height, slope, curvature, temperature, moisture] = within();
    density * on_cover * (height * slope * curvature) * (temperature * moisture)
}

/// Keeps clusters apart from other noises of the same seed.
const CLUSTERS: u64 = 0xc105;
