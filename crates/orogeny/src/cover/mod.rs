//! Ground cover: rock, grass, snow and so on, by height, slope, curvature, climate and noise.
//!
//! `layer.rs` has one layer and its bands, `edge_noise.rs` the noise that displaces their edges,
//! `textures.rs` the textures of its kinds. `bevy_orogeny` has the same arithmetic in `cover.wgsl`.
//! Start with [`Cover`].

mod edge_noise;
mod forms;
mod layer;
#[cfg(test)]
mod tests;
mod textures;

use alloc::vec::Vec;

pub use edge_noise::EdgeTextures;
pub use layer::{CoverKind, CoverLayer};
pub(crate) use layer::{climate_bands, in_range, patches, with_edges};
pub use textures::canopy;

use crate::arrays::Each;
use crate::climate::ClimatePoint;
use crate::error::DataError;
use crate::field::Field;
#[cfg(feature = "serde")]
use crate::limits::at_most;
use edge_noise::EdgeNoise;

/// Ground cover: layers, each on top of those before it.
///
/// The *opacity* of a layer at a point, 0 to 1, is the product of bands in height, slope,
/// curvature, temperature and moisture, and of its patches. Noise displaces the soft edges of
/// bands, see [`CoverLayer`]. With the opacities a_i the weight of layer i is
///
/// w_i = a_i (1 - a_(i+1)) (1 - a_(i+2)) ..,
///
/// and the first layer is opaque everywhere, so all weights add up to 1. A material mixes its
/// colours by these weights. A game uses them for footsteps, tyres and spawning.
///
/// ```
/// use orogeny::Cover;
/// use orogeny::cover::{CoverKind, CoverLayer, CoverPoint};
///
/// let cover = Cover {
///     layers: vec![
///         CoverLayer::of(CoverKind::Grass),
///         CoverLayer { slope: CoverLayer::SLOPE.above(0.7), ..CoverLayer::of(CoverKind::Rock) },
///         CoverLayer {
///             height: CoverLayer::HEIGHT.above(800.0),
///             slope: CoverLayer::SLOPE.below(1.0),
///             ..CoverLayer::of(CoverKind::Snow)
///         },
///     ],
/// };
/// let any = CoverPoint::default();
/// let weights = |height, slope| cover.weights(&CoverPoint { height, slope, ..any });
/// assert_eq!(weights(100.0, 0.1)[..3], [1.0, 0.0, 0.0]);
/// assert_eq!(weights(100.0, 2.0)[..3], [0.0, 1.0, 0.0]);
/// assert_eq!(weights(2000.0, 0.1)[..3], [0.0, 0.0, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Cover {
    /// The layers from bottom to top: 1 to [`MAX_LAYERS`](Self::MAX_LAYERS).
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "at_most::<{ Cover::MAX_LAYERS }, _, _>")
    )]
    pub layers: Vec<CoverLayer>,
}

/// A point of the ground, as input to [`Cover::weights`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoverPoint {
    /// Height above the terrain's origin in metres.
    pub height: f32,
    /// Slope: metres of height per metre.
    pub slope: f32,
    /// Curvature in 1 / m, positive in hollows, see [`curvature_of`](Self::curvature_of).
    pub curvature: f32,
    /// (x, z) in metres, for the noise that displaces the edges of bands.
    pub position: [f64; 2],
    /// The climate of the season, see [`Climate`](crate::Climate). It only counts for layers with
    /// bands in it.
    pub climate: ClimatePoint,
}

impl CoverPoint {
    /// The scale in metres of the curvature that cover depends on.
    /// [Band-limit](Field::band_limited) the field to it, so that finer detail has no effect.
    pub const SCALE: f64 = 8.0;

    /// The curvature of a field at a scale d, from its slopes g at four points around (x, z): half
    /// the sum of (g_x(x + d) - g_x(x - d)) / (2 d) and the same along z. Beside a hole, or at an
    /// end of the field, the slope at (x, z) and that of the other side count.
    pub fn curvature_of(field: &dyn Field<2>, [x, z]: [f64; 2], d: f64) -> f32 {
        let slope = |x: f64, z: f64, axis: usize| field.sample([x, z]).gradient[axis];
        let change_x = slope_change(slope(x - d, z, 0), || slope(x, z, 0), slope(x + d, z, 0));
        let change_z = slope_change(slope(x, z - d, 1), || slope(x, z, 1), slope(x, z + d, 1));
        (change_x + change_z) * (4.0 * d).recip() as f32
    }
}

