//! Streaming: the systems that build, show and remove chunks. All decisions are made by the pure functions of `select` and
//! `display`; here they meet the ECS.
//!
//! A terrain has one generation of chunks on show. When its settings change, a second one is built beside it and
//! replaces it, in one frame, once it is complete. Changes that arrive meanwhile wait, the newest alone, so
//! that terrain follows a dragged slider at the speed at which it can be built.

use std::time::{Duration, Instant};

use bevy_asset::Assets;
use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_camera::{Camera, Projection};
use bevy_ecs::prelude::*;
use bevy_log::info;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;

use crate::budget::{TerrainBudget, TerrainStats};
use crate::chunk::{Chunk, ChunkKey};
use crate::generation::{Generation, Progress, Slot, Source};
use crate::mesh::{self, ChunkMesh};
use crate::problems::{TerrainProblem, TerrainProblems};
use crate::select::View;
use crate::terrain::{Terrain, TerrainError};
use crate::viewer::TerrainViewer;

/// What streaming keeps for each terrain.
#[derive(Component, Default)]
pub struct Streaming {
    /// The settings that were taken over last, and the number of times they were.
    adopted: Option<Terrain>,
    revision: u32,
    /// The newest settings, while an earlier change is being built.
    waiting: Option<Source>,
    shown: Option<Generation>,
    next: Option<Generation>,
    views: Vec<View>,
}

impl Streaming {
    fn generations(&self) -> impl Iterator<Item = &Generation> {
        self.shown.iter().chain(&self.next)
    }

    fn generations_mut(&mut self) -> impl Iterator<Item = &mut Generation> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    /// The slot of a chunk, if this very entity is in it.
    fn slot(&mut self, chunk: &Chunk, entity: Entity) -> Option<&mut Slot> {
        self.generations_mut()
            .find(|generation| generation.revision == chunk.revision)
            .and_then(|generation| generation.chunks.get_mut(&chunk.key))
            .filter(|slot| slot.entity == entity)
    }
}

/// A chunk on its way. Despawning the entity cancels it.
#[derive(Component)]
pub(crate) struct ChunkTask(Task<(ChunkMesh, Duration)>);

/// Takes over changed settings, if they are valid.
pub(crate) fn adopt(
    mut terrains: Query<(Entity, &Terrain, &mut Streaming), Changed<Terrain>>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, mut streaming) in &mut terrains {
        if streaming.adopted.as_ref() == Some(terrain) {
            continue;
        }
        match source(terrain) {
            Ok(source) => {
                streaming.adopted = Some(terrain.clone());
                streaming.waiting = Some(source);
                problems.clear(Some(entity), |problem| {
                    matches!(problem, TerrainProblem::Terrain(_) | TerrainProblem::NotFinite)
                });
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}

fn source(terrain: &Terrain) -> Result<Source, TerrainError> {
    Ok(Source { layout: terrain.layout()?, field: terrain.build()? })
}

/// Turns finished tasks into meshes, hidden for now.
pub(crate) fn receive(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut tasks: Query<(Entity, &Chunk, &ChildOf, &mut ChunkTask)>,
    mut terrains: Query<&mut Streaming>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    let mut left = budget.applied_per_frame.max(1);
    for (entity, chunk, parent, mut task) in &mut tasks {
        if left == 0 {
            break;
        }
        let Some((built, time)) = check_ready(&mut task.0) else { continue };
        // A result that nobody waits for any more is stale.
        let mut streaming = terrains.get_mut(parent.parent());
        let Some(slot) = streaming.as_mut().ok().and_then(|s| s.slot(chunk, entity)) else {
            commands.entity(entity).despawn();
            continue;
        };
        slot.progress = Progress::Ready;
        count_build(&mut stats, time);
        commands.entity(entity).remove::<ChunkTask>();
        finish(&mut commands, entity, parent.parent(), built, &mut meshes, &mut problems);
        left -= 1;
    }
}

fn count_build(stats: &mut TerrainStats, time: Duration) {
    stats.build_time = if stats.built == 0 { time } else { (15 * stats.build_time + time) / 16 };
    stats.built += 1;
}

/// Gives a chunk its mesh.
fn finish(
    commands: &mut Commands,
    entity: Entity,
    terrain: Entity,
    built: ChunkMesh,
    meshes: &mut Assets<Mesh>,
    problems: &mut TerrainProblems,
) {
    if !built.finite {
        problems.report(Some(terrain), TerrainProblem::NotFinite);
    }
    let mesh = Mesh3d(meshes.add(built.mesh));
    commands.entity(entity).insert((mesh, built.aabb, NoAutoAabb));
}

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

    for (entity, mut streaming) in &mut terrains {
        let streaming = &mut *streaming;
        match place(entity, &transforms) {
            Some(origin) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Transformed));
                let views = views(&viewers, &transforms, origin, &mut problems);
                // Without a viewer, what is there stays.
                if !views.is_empty() {
                    streaming.views = views;
                }
            }
            None => {
                problems.report(Some(entity), TerrainProblem::Transformed);
                streaming.views.clear();
            }
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

/// The place of an entity in the world; none where it is rotated or scaled.
fn place(entity: Entity, transforms: &TransformHelper) -> Option<[f64; 3]> {
    let global = transforms.compute_global_transform(entity).ok()?;
    let linear = global.affine().matrix3;
    let moved_only = linear.abs_diff_eq(bevy_math::Mat3A::IDENTITY, 1e-5);
    moved_only.then(|| global.translation().to_array().map(f64::from))
}

/// All viewers as a terrain at `origin` sees them.
fn views(
    viewers: &Query<(Entity, &TerrainViewer, Option<(&Camera, &Projection)>)>,
    transforms: &TransformHelper,
    origin: [f64; 3],
    problems: &mut TerrainProblems,
) -> Vec<View> {
    let mut views = Vec::new();
    for (entity, viewer, camera) in viewers {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, _, z] = global.translation().to_array().map(f64::from);
        match viewer.view([x - origin[0], z - origin[2]], camera) {
            Ok(view) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Viewer(_)));
                views.push(view);
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Viewer(error)),
        }
    }
    views
}

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
            old.chunks.values().for_each(|slot| commands.entity(slot.entity).despawn());
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
            commands.entity(slot.entity).insert(visibility);
        }
    }
}

