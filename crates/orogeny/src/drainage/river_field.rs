//! Ground with rivers as a field.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::sample::Sample;
use crate::drainage::ground::blocks::Blocks;
use crate::drainage::ground::bounds::{Disc, DiscBounds};
use crate::drainage::river_ground::RiverGround;
use crate::drainage::sampling::combined;
use crate::field::{Field, SharedField, at_positions};
use crate::fractal::octaves::resolved;
use crate::node::smoothed::resolves;
use crate::samples::positions::{Grid, Positions};
use crate::samples::{Buffer, Samples};

at_positions!([] RiverGround, 2);

impl Field<2> for RiverGround {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        if !self.is_inside(p) {
            return Sample::OUTSIDE;
        }
        let parts = self.ground_and_detail(p);
        parts.map_or(Sample::OUTSIDE, |(ground, detail)| combined(ground, detail))
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        if self.is_inside(p) { self.height(p) } else { Sample::<2>::OUTSIDE.value }
    }

    fn sample_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        self.fill_points(points, out);
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        out.evaluate_grid(
            |axis, list| list.extend(grid.coordinates(axis)),
            |positions, out| {
                let Positions::Grid(axes) = positions else { return };
                self.fill(grid, axes.each_ref().each(|axis| axis.list()), out);
            },
        );
    }

    /// Nodes are at least as high as the field is somewhere, and at most as high as the paths that
    /// lead up from the coarsest ones; the ground is a channel lower, or a valley side higher.
    /// Slopes have no bound that holds everywhere, but see [`local_bounds`](Self::local_bounds).
    fn bounds(&self) -> Bounds {
        let base = self.field.bounds();
        let ground = Bounds {
            min: base.min - self.rivers.network.deepest(),
            max: base.max + self.rivers.network.climb(),
            ..Bounds::UNKNOWN
        };
        self.with_detail(ground, [1.0, f64::INFINITY], |detail| detail.bounds())
    }

    fn has_loose_bounds(&self) -> bool {
        self.detail.as_ref().is_some_and(|detail| detail.has_loose_bounds())
    }

    /// From the rivers around small balls; [`bounds`](Self::bounds) for those that are wider than
    /// four times the distance between the finest rivers.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        if !self.is_inside(p) || radius.is_nan() || radius < 0.0 {
            return Bounds::UNKNOWN;
        }
        let (disc, catchment) = (Disc { center: p, radius }, self.catchment());
        let Some(DiscBounds { min, max, slope, left }) = self.rivers.bounds(disc, &catchment)
        else {
            return self.bounds();
        };
        // Values are rounded to f32.
        let slack = 1e-6 * (1.0 + min.abs().max(max.abs()));
        let ground = Bounds { min: min - slack, max: max + slack, ..Bounds::UNKNOWN };
        let ground = Bounds { lipschitz: slope, ..ground };
        let near = self.with_detail(ground, left, |detail| detail.local_bounds(p, radius));
        let value = f64::from(self.value(p));
        if value.is_nan() {
            return Bounds::UNKNOWN;
        }
        let reach = times(near.lipschitz, radius) + 1e-6 * (1.0 + value.abs());
        let near = near.and(Bounds { min: value - reach, max: value + reach, ..near });
        Bounds { lipschitz: self.limited_slope(disc, near.lipschitz), ..near.and(self.bounds()) }
    }

    fn band_limited(&self, spacing: f64) -> Option<SharedField<2>> {
        (spacing >= 0.0).then(|| Arc::new(self.limited(spacing)) as _)
    }

    fn smoothed(&self, wavelength: f64) -> Option<SharedField<2>> {
        (wavelength >= 0.0).then(|| self.coarse(wavelength))
    }

    /// Without the rivers that are closer to each other than the points: each point would need a
    /// network of its own.
    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        (spacing > self.rivers.network.shape.spacing).then(|| self.coarse(spacing))
    }
}

