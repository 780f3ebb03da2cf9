//! Terrain colliders: one tile, the tiles of a hundred bodies, and the time from an edit of the
//! ground to its collider.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::advanced::{
    ChunkKey, ColliderTile, PhysicsEngine, TerrainColliderPlugin, TerrainColliderSystems, Tile,
};
use bevy_orogeny::{GroundQuery, Terrain, TerrainColliderSource, TerrainEdits};
use orogeny::edits::Crater;

use crate::app;
use crate::report::Report;
use crate::samples::{Samples, seconds};

/// Of a tile, in metres.
const WIDTH: f32 = Tile::CELLS as f32;
const TILES: i64 = 400;
const SOURCES: u32 = 100;
const STEPS: u32 = 600;
const RATE: f32 = 60.0;
/// In m/s, for resting, walking, driving and flying.
const SPEEDS: [f32; 4] = [0.0, 2.0, 30.0, 300.0];
/// The quantiles of what happens in a step.
const OF_STEPS: [(&str, f64); 3] = [("p50", 0.5), ("p99", 0.99), ("max", 1.0)];

/// Measure terrain colliders in Avian, and in Rapier with the feature `rapier`
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {}

const AFTER_HELP: &str = "\
Metrics, each with its quantiles; with the feature `rapier`, those with avian in their names have
others with rapier:
  heights_us             the heights of a tile of 8 x 8 cells
  avian_tile_us          with its collider
  avian_trimesh_us       with the engine's own Collider::trimesh for the same triangles
  avian_heightfield_us   with the engine's own Collider::heightfield for the same heights
  avian_tiles_ms_0, _2, _30, _300
                         the time of tiles per step on the main thread with a hundred sources that
                         fly at this speed in m/s
  avian_step_ms_0, _2, _30, _300
                         the whole step
  avian_crater_ms        from an edit under a source at 100 m/s to its collider";

pub fn run(report: &Report) {
    let ground = GroundQuery::of(&Terrain::default()).expect("the default terrain is valid");
    tiles(report, "heights_us", &ground, |_| ());
    in_avian(report, &ground);
    #[cfg(feature = "rapier")]
    in_rapier(report, &ground);
}

fn in_avian(report: &Report, ground: &GroundQuery) {
    use avian3d::prelude::{Collider, PhysicsPlugins};
    use bevy_orogeny_physics::Avian;

    tiles(report, "avian_tile_us", ground, Avian::collider);
    tiles(report, "avian_trimesh_us", ground, |tile| {
        Collider::trimesh(vertices(tile), tile.triangles().collect())
    });
    tiles(report, "avian_heightfield_us", ground, |tile| {
        let column = |x| tile.heights.iter().skip(x).step_by(Tile::SIDE).copied().collect();
        let columns = (0..Tile::SIDE).map(column).collect();
        Collider::heightfield(columns, Vec3::new(WIDTH, 1.0, WIDTH))
    });
    steps(report, Avian, "avian", |app| {
        app.add_plugins(PhysicsPlugins::default());
    });
}

#[cfg(feature = "rapier")]
fn in_rapier(report: &Report, ground: &GroundQuery) {
    use bevy_orogeny_physics::Rapier;
    use bevy_rapier3d::prelude::{Collider, RapierPhysicsPlugin};

    tiles(report, "rapier_tile_us", ground, Rapier::collider);
    tiles(report, "rapier_trimesh_us", ground, |tile| {
        Collider::trimesh(vertices(tile), tile.triangles().collect())
    });
    tiles(report, "rapier_heightfield_us", ground, |tile| {
        let scale = Vec3::new(WIDTH, 1.0, WIDTH);
        Collider::heightfield(tile.heights.clone(), Tile::SIDE, Tile::SIDE, scale)
    });
    steps(report, Rapier, "rapier", |app| {
        app.add_plugins(RapierPhysicsPlugin::<()>::default());
    });
}

fn vertices(tile: &Tile) -> Vec<Vec3> {
    tile.vertices().map(Vec3::from).collect()
}

/// Microseconds for the heights and the collider of each of some tiles along a diagonal.
fn tiles<R>(report: &Report, name: &str, ground: &GroundQuery, make: impl Fn(&Tile) -> R) {
    let time =
        |k: i64| 1e6 * seconds(|| make(&Tile::build(ground, ChunkKey { lod: 0, x: k, z: 3 * k })));
    // The first tiles warm up caches.
    (-TILES..0).for_each(|k| _ = time(k));
    let times: Samples = (0..TILES).map(time).collect();
    report.quantiles(name, &times, [("min", 0.0), ("p50", 0.5), ("p99", 0.99)]);
}

/// When the parts of a step start and end.
#[derive(Resource, Default)]
struct Clock {
    begun: Option<Instant>,
    tiles: Samples,
    steps: Samples,
}

#[derive(Component)]
struct Moving(Vec3);

