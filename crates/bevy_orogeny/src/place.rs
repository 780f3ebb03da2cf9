//! Where a terrain is.

use bevy_ecs::entity::Entity;
use bevy_math::Mat3A;
use bevy_transform::helper::TransformHelper;

use crate::viewer::PLACE;

/// The place (x, height, z) of a terrain in the world; none where it is rotated, scaled, or out of the world.
pub(crate) fn place(entity: Entity, transforms: &TransformHelper) -> Option<[f64; 3]> {
    let global = transforms.compute_global_transform(entity).ok()?;
    let place = global.translation().to_array().map(f64::from);
    let moved_only = global.affine().matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-5);
    (moved_only && place.iter().all(|&x| PLACE.check(x).is_ok())).then_some(place)
}
