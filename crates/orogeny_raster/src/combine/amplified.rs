//! A raster with noise finer than its cells.

use std::fmt;
use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples, SharedField};

use crate::combine::Source;
use crate::combine::coverage::near;
use crate::error::RasterError;
use crate::field::spline::Frame;
use crate::field::{Patch, RasterField};
use crate::tiles::{Overview, RasterTiles};

/// The largest factor, and the largest slope.
const MOST: f64 = 1e6;

/// How the factor of noise follows the slope of a raster: `factors[0]` up to the slope `slopes[0]`,
/// `factors[1]` from `slopes[1]` on, and a smooth curve between. Slopes are metres of height a
/// metre, at least 0 and ascending; factors are of any sign. Both are within 1e6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amplification {
    /// The slopes at which the factor begins and ends to change.
    pub slopes: [f64; 2],
    /// The factors on flatter and on steeper ground.
    pub factors: [f64; 2],
}

/// A tenth of the noise on plains, and all of it from 45 degrees on.
impl Default for Amplification {
    fn default() -> Self {
        Self { slopes: [0.1, 1.0], factors: [0.1, 1.0] }
    }
}

/// A raster r with detail: r + a n, with noise n and a factor a that follows the slope of the
/// raster.
///
/// The factor is the cubic B-spline whose coefficients follow from the slopes at the samples, so it
/// is twice continuously differentiable and between the two factors. The sea (see [`RasterField`])
/// has no noise, so it stays at its level: the factor is 0 there, and whole from three cells beside
/// it on. Gradients and Hessians are
/// exact by the product rule, and bounds follow by the rules of [`Bounds`]. The domain is where
/// both fields have values.
///
/// A clone shares all.
#[derive(Clone)]
pub struct Amplified {
    raster: Arc<dyn Source>,
    factor: RasterField,
    noise: SharedField<2>,
}

impl RasterField {
    /// The raster with noise finer than its cells. The noise should have no features of more than
    /// two cells, which the raster has itself. A factor takes 4.3 bytes a sample.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use orogeny::{Field, Node};
    /// use orogeny_raster::{Amplification, Raster, RasterField};
    ///
    /// // A plain of 90 m cells, and a slope of 45 degrees from column 20 on.
    /// let height = |i: usize| 300.0 + (i % 40).saturating_sub(20) as f32 * 90.0;
    /// let heights = (0..40 * 40).map(height).collect();
    /// let raster = Raster::new([40; 2], [90.0; 2], [0.0; 2], heights)?;
    /// let rocks = Node::<2>::noise(7).fbm(6).frequency(1.0 / 90.0).amplitude(15.0).build()?;
    /// let field = RasterField::new(&raster)?;
    /// let ground = field.amplified(Arc::new(rocks.clone()), Amplification::default())?;
    ///
    /// let plain = [900.0, 1000.0];
    /// let difference = ground.value(plain) - field.value(plain);
    /// assert!((difference - 0.1 * rocks.value(plain)).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If slopes or factors are beyond their limits.
    pub fn amplified(
        &self,
        noise: SharedField<2>,
        amplification: Amplification,
    ) -> Result<Amplified, RasterError> {
        amplification.check()?;
        let frame = self.frame;
        let factor = |i: usize, j: usize| {
            let p = [0, 1].map(|k| frame.corners[0][k] + [i, j][k] as f64 * frame.spacing[k]);
            let [x, z] = self.sample(p).gradient.map(f64::from);
            // NaN, without data, is flat.
            amplification.factor((x * x + z * z).sqrt().max(0.0))
        };
        // A cell of the sea reads the 4 x 4 coefficients around it.
        let factor = factors(frame, near(frame.size, 1, |i, j| self.is_sea(i, j)), factor);
        Ok(Amplified { raster: Arc::new(self.clone()), factor, noise })
    }
}

