//! Streaming in an app without rendering: in every frame the view is covered exactly once, whatever happens, and nothing
//! is left behind.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use bevy::app::TaskPoolThreadAssignmentPolicy;
use bevy::camera::visibility::Visibility;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Fbm, Field, Grid, Node, Recipe, Sample, Samples};
use bevy_orogeny::{
    Chunk, ChunkKey, Ground, HeightField, Layout, Terrain, TerrainBudget, TerrainPlugin,
    TerrainProblem, TerrainProblems, TerrainStats, TerrainViewer, View, select,
};

const CELLS: u32 = 16;
const RANGE: f64 = 700.0;

/// An app as a server has it: no window, no renderer, and four threads for chunks.
fn app() -> App {
    let mut pools = TaskPoolPlugin::default();
    pools.task_pool_options.async_compute = TaskPoolThreadAssignmentPolicy {
        min_threads: 4,
        max_threads: 4,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(pools), AssetPlugin::default(), TerrainPlugin));
    app
}

fn recipe(seed: u64) -> Recipe {
    let fbm = Fbm { frequency: 0.002, octaves: 4, ..Fbm::default() };
    Recipe { seed, height: 100.0, field: Node::Fbm(fbm) }
}

fn terrain(ground: Ground) -> Terrain {
    Terrain { ground, cells: CELLS, spacing: 1.0 }
}

/// A field that takes its time, another for each chunk, so that results arrive in any order.
struct Dawdling(Fbm);

impl Field<2> for Dawdling {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.0.sample(p)
    }

    fn fill(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        if grid.size[0] == grid.size[1] {
            let hash = (grid.origin[0] as i64 * 31 + grid.origin[1] as i64 * 17) as u64;
            sleep(Duration::from_micros(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52));
        }
        self.0.fill(grid, out);
    }
}

fn dawdling(seed: u64) -> Ground {
    let field = Dawdling(Fbm { seed, frequency: 0.002, octaves: 2, ..Fbm::default() });
    Terrain::field(field).ground
}

/// The chunks of a terrain that are drawn.
fn drawn(app: &mut App, terrain: Entity) -> Vec<Chunk> {
    let mut query = app.world_mut().query::<(&Chunk, &Visibility, &ChildOf, &Mesh3d)>();
    query
        .iter(app.world())
        .filter(|(_, visibility, parent, _)| {
            **visibility == Visibility::Inherited && parent.parent() == terrain
        })
        .map(|(chunk, ..)| *chunk)
        .collect()
}

fn touch(layout: &Layout, a: ChunkKey, b: ChunkKey) -> bool {
    let (pa, pb) = (layout.origin(a), layout.origin(b));
    let (sa, sb) = (layout.size(a.lod), layout.size(b.lod));
    (0..2).all(|k| pa[k] <= pb[k] + sb && pb[k] <= pa[k] + sa)
}

/// Every point within `range` of (x, z) is in exactly one drawn chunk; all are of one revision, and chunks that touch
/// differ by one level at most.
fn check_cover(app: &mut App, terrain: Entity, [x, z]: [f64; 2], range: f64) {
    let layout = Layout { cells: CELLS, spacing: 1.0 };
    let chunks = drawn(app, terrain);
    assert!(!chunks.is_empty(), "nothing is drawn");
    assert!(chunks.iter().all(|chunk| chunk.revision == chunks[0].revision), "revisions mixed");
    let keys: HashSet<ChunkKey> = chunks.iter().map(|chunk| chunk.key).collect();
    assert_eq!(keys.len(), chunks.len(), "a chunk twice");

    // Chunks of a quadtree overlap only where one is the other's ancestor. So a chunk of the coarsest level is
    // covered exactly once if none of its drawn descendants is the ancestor of another and their areas add up.
    let top = keys.iter().map(|key| key.lod).max().unwrap();
    let mut area: HashMap<ChunkKey, u64> = HashMap::new();
    for key in &keys {
        for lod in key.lod + 1..=top {
            assert!(!keys.contains(&key.ancestor(lod)), "{key:?} overlaps");
        }
        *area.entry(key.ancestor(top)).or_default() += 1 << (2 * key.lod);
    }
    let corner = |d: f64| layout.key_at(top, [x + d, z + d]);
    for cz in corner(-range).z..=corner(range).z {
        for cx in corner(-range).x..=corner(range).x {
            let key = ChunkKey { lod: top, x: cx, z: cz };
            if layout.distance(key, [x, z]) <= range {
                assert_eq!(area.get(&key), Some(&(1 << (2 * top))), "{key:?} is not covered");
            }
        }
    }
    for a in &keys {
        for b in &keys {
            assert!(a.lod.abs_diff(b.lod) < 2 || !touch(&layout, *a, *b), "{a:?} beside {b:?}");
        }
    }
}

