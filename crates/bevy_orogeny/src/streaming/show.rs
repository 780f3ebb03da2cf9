//! Chunks are shown and hidden.

use bevy_asset::Assets;
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_platform::time::Instant;

use super::Streaming;
use super::chunks::{count_build, finish, spawn};
use super::generation::{Generation, Progress};
use crate::budget::TerrainStats;
use crate::mesh;

/// Decides which chunks are drawn, so that every view is covered in every frame.
pub(crate) fn show(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Streaming)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
) {
    for (entity, mut streaming) in &mut terrains {
        let Streaming { shown, next, retired, .. } = &mut *streaming;
        let Some(current) = shown else { continue };
        // The next generation takes over when it is as complete as the current one, which gets nothing new meanwhile: for
        // viewers at rest when all is there, for fast ones before they outrun the old. And early, if the
        // current one would have to begin anew as well, after a teleport.
        let over = |next: &Generation| {
            next.unready() <= current.unready() || !current.missing_roots().is_empty()
        };
        if next.as_ref().is_some_and(over)
            && let Some(next) = next.take()
        {
            let old = core::mem::replace(current, next);
            for slot in old.chunks.values() {
                if slot.progress == Progress::Building {
                    commands.entity(slot.entity).try_despawn();
                } else {
                    commands.entity(slot.entity).try_insert(Visibility::Hidden);
                    retired.push(slot.entity);
                }
            }
        }
        // At the start and after a teleport, the few roots that the view needs are built at once: coarse ground
        // in the first frame rather than none.
        for key in current.missing_roots() {
            let start = Instant::now();
            let built = mesh::build(&*current.source.field, &current.source.layout, key);
            count_build(&mut stats, start.elapsed());
            let chunk = spawn(&mut commands, entity, current, key, Progress::Ready);
            finish(&mut commands, current, chunk, built, &mut meshes);
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
