//! An app without rendering, and checks of its terrain.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::app::TaskPoolThreadAssignmentPolicy;
use bevy::camera::visibility::Visibility;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ChunkKey, Layout, TerrainProblem, TerrainStats};
use bevy_orogeny::orogeny::{
    Field, Fractal, GradientNoise, Grid, Node, Recipe, Sample, Samples, Tree,
};
use bevy_orogeny::{Ground, Terrain, TerrainPlugins, TerrainProblems, TerrainViewer};

pub const CELLS: u32 = 16;
pub const LAYOUT: Layout = Layout { cells: CELLS, spacing: 1.0 };
pub const RANGE: f64 = 700.0;
/// When tests beside one keep the threads busy, it may take so long to see what should be seen.
pub const LONG: Duration = Duration::from_secs(120);

/// An app like that of a server: no window, no renderer, and four threads for chunks.
pub fn app() -> App {
    let mut pools = TaskPoolPlugin::default();
    pools.task_pool_options.async_compute = TaskPoolThreadAssignmentPolicy {
        min_threads: 4,
        max_threads: 4,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(pools), AssetPlugin::default(), TerrainPlugins));
    app
}

pub fn recipe(seed: u64) -> Recipe {
    let fbm = Fractal::fbm(4.0, GradientNoise::seeded(0));
    Recipe::new(seed, 100.0, Fractal { frequency: 0.002, ..fbm })
}

/// Hills that a seed makes.
pub fn hills(seed: u64) -> Terrain {
    terrain(Ground::Recipe(recipe(seed)))
}

/// An app with hills, and with a viewer above the middle of the world.
pub fn scene() -> (App, Entity, Entity) {
    let mut app = app();
    let terrain = app.world_mut().spawn(hills(1)).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    (app, terrain, viewer)
}

/// The same, when nothing is missing.
pub fn settled() -> (App, Entity, Entity) {
    let (mut app, terrain, viewer) = scene();
    settle(&mut app);
    (app, terrain, viewer)
}

pub fn stats(app: &App) -> &TerrainStats {
    app.world().resource()
}

pub fn terrain(ground: Ground) -> Terrain {
    Terrain { ground, cells: CELLS, ..default() }
}

/// A field that takes a different time for each chunk, so that results arrive in any order.
pub struct Dawdling {
    pub fbm: Tree<2>,
    /// The number of chunks whose heights were sampled.
    pub filled: AtomicUsize,
}

impl Field<2> for Dawdling {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.fbm.sample(p)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        // Not the grids on which levels are measured.
        let chunk = grid.size == [CELLS as usize + 1; 2];
        if chunk {
            let hash = (grid.origin[0] as i64 * 31 + grid.origin[1] as i64 * 17) as u64;
            sleep(Duration::from_micros(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52));
        }
        self.fbm.sample_grid(grid, out);
        if chunk {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
    }
}

pub fn dawdling(seed: u64) -> Arc<Dawdling> {
    let fbm = Fractal::fbm(2.0, GradientNoise::seeded(seed));
    let node = Node::from(Fractal { frequency: 0.002, ..fbm });
    Arc::new(Dawdling { fbm: node.build().unwrap(), filled: AtomicUsize::new(0) })
}

/// The same without any relief.
pub fn flat() -> Arc<Dawdling> {
    let node = Node::<2>::Constant(0.0);
    Arc::new(Dawdling { fbm: node.build().unwrap(), filled: AtomicUsize::new(0) })
}

/// The chunks of a terrain that are drawn.
pub fn drawn(app: &mut App, terrain: Entity) -> Vec<Chunk> {
    let mut query = app.world_mut().query::<(&Chunk, &Visibility, &ChildOf, &Mesh3d)>();
    query
        .iter(app.world())
        .filter(|(_, visibility, parent, _)| {
            **visibility == Visibility::Inherited && parent.parent() == terrain
        })
        .map(|(chunk, ..)| *chunk)
        .collect()
}

fn touch(a: ChunkKey, b: ChunkKey) -> bool {
    let (pa, pb) = (LAYOUT.origin(a), LAYOUT.origin(b));
    let (sa, sb) = (LAYOUT.size(a.lod), LAYOUT.size(b.lod));
    (0..2).all(|k| pa[k] <= pb[k] + sb && pb[k] <= pa[k] + sa)
}

/// Checks that every point within `range` of (x, z) is in exactly one drawn chunk, that all chunks
/// are of one revision, and that touching chunks differ by at most one level.
pub fn check_cover(app: &mut App, terrain: Entity, [x, z]: [f64; 2], range: f64) {
    let chunks = drawn(app, terrain);
    assert!(!chunks.is_empty(), "nothing is drawn");
    assert!(chunks.iter().all(|chunk| chunk.revision == chunks[0].revision), "revisions mixed");
    let keys: HashSet<ChunkKey> = chunks.iter().map(|chunk| chunk.key).collect();
    assert_eq!(keys.len(), chunks.len(), "a chunk twice");

    // Chunks of a quadtree overlap only if one is the other's ancestor. So a chunk of the coarsest
    // level is covered exactly once if none of its drawn descendants is the ancestor of another,
    // and their areas add up.
    let top = keys.iter().map(|key| key.lod).max().unwrap();
    let mut area: HashMap<ChunkKey, u64> = HashMap::new();
    for key in &keys {
        for lod in key.lod + 1..=top {
            assert!(!keys.contains(&key.ancestor(lod)), "{key:?} overlaps");
        }
        *area.entry(key.ancestor(top)).or_default() += 1 << (2 * key.lod);
    }
    let corner = |d: f64| LAYOUT.key_at(top, [x + d, z + d]);
    for cz in corner(-range).z..=corner(range).z {
        for cx in corner(-range).x..=corner(range).x {
            let key = ChunkKey { lod: top, x: cx, z: cz };
            if LAYOUT.distance(key, [x, z]) <= range {
                assert_eq!(area.get(&key), Some(&(1 << (2 * top))), "{key:?} is not covered");
            }
        }
    }
    for a in &keys {
        for b in &keys {
            assert!(a.lod.abs_diff(b.lod) < 2 || !touch(*a, *b), "{a:?} touches {b:?}");
        }
    }
}

/// Updates until nothing is missing.
pub fn settle(app: &mut App) {
    let begun = Instant::now();
    while begun.elapsed() < LONG {
        app.update();
        if stats(app).missing == 0 {
            // More frames, so that chunks that are no longer needed are removed.
            return (0..10).for_each(|_| app.update());
        }
        sleep(Duration::from_micros(200));
    }
    panic!("still not complete: {:?}", stats(app));
}

pub fn spawn_viewer(app: &mut App, position: Vec3) -> Entity {
    let viewer = TerrainViewer { range: RANGE, ..default() };
    app.world_mut().spawn((viewer, Transform::from_translation(position))).id()
}

pub fn problems(app: &App) -> Vec<TerrainProblem> {
    app.world().resource::<TerrainProblems>().iter().map(|(_, problem)| problem.clone()).collect()
}

pub fn meshes(app: &App) -> usize {
    app.world().resource::<Assets<Mesh>>().len()
}

pub fn chunk_entities(app: &mut App) -> usize {
    app.world_mut().query::<&Chunk>().iter(app.world()).len()
}

pub fn set<C: Component<Mutability = bevy::ecs::component::Mutable>>(
    app: &mut App,
    entity: Entity,
    change: impl FnOnce(&mut C),
) {
    change(&mut app.world_mut().get_mut::<C>(entity).unwrap());
}

/// Pseudo-random numbers below others, which a seed reproduces.
pub fn random(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |n| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    }
}
