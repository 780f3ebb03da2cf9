//! The tiles of each terrain: built where sources need them, and removed elsewhere.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_platform::collections::HashSet;
use bevy_tasks::ComputeTaskPool;
use bevy_time::Time;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use orogeny::Region;

use super::PhysicsEngine;
use super::reach::Reach;
use super::source::{ColliderTile, Grounded, TerrainColliderSource};
use super::tile::{TileColliders, layout};
use crate::base::budget::TerrainBudget;
use crate::base::derived::derived;
use crate::base::events::{GroundReady, WaitsForGround};
use crate::base::origin::TerrainOrigin;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::chunk::key::ChunkKey;
use crate::lod::viewer::POSITION;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;
use crate::stream::TileStream;
use crate::terrain::Terrain;

/// The shortest step to prepare for, in seconds: an engine may step longer than the last frame
/// took.
const SHORTEST_STEP: f64 = 1.0 / 30.0;

/// The ground from which a terrain's tiles are built, and the terrain's position (x, height, z) in
/// the world when they were built. It differs from [`AdoptedGround`] between a change and the next
/// step.
#[derive(Clone)]
pub(super) struct TileGround {
    pub ground: GroundQuery,
    pub position: [f64; 3],
}

impl TileGround {
    /// The newest valid ground. `None` if there is none, or the terrain is rotated or scaled.
    pub fn newest(adopted: &AdoptedGround) -> Option<Self> {
        Some(Self { ground: adopted.newest()?.clone(), position: adopted.position? })
    }

    /// Whether both are the same ground at the same position, and the same things stand on it.
    pub fn is(&self, other: &Self) -> bool {
        let same = self.ground.is(&other.ground) && self.ground.has_scatter_of(&other.ground);
        same && self.position == other.position
    }

    /// Where the heights of this ground differ from the one before; `None` for everywhere.
    pub fn changes(&self, old: &Self) -> Option<Vec<Region>> {
        self.ground.edited_since(&old.ground).filter(|_| self.position == old.position)
    }

    /// Where the tiles of this ground may differ from those of the one before, which move with the
    /// terrain; `None` for everywhere.
    fn tile_changes(&self, old: &Self) -> Option<Vec<Region>> {
        let mut changes = self.ground.edited_since(&old.ground)?;
        changes.extend(self.ground.solids_since(&old.ground)?);
        Some(changes)
    }

    /// Converts a position (x, z) in the world to one relative to the terrain's origin.
    pub fn local(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x - self.position[0], z - self.position[2]]
    }

    /// The height of the triangles at (x, z), both in the world. `None` in a hole.
    pub fn height(&self, position: [f64; 2]) -> Option<f64> {
        let surface = self.ground.surface(self.local(position)).ok()?;
        Some(self.position[1] + f64::from(surface.value))
    }
}

/// On each terrain: its tiles.
#[derive(Component)]
pub(super) struct Tiles<E: PhysicsEngine> {
    pub ground: TileGround,
    /// The entities of the tiles.
    stream: TileStream<ChunkKey, TileColliders<E>, Entity>,
    /// The sources on valid ground.
    reaches: Vec<Reach>,
    /// The tiles that they need in this step, and those near them.
    now: Vec<ChunkKey>,
    near: HashSet<ChunkKey>,
}

/// Adopts changed grounds. Tiles that have changed are despawned.
pub(super) fn adopt<E: PhysicsEngine>(
    mut commands: Commands,
    mut terrains: Query<(Entity, &AdoptedGround, Option<&mut Tiles<E>>)>,
) {
    for (terrain, adopted, tiles) in &mut terrains {
        let Some(ground) = TileGround::newest(adopted) else { continue };
        match tiles {
            Some(tiles) if ground.is(&tiles.ground) => {}
            Some(mut tiles) => tiles.adopt(ground, &mut commands),
            None => {
                commands.entity(terrain).try_insert(Tiles::<E> {
                    ground,
                    stream: TileStream::default(),
                    reaches: Vec::new(),
                    now: Vec::new(),
                    near: HashSet::default(),
                });
            }
        }
    }
}

/// A source, whether `GroundReady` was triggered for it, and whether it still waits to be put on
/// the ground.
type Source<E> = (
    Entity,
    &'static TerrainColliderSource,
    Option<&'static <E as PhysicsEngine>::Velocity>,
    Has<Grounded>,
    Has<WaitsForGround>,
);

