//! The positions of terrains.

use bevy_ecs::prelude::*;
use bevy_math::Mat3A;
use bevy_transform::helper::TransformHelper;

use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::lod::viewer::POSITION;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::Terrain;

/// Reads the position of each terrain.
pub(crate) fn locate(
    mut terrains: Query<(Entity, &mut AdoptedGround), With<Terrain>>,
    transforms: TransformHelper,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, mut ground) in &mut terrains {
        let position = position(entity, &transforms);
        // Only a move counts as a change.
        if ground.position != position {
            ground.position = position;
        }
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

#[cfg(test)]
mod tests {
    use bevy_app::{App, Update};
    use bevy_transform::components::{GlobalTransform, Transform};

    use super::*;

    /// Whether the ground has changed, by its change tick.
    #[derive(Resource, Default)]
    struct Changed(bool);

    #[test]
    fn a_terrain_at_rest_does_not_change() {
        let mut app = App::new();
        app.init_resource::<TerrainProblems>().init_resource::<Changed>();
        let look = |grounds: Query<Ref<AdoptedGround>>, mut changed: ResMut<Changed>| {
            changed.0 = grounds.iter().any(|ground| ground.is_changed());
        };
        app.add_systems(Update, (locate, look).chain());
        let parts = (Terrain::default(), AdoptedGround::default());
        let terrain = app.world_mut().spawn((parts, Transform::default())).id();
        let changes = |app: &mut App| {
            app.update();
            app.world().resource::<Changed>().0
        };
        assert!(changes(&mut app));
        assert!(!changes(&mut app));
        let moved = GlobalTransform::from_xyz(1.0, 2.0, 3.0);
        *app.world_mut().get_mut::<Transform>(terrain).unwrap() = moved.compute_transform();
        assert!(changes(&mut app));
        assert!(!changes(&mut app));
        let ground = app.world().get::<AdoptedGround>(terrain).unwrap();
        assert_eq!(ground.position, Some([1.0, 2.0, 3.0]));
    }
}