/// How much a slope changes from one side of a point to the other, as far as there is ground: twice
/// the change to the side that has some, and nothing if neither has.
pub(crate) fn slope_change(before: f32, here: impl FnOnce() -> f32, after: f32) -> f32 {
    match [before, after].each(f32::is_nan) {
        [false, false] => after - before,
        [true, false] => 2.0 * (after - here()),
        [false, true] => 2.0 * (here() - before),
        [true, true] => 0.0,
    }
}

impl Cover {
    /// The maximum number of layers.
    pub const MAX_LAYERS: usize = 16;

    /// The weight of each layer at a point away from rivers and lakes, in the order of the layers,
    /// and 0 beyond the last one. The weights add up to 1.
    ///
    /// A layer that depends on a NaN does not cover the point. If height, slope, curvature or
    /// position is NaN, or the position is infinite, the first layer has all the weight.
    pub fn weights(&self, point: &CoverPoint) -> [f32; Self::MAX_LAYERS] {
        let mut weights = [0.0; Self::MAX_LAYERS];
        let noise = EdgeNoise::at(point.position);
        let mut bare = 1.0;
        for (i, layer) in self.layers.iter().enumerate().take(Self::MAX_LAYERS).rev() {
            let opacity = match i {
                0 => 1.0,
                _ if layer.is_bank() => 0.0,
                _ => layer.opacity(point, noise.edge(i), noise.patch),
            };
            // NaN counts as no cover.
            let opacity = if opacity >= 0.0 { opacity } else { 0.0 };
            weights[i] = bare * opacity;
            bare *= 1.0 - opacity;
        }
        weights
    }

    /// Whether any layer depends on the climate.
    pub fn has_climates(&self) -> bool {
        self.layers.iter().skip(1).any(|layer| layer.climate_bands().is_some())
    }

    /// Whether any layer covers banks of rivers and lakes.
    pub fn has_banks(&self) -> bool {
        self.layers.iter().skip(1).any(CoverLayer::is_bank)
    }

    /// The largest distance from the water of rivers and lakes, in metres, at which a layer covers
    /// their banks; negative infinity if none does.
    pub fn bank_reach(&self) -> f64 {
        let banks = self.layers.iter().take(Self::MAX_LAYERS).skip(1).filter(|l| l.is_bank());
        banks.map(CoverLayer::bank_reach).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The layers of banks over a point, at a distance in metres from the water of rivers and
    /// lakes, which is negative in it, in the mean climate. They lie over the
    /// [`weights`](Self::weights), see
    /// [`Painting::over`].
    pub fn banks(&self, point: &CoverPoint, distance: f64) -> Painting {
        let mut painting = Painting::NONE;
        if distance > self.bank_reach() {
            return painting;
        }
        let noise = EdgeNoise::at(point.position);
        for (i, layer) in self.layers.iter().enumerate().take(Self::MAX_LAYERS).skip(1) {
            if layer.is_bank() {
                let edge = noise.edge(i);
                let opacity = layer.bank_opacity(point, distance as f32, edge, noise.patch);
                // NaN counts as no cover.
                painting.add(i, if opacity >= 0.0 { opacity } else { 0.0 });
            }
        }
        painting
    }

    /// The layer with the largest weight at a point.
    pub fn dominant(&self, point: &CoverPoint) -> Option<&CoverLayer> {
        let weights = self.weights(point);
        let of = |i: usize| weights.get(i).copied().unwrap_or_default();
        let all = self.layers.iter().enumerate();
        all.max_by(|(i, _), (j, _)| of(*i).total_cmp(&of(*j))).map(|(_, layer)| layer)
    }

    /// Checks the number of layers and the limits of each.
    ///
    /// # Errors
    /// The first fault, with its path, such as `cover[2].slope.min`.
    pub fn check(&self) -> Result<(), DataError> {
        self.check_layers().map_err(|error| error.under("cover"))
    }

    fn check_layers(&self) -> Result<(), DataError> {
        let max = Self::MAX_LAYERS;
        match self.layers.len() {
            0 => return Err(DataError::here("must have at least one layer")),
            count if count > max => {
                return Err(DataError::here(format!(
                    "has {count} layers, but must have at most {max}"
                )));
            }
            _ => {}
        }
        for (i, layer) in self.layers.iter().enumerate() {
            layer.check().map_err(|error| error.under(&format!("[{i}]")))?;
        }
        Ok(())
    }
}

/// The layers of cover that are painted over a point.
///
/// [`Paint`](crate::edits::Paint) edits apply in the order of their ids. One of opacity a, which is
/// its strength times the weight of its area, multiplies what is there by 1 - a, and adds a to its
/// own layer. What is left of 1 shows the cover of the ground.
///
/// ```
/// use orogeny::Cover;
/// use orogeny::cover::CoverPoint;
/// use orogeny::edits::{EditLog, Paint};
///
/// let mut log = EditLog::new();
/// log.add(1, Paint { layer: 2, strength: 0.75, ..Paint::default() })?;
/// let painting = log.edits().painting([0.0, 0.0]);
/// assert_eq!(painting.weights[2], 0.75);
///
/// let cover = Cover::default();
/// let weights = painting.over(cover.weights(&CoverPoint::default()), cover.layers.len());
/// assert!(weights[2] >= 0.75 && (weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Painting {
    /// The weight of each layer, 0 to 1. Together they are at most 1, but for rounding.
    pub weights: [f32; Cover::MAX_LAYERS],
}

