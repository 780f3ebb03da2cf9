//! Streaming: the systems that build, show and remove chunks. All decisions are made by the pure
//! functions of `select` and `display`; here they meet the ECS. Each system has a file, named after
//! its step in [`TerrainSystems`](crate::TerrainSystems).
//!
//! A terrain has one generation of chunks on show. When its settings change, a second one is built
//! beside it and replaces it, in one frame, once it is complete. Changes that arrive meanwhile
//! wait, the newest alone, so that terrain follows a dragged slider at the speed at which it can be
//! built.

mod adopt;
pub(crate) mod budget;
mod chunks;
mod dispatch;
pub(crate) mod events;
mod generation;
pub(crate) mod origin;
pub(crate) mod problems;
mod receive;
mod removal;
mod report;
pub(crate) mod schedule;
mod select;
mod show;

use std::sync::Arc;

use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;

use crate::chunk::key::{Chunk, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::lod::selection::View;
use crate::query::GroundQuery;
use crate::terrain::{Appearance, Terrain};

pub(crate) use adopt::{adopt, on_terrain_added};
pub(crate) use dispatch::dispatch;
use generation::Generation;
pub(crate) use receive::receive;
pub(crate) use removal::{on_chunk_removed, on_terrain_removed};
pub(crate) use report::report;
pub(crate) use select::select_chunks;
pub(crate) use show::show;

/// What streaming keeps for each terrain.
#[derive(Component, Default)]
pub(crate) struct Streaming {
    /// The settings that were taken over last.
    adopted: Option<(Terrain, Seams)>,
    /// The ground of the settings that were taken over last, and when those were changed.
    ground: Option<(Tick, GroundQuery)>,
    /// Its place (x, height, z) in the world; none where it is rotated, scaled, or too far away.
    pub(crate) place: Option<[f64; 3]>,
    /// How many generations were begun.
    revision: u32,
    /// The newest settings, while an earlier change is being built.
    waiting: Option<(Arc<ChunkBuilder>, Appearance)>,
    /// The chunks on show.
    shown: Option<Generation>,
    /// The chunks that will replace them.
    next: Option<Generation>,
    /// Hidden chunks of generations that were replaced, until they are removed.
    retired: Vec<Entity>,
    /// The viewers of the last frame that had any.
    now: Vec<View>,
    /// The viewers that the selection was made for: it follows when they have gone some way.
    views: Vec<View>,
    /// Whether all that they want was there in the last frame.
    ready: bool,
}

impl Streaming {
    fn generations(&self) -> impl Iterator<Item = &Generation> {
        self.shown.iter().chain(&self.next)
    }

    /// The ground of these settings, if they were taken over.
    pub(crate) fn ground(&self, settings: &Ref<Terrain>) -> Option<&GroundQuery> {
        let (taken, ground) = self.ground.as_ref()?;
        // After days, Bevy moves ticks.
        let same = || self.adopted.as_ref().is_some_and(|(adopted, _)| *adopted == **settings);
        (*taken == settings.last_changed() || same()).then_some(ground)
    }

    /// The ground of the settings that were taken over last.
    pub(crate) fn last_ground(&self) -> Option<&GroundQuery> {
        self.ground.as_ref().map(|(_, ground)| ground)
    }

    /// The layout of the chunks of a revision.
    pub(crate) fn layout(&self, revision: u32) -> Option<&Layout> {
        let mut generations = self.generations();
        generations.find(|generation| generation.revision == revision).map(Generation::layout)
    }

    /// What the chunks on show look like.
    #[cfg_attr(not(feature = "render"), expect(dead_code, reason = "a server draws nothing"))]
    pub(crate) fn look(&self) -> Option<&Appearance> {
        self.shown.as_ref().map(|shown| &shown.look)
    }

    fn generations_mut(&mut self) -> impl Iterator<Item = &mut Generation> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    /// The generation in which this very entity holds the slot of its chunk.
    fn holder(&mut self, chunk: &Chunk, entity: Entity) -> Option<&mut Generation> {
        self.generations_mut().find(|generation| {
            let slot = generation.chunks.get(&chunk.key);
            generation.revision == chunk.revision && slot.is_some_and(|slot| slot.entity == entity)
        })
    }
}