impl RasterTiles {
    /// The raster with noise finer than its cells, see [`RasterField::amplified`]. The factor has a
    /// coefficient for up to 32 x 32 samples, from the mean of the slopes at them, which are
    /// central differences. Noise begins up to 48 samples beside the sea, and is whole from 144 on.
    /// Far points have none, see [`Field::sparse`].
    ///
    /// # Errors
    /// The errors of [`RasterField::amplified`], and if the bounds were given and not scanned.
    pub fn amplified(
        &self,
        noise: SharedField<2>,
        amplification: Amplification,
    ) -> Result<Amplified, RasterError> {
        amplification.check()?;
        let Overview { frame, slopes, sea, .. } = self.overview()?;
        let index = |i: usize, j: usize| j * frame.size[0] + i;
        let factor = |i, j| amplification.factor(slopes[index(i, j)].into());
        // A sample reads the coefficients of nodes up to 2 from the nearest.
        let is_calm = near(frame.size, 2, |i, j| sea.has(index(i, j)));
        let factor = factors(*frame, is_calm, factor);
        Ok(Amplified { raster: Arc::new(self.clone()), factor, noise })
    }
}

/// The spline of factors of noise at samples, 0 at those that are calm.
fn factors(frame: Frame, is_calm: Vec<bool>, factor: impl Fn(usize, usize) -> f64) -> RasterField {
    let columns = frame.size[0];
    let at = |(index, is_calm): (usize, bool)| match is_calm {
        true => 0.0,
        false => factor(index % columns, index / columns) as f32,
    };
    RasterField::of(frame, &is_calm.into_iter().enumerate().map(at).collect::<Vec<_>>())
}

impl Amplification {
    fn check(&self) -> Result<(), RasterError> {
        let Self { slopes: [flat, steep], factors } = *self;
        let are_fine = 0.0 <= flat
            && flat <= steep
            && steep <= MOST
            && factors.iter().all(|factor| factor.abs() <= MOST);
        if are_fine {
            return Ok(());
        }
        Err(RasterError::limit(format!("{self:?} is beyond its limits")))
    }

    /// The factor at a slope, by the quintic 6 t^5 - 15 t^4 + 10 t^3.
    fn factor(&self, slope: f64) -> f64 {
        let Self { slopes: [flat, steep], factors: [a, b] } = *self;
        if slope >= steep {
            return b;
        }
        let t = ((slope - flat) / (steep - flat)).max(0.0);
        a + (b - a) * (t * t * t * (t * (6.0 * t - 15.0) + 10.0))
    }
}

impl Amplified {
    pub(super) fn raster(&self) -> &dyn Source {
        &*self.raster
    }
}

impl Field<2> for Amplified {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        let sum = self.raster.sample(p) + self.factor.sample(p) * self.noise.sample(p);
        whole(sum)
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        whole_value(self.raster.value(p) + self.factor.value(p) * self.noise.value(p))
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.raster.sample_grid(grid, out);
        out.with_spares(2, |out, spares| {
            let [factor, noise] = spares else { return };
            self.factor.sample_grid(grid, factor);
            self.noise.sample_grid(grid, noise);
            out.join([factor, noise], |raster, [factor, noise]| whole(raster + factor * noise));
        });
    }

    /// Exact if those of the noise are: by the product rule.
    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        let jet = self.raster.jet(p) + self.factor.jet(p) * self.noise.jet(p);
        if jet.sample.value.is_nan() { Jet::OUTSIDE } else { jet }
    }

    fn bounds(&self) -> Bounds {
        self.raster.bounds() + self.factor.bounds() * self.noise.bounds()
    }

    fn has_loose_bounds(&self) -> bool {
        self.noise.has_loose_bounds()
    }

    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        self.local_bounds_of_patch(p, radius)
    }

    fn band_limited(&self, spacing: f64) -> Option<SharedField<2>> {
        let noise = self.noise.band_limited(spacing)?;
        Some(Arc::new(Self { noise, ..self.clone() }))
    }

    /// The sparse field of the raster: the noise is finer than its cells.
    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        self.raster.sparse(spacing)
    }
}

impl Patch for Amplified {
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        let mut noise = self.noise.local_bounds(p, radius);
        if noise == Bounds::UNKNOWN {
            noise = self.noise.bounds();
        }
        self.raster.bounds_near(p, radius) + self.factor.bounds_near(p, radius) * noise
    }
}

/// One NaN, whichever of the fields has no value.
#[inline]
fn whole(sample: Sample<2>) -> Sample<2> {
    if sample.value.is_nan() { Sample::OUTSIDE } else { sample }
}

#[inline]
fn whole_value(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}

impl fmt::Debug for Amplified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Amplified").field("factor", &self.factor.frame).finish_non_exhaustive()
    }
}
