//! The ground of one terrain, in coordinates of the world.

use std::borrow::Cow;

use bevy_ecs::entity::Entity;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use orogeny::climate::ClimatePoint;
use orogeny::cover::CoverKind;
use orogeny::drainage::Water;
use orogeny::limits::OutOfLimits;
use orogeny::ray::{Cast, Hit, Ray};
use orogeny::{Cover, Curvature, Sample};

use crate::base::origin::TerrainOrigin;
use crate::base::query_error::QueryError;
use crate::query::{Footing, GroundQuery};

/// The ground of one terrain, in coordinates of the world.
#[derive(Clone, Debug)]
pub struct TerrainGround<'a> {
    pub(super) terrain: Entity,
    pub(super) query: Cow<'a, GroundQuery>,
    /// The terrain's position in the world.
    pub(super) offset: [f64; 3],
    /// The origin of `Transform`s.
    pub(super) origin: TerrainOrigin,
}

impl TerrainGround<'_> {
    /// The terrain's entity.
    pub fn terrain(&self) -> Entity {
        self.terrain
    }

    /// The terrain's origin (x, height, z) in the world, in metres.
    pub fn offset(&self) -> [f64; 3] {
        self.offset
    }

    /// The position (x, height, z) in the world of a `Transform` translation.
    pub fn position(&self, translation: Vec3) -> [f64; 3] {
        self.origin.position(translation)
    }

    /// The `Transform` translation of a position (x, height, z) in the world.
    pub fn translation(&self, position: [f64; 3]) -> Vec3 {
        self.origin.translation(position)
    }

    /// What a camera looks at: the first hit of the ray from the middle of its picture with the
    /// triangles of level 0, up to `reach` metres away. Pass the `GlobalTransform` of a camera that
    /// has a parent, by its [`compute_transform`](bevy_transform::components::GlobalTransform).
    ///
    /// # Errors
    /// As [`raycast_surface`](Self::raycast_surface).
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny::{TerrainEditor, TerrainQuery};
    ///
    /// fn blast(
    ///     terrains: TerrainQuery,
    ///     camera: Single<&Transform, With<Camera3d>>,
    ///     mut editor: TerrainEditor,
    /// ) -> Result {
    ///     if let Some(hit) = terrains.single()?.look(&camera, 200.0)? {
    ///         let [x, _, z] = hit.position;
    ///         editor.single()?.crater([x, z], 5.0)?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn look(&self, from: &Transform, reach: f64) -> Result<Option<Hit>, OutOfLimits> {
        let direction = from.forward().to_array().map(f64::from);
        let origin = self.position(from.translation);
        let ray = Ray { origin, direction, max_distance: reach };
        Ok(self.raycast_surface(&ray)?.hit())
    }

    /// The same ground in the terrain's own coordinates, for batches and other threads.
    pub fn query(&self) -> &GroundQuery {
        &self.query
    }

    /// Height in the world and slopes of the exact field at (x, z), see [`GroundQuery::field`].
    ///
    /// # Errors
    /// As there.
    pub fn field(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        Ok(self.raised(self.query.field(self.local(position))?))
    }

    /// Mean and Gaussian curvature of the exact field at (x, z), see [`GroundQuery::curvature`].
    ///
    /// # Errors
    /// As there.
    pub fn curvature(&self, position: [f64; 2]) -> Result<Curvature, QueryError> {
        self.query.curvature(self.local(position))
    }

    /// The weight of each layer of cover at (x, z), see [`GroundQuery::cover`].
    ///
    /// # Errors
    /// As there.
    pub fn cover(&self, position: [f64; 2]) -> Result<[f32; Cover::MAX_LAYERS], QueryError> {
        // The material's patterns stay where they are in the world when a terrain is moved.
        self.query.cover_of(self.local(position), position)
    }

    /// The kind of ground at (x, z), see [`GroundQuery::dominant_cover`].
    ///
    /// # Errors
    /// As there.
    pub fn dominant_cover(&self, position: [f64; 2]) -> Result<Option<&CoverKind>, QueryError> {
        let weights = self.cover(position)?;
        Ok(self.query.heaviest(&weights))
    }

    /// Temperature and moisture at (x, z), see [`GroundQuery::climate`].
    ///
    /// # Errors
    /// As there.
    pub fn climate(&self, position: [f64; 2]) -> Result<ClimatePoint, QueryError> {
        self.query.climate(self.local(position))
    }

    /// The nearest water to (x, z), with its position and its surface in the world, see
    /// [`GroundQuery::nearest_water`].
    ///
    /// # Errors
    /// As there.
    pub fn nearest_water(
        &self,
        position: [f64; 2],
        depth: f64,
        within: f64,
    ) -> Result<Option<([f64; 2], Water)>, QueryError> {
        let found = self.query.nearest_water(self.local(position), depth, within)?;
        let [dx, dy, dz] = self.offset;
        let raised = |water: Water| Water { surface: water.surface + dy, ..water };
        Ok(found.map(|([x, z], water)| ([x + dx, z + dz], raised(water))))
    }

    /// The water at (x, z), with its surface in the world, see [`GroundQuery::water`].
    ///
    /// # Errors
    /// As there.
    pub fn water(&self, position: [f64; 2]) -> Result<Option<Water>, QueryError> {
        let water = self.query.water(self.local(position))?;
        Ok(water.map(|water| Water { surface: water.surface + self.offset[1], ..water }))
    }

    /// The height of the sea in the world, in metres, if there is a sea.
    pub fn sea_level(&self) -> Option<f64> {
        self.query.appearance().sea_level.map(|level| f64::from(level) + self.offset[1])
    }

    /// Height in the world and slopes of the triangles of level 0 at (x, z), see
    /// [`GroundQuery::surface`].
    ///
    /// # Errors
    /// As there.
    pub fn surface(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        self.surface_at_level(0, position)
    }

    /// Height in the world and slopes of the triangles of a level at (x, z), see
    /// [`GroundQuery::surface_at_level`].
    ///
    /// # Errors
    /// As there.
    pub fn surface_at_level(&self, lod: u8, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        Ok(self.raised(self.query.surface_at_level(lod, self.local(position))?))
    }

    /// The surface at (x, z) in the world, without rounding.
    pub(crate) fn footing(&self, position: [f64; 2]) -> Result<Footing, QueryError> {
        let footing = self.query.footing(self.local(position))?;
        Ok(Footing { height: footing.height + self.offset[1], ..footing })
    }

    /// The first hit of a ray through the world with the exact field, see
    /// [`GroundQuery::raycast_field`].
    ///
    /// # Errors
    /// As there.
    pub fn raycast_field(&self, ray: &Ray, tolerance: f64) -> Result<Cast, OutOfLimits> {
        Ok(self.cast(self.query.raycast_field(&self.local_ray(ray), tolerance)?))
    }

    /// The first hit of a ray through the world with the triangles of level 0, see
    /// [`GroundQuery::raycast_surface`].
    ///
    /// # Errors
    /// As there.
    pub fn raycast_surface(&self, ray: &Ray) -> Result<Cast, OutOfLimits> {
        Ok(self.cast(self.query.raycast_surface(&self.local_ray(ray))?))
    }

    fn local(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x - self.offset[0], z - self.offset[2]]
    }

    /// A ray through the world, in the terrain's own coordinates.
    pub(super) fn local_ray(&self, ray: &Ray) -> Ray {
        Ray { origin: [0, 1, 2].map(|k| ray.origin[k] - self.offset[k]), ..*ray }
    }

    /// A point in the terrain's own coordinates, in those of the world.
    pub(super) fn world(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| point[k] + self.offset[k])
    }

    fn raised(&self, sample: Sample<2>) -> Sample<2> {
        Sample { value: sample.value + self.offset[1] as f32, ..sample }
    }

    fn cast(&self, cast: Cast) -> Cast {
        match cast {
            Cast::Hit(hit) => Cast::Hit(Hit {
                position: self.world(hit.position),
                ground: self.raised(hit.ground),
                ..hit
            }),
            other => other,
        }
    }
}