/// Spawns a chunk's entity, hidden, in place of what may be in its slot.
fn spawn(
    commands: &mut Commands,
    terrain: Entity,
    generation: &mut Generation,
    key: ChunkKey,
    progress: Progress,
) -> Entity {
    let [x, z] = generation.source.layout.origin(key);
    let chunk = Chunk { key, revision: generation.revision };
    let transform = Transform::from_xyz(x as f32, 0.0, z as f32);
    let entity = commands.spawn((chunk, transform, Visibility::Hidden, ChildOf(terrain))).id();
    if let Some(old) = generation.chunks.insert(key, Slot { entity, progress }) {
        commands.entity(old.entity).despawn();
    }
    entity
}

/// Removes what is not wanted, and starts tasks for what is missing, the coarsest and nearest first.
pub(crate) fn dispatch(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<(Entity, &mut Streaming)>,
) {
    let mut removals = budget.removed_per_frame.max(1);
    let mut in_flight = 0;
    let mut queue = Vec::new();
    for (entity, mut streaming) in &mut terrains {
        for generation in streaming.generations_mut() {
            remove_unwanted(&mut commands, generation, &mut removals);
            in_flight += generation.count(|progress| progress == Progress::Building);
        }
        // While a next generation is on its way, the one on show gets nothing new.
        let streaming = &*streaming;
        if let Some(target) = streaming.next.as_ref().or(streaming.shown.as_ref()) {
            let layout = &target.source.layout;
            queue.extend(target.missing().map(|key| {
                let distances = streaming.views.iter().map(|v| layout.distance(key, v.position));
                (key.lod, distances.fold(f64::INFINITY, f64::min), entity, key)
            }));
        }
    }
    queue.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let room = budget.tasks_in_flight.max(1).saturating_sub(in_flight);
    for (.., entity, key) in queue.into_iter().take(room) {
        let Ok((_, mut streaming)) = terrains.get_mut(entity) else { continue };
        let Streaming { shown, next, .. } = &mut *streaming;
        let Some(target) = next.as_mut().or(shown.as_mut()) else { continue };
        let Source { field, layout } = target.source.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let start = Instant::now();
            let built = mesh::build(&*field, &layout, key);
            (built, start.elapsed())
        });
        let chunk = spawn(&mut commands, entity, target, key, Progress::Building);
        commands.entity(chunk).insert(ChunkTask(task));
    }
}

