//! A raster over other ground.

use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples, SharedField};

use crate::combine::{Amplified, Source};
use crate::error::RasterError;
use crate::field::{Patch, RasterField};
use crate::tiles::RasterTiles;

/// A raster r blended into other ground g at its edges and around samples without data:
///
/// h = g + m (r - g), with a mask m that is exactly 1 well inside and exactly 0 outside.
///
/// The mask is a cubic B-spline, so the ground is as smooth as the two: twice continuously
/// differentiable if g is. Gradients and Hessians are exact. The domain is that of the other
/// ground, and of the raster where the mask is 1.
///
/// Bounds follow from h = (1 - m) g + m r by the product rule: with the largest difference D of the
/// two, L = max(L_g, L_r) + D L_m and C = max(C_g, C_r) + D C_m + 2 (L_g + L_r) L_m.
///
/// A clone shares all.
#[derive(Clone)]
pub struct OverGround {
    raster: Arc<dyn Patch>,
    mask: RasterField,
    ground: SharedField<2>,
}

impl RasterField {
    /// The raster blended into `ground` over `width` metres, within 0 to 1e7. The blend starts one
    /// cell inside the raster's edges, and some three cells beside samples without data. It ends
    /// `width` and two cells farther inside.
    ///
    /// It takes 4.3 bytes a sample, and 5 more while it is built.
    ///
    /// ```
    /// use orogeny::{Field, Node};
    /// use orogeny_raster::{Raster, RasterField};
    ///
    /// let heights = (0..40 * 40).map(|i| 100.0 + (i % 40) as f32).collect();
    /// let raster = Raster::new([40; 2], [10.0; 2], [0.0; 2], heights)?;
    /// let hills = Node::<2>::noise(7).fbm(6).frequency(0.002).amplitude(50.0).build()?;
    /// let hills = std::sync::Arc::new(hills);
    /// let ground = RasterField::new(&raster)?.over(hills.clone(), 80.0)?;
    ///
    /// assert_eq!(ground.sample([-50.0, 20.0]), hills.sample([-50.0, 20.0]));
    /// assert!((ground.value([200.0, 200.0]) - 120.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the width is beyond its limits, or the raster is too small or has too many samples
    /// without data to show anywhere.
    pub fn over(&self, ground: SharedField<2>, width: f64) -> Result<OverGround, RasterError> {
        Ok(OverGround { raster: Arc::new(self.clone()), mask: self.mask(width)?, ground })
    }
}

impl Amplified {
    /// The amplified raster blended into `ground`, see [`RasterField::over`].
    ///
    /// # Errors
    /// The errors of [`RasterField::over`].
    pub fn over(&self, ground: SharedField<2>, width: f64) -> Result<OverGround, RasterError> {
        let mask = self.raster().mask(width)?;
        Ok(OverGround { raster: Arc::new(self.clone()), mask, ground })
    }
}

impl RasterTiles {
    /// The raster blended into `ground` over `width` metres, see [`RasterField::over`]. The mask
    /// has a sample for up to 32 x 32 of the raster. So the blend starts up to 32 cells inside its
    /// edges and up to 130 beside samples without data, and ends `width` and 64 cells farther
    /// inside.
    ///
    /// # Errors
    /// The errors of [`RasterField::over`], and if the bounds were given and not scanned.
    pub fn over(&self, ground: SharedField<2>, width: f64) -> Result<OverGround, RasterError> {
        Ok(OverGround { raster: Arc::new(self.clone()), mask: self.mask(width)?, ground })
    }
}

/// g + m (r - g), computed from the nearer end, so that it is exact at both.
#[inline(always)]
fn blend<T>(ground: T, raster: T, mask: T, one: T, value: f32) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    if value > 0.5 {
        raster + (ground - raster) * (one - mask)
    } else {
        ground + (raster - ground) * mask
    }
}

/// The blend of three samples. The mask is NaN outside the raster.
#[inline(always)]
fn blend_samples(ground: Sample<2>, [raster, mask]: [Sample<2>; 2]) -> Sample<2> {
    match mask.value {
        1.0 => raster,
        value if value > 0.0 => blend(ground, raster, mask, Sample::constant(1.0), value),
        _ => ground,
    }
}

