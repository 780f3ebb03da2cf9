//! Builds tiles around sources, and again where edits and obstacles touch them.
//!
//! [`stream`] runs once a frame. Each mesh has a [`Queue`] of the tiles that it misses. All meshes
//! share the number of tasks that may run, and the most urgent tile of all begins first.

mod obstacles;
mod queue;

use bevy_ecs::prelude::*;
use bevy_orogeny::TerrainQuery;
use bevy_orogeny::advanced::{POSITION, Places, TerrainBudget};
use bevy_orogeny::orogeny::limits::{Limit, OutOfLimits};
use bevy_platform::time::Instant;
use bevy_tasks::AsyncComputeTaskPool;

use crate::key::TileKey;
use crate::mesh::{NavigationMesh, NavigationSource, RANGE};
use crate::path::NavigationError;
pub(crate) use obstacles::{WorldObstacles, find as find_obstacles};
pub(crate) use queue::Queue;

/// The maximum number of tasks for each thread. They run in the order in which they begin, so a
/// tile that an edit touches waits for those before it: some milliseconds each.
const TASKS_PER_THREAD: usize = 8;

/// Tiles of a mesh were built, replaced by other ones or removed, or the whole mesh has moved:
/// search paths over them again. Triggered on the mesh, in the frame in which that happens.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct NavigationChanged {
    /// The entity of the mesh.
    #[event_target]
    pub mesh: Entity,
    /// The tiles in the order of their keys, each once.
    pub tiles: Vec<TileKey>,
}

/// Keeps the tiles of all meshes up to date.
pub(crate) fn stream(
    mut commands: Commands,
    mut meshes: Query<(Entity, &mut NavigationMesh)>,
    sources: Query<(Entity, &NavigationSource)>,
    obstacles: Res<WorldObstacles>,
    terrains: TerrainQuery,
    places: Places,
    budget: Option<Res<TerrainBudget>>,
) {
    let now = Instant::now();
    for (_, mut component) in &mut meshes {
        let mesh = component.bypass_change_detection();
        mesh.queue.collect(&mut mesh.tiles);
        let ground = mesh.terrain.map_or_else(|| terrains.single(), |it| terrains.get(it));
        match ground {
            Ok(ground) => {
                let offset @ [x, _, z] = ground.offset();
                mesh.move_to([x, z]);
                mesh.queue.adopt(ground.query(), &mesh.tiles);
                mesh.queue.follow(&obstacles, offset, now, &mesh.tiles);
                mesh.problem = None;
            }
            // The old tiles stay until there is ground again.
            Err(error) => {
                mesh.queue.miss_obstacles();
                mesh.problem = Some(error.into());
            }
        }
    }
    for (entity, source) in &sources {
        let Ok((_, mut component)) = meshes.get_mut(source.mesh) else { continue };
        let mesh = component.bypass_change_detection();
        let Some(place) = places.get(entity) else { continue };
        let [x, _, z] = place.position;
        mesh.add_source(source, [x, z]);
    }
    for (entity, mut component) in &mut meshes {
        let mesh = component.bypass_change_detection();
        if mesh.has_ground() {
            mesh.queue.update(&mut mesh.tiles);
        }
        let tiles = mesh.queue.take_changed();
        if !tiles.is_empty() {
            component.set_changed();
            commands.trigger(NavigationChanged { mesh: entity, tiles });
        }
    }
    let most = budget.as_deref().copied().unwrap_or_default().tasks.max(1);
    let threads = AsyncComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
    dispatch(&mut meshes, most.min(TASKS_PER_THREAD * threads));
}

/// Begins tasks for the most urgent tiles, up to a number of tasks for all meshes.
fn dispatch(meshes: &mut Query<(Entity, &mut NavigationMesh)>, most: usize) {
    let in_flight = meshes.iter().map(|(_, mesh)| mesh.queue.stream.building().len()).sum();
    for _ in in_flight..most {
        let waiting = meshes.iter_mut().filter(|(_, mesh)| mesh.has_ground());
        let next = waiting.filter_map(|(_, mesh)| Some((mesh.queue.stream.next()?, mesh)));
        let Some((_, mut component)) = next.min_by_key(|(urgency, _)| *urgency) else { break };
        let mesh = component.bypass_change_detection();
        mesh.queue.begin(&mesh.tiles);
    }
}

impl NavigationMesh {
    /// Whether it has a terrain that has ground.
    fn has_ground(&self) -> bool {
        !matches!(self.problem, Some(NavigationError::Ground(_)))
    }

    /// Adopts the terrain's position in the world. If that has changed, all tiles have moved.
    fn move_to(&mut self, offset: [f64; 2]) {
        if self.offset != offset {
            self.offset = offset;
            self.queue.mark_all(&self.tiles);
        }
    }

    /// Wants the tiles around a source at a position in the world.
    fn add_source(&mut self, source: &NavigationSource, position: [f64; 2]) {
        if !self.has_ground() {
            return;
        }
        let cell_size = self.tiles.agent().cell_size;
        let position = [0, 1].map(|k| position[k] - self.offset[k]);
        match check(source, position, cell_size) {
            Ok(()) => self.queue.stand(TileKey::at(position, cell_size), source.range),
            Err(error) => self.problem = Some(NavigationError::OutOfLimits(error)),
        }
    }
}

fn check(source: &NavigationSource, position: [f64; 2], cell_size: f64) -> Result<(), OutOfLimits> {
    let max = RANGE.max.min(NavigationSource::MAX_TILES * TileKey::size(cell_size));
    Limit { max, ..RANGE }.check(source.range)?;
    position.into_iter().try_for_each(|x| POSITION.check(x))
}