/// Updates until nothing is missing.
fn settle(app: &mut App) {
    for _ in 0..5000 {
        app.update();
        if app.world().resource::<TerrainStats>().missing == 0 {
            // Another frame for what becomes superfluous with the last chunk.
            return (0..10).for_each(|_| app.update());
        }
        sleep(Duration::from_micros(200));
    }
    panic!("still not complete: {:?}", app.world().resource::<TerrainStats>());
}

fn spawn_viewer(app: &mut App, position: Vec3) -> Entity {
    let viewer = TerrainViewer { range: RANGE, detail: 0.5 };
    app.world_mut().spawn((viewer, Transform::from_translation(position))).id()
}

fn problems(app: &App) -> Vec<TerrainProblem> {
    app.world().resource::<TerrainProblems>().iter().map(|(_, problem)| problem.clone()).collect()
}

fn meshes(app: &App) -> usize {
    app.world().resource::<Assets<Mesh>>().len()
}

fn chunk_entities(app: &mut App) -> usize {
    app.world_mut().query::<&Chunk>().iter(app.world()).len()
}

fn set<C: Component<Mutability = bevy::ecs::component::Mutable>>(
    app: &mut App,
    entity: Entity,
    change: impl FnOnce(&mut C),
) {
    change(&mut app.world_mut().get_mut::<C>(entity).unwrap());
}

/// Walks, teleports and edits at random, with results arriving in any order and a budget that changes.
#[test]
fn every_view_is_covered_once_in_every_frame() {
    let mut state = 1u64;
    let mut random = move |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(dawdling(0))).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let (mut teleports, mut edits, mut built) = (0, 0, 0);
    for frame in 0..600 {
        match random(100) {
            0 | 1 => {
                let place = [0, 1].map(|_| random(2_000_000) as f32 - 1e6);
                set(&mut app, viewer, |t: &mut Transform| {
                    t.translation = Vec3::new(place[0], 50.0, place[1]);
                });
                teleports += 1;
            }
            2..=5 => {
                let ground_kind =
                    if random(2) == 0 { dawdling(frame) } else { Ground::Recipe(recipe(frame)) };
                set(&mut app, ground, |t: &mut Terrain| t.ground = ground_kind);
                edits += 1;
            }
            _ => set(&mut app, viewer, |t: &mut Transform| {
                t.translation += Vec3::new(7.0, 0.1, 3.0);
            }),
        }
        let budget = TerrainBudget {
            tasks_in_flight: random(40) as usize,
            applied_per_frame: random(6) as usize,
            removed_per_frame: random(20) as usize,
        };
        app.insert_resource(budget);
        let before = app.world().resource::<TerrainStats>().clone();
        app.update();
        let after = app.world().resource::<TerrainStats>().clone();
        // Tasks begun under a larger budget may still be on their way; one is always allowed. Nine roots are free.
        assert!(after.tasks_in_flight <= before.tasks_in_flight.max(budget.tasks_in_flight).max(1));
        assert!(after.built - before.built <= budget.applied_per_frame.max(1) as u64 + 9);
        assert!(before.chunks.saturating_sub(after.chunks) <= budget.removed_per_frame.max(1));
        let p = app.world().get::<Transform>(viewer).unwrap().translation;
        check_cover(&mut app, ground, [p.x.into(), p.z.into()], RANGE);
        built = app.world().resource::<TerrainStats>().built;
        sleep(Duration::from_micros(random(3000)));
    }
    app.insert_resource(TerrainBudget::default());
    settle(&mut app);
    println!("600 frames, {teleports} teleports, {edits} edits, {built} chunks built: all covered");

    // At rest, what is drawn is what is wanted, and nothing else is kept but its ancestors.
    let p = app.world().get::<Transform>(viewer).unwrap().translation;
    let view = View { position: [p.x.into(), p.z.into()], range: RANGE, detail: 0.5 };
    let wanted = select(&Layout { cells: CELLS, spacing: 1.0 }, &[view]);
    let keys: HashSet<_> = drawn(&mut app, ground).iter().map(|chunk| chunk.key).collect();
    let leaves: HashSet<_> = wanted.wanted().filter(|key| !wanted.split.contains(key)).collect();
    assert_eq!(keys, leaves);
    assert_eq!(chunk_entities(&mut app), wanted.wanted().count());
    assert_eq!(meshes(&app), wanted.wanted().count());
}