/// Cancels tasks whose chunk is not wanted any more, and despawns such chunks where they are not drawn.
fn remove_unwanted(commands: &mut Commands, generation: &mut Generation, removals: &mut usize) {
    let Generation { selection, chunks, .. } = generation;
    chunks.retain(|&key, slot| {
        let keep = match slot.progress {
            _ if selection.wants(key) => true,
            Progress::Building => false,
            Progress::Drawn => true,
            Progress::Ready => *removals == 0,
        };
        if !keep {
            if slot.progress == Progress::Ready {
                *removals -= 1;
            }
            commands.entity(slot.entity).despawn();
        }
        keep
    });
}

/// Counts what there is, and forgets the problems of entities that are gone.
pub(crate) fn report(
    mut commands: Commands,
    terrains: Query<&Streaming>,
    orphans: Query<Entity, (With<Chunk>, Without<ChildOf>)>,
    entities: Query<(), Or<(With<Terrain>, With<TerrainViewer>)>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    // A chunk spawned while its terrain was being despawned has lost its parent.
    orphans.iter().for_each(|entity| commands.entity(entity).despawn());
    problems.retain_entities(|entity| entities.contains(entity));

    let TerrainStats { built, build_time, .. } = *stats;
    let mut now = TerrainStats { built, build_time, ..TerrainStats::default() };
    // Of a change that waits, no chunk is there yet: one stands for them.
    now.missing = terrains.iter().filter(|streaming| streaming.waiting.is_some()).count();
    for generation in terrains.iter().flat_map(Streaming::generations) {
        now.missing += generation.missing().count();
        let triangles = mesh::triangles(&generation.source.layout);
        for (key, slot) in &generation.chunks {
            match slot.progress {
                Progress::Building => now.tasks_in_flight += 1,
                Progress::Ready => now.chunks += 1,
                Progress::Drawn => {
                    now.chunks += 1;
                    now.displayed += 1;
                    now.triangles += triangles;
                    let levels = now.displayed_by_lod.len().max(usize::from(key.lod) + 1);
                    now.displayed_by_lod.resize(levels, 0);
                    now.displayed_by_lod[usize::from(key.lod)] += 1;
                }
            }
        }
    }
    now.missing += now.tasks_in_flight;
    stats.set_if_neq(now);
}

/// Raises far planes that would cut the terrain off.
pub(crate) fn raise_far(
    mut cameras: Query<
        (&TerrainViewer, &mut Projection),
        Or<(Changed<TerrainViewer>, Changed<Projection>)>,
    >,
) {
    for (viewer, mut projection) in &mut cameras {
        let Some(wanted) = viewer.far(&projection) else { continue };
        match &mut *projection {
            Projection::Perspective(perspective) => perspective.far = wanted,
            Projection::Orthographic(orthographic) => orthographic.far = wanted,
            Projection::Custom(_) => continue,
        }
        info!("the far plane of a terrain viewer's camera is raised to {wanted} m");
    }
}

/// A chunk was despawned by somebody: forget it, so that it is built again where it is wanted.
pub(crate) fn on_chunk_removed(
    event: On<Remove, Chunk>,
    chunks: Query<(&Chunk, &ChildOf)>,
    mut terrains: Query<&mut Streaming>,
) {
    let Ok((chunk, parent)) = chunks.get(event.entity) else { return };
    let Ok(mut streaming) = terrains.get_mut(parent.parent()) else { return };
    if streaming.slot(chunk, event.entity).is_some() {
        for generation in streaming.generations_mut() {
            if generation.revision == chunk.revision {
                generation.chunks.remove(&chunk.key);
            }
        }
    }
}

/// A terrain is no more one: take its chunks away.
pub(crate) fn on_terrain_removed(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    terrains: Query<&Streaming>,
) {
    let Ok(streaming) = terrains.get(event.entity) else { return };
    for slot in streaming.generations().flat_map(|generation| generation.chunks.values()) {
        commands.entity(slot.entity).try_despawn();
    }
    commands.entity(event.entity).try_remove::<Streaming>();
}