fn steps<E: PhysicsEngine + Copy>(report: &Report, engine: E, name: &str, add: impl Fn(&mut App)) {
    for speed in SPEEDS {
        sources(report, engine, name, speed, &add);
    }
    craters(report, engine, name, &add);
}

/// An app with a terrain and an engine, which steps once a frame.
fn new_app<E: PhysicsEngine>(engine: E, add: impl Fn(&mut App)) -> (App, Entity) {
    let mut app = app::headless();
    add(&mut app);
    app.add_plugins(TerrainColliderPlugin::new(engine))
        .init_resource::<Clock>()
        .insert_resource(Time::<Fixed>::from_hz(RATE.into()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / RATE)))
        .add_systems(Update, fly)
        .add_systems(E::schedule(), begin.before(TerrainColliderSystems::Prepare))
        .add_systems(
            E::schedule(),
            built.after(TerrainColliderSystems::Prepare).before(TerrainColliderSystems::Guard),
        )
        .add_systems(E::schedule(), end.after(TerrainColliderSystems::Guard));
    app.finish();
    app.cleanup();
    let terrain = app.world_mut().spawn(Terrain::default()).id();
    (app, terrain)
}

/// A hundred sources at 2000 m, each in its own direction.
fn sources<E: PhysicsEngine>(
    report: &Report,
    engine: E,
    name: &str,
    speed: f32,
    add: impl Fn(&mut App),
) {
    let (mut app, _) = new_app(engine, add);
    for k in 0..SOURCES {
        // Directions differ by the golden angle.
        let (sin, cos) = (2.4 * k as f32).sin_cos();
        let transform = Transform::from_xyz(500.0 * k as f32, 2000.0, 0.0);
        let moving = Moving(speed * Vec3::new(cos, 0.0, sin));
        let mut velocity = E::Velocity::default();
        E::set_linear(&mut velocity, moving.0);
        app.world_mut().spawn((transform, moving, velocity, TerrainColliderSource::new(1.0)));
    }
    for _ in 0..STEPS {
        let frame = Instant::now();
        app.update();
        // Tasks run between frames.
        app::rest(frame);
    }
    let Clock { tiles, steps, .. } = app.world().resource::<Clock>();
    for (what, times) in [("tiles", tiles), ("step", steps)] {
        report.quantiles(&format!("{name}_{what}_ms_{speed}"), times, OF_STEPS);
    }
}

/// A source at 100 m/s on the ground, and a crater of 10 m radius under it every half second: the
/// time from the edit to the end of the update that steps with the new collider.
fn craters<E: PhysicsEngine>(report: &Report, engine: E, name: &str, add: impl Fn(&mut App)) {
    let (mut app, terrain) = new_app(engine, add);
    let ground = GroundQuery::of(&Terrain::default()).expect("the default terrain is valid");
    let source = (TerrainColliderSource::new(1.0), E::Velocity::default(), Transform::default());
    let source = app.world_mut().spawn(source).id();
    let (mut times, mut waiting) = (Samples::default(), None);
    for step in 0..STEPS {
        let frame = Instant::now();
        let x = 100.0 / RATE * step as f32;
        let height = ground.surface([x.into(), 0.0]).map_or(0.0, |surface| surface.value);
        let mut source = app.world_mut().entity_mut(source);
        source.insert(Transform::from_xyz(x, height + 1.0, 0.0));
        if step % 30 == 15 {
            let center = [x.into(), 0.0];
            let tile = ChunkKey { lod: 0, x: (x / Tile::CELLS as f32).floor() as i64, z: 0 };
            let old = find(&mut app, tile);
            let crater = Crater { center, radius: 10.0, ..Crater::default() };
            let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("edits");
            edits.log.add(1, crater).expect("a valid edit");
            waiting = Some((tile, old, frame));
        }
        app.update();
        if let Some((tile, old, since)) = waiting {
            let new = find(&mut app, tile);
            if new.is_some() && new != old {
                times.push_time(since.elapsed());
                waiting = None;
            }
        }
        app::rest(frame);
    }
    report.quantiles(&format!("{name}_crater_ms"), &times, OF_STEPS);
}

/// The entity of a tile.
fn find(app: &mut App, key: ChunkKey) -> Option<Entity> {
    let mut tiles = app.world_mut().query::<(Entity, &ColliderTile)>();
    tiles.iter(app.world()).find(|(_, tile)| tile.key == key).map(|(entity, _)| entity)
}

fn fly(mut sources: Query<(&Moving, &mut Transform)>) {
    for (moving, mut transform) in &mut sources {
        transform.translation += moving.0 / RATE;
    }
}

fn begin(mut clock: ResMut<Clock>) {
    clock.begun = Some(Instant::now());
}

fn built(mut clock: ResMut<Clock>) {
    let time = clock.begun.map(|begun| begun.elapsed().as_secs_f64() * 1e3);
    clock.tiles.extend(time);
}

fn end(mut clock: ResMut<Clock>) {
    let time = clock.begun.map(|begun| begun.elapsed().as_secs_f64() * 1e3);
    clock.steps.extend(time);
}
