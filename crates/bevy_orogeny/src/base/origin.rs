//! The floating origin: a position in the world is an origin in `f64` plus a `Transform` in `f32`.
//!
//! `f32` has 24 bits: some kilometres from zero a `Transform` resolves a millimetre, and at 1e6 m
//! six centimetres. Rebasing keeps `Transform`s small. Between two frames it moves the origin by
//! whole steps, and all `Transform`s the other way. A step is a whole number of chunks and of
//! periods of the ground material's patterns, so the differences are exact. Two things change. The
//! renderer rounds more finely. And what Bevy ties to the world's zero, such as the grid of shadow
//! texels and the planet of its atmosphere, stays there.

use bevy_ecs::event::Event;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectResource;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

/// The origin moves by multiples of this, in metres along each axis.
pub const ORIGIN_STEP: f64 = 8192.0;

/// The origin of `Transform`s: position in the world = origin + `Transform`.
///
/// By default the origin is 0 and stays there. With [`rebase`](Self::rebase) it follows the viewer
/// that is nearest to it. Viewers, and entities with a
/// [`WorldPosition`](crate::WorldPosition), are then moved the other
/// way, with their children, and [`OriginMoved`] is triggered.
///
/// A [`Terrain`](crate::Terrain) is not moved, nor are its children other than chunks, plants and
/// colliders. Its `Transform` is relative to the origin 0, so it must not share a parent with a
/// viewer. Its own translation should be small: with a distant origin, chunks are at the difference
/// of the two, in `f32`.
///
/// To manage the origin yourself, insert this resource whenever it changes. Entities with a
/// [`WorldPosition`](crate::WorldPosition) follow; move all others, viewers too. It must be a
/// multiple of [`ORIGIN_STEP`]. To move it as late as in `PostUpdate`, do so before
/// [`FollowTerrainOrigin`](crate::advanced::FollowTerrainOrigin).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainOrigin;
///
/// // Begin a trillion metres away.
/// let origin = TerrainOrigin::at([1e12, -1e12]).rebasing();
/// let camera = Transform::from_translation(origin.translation([1e12 + 0.5, 200.0, -1e12]));
/// assert_eq!(origin.position(camera.translation), [1e12 + 0.5, 200.0, -1e12]);
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TerrainOrigin {
    pub(crate) offset: [f64; 2],
    /// Whether the origin follows the viewers.
    pub rebase: bool,
}

/// The origin has moved. Subtract [`by`](Self::by) from translations that you store elsewhere.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub struct OriginMoved {
    /// In metres: new translation = old translation - `by`.
    pub by: Vec3,
}

impl TerrainOrigin {
    /// The origin nearest to (x, z): a multiple of [`ORIGIN_STEP`] along each axis. Coordinates
    /// that are not finite count as 0.
    pub fn at(position: [f64; 2]) -> Self {
        let offset = position.map(|at| if at.is_finite() { nearest_step(at) } else { 0.0 });
        Self { offset, rebase: false }
    }

    /// The same origin, but following the viewers.
    pub fn rebasing(self) -> Self {
        Self { rebase: true, ..self }
    }

    /// The origin itself: (x, z) in metres.
    pub fn offset(&self) -> [f64; 2] {
        self.offset
    }

    /// The position (x, height, z) in the world of a `Transform` translation.
    pub fn position(&self, translation: Vec3) -> [f64; 3] {
        let [x, y, z] = translation.to_array().map(f64::from);
        [self.offset[0] + x, y, self.offset[1] + z]
    }

    /// The `Transform` translation of a position (x, height, z) in the world.
    pub fn translation(&self, [x, y, z]: [f64; 3]) -> Vec3 {
        Vec3::new((x - self.offset[0]) as f32, y as f32, (z - self.offset[1]) as f32)
    }

    /// The transform of a chunk whose corner is at (x, z) from the terrain's origin. Exact if the
    /// difference to the origin is exact in `f32`.
    pub(crate) fn transform(&self, [x, z]: [f64; 2]) -> Transform {
        Transform::from_translation(self.translation([x, 0.0, z]))
    }
}

pub(crate) fn nearest_step(at: f64) -> f64 {
    (at / ORIGIN_STEP).round() * ORIGIN_STEP
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn translations_and_positions_are_inverse(
            x in -1e12f64..1e12, z in -1e12f64..1e12,
            near in [-6000f32..6000.0, -6000f32..6000.0],
        ) {
            let origin = TerrainOrigin::at([x, z]);
            let [ox, oz] = origin.offset();
            prop_assert!((ox - x).abs() <= ORIGIN_STEP / 2.0);
            prop_assert!((oz - z).abs() <= ORIGIN_STEP / 2.0);
            // Multiples of a power of two that are still exact when 1e12 is added.
            let [x, z] = near.map(|at| (at * 1024.0).round() / 1024.0);
            let translation = Vec3::new(x, 12.5, z);
            prop_assert_eq!(origin.translation(origin.position(translation)), translation);
        }
    }

    #[test]
    fn an_origin_is_finite() {
        assert_eq!(TerrainOrigin::at([f64::NAN, f64::INFINITY]), TerrainOrigin::default());
    }
}