impl Painting {
    /// No paint.
    pub const NONE: Self = Self { weights: [0.0; Cover::MAX_LAYERS] };

    /// Adds a coat of a layer.
    pub(crate) fn add(&mut self, layer: usize, opacity: f32) {
        for weight in &mut self.weights {
            *weight *= 1.0 - opacity;
        }
        self.weights[layer] += opacity;
    }

    /// The same with another painting over it.
    pub fn under(mut self, other: &Self) -> Self {
        let bare = (1.0 - other.weights.iter().sum::<f32>()).max(0.0);
        for (weight, paint) in self.weights.iter_mut().zip(other.weights) {
            *weight = *weight * bare + paint;
        }
        self
    }

    /// The weights of cover with the paint over it. Paint of layers from `layers` on is not seen.
    pub fn over(
        &self,
        mut cover: [f32; Cover::MAX_LAYERS],
        layers: usize,
    ) -> [f32; Cover::MAX_LAYERS] {
        let seen = layers.min(Cover::MAX_LAYERS);
        let bare = (1.0 - self.weights[..seen].iter().sum::<f32>()).max(0.0);
        for (weight, paint) in cover[..seen].iter_mut().zip(self.weights) {
            *weight = *weight * bare + paint;
        }
        cover
    }
}

impl Default for Cover {
    /// For mountains with green valleys: grass, dark forest floor in the valleys, scree below rock,
    /// and snow on high ground.
    fn default() -> Self {
        let layer = CoverLayer::of;
        Self {
            layers: vec![
                layer(CoverKind::Grass),
                CoverLayer {
                    height: CoverLayer::HEIGHT.below(330.0).soft(160.0),
                    slope: CoverLayer::SLOPE.below(0.62).soft(0.2),
                    coverage: 0.62,
                    ..layer(CoverKind::Forest)
                },
                // Above the trees the grass is dry.
                CoverLayer {
                    height: CoverLayer::HEIGHT.above(420.0).soft(380.0),
                    colour: Some([0.41, 0.38, 0.26]),
                    ..layer(CoverKind::Grass)
                },
                CoverLayer {
                    slope: CoverLayer::SLOPE.above(0.56).soft(0.3),
                    ..layer(CoverKind::Scree)
                },
                CoverLayer {
                    slope: CoverLayer::SLOPE.above(0.78).soft(0.3),
                    strata: 0.15,
                    ..layer(CoverKind::Rock)
                },
                CoverLayer {
                    height: CoverLayer::HEIGHT.above(780.0).soft(260.0),
                    slope: CoverLayer::SLOPE.below(0.95).soft(0.4),
                    ..layer(CoverKind::Snow)
                },
            ],
        }
    }
}
