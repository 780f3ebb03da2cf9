//! Step `Select`: each terrain selects the chunks that its viewers want, from where it is.

use bevy_camera::{Camera, Projection};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Mat3A;
use bevy_time::Time;
use bevy_transform::helper::TransformHelper;

use super::components::{ChunkSets, TerrainViews};
use crate::base::budget::TerrainBudget;
use crate::base::current_transforms::CurrentTransforms;
use crate::base::origin::TerrainOrigin;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::lod::camera::{sector, zoom};
use crate::lod::motion::Motion;
use crate::lod::quality::TerrainQuality;
use crate::lod::selection::SLACK;
use crate::lod::view::{View, Zoom};
use crate::lod::viewer::{POSITION, TerrainViewer};
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::Terrain;

type Viewer = (
    Entity,
    &'static TerrainViewer,
    &'static mut Motion,
    Option<&'static Camera>,
    Option<&'static Projection>,
);

/// The duration of a frame in an app without time, in seconds.
const FRAME: f64 = 1.0 / 60.0;

/// The resources and queries of selection.
#[derive(SystemParam)]
pub(crate) struct Select<'w, 's> {
    terrains:
        Query<'w, 's, (&'static AdoptedGround, &'static mut ChunkSets, &'static mut TerrainViews)>,
    viewers: Query<'w, 's, Viewer>,
    cameras: Query<'w, 's, (), With<Camera>>,
    transforms: CurrentTransforms<'w, 's>,
    origin: Res<'w, TerrainOrigin>,
    time: Option<Res<'w, Time>>,
    budget: Res<'w, TerrainBudget>,
    quality: Res<'w, TerrainQuality>,
    problems: ResMut<'w, TerrainProblems>,
    views: Local<'s, Vec<View>>,
}

/// Starts pending changes, and updates the selection of all sets.
pub(crate) fn select_chunks(mut select: Select) {
    select.run(Motion::advance);
}

/// Selects again for cameras that moved later in the frame.
pub(crate) fn select_again(mut select: Select) {
    select.run(Motion::correct);
}

/// Whether an active viewer has moved since the last selection.
pub(crate) fn viewers_moved_late(
    viewers: Query<(Entity, &Motion, Option<&Camera>), With<TerrainViewer>>,
    transforms: CurrentTransforms,
    origin: Res<TerrainOrigin>,
) -> bool {
    viewers.iter().any(|(entity, motion, camera)| {
        camera.is_none_or(|camera| camera.is_active)
            && transforms
                .global(entity)
                .is_some_and(|global| !motion.was_at(origin.position(global.translation())))
    })
}

impl Select<'_, '_> {
    fn run(&mut self, follow: fn(&mut Motion, [f64; 2], f64, f64) -> [f64; 2]) {
        self.find_views(follow);
        let Self { terrains, budget, views, .. } = self;
        for (ground, mut sets, mut local) in terrains {
            local_views(&mut local, views, ground);
            sets.start_pending();
            let TerrainViews { now, selected, budget: last_budget, .. } = &mut *local;
            // Selection follows a viewer after it has moved some distance, not in every frame.
            let slack = sets.iter().map(|other| SLACK * other.layout().size(0));
            let slack = slack.fold(f64::INFINITY, f64::min);
            let new = selected.len() != now.len()
                || !now.iter().zip(&*selected).all(|(now, old)| now.is_near(old, slack))
                || *last_budget != budget.chunks;
            let jolted = selected.len() != now.len()
                || !now.iter().zip(&*selected).all(|(now, old)| now.asks_the_same(old));
            if new {
                selected.clone_from(now);
                *last_budget = budget.chunks;
            }
            for set in sets.iter_mut() {
                // A new set has no selection yet.
                let first = set.selection.is_empty() && !selected.is_empty();
                let new = new || first;
                set.jolted |= jolted;
                set.measure_slopes(selected);
                if new || !set.is_selected() || set.lod_scale.may_recover() {
                    set.select(selected, budget.chunks, new);
                }
            }
        }
    }

    /// Collects all active viewers, at their positions in the world.
    fn find_views(&mut self, follow: fn(&mut Motion, [f64; 2], f64, f64) -> [f64; 2]) {
        let no_viewer =
            |problem: &TerrainProblem| matches!(problem, TerrainProblem::NoViewer { .. });
        if self.viewers.is_empty() && !self.terrains.is_empty() {
            let camera = !self.cameras.is_empty();
            self.problems.report(None, TerrainProblem::NoViewer { camera });
        } else {
            self.problems.clear(None, no_viewer);
        }
        let Self { viewers, transforms, origin, time, problems, views, quality, .. } = self;
        let seconds = time.as_ref().map_or(FRAME, |time| time.delta_secs_f64());
        views.clear();
        let coarseness = quality.clamped().coarseness;
        for (entity, viewer, mut motion, camera, projection) in viewers {
            if camera.is_some_and(|camera| !camera.is_active) {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Viewer(_)));
                continue;
            }
            let Some(global) = transforms.global(entity) else { continue };
            let position = origin.position(global.translation());
            motion.see(position);
            let camera = camera.zip(projection);
            match viewer.view(position, coarseness, camera) {
                Ok(view) => {
                    problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Viewer(_)));
                    let ahead = follow(&mut motion, view.position, viewer.range, seconds);
                    let sector = camera.and_then(|camera| sector(global.forward().into(), camera));
                    let zoom =
                        camera.map_or(Zoom::NONE, |camera| zoom(global.forward().into(), camera));
                    views.push(View { ahead, zoom, sector, ..view });
                }
                Err(error) => problems.report(Some(entity), TerrainProblem::Viewer(error)),
            }
        }
    }
}

/// Converts the viewers to a terrain's own coordinates.
fn local_views(local: &mut TerrainViews, views: &[View], ground: &AdoptedGround) {
    let TerrainViews { now, moved, .. } = local;
    let Some([ox, oy, oz]) = ground.position else {
        *moved = !now.is_empty();
        now.clear();
        return;
    };
    // Without a viewer, all chunks stay as they are.
    if views.is_empty() {
        *moved = false;
        return;
    }
    *moved = now.len() != views.len();
    now.resize_with(views.len(), || views[0]);
    for (now, &view) in now.iter_mut().zip(views) {
        let position = [view.position[0] - ox, view.position[1] - oz];
        let below = ground.newest().and_then(|ground| ground.field(position).ok());
        let new = View {
            position,
            ahead: [view.ahead[0] - ox, view.ahead[1] - oz],
            height: view.height - oy,
            ground: below.map_or(f64::NEG_INFINITY, |ground| ground.value.into()),
            ..view
        };
        *moved |= new != *now;
        *now = new;
    }
}

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
