//! The positions of terrains.

use bevy_ecs::prelude::*;
use bevy_math::Mat3A;
use bevy_transform::helper::TransformHelper;

use crate::lod::viewer::POSITION;
use crate::query::adopted_ground::AdoptedGround;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;

/// Reads the position of each terrain.
pub(crate) fn locate(
    mut terrains: Query<(Entity, &mut AdoptedGround), With<Terrain>>,
    transforms: TransformHelper,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, mut ground) in &mut terrains {
        ground.position = position(entity, &transforms);
        if ground.position.is_some() {
            problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Transformed));
        } else {
            problems.report(Some(entity), TerrainProblem::Transformed);
        }
    }
}

/// The position (x, height, z) of a terrain in the world. `None` if the terrain is rotated, scaled
/// or out of limits.
pub(super) fn position(entity: Entity, transforms: &TransformHelper) -> Option<[f64; 3]> {
    let global = transforms.compute_global_transform(entity).ok()?;
    let position = global.translation().to_array().map(f64::from);
    let moved_only = global.affine().matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-5);
    (moved_only && position.iter().all(|&x| POSITION.check(x).is_ok())).then_some(position)
}
