//! Measures terrain colliders: one tile, and the tiles of a hundred bodies.
//!
//! `cargo run --release --example physics_bench`
//!
//! It opens no window. The first table has the time that a tile's collider takes, in microseconds,
//! and that of the engine's own constructors for the same triangles and heights. The second has
//! milliseconds per step on the main thread with a hundred flying sources: for the tiles, and for
//! the whole step. The third has milliseconds from an edit of the ground to its collider.

use std::hint::black_box;
use std::time::{Duration, Instant};

use avian3d::prelude as avian;
use bevy::math::Vec3;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::edits::Crater;
use bevy_orogeny::{
    ChunkKey, ColliderTile, GroundQuery, PhysicsEngine, Terrain, TerrainColliderPlugin,
    TerrainColliderSource, TerrainColliderSystems, TerrainEdits, TerrainPlugins, Tile,
};
use bevy_orogeny_physics::{Avian, Rapier};
use bevy_rapier3d::prelude as rapier;

const TILES: i64 = 400;
const SOURCES: u32 = 100;
const STEPS: u32 = 600;
const RATE: f32 = 60.0;
/// In m/s, for resting, walking, driving and flying.
const SPEEDS: [f32; 4] = [0.0, 2.0, 30.0, 300.0];

fn main() {
    let ground = GroundQuery::of(&Terrain::default()).expect("the default terrain is valid");
    let width = Tile::CELLS as f32;
    let vertices = |tile: &Tile| tile.vertices().map(Vec3::from).collect();
    heading(&format!("a tile of {0} x {0} cells", Tile::CELLS), ["min", "median", "99 %"]);
    row("us, its heights only", tiles(&ground, |_| ()));
    row("us, with its Avian collider", tiles(&ground, Avian::collider));
    let trimesh =
        |tile: &Tile| avian::Collider::trimesh(vertices(tile), tile.triangles().collect());
    row("us, with Avian's Collider::trimesh", tiles(&ground, trimesh));
    let heightfield = |tile: &Tile| {
        let column = |x| tile.heights.iter().skip(x).step_by(Tile::SIDE).copied().collect();
        let columns = (0..Tile::SIDE).map(column).collect();
        avian::Collider::heightfield(columns, Vec3::new(width, 1.0, width))
    };
    row("us, with Avian's Collider::heightfield", tiles(&ground, heightfield));
    row("us, with its Rapier collider", tiles(&ground, Rapier::collider));
    let trimesh =
        |tile: &Tile| rapier::Collider::trimesh(vertices(tile), tile.triangles().collect());
    row("us, with Rapier's Collider::trimesh", tiles(&ground, trimesh));
    let heightfield = |tile: &Tile| {
        let scale = Vec3::new(width, 1.0, width);
        rapier::Collider::heightfield(tile.heights.clone(), Tile::SIDE, Tile::SIDE, scale)
    };
    row("us, with Rapier's Collider::heightfield", tiles(&ground, heightfield));

    println!();
    let what = format!("{SOURCES} sources, {STEPS} steps of 1/{RATE} s");
    heading(&what, ["median", "99 %", "max"]);
    for speed in SPEEDS {
        sources(Avian, "Avian", speed, |app| app.add_plugins(avian::PhysicsPlugins::default()));
    }
    for speed in SPEEDS {
        sources(Rapier, "Rapier", speed, |app| {
            app.add_plugins(rapier::RapierPhysicsPlugin::<()>::default())
        });
    }

    println!();
    heading("edits", ["median", "99 %", "max"]);
    craters(Avian, "Avian", |app| app.add_plugins(avian::PhysicsPlugins::default()));
    craters(Rapier, "Rapier", |app| app.add_plugins(rapier::RapierPhysicsPlugin::<()>::default()));
}

/// Microseconds for the heights and the collider of each of some tiles along a diagonal.
fn tiles<R>(ground: &GroundQuery, make: impl Fn(&Tile) -> R) -> [f64; 3] {
    let time = |k| {
        let start = Instant::now();
        black_box(make(&Tile::build(ground, ChunkKey { lod: 0, x: k, z: 3 * k })));
        start.elapsed().as_secs_f64() * 1e6
    };
    // The first tiles warm up caches.
    let mut times = (-TILES..TILES).map(time).collect::<Vec<_>>().split_off(TILES as usize);
    times.sort_by(f64::total_cmp);
    [times[0], part(&times, 0.5), part(&times, 0.99)]
}

fn part(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).round() as usize]
}

fn heading(what: &str, [a, b, c]: [&str; 3]) {
    println!("{what:48} {a:>8} {b:>8} {c:>8}");
}

fn row(name: &str, figures: [f64; 3]) {
    let [a, b, c] = figures;
    println!("{name:48} {a:8.2} {b:8.2} {c:8.2}");
}

/// When the parts of a step start and end.
#[derive(Resource, Default)]
struct Clock {
    begun: Option<Instant>,
    tiles: Vec<f64>,
    steps: Vec<f64>,
}

#[derive(Component)]
struct Moving(Vec3);

/// An app with a terrain and an engine, which steps once a frame.
fn app<E: PhysicsEngine>(engine: E, add: impl Fn(&mut App) -> &mut App) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        MeshPlugin,
        TerrainPlugins,
    ));
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
    engine: E,
    name: &str,
    speed: f32,
    add: impl Fn(&mut App) -> &mut App,
) {
    let (mut app, _) = app(engine, add);
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
        let rest = Duration::from_secs_f32(1.0 / RATE).saturating_sub(frame.elapsed());
        std::thread::sleep(rest);
    }
    let Clock { tiles, steps, .. } = &mut *app.world_mut().resource_mut::<Clock>();
    for (what, times) in [("tiles", tiles), ("whole step", steps)] {
        times.sort_by(f64::total_cmp);
        let figures = [part(times, 0.5), part(times, 0.99), part(times, 1.0)];
        row(&format!("ms, {name} at {speed} m/s, {what}"), figures);
    }
}

/// A source at 100 m/s on the ground, and a crater of 10 m radius under it every half second: the
/// time from the edit to the end of the update that steps with the new collider.
fn craters<E: PhysicsEngine>(engine: E, name: &str, add: impl Fn(&mut App) -> &mut App) {
    let (mut app, terrain) = app(engine, add);
    let ground = GroundQuery::of(&Terrain::default()).expect("the default terrain is valid");
    let source = (TerrainColliderSource::new(1.0), E::Velocity::default(), Transform::default());
    let source = app.world_mut().spawn(source).id();
    let (mut times, mut waiting) = (Vec::new(), None);
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
                times.push(since.elapsed().as_secs_f64() * 1e3);
                waiting = None;
            }
        }
        std::thread::sleep(Duration::from_secs_f32(1.0 / RATE).saturating_sub(frame.elapsed()));
    }
    times.sort_by(f64::total_cmp);
    let figures = [part(&times, 0.5), part(&times, 0.99), part(&times, 1.0)];
    row(&format!("ms, crater to {name} collider, 100 m/s"), figures);
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
