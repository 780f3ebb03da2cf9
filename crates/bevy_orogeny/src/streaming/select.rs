//! Each terrain selects the chunks that its viewers want.

use bevy_camera::{Camera, Projection};
use bevy_ecs::prelude::*;
use bevy_math::Mat3A;
use bevy_transform::helper::TransformHelper;

use super::Streaming;
use super::generation::Generation;
use crate::problems::{TerrainProblem, TerrainProblems};
use crate::select::View;
use crate::viewer::{PLACE, TerrainViewer};

/// Begins the next generation and lets every generation select its chunks.
pub(crate) fn select_chunks(
    mut terrains: Query<(Entity, &mut Streaming)>,
    viewers: Query<(Entity, &TerrainViewer, Option<(&Camera, &Projection)>)>,
    transforms: TransformHelper,
    mut problems: ResMut<TerrainProblems>,
) {
    let no_viewer = |problem: &TerrainProblem| matches!(problem, TerrainProblem::NoViewer);
    if viewers.is_empty() && !terrains.is_empty() {
        problems.report(None, TerrainProblem::NoViewer);
    } else {
        problems.clear(None, no_viewer);
    }

    let views = views(&viewers, &transforms, &mut problems);
    for (entity, mut streaming) in &mut terrains {
        let streaming = &mut *streaming;
        if let Some([ox, oz]) = place(entity, &transforms) {
            problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Transformed));
            // Without a viewer, what is there stays.
            if !views.is_empty() {
                streaming.views.clear();
                streaming.views.extend(views.iter().map(|&view| {
                    let [x, z] = view.position;
                    View { position: [x - ox, z - oz], ..view }
                }));
            }
        } else {
            problems.report(Some(entity), TerrainProblem::Transformed);
            streaming.views.clear();
        }
        if streaming.next.is_none()
            && let Some(source) = streaming.waiting.take()
        {
            streaming.revision += 1;
            let generation = Some(Generation::new(streaming.revision, source));
            if streaming.shown.is_none() {
                streaming.shown = generation;
            } else {
                streaming.next = generation;
            }
        }
        let Streaming { shown, next, views, .. } = streaming;
        for generation in shown.iter_mut().chain(next) {
            generation.select(views);
        }
    }
}

/// The place (x, z) of a terrain in the world; none where it is rotated, scaled, or out of the world.
fn place(entity: Entity, transforms: &TransformHelper) -> Option<[f64; 2]> {
    let global = transforms.compute_global_transform(entity).ok()?;
    let [x, _, z] = global.translation().to_array().map(f64::from);
    let moved_only = global.affine().matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-5);
    (moved_only && PLACE.check(x).is_ok() && PLACE.check(z).is_ok()).then_some([x, z])
}

/// All viewers, at their places in the world.
fn views(
    viewers: &Query<(Entity, &TerrainViewer, Option<(&Camera, &Projection)>)>,
    transforms: &TransformHelper,
    problems: &mut TerrainProblems,
) -> Vec<View> {
    let mut views = Vec::new();
    for (entity, viewer, camera) in viewers {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, _, z] = global.translation().to_array().map(f64::from);
        match viewer.view([x, z], camera) {
            Ok(view) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Viewer(_)));
                views.push(view);
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Viewer(error)),
        }
    }
    views
}