#[test]
fn the_first_frame_is_covered() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::new(1e5, 0.0, -3e5));
    app.update();
    check_cover(&mut app, ground, [1e5, -3e5], RANGE);
}

#[test]
fn despawning_leaves_nothing() {
    for in_flight in [true, false] {
        let mut app = app();
        let field: Arc<dyn HeightField> =
            Arc::new(Dawdling(Fbm { frequency: 0.002, octaves: 2, ..Fbm::default() }));
        let ground = app.world_mut().spawn(terrain(Ground::Field(field.clone()))).id();
        spawn_viewer(&mut app, Vec3::ZERO);
        app.update();
        if in_flight {
            app.update();
            assert!(app.world().resource::<TerrainStats>().tasks_in_flight > 0);
        } else {
            settle(&mut app);
        }
        assert!(chunk_entities(&mut app) > 0 && meshes(&app) > 0);
        app.world_mut().despawn(ground);
        (0..3).for_each(|_| app.update());
        assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
        let stats = app.world().resource::<TerrainStats>();
        assert_eq!((stats.chunks, stats.tasks_in_flight, stats.missing), (0, 0, 0));
        // Every task held the field. The ones that were running end soon, the others at once.
        for _ in 0..1000 {
            app.update();
            if Arc::strong_count(&field) == 1 {
                break;
            }
            sleep(Duration::from_millis(1));
        }
        assert_eq!(Arc::strong_count(&field), 1, "tasks are left");
    }
}

#[test]
fn removing_the_component_leaves_the_entity_alone() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    app.world_mut().entity_mut(ground).remove::<Terrain>();
    (0..3).for_each(|_| app.update());
    assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
    // And it may come back.
    app.world_mut().entity_mut(ground).insert(terrain(Ground::Recipe(recipe(2))));
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
}

#[test]
fn chunks_despawned_by_others_come_back() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).despawn_children();
    assert_eq!(chunk_entities(&mut app), 0);
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    settle(&mut app);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn chunks_detached_by_others_come_back() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).detach_all_children();
    // They are despawned at the end of the next frame.
    app.update();
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn no_viewer_warns_and_the_first_one_starts() {
    let mut app = app();
    app.update();
    assert!(problems(&app).is_empty(), "no terrain, no problem");
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    (0..3).for_each(|_| app.update());
    assert_eq!(problems(&app), [TerrainProblem::NoViewer]);
    assert_eq!(chunk_entities(&mut app), 0);

    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    app.update();
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    // Without its viewer, the terrain stays as it is.
    settle(&mut app);
    let before = drawn(&mut app, ground).len();
    app.world_mut().despawn(viewer);
    settle(&mut app);
    assert_eq!(problems(&app), [TerrainProblem::NoViewer]);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert_eq!(drawn(&mut app, ground).len(), before);
}

#[test]
fn two_terrains_stream_side_by_side() {
    let mut app = app();
    let one = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    let other = app.world_mut().spawn(terrain(Ground::Recipe(recipe(2)))).id();
    set(&mut app, other, |t: &mut Transform| t.translation = Vec3::new(0.0, 500.0, 300.0));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, one, [0.0, 0.0], RANGE);
    check_cover(&mut app, other, [0.0, -300.0], RANGE);
    app.world_mut().despawn(one);
    app.update();
    check_cover(&mut app, other, [0.0, -300.0], RANGE);
    assert!(problems(&app).is_empty());
}

#[test]
fn two_viewers_are_both_covered() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    spawn_viewer(&mut app, Vec3::new(5000.0, 0.0, 100.0));
    for _ in 0..20 {
        app.update();
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
        check_cover(&mut app, ground, [5000.0, 100.0], RANGE);
    }
}

