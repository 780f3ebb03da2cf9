//! Each terrain selects the chunks that its viewers want.

use bevy_camera::{Camera, Projection};
use bevy_ecs::prelude::*;
use bevy_math::Mat3A;
use bevy_time::Time;
use bevy_transform::helper::TransformHelper;

use super::Streaming;
use super::generation::Generation;
use crate::lod::selection::{SLACK, View};
use crate::lod::viewer::{Motion, POSITION, TerrainViewer, look};
use crate::streaming::budget::TerrainBudget;
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};

type Viewer = (
    Entity,
    &'static TerrainViewer,
    &'static mut Motion,
    Option<(&'static Camera, &'static Projection)>,
);

/// The time of a frame where an app keeps none, in seconds.
const FRAME: f64 = 1.0 / 60.0;

/// Begins the next generation and lets every generation select its chunks.
pub(crate) fn select_chunks(
    mut terrains: Query<(Entity, &mut Streaming)>,
    mut viewers: Query<Viewer>,
    cameras: Query<(), With<Camera>>,
    transforms: TransformHelper,
    origin: Res<TerrainOrigin>,
    time: Option<Res<Time>>,
    budget: Res<TerrainBudget>,
    mut problems: ResMut<TerrainProblems>,
    mut views: Local<Vec<View>>,
) {
    let no_viewer = |problem: &TerrainProblem| matches!(problem, TerrainProblem::NoViewer { .. });
    if viewers.is_empty() && !terrains.is_empty() {
        problems.report(None, TerrainProblem::NoViewer { camera: !cameras.is_empty() });
    } else {
        problems.clear(None, no_viewer);
    }

    let seconds = time.map_or(FRAME, |time| time.delta_secs_f64());
    look_around(&mut viewers, &transforms, &origin, seconds, &mut problems, &mut views);
    for (entity, mut streaming) in &mut terrains {
        let streaming = &mut *streaming;
        streaming.place = place(entity, &transforms);
        if let Some([ox, oy, oz]) = streaming.place {
            problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Transformed));
            // Without a viewer, what is there stays.
            if !views.is_empty() {
                streaming.now.clear();
                streaming.now.extend(views.iter().map(|&view| View {
                    position: [view.position[0] - ox, view.position[1] - oz],
                    ahead: [view.ahead[0] - ox, view.ahead[1] - oz],
                    height: view.height - oy,
                    ..view
                }));
                let Streaming { ground, now, .. } = streaming;
                if let Some((_, ground)) = ground {
                    for view in now {
                        let below = ground.field(view.position).map(|ground| ground.value.into());
                        view.ground = below.unwrap_or(f64::NEG_INFINITY);
                    }
                }
            }
        } else {
            problems.report(Some(entity), TerrainProblem::Transformed);
            streaming.now.clear();
        }
        if streaming.next.is_none()
            && let Some((builder, look)) = streaming.waiting.take()
        {
            streaming.revision += 1;
            let generation = Some(Generation::new(streaming.revision, builder, look));
            if streaming.shown.is_none() {
                streaming.shown = generation;
            } else {
                streaming.next = generation;
            }
        }
        let Streaming { shown, next, views, now, .. } = streaming;
        // Selection follows when a viewer has gone some way, not at every step.
        let slack = shown.iter().chain(&*next).map(|g| SLACK * g.layout().size(0));
        let slack = slack.fold(f64::INFINITY, f64::min);
        let moved = views.len() != now.len()
            || !now.iter().zip(&*views).all(|(now, old)| now.is_near(old, slack));
        if moved {
            views.clear();
            views.extend(now.iter());
        }
        for generation in shown.iter_mut().chain(next) {
            // A new generation has selected nothing yet.
            let new = generation.selection.is_empty() && !views.is_empty();
            if generation.take_errors() || moved || new {
                generation.select(views, budget.chunks);
            }
        }
    }
}

/// The place (x, height, z) of a terrain in the world; none where it is rotated, scaled, or out of
/// the world.
pub(super) fn place(entity: Entity, transforms: &TransformHelper) -> Option<[f64; 3]> {
    let global = transforms.compute_global_transform(entity).ok()?;
    let place = global.translation().to_array().map(f64::from);
    let moved_only = global.affine().matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-5);
    (moved_only && place.iter().all(|&x| POSITION.check(x).is_ok())).then_some(place)
}

/// All viewers, at their places in the world.
fn look_around(
    viewers: &mut Query<Viewer>,
    transforms: &TransformHelper,
    origin: &TerrainOrigin,
    seconds: f64,
    problems: &mut TerrainProblems,
    views: &mut Vec<View>,
) {
    views.clear();
    for (entity, viewer, mut motion, camera) in viewers {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, height, z] = origin.position(global.translation());
        match viewer.view([x, height, z], camera) {
            Ok(view) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Viewer(_)));
                let ahead = motion.ahead([x, z], viewer.range, seconds);
                let look = camera.and_then(|camera| look(global.forward().into(), camera));
                views.push(View { ahead, look, ..view });
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Viewer(error)),
        }
    }
}
