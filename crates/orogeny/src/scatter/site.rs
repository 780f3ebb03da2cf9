//! The ground as scatter sees it: on a lattice, linearly interpolated.

use alloc::vec::Vec;

use crate::climate::ClimatePoint;
use crate::cover::{Cover, CoverPoint, bend};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::samples::Samples;
use crate::samples::positions::Grid;
use crate::scatter::ground::ScatterGround;
use crate::scatter::site_cache::SitePart;

/// The distance between lattice points in metres: fine enough for patches of cover, and coarse
/// enough to cost little beside the instances. The lattice is the same for all regions.
pub(super) const SPACING: f64 = 4.0;
/// The points on each side of one from which its curvature is found.
const REACH: usize = (CoverPoint::SCALE / SPACING) as usize;
/// Depths and distances from water are limited to this, so that they can be interpolated.
pub(super) const FAR: f32 = 1e3;

/// The depth of ground at a height under a sea, negative above it.
pub(super) fn depth(sea_level: Option<f32>, height: f32) -> f32 {
    sea_level.map_or(-FAR, |level| (level - height).clamp(-FAR, FAR))
}

/// The ground of a region, at each point of the lattice.
pub(super) struct Site {
    pub grid: Grid<2>,
    pub points: Vec<SitePoint>,
    /// The blocks of the cache that it was copied from; none if it is too large for the cache.
    pub parts: Vec<SitePart>,
}

/// The ground at a point of the lattice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SitePoint {
    pub height: f32,
    pub slope: f32,
    pub curvature: f32,
    /// The weight of each layer of cover.
    pub cover: [f32; Cover::MAX_LAYERS],
    /// The distance from the banks of rivers.
    pub bank: f32,
    pub climate: ClimatePoint,
}

/// Bilinear interpolation at a position: the first of four lattice points around it, and how far it
/// is from there to the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilinear {
    index: usize,
    row: usize,
    part: [f32; 2],
}

impl Site {
    /// The interpolation at a position in the region.
    #[inline]
    pub fn bilinear(&self, p: [f64; 2]) -> Bilinear {
        let row = self.grid.size[0];
        let (i, s) = self.along(0, p[0]);
        let (j, t) = self.along(1, p[1]);
        Bilinear { index: j * row + i, row, part: [s, t] }
    }

    /// The last lattice point before a coordinate, and the part of the way to the next one.
    #[inline]
    fn along(&self, axis: usize, x: f64) -> (usize, f32) {
        let at = (x - self.grid.origin[axis]) * (1.0 / SPACING);
        // The cast to 32 bits is faster.
        let index = (at as i32).clamp(0, self.grid.size[axis] as i32 - 2);
        (index as usize, (at - f64::from(index)) as f32)
    }

    /// A number at a position.
    #[inline]
    pub fn at(&self, at: Bilinear, of: impl Fn(&SitePoint) -> f32) -> f32 {
        at.interpolate(|i| of(&self.points[i]))
    }

    /// The climate at a position.
    #[inline]
    pub fn climate(&self, at: Bilinear) -> ClimatePoint {
        ClimatePoint {
            temperature: self.at(at, |point| point.climate.temperature),
            moisture: self.at(at, |point| point.climate.moisture),
        }
    }
}

impl Bilinear {
    /// Interpolates a number that is known at each point of the lattice.
    #[inline]
    pub fn interpolate(&self, of: impl Fn(usize) -> f32) -> f32 {
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let Self { index, row, part: [s, t] } = *self;
        let low = mix(of(index), of(index + 1), s);
        let high = mix(of(index + row), of(index + row + 1), s);
        mix(low, high, t)
    }
}

/// The first lattice point around a region along each axis, and how many there are.
pub(super) fn lattice(region: &Region) -> ([i64; 2], [usize; 2]) {
    let first = region.min.map(|x| (x / SPACING).floor() as i64);
    let last = region.max.map(|x| (x / SPACING).floor() as i64 + 1);
    (first, [0, 1].map(|k| (last[k] - first[k]) as usize + 1))
}

/// Evaluates the ground at all points of a lattice.
pub(super) fn points(ground: &ScatterGround, grid: &Grid<2>) -> Vec<SitePoint> {
    let wide = Grid {
        origin: grid.origin.map(|x| x - REACH as f64 * SPACING),
        size: grid.size.map(|size| size + 2 * REACH),
        ..*grid
    };
    let mut samples = Samples::new();
    ground.smooth.sample_grid(&wide, &mut samples);
    let row = wide.size[0];
    let per_bend = (4.0 * CoverPoint::SCALE).recip() as f32;

    let mut paint = Vec::new();
    ground.edits().painting_grid(grid, &mut paint);
    let mut banks = Vec::new();
    if let Some(rivers) = &ground.rivers {
        banks.resize(grid.len(), f64::INFINITY);
        rivers.bank_distances(grid, f64::INFINITY, |i, distance| banks[i] = distance);
    }
    let cover = &ground.appearance.cover;
    let layers = cover.layers.len();
    let has_banks = cover.has_banks();
    let climate_at = ground.climate.on(grid);

    let point = |i: usize, position: [f64; 2]| {
        let at = (i / grid.size[0] + REACH) * row + i % grid.size[0] + REACH;
        let sample = samples.get(at);
        let [gx, gz] = sample.gradient;
        let slope = |at: usize, axis: usize| samples.get(at).gradient[axis];
        let bend_x = bend(slope(at - REACH, 0), || gx, slope(at + REACH, 0));
        let bend_z = bend(slope(at - REACH * row, 1), || gz, slope(at + REACH * row, 1));
        let curvature = (bend_x + bend_z) * per_bend;
        let slope = (gx * gx + gz * gz).sqrt();
        // On average over the year: trees stay where they are in winter.
        let climate = climate_at(i, &sample);
        let point = CoverPoint { height: sample.value, slope, curvature, position, climate };
        let bank = banks.get(i).copied().unwrap_or(f64::INFINITY);
        let mut painting = paint.get(i).copied().unwrap_or_default();
        if has_banks && bank < f64::INFINITY {
            painting = cover.banks(&CoverPoint { curvature: 0.0, ..point }, bank).under(&painting);
        }
        let weights = painting.over(cover.weights(&point), layers);
        let bank = (bank as f32).min(FAR);
        let height = sample.value;
        SitePoint { height, slope, curvature, cover: weights, bank, climate }
    };
    grid.points().enumerate().map(|(i, position)| point(i, position)).collect()
}