#[test]
fn the_plugin_may_be_added_twice() {
    let mut app = app();
    app.add_plugins(TerrainPlugin);
    assert_eq!(problems(&app), [TerrainProblem::AddedTwice]);
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
}

#[test]
fn without_assets_the_plugin_says_so() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainPlugin));
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::NoAssets]);
}

#[test]
fn terrain_may_be_moved_but_not_rotated_or_scaled() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    set(&mut app, ground, |t: &mut Transform| t.translation = Vec3::new(1000.0, 30.0, -64.0));
    settle(&mut app);
    check_cover(&mut app, ground, [-1000.0, 64.0], RANGE);

    for wrong in [
        Transform::from_scale(Vec3::splat(2.0)),
        Transform::from_rotation(Quat::from_rotation_y(0.1)),
    ] {
        set(&mut app, ground, |t: &mut Transform| *t = wrong);
        (0..30).for_each(|_| app.update());
        assert_eq!(problems(&app), [TerrainProblem::Transformed]);
        assert_eq!(drawn(&mut app, ground).len(), 0);
    }
    set(&mut app, ground, |t: &mut Transform| *t = Transform::default());
    app.update();
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    // Infinitely far is no place either, and says nothing against the viewer or against another terrain.
    let other = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    set(&mut app, ground, |t: &mut Transform| t.translation.x = f32::INFINITY);
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::Transformed]);
    check_cover(&mut app, other, [0.0, 0.0], RANGE);
    app.world_mut().despawn(other);
    set(&mut app, ground, |t: &mut Transform| *t = Transform::default());
    app.update();
    assert!(problems(&app).is_empty());

    // The same for what a parent does to it.
    let parent = app.world_mut().spawn(Transform::from_scale(Vec3::splat(3.0))).id();
    app.world_mut().entity_mut(ground).insert(ChildOf(parent));
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::Transformed]);
}

#[test]
fn a_camera_below_the_ground_sees_the_same_chunks() {
    let chunks_at = |height: f32| {
        let mut app = app();
        let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
        spawn_viewer(&mut app, Vec3::new(100.0, height, 50.0));
        settle(&mut app);
        drawn(&mut app, ground).iter().map(|chunk| chunk.key).collect::<HashSet<_>>()
    };
    assert_eq!(chunks_at(-500.0), chunks_at(100.0));
}

#[test]
fn a_near_far_plane_is_raised() {
    let mut app = app();
    app.world_mut().spawn(terrain(Ground::Recipe(recipe(1))));
    let far = |app: &App, camera| match app.world().get::<Projection>(camera) {
        Some(Projection::Perspective(perspective)) => perspective.far,
        Some(Projection::Orthographic(orthographic)) => orthographic.far,
        other => panic!("{other:?}"),
    };
    for projection in [
        Projection::from(PerspectiveProjection::default()),
        Projection::from(OrthographicProjection::default_3d()),
    ] {
        let viewer = spawn_viewer(&mut app, Vec3::ZERO);
        app.world_mut().entity_mut(viewer).insert((Camera::default(), projection));
        app.update();
        assert_eq!(far(&app, viewer), 1400.0);
        // Headless, a camera has no viewport: the fallback must do.
        assert!(problems(&app).is_empty());
    }
}

#[test]
fn a_faulty_change_leaves_the_old_terrain_up() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = drawn(&mut app, ground);
    let faulty = |octaves, cells, spacing| Terrain {
        ground: Ground::Recipe(Recipe {
            field: Node::Fbm(Fbm { octaves, ..Fbm::default() }),
            ..recipe(1)
        }),
        cells,
        spacing,
    };
    for (wrong, words) in [
        (faulty(99, 16, 1.0), "field.Fbm.octaves"),
        (faulty(4, 17, 1.0), "cells"),
        (faulty(4, 16, 0.3), "spacing"),
        (faulty(4, 16, f64::NAN), "spacing"),
    ] {
        set(&mut app, ground, |t: &mut Terrain| *t = wrong);
        settle(&mut app);
        let told = problems(&app);
        assert_eq!(told.len(), 1);
        assert!(told[0].to_string().contains(words), "{}", told[0]);
        assert_eq!(drawn(&mut app, ground).len(), before.len());
        assert!(drawn(&mut app, ground).iter().all(|chunk| chunk.revision == before[0].revision));
    }
    // Put back as it was, nothing is wrong and nothing is built; changed for good, it is.
    let built = app.world().resource::<TerrainStats>().built;
    set(&mut app, ground, |t: &mut Terrain| *t = terrain(Ground::Recipe(recipe(1))));
    settle(&mut app);
    assert!(problems(&app).is_empty());
    assert_eq!(app.world().resource::<TerrainStats>().built, built);
    set(&mut app, ground, |t: &mut Terrain| *t = terrain(Ground::Recipe(recipe(5))));
    settle(&mut app);
    assert!(problems(&app).is_empty());
    assert!(drawn(&mut app, ground).iter().all(|chunk| chunk.revision > before[0].revision));
}

