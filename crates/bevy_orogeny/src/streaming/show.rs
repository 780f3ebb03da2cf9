//! Chunks are shown, hidden and morphed.

use bevy_asset::Assets;
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_mesh::{Mesh, MeshTag};
use bevy_platform::time::Instant;

use super::Streaming;
use super::chunks::{count_build, finish, spawn};
use super::generation::{Generation, Progress};
use crate::chunk::morph::Morph;
use crate::chunk::seams::Seams;
use crate::lod::selection::View;
use crate::streaming::budget::TerrainStats;
use crate::streaming::events::TerrainReady;
use crate::streaming::origin::TerrainOrigin;

/// Decides which chunks are drawn, so that every view is covered in every frame.
pub(crate) fn show(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Streaming)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
    mut tags: Query<&mut MeshTag>,
    origin: Res<TerrainOrigin>,
) {
    for (entity, mut streaming) in &mut terrains {
        let Streaming { shown, next, retired, now, waiting, ready, .. } = &mut *streaming;
        let Some(current) = shown else { continue };
        next.iter_mut().for_each(Generation::update);
        current.update();
        // The next generation takes over when it is as complete as the current one, which gets
        // nothing new meanwhile: for viewers at rest when all is there, for fast ones before they
        // outrun the old. And early, if the current one would have to begin anew as well, after a
        // teleport.
        let over = |next: &Generation| {
            next.is_measured() && next.unready <= current.unready
                || current.missing_root().is_some()
        };
        if next.as_ref().is_some_and(over)
            && let Some(next) = next.take()
        {
            let old = core::mem::replace(current, next);
            for slot in old.chunks.values() {
                if slot.progress == Progress::Building {
                    stats.cancelled += 1;
                    commands.entity(slot.entity).try_despawn();
                } else {
                    commands.entity(slot.entity).try_insert(Visibility::Hidden);
                    retired.push(slot.entity);
                }
            }
        }
        // At the start and after a teleport, the few roots that the view needs are built at once:
        // coarse ground in the first frame rather than none.
        while let Some(key) = current.missing_root() {
            let start = Instant::now();
            let built = current.builder.build(key);
            count_build(&mut stats, start.elapsed());
            let chunk = spawn(&mut commands, &origin, entity, current, key, Progress::Ready);
            finish(&mut commands, current, entity, chunk, key, built, &mut meshes);
        }
        current.update();
        if core::mem::take(&mut current.redraw) {
            display(&mut commands, current);
        }
        if current.builder.seams() == Seams::Morph {
            morph(current, now, &mut commands, &mut tags);
        }
        let complete = !current.selection.is_empty()
            && current.unready == 0
            && current.is_measured()
            && next.is_none()
            && waiting.is_none();
        if complete && !*ready {
            commands.trigger(TerrainReady { terrain: entity });
        }
        *ready = complete;
    }
}

/// Shows what is in the cut and hides what is not.
fn display(commands: &mut Commands, generation: &mut Generation) {
    let Generation { cut, chunks, .. } = generation;
    for (&key, slot) in chunks {
        let drawn = cut.contains(key);
        if drawn {
            slot.beside = cut.beside(key);
        }
        let (progress, visibility) = match (drawn, slot.progress) {
            (true, Progress::Ready) => (Progress::Drawn, Visibility::Inherited),
            (false, Progress::Drawn) => (Progress::Ready, Visibility::Hidden),
            _ => continue,
        };
        slot.progress = progress;
        commands.entity(slot.entity).try_insert(visibility);
    }
}

/// Tells the chunks on show how far they have turned into the next coarser level.
fn morph(
    generation: &mut Generation,
    now: &[View],
    commands: &mut Commands,
    tags: &mut Query<&mut MeshTag>,
) {
    let Generation { builder, errors, selection, chunks, .. } = generation;
    let layout = builder.layout();
    for (key, slot) in chunks.iter_mut().filter(|(_, slot)| slot.progress == Progress::Drawn) {
        let weight = |point| selection.morph(layout, now, key.lod, point);
        let morph = Morph::new(
            layout.corners(*key).map(weight),
            slot.beside,
            errors.slope_variance(key.lod),
        );
        if morph == slot.morph {
            continue;
        }
        slot.morph = morph;
        match tags.get_mut(slot.entity) {
            Ok(mut tag) => tag.0 = morph.tag(),
            // Spawned in this very frame.
            Err(_) => {
                commands.entity(slot.entity).try_insert(MeshTag(morph.tag()));
            }
        }
    }
}
