//! Far from home: positions in the world are an origin in `f64` plus a `Transform` in `f32`.

use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

/// Where `Transform`s are counted from: position in the world = origin + `Transform`.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TerrainOrigin {
    offset: [f64; 2],
}

impl TerrainOrigin {
    /// The position (x, height, z) in the world of a place in `Transform`s.
    pub fn position(&self, place: Vec3) -> [f64; 3] {
        let [x, y, z] = place.to_array().map(f64::from);
        [self.offset[0] + x, y, self.offset[1] + z]
    }

    /// The transform of a chunk whose corner is at (x, z) from the terrain's origin.
    pub(crate) fn transform(&self, [x, z]: [f64; 2]) -> Transform {
        Transform::from_xyz((x - self.offset[0]) as f32, 0.0, (z - self.offset[1]) as f32)
    }
}