#[test]
fn a_touched_but_equal_terrain_is_not_built_again() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let built = app.world().resource::<TerrainStats>().built;
    for _ in 0..5 {
        set(&mut app, ground, |t: &mut Terrain| t.cells = CELLS);
        app.update();
    }
    assert_eq!(app.world().resource::<TerrainStats>().built, built);
}

/// A viewer so fast that something is missing in every frame sees a change all the same, long before it needs new roots, with
/// which the change would be shown in any case.
#[test]
fn terrain_follows_a_change_in_fast_flight() {
    const START: f64 = -600.0;
    const SPEED: f64 = 20.0;
    // Roots are 1024 m wide; the next ones are needed at 1024 - RANGE.
    let frames = ((1024.0 - RANGE - START) / SPEED) as i32;
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(dawdling(0))).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(START as f32, 0.0, 300.0));
    settle(&mut app);
    set(&mut app, ground, |t: &mut Terrain| t.ground = dawdling(1));
    for frame in 1..frames {
        let x = START + SPEED * f64::from(frame);
        set(&mut app, viewer, |t: &mut Transform| t.translation.x = x as f32);
        app.update();
        check_cover(&mut app, ground, [x, 300.0], RANGE);
        if drawn(&mut app, ground)[0].revision == 2 {
            println!("seen after {frame} of {frames} frames");
            return;
        }
        sleep(Duration::from_millis(8));
    }
    panic!("the change is not seen within {frames} frames");
}

/// A dragged slider changes the terrain in every frame: it must still be seen to change.
#[test]
fn terrain_follows_changes_in_every_frame() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(0)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let mut seen = HashSet::new();
    for frame in 1..=400 {
        set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(frame)));
        app.update();
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
        seen.insert(drawn(&mut app, ground)[0].revision);
        sleep(Duration::from_millis(1));
    }
    assert!(seen.len() > 3, "only {} of 400 changes were seen", seen.len());
}

#[test]
fn numbers_that_make_no_sense_are_told_and_harmless() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let places = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1e30), Vec3::splat(-1e30)];
    for place in places {
        set(&mut app, viewer, |t: &mut Transform| t.translation = place);
        app.update();
        assert!(matches!(problems(&app)[..], [TerrainProblem::Viewer(_)]), "{place}");
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    }
    set(&mut app, viewer, |t: &mut Transform| t.translation = Vec3::ZERO);
    for (range, detail, name) in [
        (f64::NAN, 1.0, "range"),
        (1e300, 1.0, "range"),
        (RANGE, 0.0, "detail"),
        (RANGE, 1e9, "detail"),
    ] {
        set(&mut app, viewer, |v: &mut TerrainViewer| *v = TerrainViewer { range, detail });
        app.update();
        assert!(problems(&app)[0].to_string().contains(name));
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    }
    set(&mut app, viewer, |v: &mut TerrainViewer| *v = TerrainViewer { range: RANGE, detail: 1.0 });
    app.update();
    assert!(problems(&app).is_empty());
}

#[test]
fn holes_in_a_field_are_told() {
    struct Holey;
    impl Field<2> for Holey {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            if x > 100.0 { Sample::OUTSIDE } else { Sample::constant(1.0) }
        }
    }
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Terrain::field(Holey).ground)).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    assert_eq!(problems(&app), [TerrainProblem::NotFinite]);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    // The problem ends with the field.
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(1)));
    settle(&mut app);
    assert!(problems(&app).is_empty());
}
