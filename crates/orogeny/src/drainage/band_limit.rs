//! Ground without fine rivers: their slopes, for the normals of coarse levels of detail, or all of
//! them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::drainage::ground::blocks::Blocks;
use crate::drainage::ground::bounds::Disc;
use crate::drainage::river_ground::RiverGround;
use crate::field::{Field, SharedField};
use crate::fractal::octave::resolved;
use crate::node::smoothed::resolves;

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
            let with = || Arc::new(Blocks::new(network.truncated(level + 1)));
            (own - next, if is_whole { rivers.clone() } else { with() })
        });
        Some(Self { networks: networks.collect(), field: 1.0 - weights[0] })
    }
}

impl RiverGround {
    /// A bound of gradients in a disc, given that of slopes. At a coarse level of detail, gradients
    /// are a mean of those of several networks and of the field, and those of detail are added.
    pub(super) fn limited_slope(&self, disc: Disc, own: f64) -> f64 {
        let Some((limited, field)) = &self.limited else { return own };
        let of = |rivers: &Arc<Blocks>| rivers.bounds(disc, &self.land()).map(|b| b.slope);
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
