//! Tiles come and go with their sources.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_platform::collections::HashMap;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, ComputeTaskPool, Task};
use bevy_time::Time;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;

use super::engine::PhysicsEngine;
use super::reach::Reach;
use super::tile::{Tile, layout};
use crate::chunk::key::{ChunkKey, Layout};
use crate::colliders::source::{ColliderTile, Grounded, TerrainColliderSource};
use crate::lod::viewer::POSITION;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::standing::spawn_on_ground::SpawnOnGround;
use crate::streaming::budget::TerrainBudget;
use crate::streaming::events::GroundReady;
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;

/// A tile on its way. Despawning the entity cancels it.
#[derive(Component)]
pub(super) struct TileTask<E: PhysicsEngine>(Task<E::Collider>);

/// The ground that a terrain's tiles were made of, and where it was: (x, height, z) in the world.
#[derive(Component, Clone)]
pub(super) struct Standing {
    pub ground: GroundQuery,
    pub place: [f64; 3],
}

impl Standing {
    /// That of the newest settings, where the terrain can be stood on.
    pub(super) fn of(adopted: &AdoptedGround) -> Option<Self> {
        Some(Self { ground: adopted.newest()?.clone(), place: adopted.position? })
    }

    /// Whether nothing has changed or moved.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.ground.is(&other.ground) && self.place == other.place
    }

    /// A position (x, z) in the world, from the terrain's origin.
    pub(super) fn local(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x - self.place[0], z - self.place[2]]
    }

    /// The height of the triangles at (x, z), all in the world; that of the origin where the field
    /// is not finite.
    pub(super) fn height(&self, position: [f64; 2]) -> f64 {
        let surface = self.ground.surface(self.local(position));
        self.place[1] + surface.map_or(0.0, |surface| surface.value.into())
    }
}

/// The shortest time for which ground is prepared, in seconds: engines may step longer than a frame
/// took.
const STEP: f64 = 1.0 / 30.0;

/// A tile that is there or on its way.
pub(super) struct Known {
    entity: Entity,
    built: bool,
    wanted: bool,
}

pub(super) type Source<E> = (
    Entity,
    &'static TerrainColliderSource,
    Option<&'static <E as PhysicsEngine>::Velocity>,
    Has<Grounded>,
    Has<SpawnOnGround>,
);

