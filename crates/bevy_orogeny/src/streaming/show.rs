//! Chunks are shown and hidden.

use std::time::Instant;

use bevy_asset::Assets;
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;

use super::Streaming;
use super::chunks::{count_build, finish, spawn};
use super::generation::{Generation, Progress};
use crate::budget::TerrainStats;
use crate::mesh;
use crate::problems::TerrainProblems;

/// Decides which chunks are drawn, so that every view is covered in every frame.
pub(crate) fn show(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Streaming)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, mut streaming) in &mut terrains {
        let Streaming { shown, next, .. } = &mut *streaming;
        let Some(current) = shown else { continue };
        // The next generation takes over when it is complete; or early, if the current one would have to
        // begin anew as well, after a teleport.
        let over = |next: &Generation| next.is_complete() || !current.missing_roots().is_empty();
        if next.as_ref().is_some_and(over)
            && let Some(next) = next.take()
        {
            let old = core::mem::replace(current, next);
            old.chunks.values().for_each(|slot| commands.entity(slot.entity).try_despawn());
        }
        // At the start and after a teleport, the few roots that the view needs are built at once: coarse ground
        // in the first frame rather than none.
        for key in current.missing_roots() {
            let start = Instant::now();
            let built = mesh::build(&*current.source.field, &current.source.layout, key);
            count_build(&mut stats, start.elapsed());
            let chunk = spawn(&mut commands, entity, current, key, Progress::Ready);
            finish(&mut commands, chunk, entity, built, &mut meshes, &mut problems);
        }
        let cut = current.cut();
        for (key, slot) in &mut current.chunks {
            let (progress, visibility) = match (cut.contains(key), slot.progress) {
                (true, Progress::Ready) => (Progress::Drawn, Visibility::Inherited),
                (false, Progress::Drawn) => (Progress::Ready, Visibility::Hidden),
                _ => continue,
            };
            slot.progress = progress;
            commands.entity(slot.entity).try_insert(visibility);
        }
    }
}
