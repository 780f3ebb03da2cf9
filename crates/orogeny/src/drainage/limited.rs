//! Gradients without the slopes of fine rivers, for the normals of coarse levels of detail.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::drainage::blocks::Blocks;
use crate::fractal::octave::resolved;

/// Networks with fewer levels, and the weights of their gradients. The last weight is that of the
/// field alone.
#[derive(Clone, Debug)]
pub(super) struct Limited {
    pub networks: Vec<(f64, Arc<Blocks>)>,
    pub field: f64,
}

impl Limited {
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
