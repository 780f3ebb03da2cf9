//! Step `Show`: shows, hides and morphs chunks.

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_mesh::MeshTag;
use bevy_platform::time::Instant;
use bevy_tasks::ComputeTaskPool;
use bevy_time::Time;

use super::chunk_entity::{BuiltChunk, ChunkSpawner};
use super::chunk_set::ChunkSet;
use super::components::{ChunkSets, ShownAppearance, TerrainViews};
use crate::base::events::{TerrainChanged, TerrainReady};
use crate::chunk::key::ChunkKey;
use crate::chunk::morph::Morph;
use crate::chunk::seams::Seams;
use crate::lod::morph_weights::WeightPace;
use crate::lod::view::View;
use crate::query::adopted_ground::AdoptedGround;

/// The resources and queries of showing.
#[derive(SystemParam)]
pub(crate) struct Show<'w, 's> {
    spawner: ChunkSpawner<'w, 's>,
    terrains: Query<
        'w,
        's,
        (
            Entity,
            &'static mut ChunkSets,
            &'static mut ShownAppearance,
            &'static TerrainViews,
            &'static mut AdoptedGround,
        ),
    >,
    tags: Query<'w, 's, &'static mut MeshTag>,
    time: Option<Res<'w, Time>>,
}

/// Decides which chunks are drawn. Together they cover every view in every frame.
pub(crate) fn show(show: Show) {
    let seconds = show.seconds();
    show_after(show, seconds);
}

/// Decides again for cameras that moved later in the frame, whose time has passed already.
pub(crate) fn show_again(show: Show) {
    let seconds = show.seconds().map(|_| 0.0);
    show_after(show, seconds);
}

impl Show<'_, '_> {
    /// The seconds since the last frame. `None` while time stands still, so that nothing glides.
    fn seconds(&self) -> Option<f64> {
        let seconds = self.time.as_ref().map(|time| time.delta_secs_f64());
        seconds.filter(|&seconds| seconds > 0.0)
    }
}

/// Decides after so many seconds.
fn show_after(show: Show, seconds: Option<f64>) {
    let Show { mut spawner, mut terrains, mut tags, .. } = show;
    for (entity, mut sets, mut appearance, views, mut ground) in &mut terrains {
        let ChunkSets { shown, next, retired, pending, complete, replaced, .. } = &mut *sets;
        let Some(current) = shown else { continue };
        let mut is_new = false;
        next.iter_mut().for_each(ChunkSet::update);
        current.update();
        if let Some(mut next) = next.take_if(|next| takes_over(next, current)) {
            next.follow(current);
            let old = core::mem::replace(current, next);
            spawner.stats.cancelled += old.retire(&mut spawner.commands, retired, current);
            *replaced = replaced.wrapping_add(1);
            is_new = true;
        }
        // At the start and after a teleport, build the few roots that the view needs at once, so
        // that the first frame has at least coarse ground.
        let home = current.home(entity, ground.position);
        for (key, built) in built_roots(current) {
            current.settles = true;
            current.put(key, built, |built| spawner.spawn(home, key, built));
        }
        current.update();

        let commands = &mut spawner.commands;
        let redraw = core::mem::take(&mut current.redraw);
        if redraw {
            display(commands, current);
        }
        // Weights only depend on the cut and on the viewers.
        if (redraw || views.moved || current.glides) && current.builder.seams() == Seams::Morph {
            let seconds = seconds.filter(|_| !current.settles);
            morph(current, &views.now, seconds, commands, &mut tags);
        }
        let new = current.ground.appearance();
        if appearance.0.as_ref() != Some(new) {
            appearance.0 = Some(new.clone());
            is_new = true;
        }
        if is_new {
            commands.trigger(TerrainChanged { terrain: entity });
        }

        // Until chunks are drawn, nobody sees another ground than the newest.
        let drawn = (!current.cut.is_empty()).then_some(&current.ground);
        if !ground.shows(drawn) {
            ground.show(drawn);
        }

        let now_complete = !current.selection.is_empty()
            && current.unready == 0
            && current.knows_levels()
            && next.is_none()
            && pending.is_none();
        if now_complete && !*complete {
            commands.trigger(TerrainReady { terrain: entity });
        }
        current.settles &= !now_complete;
        *complete = now_complete;
    }
}

/// Builds the missing roots on all threads.
fn built_roots(set: &ChunkSet) -> Vec<(ChunkKey, BuiltChunk)> {
    let builder = &set.builder;
    ComputeTaskPool::get().scope(|scope| {
        for key in set.missing_roots() {
            scope.spawn(async move {
                let begun = Instant::now();
                let chunk = builder.build_selected(key);
                (key, BuiltChunk { chunk, begun, time: begun.elapsed() })
            });
        }
    })
}

/// Whether the next set replaces the current one, which gets no new chunks meanwhile.
///
/// It does when it is at least as complete, its plants included. For viewers at rest that is when
/// all its chunks are ready, for fast ones before they leave the old chunks behind. It also does
/// when the current one lacks a root that a view needs, as after a teleport: both would have to
/// start again.
fn takes_over(next: &ChunkSet, current: &ChunkSet) -> bool {
    !next.waits.any() && next.is_selected() && next.unready <= current.unready
        || current.missing_roots().next().is_some()
}

/// Shows the chunks of the cut and hides all others.
fn display(commands: &mut Commands, set: &mut ChunkSet) {
    let ChunkSet { cut, chunks, sweep, .. } = set;
    for (key, chunk) in chunks.ready_mut() {
        let is_drawn = cut.contains(key);
        if is_drawn {
            chunk.neighbours = cut.neighbours(key);
        }
        if chunk.is_drawn != is_drawn {
            chunk.is_drawn = is_drawn;
            // What is hidden may not be wanted any more.
            *sweep |= !is_drawn;
            let visibility = if is_drawn { Visibility::Inherited } else { Visibility::Hidden };
            commands.entity(chunk.entity).try_insert(visibility);
        }
    }
}

/// Sets the morph weights of the drawn chunks for viewers at `now`, after so many seconds.
fn morph(
    set: &mut ChunkSet,
    now: &[View],
    seconds: Option<f64>,
    commands: &mut Commands,
    tags: &mut Query<&mut MeshTag>,
) {
    let ChunkSet { builder, slopes, selection, chunks, weights, jolted, glides, .. } = set;
    let layout = builder.layout();
    let drawn = chunks.ready().filter(|(_, chunk)| chunk.is_drawn);
    let drawn = drawn.map(|(key, chunk)| (key, chunk.neighbours));
    let pace = match (seconds, core::mem::take(jolted)) {
        (None, _) => WeightPace::AtOnce,
        (Some(seconds), true) => WeightPace::Glide(seconds),
        (Some(seconds), false) => WeightPace::Follow(seconds),
    };
    *glides = !weights.update(drawn, pace, |corner| {
        selection.morph(layout, now, corner.lod, layout.origin(corner))
    });
    for (key, chunk) in chunks.ready_mut().filter(|(_, chunk)| chunk.is_drawn) {
        let morph = Morph::new(
            weights.of(key),
            chunk.neighbours,
            slopes.as_ref().map_or(0.0, |slopes| slopes.of(key.lod)),
        );
        if morph == chunk.morph {
            continue;
        }
        chunk.morph = morph;
        match tags.get_mut(chunk.entity) {
            Ok(mut tag) => tag.0 = morph.tag(),
            // The chunk was spawned in this frame.
            Err(_) => {
                commands.entity(chunk.entity).try_insert(MeshTag(morph.tag()));
            }
        }
    }
}