/// Builds the tiles that sources need, and removes tiles that no source needs.
pub(super) fn stream<E: PhysicsEngine>(
    mut commands: Commands,
    mut terrains: Query<(Entity, &AdoptedGround, &mut Tiles<E>)>,
    sources: Query<Source<E>>,
    transforms: TransformHelper,
    (origin, budget): (Res<TerrainOrigin>, Res<TerrainBudget>),
    time: Option<Res<Time>>,
    mut problems: ResMut<TerrainProblems>,
) {
    let step = time.map_or(SHORTEST_STEP, |time| time.delta_secs_f64().max(SHORTEST_STEP));
    terrains.iter_mut().for_each(|(.., mut tiles)| tiles.reaches.clear());
    let mut ready = Vec::new();
    for (entity, source, velocity, grounded, waiting) in &sources {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, y, z] = origin.position(global.translation());
        let Vec3 { x: vx, z: vz, .. } = velocity.map_or(Vec3::ZERO, E::linear);
        let velocity = [vx, vz].map(f64::from);
        let (mut problem, mut has_ground) = (None, false);
        for (_, adopted, mut tiles) in &mut terrains {
            let (Some(ground), Some([ox, oy, oz])) = (adopted.newest(), adopted.position) else {
                continue;
            };
            let position = [x - ox, z - oz];
            let reach = Reach::new(layout(ground), position, source.radius, velocity);
            match POSITION.check(y - oy).and(reach) {
                Ok(reach) => {
                    tiles.reaches.push(reach.overhung_by(ground.widest_solid()));
                    has_ground = true;
                }
                Err(error) => problem = Some(error),
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
    let mut in_flight = 0;
    for (terrain, _, mut tiles) in &mut terrains {
        tiles.receive(terrain, &origin, &mut commands);
        tiles.want(step, &mut commands);
        tiles.build(terrain, &origin, &mut commands);
        in_flight += tiles.stream.building().len();
    }
    for (.., mut tiles) in &mut terrains {
        while in_flight < budget.max_tasks()
            && let Some((.., key)) = tiles.stream.next()
        {
            let ground = tiles.ground.ground.clone();
            let build = async move { TileColliders::build_in_turns(&ground, key).await };
            tiles.stream.begin(key, slices::spawn(build));
            in_flight += 1;
        }
    }
    for entity in ready {
        commands.entity(entity).try_insert(Grounded);
        commands.trigger(GroundReady { entity });
    }
}

impl<E: PhysicsEngine> Tiles<E> {
    /// Despawns the tiles that another ground changes, and cancels their tasks.
    fn adopt(&mut self, ground: TileGround, commands: &mut Commands) {
        let changes = ground.tile_changes(&self.ground);
        let layout = layout(&self.ground.ground);
        let has_changed = |&key: &ChunkKey| {
            let square = layout.square(key);
            changes.as_ref().is_none_or(|all| all.iter().any(|region| region.meets(&square)))
        };
        let changed: Vec<_> = self.stream.begun().filter(has_changed).collect();
        for key in changed {
            self.stream.restart(key, ());
            if let Some(entity) = self.stream.lose(key) {
                commands.entity(entity).try_despawn();
            }
        }
        self.ground = ground;
    }

    /// Spawns the tiles that tasks have finished.
    fn receive(&mut self, terrain: Entity, origin: &TerrainOrigin, commands: &mut Commands) {
        let Self { ground: TileGround { ground, .. }, stream, .. } = self;
        for key in stream.finished() {
            let spawn = |built, _| spawn(terrain, ground, key, built, origin, commands);
            stream.receive(key, spawn);
        }
    }

    /// Wants the tiles that sources may touch, and despawns those that are not near any.
    fn want(&mut self, step: f64, commands: &mut Commands) {
        let Self { stream, reaches, now, near, .. } = self;
        now.clear();
        now.extend(reaches.iter().flat_map(|reach| reach.now(step)));
        near.clear();
        near.extend(reaches.iter().flat_map(|reach| reach.near()));
        let soon = reaches.iter().flat_map(|reach| reach.soon());
        let wanted = now.iter().map(|&key| (key, 0.0)).chain(soon);
        for (_, entity) in stream.want(wanted, |key, _, _| near.contains(&key)) {
            commands.entity(entity).try_despawn();
        }
    }

    /// Builds the tiles that sources need in this step, on all threads while the step waits for
    /// them. Tasks would be too late.
    fn build(&mut self, terrain: Entity, origin: &TerrainOrigin, commands: &mut Commands) {
        let Self { ground: TileGround { ground, .. }, stream, now, .. } = self;
        now.retain(|&key| stream.get(key).is_none());
        if now.is_empty() {
            return;
        }
        now.sort_unstable();
        now.dedup();
        let ground = &*ground;
        let built = ComputeTaskPool::get().scope(|scope| {
            for &key in &*now {
                scope.spawn(async move { TileColliders::<E>::build(ground, key) });
            }
        });
        for (&key, built) in now.iter().zip(built) {
            stream.put(key, spawn(terrain, ground, key, built, origin, commands));
        }
    }
}

/// Spawns a tile.
fn spawn<E: PhysicsEngine>(
    terrain: Entity,
    ground: &GroundQuery,
    key: ChunkKey,
    colliders: TileColliders<E>,
    origin: &TerrainOrigin,
    commands: &mut Commands,
) -> Entity {
    let transform = origin.transform(layout(ground).origin(key));
    let name = derived(format!("Collider ({}, {})", key.x, key.z));
    let mut tile =
        commands.spawn((ColliderTile { terrain, key }, transform, name, ChildOf(terrain)));
    colliders.insert(&mut tile);
    tile.id()
}

/// Moves tiles after a new origin was inserted.
pub(super) fn follow_origin<E: PhysicsEngine>(
    origin: Res<TerrainOrigin>,
    terrains: Query<&Tiles<E>>,
    mut tiles: Query<(&ColliderTile, &mut Transform)>,
) {
    if !origin.is_changed() {
        return;
    }
    for (tile, mut transform) in &mut tiles {
        let Ok(Tiles { ground, .. }) = terrains.get(tile.terrain) else { continue };
        transform.set_if_neq(origin.transform(layout(&ground.ground).origin(tile.key)));
    }
}

/// Despawns a tile whose entity was to be spawned when its terrain had just been removed.
pub(super) fn on_tile_added(
    event: On<Add, ColliderTile>,
    mut commands: Commands,
    tiles: Query<&ColliderTile>,
    terrains: Query<(), With<Terrain>>,
) {
    if tiles.get(event.entity).is_ok_and(|tile| !terrains.contains(tile.terrain)) {
        commands.entity(event.entity).try_despawn();
    }
}

/// Builds a tile again that was despawned by others.
pub(super) fn on_tile_removed<E: PhysicsEngine>(
    event: On<Remove, ColliderTile>,
    removed: Query<&ColliderTile>,
    mut terrains: Query<&mut Tiles<E>>,
) {
    let Ok(&ColliderTile { terrain, key }) = removed.get(event.entity) else { return };
    if let Ok(mut tiles) = terrains.get_mut(terrain)
        && tiles.stream.get(key) == Some(&event.entity)
    {
        tiles.stream.lose(key);
    }
}

/// Despawns the tiles of an entity that is no longer a terrain.
pub(super) fn on_terrain_removed<E: PhysicsEngine>(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    terrains: Query<&Tiles<E>>,
) {
    let Ok(tiles) = terrains.get(event.entity) else { return };
    for (_, &entity) in tiles.stream.ready() {
        commands.entity(entity).try_despawn();
    }
    commands.entity(event.entity).try_remove::<Tiles<E>>();
}

/// Forgets that an entity was a source. If it becomes one again, [`GroundReady`] is triggered
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

#[cfg(test)]
mod tests {
    use bevy_app::App;

    use super::*;

    /// A terrain is removed by the commands of one system, and those of another spawn its tile.
    #[test]
    fn no_tile_is_left_of_a_terrain_that_is_gone() {
        let mut app = App::new();
        app.add_observer(on_tile_added);
        let world = app.world_mut();
        let [gone, kept] = [(); 2].map(|()| world.spawn(Terrain::default()).id());
        let mut commands = world.commands();
        commands.entity(gone).remove::<Terrain>();
        for terrain in [gone, kept] {
            commands.spawn((
                ColliderTile { terrain, key: ChunkKey { lod: 0, x: 0, z: 0 } },
                ChildOf(terrain),
            ));
        }
        world.flush();
        let mut tiles = world.query::<&ColliderTile>();
        let owners: Vec<_> = tiles.iter(world).map(|tile| tile.terrain).collect();
        assert_eq!(owners, [kept]);
    }
}
