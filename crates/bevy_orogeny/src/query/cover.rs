//! The cover at a position: the weights with which the material mixes its layers, computed on the
//! CPU.

use orogeny::cover::{CoverKind, CoverPoint};
use orogeny::{Appearance, Cover};

use super::{GroundQuery, QueryError};
use crate::chunk::curvature;
use crate::lod::viewer::POSITION;

impl GroundQuery {
    /// The appearance of the ground: the layers to which the weights of [`cover`](Self::cover)
    /// belong, and the sea.
    pub fn appearance(&self) -> &Appearance {
        self.landscape.appearance()
    }

    /// The weight of each layer of cover at a position, see [`Cover::weights`], with what is
    /// painted over it: for footsteps, tyre grip and vegetation. The material draws the same up
    /// close, except that it interpolates slopes and paint between vertices, and curvatures over
    /// 8 m or four cells, whichever is more. For a terrain that was moved, use
    /// [`TerrainGround::cover`](crate::TerrainGround::cover).
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::advanced::POSITION), and a field that is not finite
    /// there.
    ///
    /// ```
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let ground = GroundQuery::of(&Terrain::default())?;
    /// let weights = ground.cover([120.0, -40.0])?;
    /// for (layer, weight) in ground.appearance().cover.layers.iter().zip(weights) {
    ///     println!("{:?}: {:.0} %", layer.kind, 100.0 * weight);
    /// }
    /// # assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cover(&self, position: [f64; 2]) -> Result<[f32; Cover::MAX_LAYERS], QueryError> {
        self.cover_of(position, position)
    }

    /// The kind of ground at a position: the layer of [`cover`](Self::cover) with the most weight,
    /// paint included. `None` if the cover has no layers.
    ///
    /// # Errors
    /// As [`cover`](Self::cover).
    pub fn dominant_cover(&self, position: [f64; 2]) -> Result<Option<&CoverKind>, QueryError> {
        let weights = self.cover(position)?;
        Ok(self.heaviest(&weights))
    }

    /// The kind of the layer with the most weight.
    pub(super) fn heaviest(&self, weights: &[f32]) -> Option<&CoverKind> {
        let layers = self.appearance().cover.layers.iter().zip(weights);
        layers.max_by(|a, b| a.1.total_cmp(b.1)).map(|(layer, _)| &layer.kind)
    }

    /// The same. `world` is the position in the material's patterns.
    pub(super) fn cover_of(
        &self,
        position: [f64; 2],
        world: [f64; 2],
    ) -> Result<[f32; Cover::MAX_LAYERS], QueryError> {
        let mean = self.mean_cover_point(position, world)?;
        Ok(self.landscape.cover(position, &mean))
    }

    /// The inputs of the cover at a position, on average over the year. `world` is that position in
    /// the material's patterns.
    fn mean_cover_point(
        &self,
        position: [f64; 2],
        world: [f64; 2],
    ) -> Result<CoverPoint, QueryError> {
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        let sample = self.sample(position)?;
        let [dx, dz] = sample.gradient;
        let scale = curvature::scale(&self.layout, 0);
        let curvature = CoverPoint::curvature_of(&self.smooth, position, scale);
        let climate = self.climate_field().at(position, &sample);
        let is_known = climate.temperature.is_finite() && climate.moisture.is_finite();
        if !curvature.is_finite() || !is_known {
            return Err(QueryError::NotFinite { position });
        }
        let slope = (dx * dx + dz * dz).sqrt();
        Ok(CoverPoint { height: sample.value, slope, curvature, position: world, climate })
    }
}