impl Field<2> for OverGround {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        let mask = self.mask.sample(p);
        match mask.value {
            1.0 => self.raster.sample(p),
            value if value > 0.0 => {
                blend_samples(self.ground.sample(p), [self.raster.sample(p), mask])
            }
            _ => self.ground.sample(p),
        }
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        match self.mask.value(p) {
            1.0 => self.raster.value(p),
            mask if mask > 0.0 => {
                blend(self.ground.value(p), self.raster.value(p), mask, 1.0, mask)
            }
            _ => self.ground.value(p),
        }
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        out.with_spares(2, |out, spares| {
            let [mask, raster] = spares else { return };
            self.mask.sample_grid(grid, mask);
            if mask.values().iter().all(|&mask| mask == 1.0) {
                self.raster.sample_grid(grid, out);
            } else if mask.values().iter().any(|&mask| mask > 0.0) {
                self.raster.sample_grid(grid, raster);
                self.ground.sample_grid(grid, out);
                out.join([raster, mask], blend_samples);
            } else {
                self.ground.sample_grid(grid, out);
            }
        });
    }

    /// Exact if those of the ground are: by the product rule.
    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        let mask = self.mask.jet(p);
        match mask.sample.value {
            1.0 => self.raster.jet(p),
            value if value > 0.0 => {
                let (ground, raster) = (self.ground.jet(p), self.raster.jet(p));
                blend(ground, raster, mask, Jet::constant(1.0), value)
            }
            _ => self.ground.jet(p),
        }
    }

    fn bounds(&self) -> Bounds {
        blend_bounds(self.ground.bounds(), self.raster.bounds(), self.mask.bounds())
    }

    fn has_loose_bounds(&self) -> bool {
        self.ground.has_loose_bounds() || self.raster.has_loose_bounds()
    }

    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 || self.value(p).is_nan() {
            return Bounds::UNKNOWN;
        }
        let mask = self.mask.bounds_near(p, radius);
        // Bounds are rounded outwards, so those of 0 are the smallest numbers around it.
        let is_ground =
            !self.mask.frame.meets(p, radius) || mask.max < f64::from(f32::MIN_POSITIVE);
        let mut ground = self.ground.local_bounds(p, radius);
        if ground == Bounds::UNKNOWN && !is_ground {
            ground = self.ground.bounds();
        }
        if is_ground {
            return ground;
        }
        blend_bounds(ground, self.raster.bounds_near(p, radius), mask)
    }

    fn band_limited(&self, spacing: f64) -> Option<SharedField<2>> {
        let ground = self.ground.band_limited(spacing)?;
        Some(Arc::new(Self { ground, ..self.clone() }))
    }

    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        let (raster, ground) = (self.raster.sparse(spacing), self.ground.sparse(spacing));
        if raster.is_none() && ground.is_none() {
            return None;
        }
        Some(Arc::new(Self {
            raster: raster.map_or_else(|| self.raster.clone(), |raster| Arc::new(raster)),
            mask: self.mask.clone(),
            ground: ground.unwrap_or_else(|| self.ground.clone()),
        }))
    }
}

/// The bounds of (1 - m) g + m r. It is linear in each of the three, so its extremes are at ends.
fn blend_bounds(ground: Bounds, raster: Bounds, mask: Bounds) -> Bounds {
    let ends = [mask.min, mask.max].map(|m| m.clamp(0.0, 1.0));
    let mean = |m: f64, g: f64, r: f64| times(1.0 - m, g) + times(m, r);
    // Weighted by what the two can have at most, or the larger of both.
    let larger = |g: f64, r: f64| (times(1.0 - ends[0], g) + times(ends[1], r)).min(g.max(r));
    let apart = (raster.max - ground.min).max(ground.max - raster.min);
    let slopes = ground.lipschitz + raster.lipschitz;
    Bounds {
        min: ends
            .map(|m| mean(m, ground.min, raster.min))
            .into_iter()
            .fold(f64::INFINITY, f64::min),
        max: ends
            .map(|m| mean(m, ground.max, raster.max))
            .into_iter()
            .fold(-f64::INFINITY, f64::max),
        lipschitz: larger(ground.lipschitz, raster.lipschitz) + times(apart, mask.lipschitz),
        curvature: larger(ground.curvature, raster.curvature)
            + times(apart, mask.curvature)
            + 2.0 * times(slopes, mask.lipschitz),
    }
}

/// 0 times infinity is 0.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl fmt::Debug for OverGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OverGround").field("mask", &self.mask.frame).finish_non_exhaustive()
    }
}