/// Builds the tiles that sources need, and removes those that none does.
pub(super) fn stream<E: PhysicsEngine>(
    mut commands: Commands,
    terrains: Query<(Entity, &AdoptedGround, Option<&Standing>)>,
    sources: Query<Source<E>>,
    mut tiles: Query<(Entity, &ColliderTile, Option<&mut TileTask<E>>)>,
    transforms: TransformHelper,
    origin: Res<TerrainOrigin>,
    time: Option<Res<Time>>,
    budget: Res<TerrainBudget>,
    mut problems: ResMut<TerrainProblems>,
    mut known: Local<HashMap<(Entity, ChunkKey), Known>>,
    mut keys: Local<Vec<ChunkKey>>,
) {
    known.clear();
    let mut in_flight = 0;
    for (entity, tile, task) in &mut tiles {
        let terrain = terrains.get(tile.terrain).ok();
        let fresh = terrain.is_some_and(|(_, adopted, made_of)| {
            let now = adopted.newest().filter(|_| adopted.position.is_some());
            now.zip(made_of).is_some_and(|(now, made_of)| now.is(&made_of.ground))
        });
        if !fresh {
            commands.entity(entity).try_despawn();
            continue;
        }
        let mut built = task.is_none();
        if let Some(collider) = task.and_then(|mut task| check_ready(&mut task.0)) {
            commands.entity(entity).try_remove::<TileTask<E>>().try_insert(collider);
            built = true;
        }
        in_flight += usize::from(!built);
        known.insert((tile.terrain, tile.key), Known { entity, built, wanted: false });
    }

    let (mut missing, mut ready) = (Vec::new(), Vec::new());
    let step = time.map_or(STEP, |time| time.delta_secs_f64().max(STEP));
    for (terrain, adopted, made_of) in &terrains {
        if let Some(now) = Standing::of(adopted)
            && !made_of.is_some_and(|made_of| now.is(made_of))
        {
            commands.entity(terrain).try_insert(now);
        }
    }
    for (entity, source, velocity, grounded, waiting) in &sources {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, y, z] = origin.position(global.translation());
        let Vec3 { x: vx, z: vz, .. } = velocity.map_or(Vec3::ZERO, E::linear);
        let velocity = [vx, vz].map(f64::from);
        let (mut problem, mut has_ground) = (None, false);
        for (terrain, adopted, _) in &terrains {
            let (Some(ground), Some([ox, oy, oz])) = (adopted.newest(), adopted.position) else {
                continue;
            };
            let layout = layout(ground);
            let reach = Reach::new(layout, [x - ox, z - oz], source.radius, velocity);
            let reach = match POSITION.check(y - oy).and(reach) {
                Ok(reach) => reach,
                Err(error) => {
                    problem = Some(error);
                    continue;
                }
            };

            reach.now(step, &mut keys);
            for key in keys.drain(..) {
                let old = known.get_mut(&(terrain, key));
                if let Some(Known { built: true, wanted, .. }) = old {
                    *wanted = true;
                    continue;
                }
                // It may be on its way, but it is needed now.
                if let Some(old) = old {
                    commands.entity(old.entity).try_despawn();
                    in_flight -= 1;
                }
                let entity = spawn(&mut commands, &origin, terrain, &layout, key);
                missing.push((entity, ground, key));
                known.insert((terrain, key), Known { entity, built: true, wanted: true });
            }
            has_ground = true;

            reach.near(&mut keys);
            for key in keys.drain(..) {
                if let Some(tile) = known.get_mut(&(terrain, key)) {
                    tile.wanted = true;
                }
            }
            reach.soon(&mut keys);
            for key in keys.drain(..) {
                if let Some(tile) = known.get_mut(&(terrain, key)) {
                    tile.wanted = true;
                } else if in_flight < budget.tiles_in_flight {
                    in_flight += 1;
                    let ground = ground.clone();
                    let task = async move { E::collider(&Tile::build(&ground, key)) };
                    let task = TileTask::<E>(AsyncComputeTaskPool::get().spawn(task));
                    let entity = spawn(&mut commands, &origin, terrain, &layout, key);
                    commands.entity(entity).try_insert(task);
                    known.insert((terrain, key), Known { entity, built: false, wanted: true });
                }
            }
        }
        if has_ground && !grounded && !waiting {
            ready.push(entity);
        }
        match problem {
            Some(error) => problems.report(Some(entity), TerrainProblem::Source(error)),
            None => problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Source(_))),
        }
    }

    // All threads help, since the step waits for it.
    let colliders = ComputeTaskPool::get().scope(|scope| {
        for (_, ground, key) in &missing {
            scope.spawn(async move { E::collider(&Tile::build(ground, *key)) });
        }
    });
    for ((entity, ..), collider) in missing.iter().zip(colliders) {
        commands.entity(*entity).try_insert(collider);
    }

    for tile in known.values().filter(|tile| !tile.wanted) {
        commands.entity(tile.entity).try_despawn();
    }
    for entity in ready {
        commands.entity(entity).try_insert(Grounded);
        commands.trigger(GroundReady { entity });
    }
}

/// Spawns a tile without its collider.
fn spawn(
    commands: &mut Commands,
    origin: &TerrainOrigin,
    terrain: Entity,
    layout: &Layout,
    key: ChunkKey,
) -> Entity {
    let transform = origin.transform(layout.origin(key));
    commands.spawn((ColliderTile { terrain, key }, transform, ChildOf(terrain))).id()
}

/// Puts tiles where they belong, after an origin was inserted.
pub(super) fn follow(
    origin: Res<TerrainOrigin>,
    terrains: Query<&Standing>,
    mut tiles: Query<(&ColliderTile, &mut Transform)>,
) {
    if !origin.is_changed() {
        return;
    }
    for (tile, mut transform) in &mut tiles {
        let Ok(Standing { ground, .. }) = terrains.get(tile.terrain) else { continue };
        transform.set_if_neq(origin.transform(layout(ground).origin(tile.key)));
    }
}

/// Forgets what was known of an entity as a source, so that it starts afresh if it becomes one
/// again.
pub(super) fn on_source_removed(
    event: On<Remove, TerrainColliderSource>,
    mut commands: Commands,
    problems: Option<ResMut<TerrainProblems>>,
) {
    commands.entity(event.entity).try_remove::<Grounded>();
    if let Some(mut problems) = problems {
        problems.clear(Some(event.entity), |p| matches!(p, TerrainProblem::Source(_)));
    }
}

/// What is no terrain any more does not remember the ground that it was.
pub(super) fn on_terrain_removed(event: On<Remove, Terrain>, mut commands: Commands) {
    commands.entity(event.entity).try_remove::<Standing>();
}