impl RiverGround {
    /// Bounds with those of detail, which may be absent. `left` has the largest part of it that is
    /// left, and the Lipschitz constant of that part.
    fn with_detail(
        &self,
        ground: Bounds,
        left: [f64; 2],
        of: impl FnOnce(&(dyn Field<2> + Send + Sync)) -> Bounds,
    ) -> Bounds {
        let Some(detail) = &self.detail else { return ground };
        let detail = of(&**detail);
        let slope = times(left[0], detail.lipschitz) + times(left[1], detail.max_abs());
        Bounds {
            min: ground.min + times(left[0], detail.min.min(0.0)),
            max: ground.max + times(left[0], detail.max.max(0.0)),
            lipschitz: ground.lipschitz + slope,
            ..ground
        }
    }
}

/// Networks with fewer levels, and the weights of their gradients. The last weight is that of the
/// field alone.
#[derive(Clone, Debug)]
pub(super) struct BandLimit {
    pub networks: Vec<(f64, Arc<Blocks>)>,
    pub field: f64,
}

impl BandLimit {
    /// Rivers of a spacing count like an octave with cells as wide as that. `None` if all count
    /// fully.
    ///
    /// With the weight w_i of level i, and the gradient g_i of the ground with the levels up to i,
    /// the result is g_field + sum of w_i (g_i - g_(i-1)).
    pub fn new(rivers: &Arc<Blocks>, spacing: f64) -> Option<Self> {
        let network = &rivers.network;
        let weights: Vec<f64> =
            network.spacings().map(|own| f64::from(resolved(spacing / own))).collect();
        if weights.iter().all(|&weight| weight >= 1.0) {
            return None;
        }
        let next = weights.iter().skip(1).chain([&0.0]);
        let networks = weights.iter().zip(next).enumerate().filter(|(_, (own, next))| own > next);
        let networks = networks.map(|(level, (own, next))| {
            let is_whole = level + 1 == network.levels.len();
            let with = || rivers.truncated(level + 1);
            (own - next, if is_whole { rivers.clone() } else { with() })
        });
        Some(Self { networks: networks.collect(), field: 1.0 - weights[0] })
    }
}

impl RiverGround {
    /// A bound of gradients in a disc, given that of slopes. At a coarse level of detail, gradients
    /// are a mean of those of several networks and of the field, and those of detail are added.
    fn limited_slope(&self, disc: Disc, own: f64) -> f64 {
        let Some((limited, field)) = &self.limited else { return own };
        let of = |rivers: &Arc<Blocks>| rivers.bounds(disc, &self.catchment()).map(|b| b.slope);
        let networks = limited.networks.iter().map(|(_, rivers)| of(rivers));
        let networks = networks.map(|slope| slope.unwrap_or(f64::INFINITY));
        own + networks.fold(field.local_bounds(disc.center, disc.radius).lipschitz, f64::max)
    }

    /// The same values, with gradients low-pass filtered for a grid of `spacing`.
    pub(crate) fn limited(&self, spacing: f64) -> Self {
        let by =
            |field: &SharedField<2>| field.band_limited(spacing).unwrap_or_else(|| field.clone());
        let limited = BandLimit::new(&self.rivers, spacing);
        let limited = limited.map(|limited| (limited, by(&self.field)));
        Self { detail: self.detail.as_ref().map(by), limited, ..self.clone() }
    }

    /// The field without rivers that are closer to each other than a wavelength, and without the
    /// fine octaves of what it is made from.
    pub(super) fn coarse(&self, wavelength: f64) -> SharedField<2> {
        let by =
            |field: &SharedField<2>| field.smoothed(wavelength).unwrap_or_else(|| field.clone());
        let network = &self.rivers.network;
        let count =
            network.spacings().take_while(|spacing| resolves(1.0 / spacing, wavelength)).count();
        let field = by(&self.field);
        if count == 0 {
            return field;
        }
        Arc::new(Self {
            field,
            relief: self.relief.as_ref().map(by),
            detail: self.detail.as_ref().map(by),
            rivers: Arc::new(Blocks::new(network.truncated(count))),
            limited: None,
            ..self.clone()
        })
    }
}
