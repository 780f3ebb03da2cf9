//! Walkers: what they meet in an app, boxes, themselves, and an origin that moves; slopes that are
//! too steep; and that the way they go depends neither on frames nor on where they are.

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;

use super::{Step, plain, time_step};

/// A server that does not propagate transforms, as the documentation describes it.
fn server(ground: Step) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainPlugins));
    time_step(&mut app, 1.0 / 60.0);
    app.add_systems(Update, walk);
    app.world_mut().spawn(Terrain::field(ground));
    app
}

fn run(app: &mut App, seconds: f64, entity: Entity) -> Vec3 {
    (0..(60.0 * seconds) as u32).for_each(|_| app.update());
    app.world().get::<Transform>(entity).unwrap().translation
}

fn runner(app: &mut App, x: f32, with: impl Bundle) -> Entity {
    let walker = TerrainWalker { velocity: Vec2::X, height: 1.0, ..default() };
    app.world_mut().spawn((walker, Transform::from_xyz(x, 11.0, 0.5), with)).id()
}

#[test]
fn boxes_stop_walkers_on_a_server() {
    let mut app = server(Step(10.0, 10.0));
    let wall = WalkerObstacle { half_size: Vec3::new(0.5, 1.0, 5.0) };
    let house = app.world_mut().spawn(Transform::from_xyz(0.0, 10.0, 0.0)).id();
    app.world_mut().spawn((wall, Transform::from_xyz(4.0, 1.0, 0.0), ChildOf(house)));
    let walker = runner(&mut app, 0.0, ());
    let at = run(&mut app, 6.0, walker);
    assert!((at - Vec3::new(3.2, 11.0, 0.5)).length() < 0.01, "{at}");
}

/// Walkers may be obstacles for each other, and carry some.
#[test]
fn a_walker_does_not_stop_itself() {
    let mut app = server(Step(10.0, 10.0));
    let own = WalkerObstacle { half_size: Vec3::new(0.3, 0.9, 0.3) };
    let walker = runner(&mut app, 0.0, own);
    app.world_mut().spawn((own, Transform::from_xyz(0.5, 0.0, 0.0), ChildOf(walker)));
    let second = runner(&mut app, -3.0, own);
    app.world_mut().get_mut::<TerrainWalker>(second).unwrap().velocity = 3.0 * Vec2::X;
    let first = run(&mut app, 2.0, walker);
    let second = app.world().get::<Transform>(second).unwrap().translation;
    // In the first frame no time has passed.
    assert!((first.x - 2.0).abs() < 0.02, "{first}");
    // The second has run into the first.
    assert!((1.2..1.45).contains(&second.x), "{second}");
}

/// Whatever it did before: its feet stand on the new ground in the same frame.
#[test]
fn a_walker_is_moved_by_spawning_it_on_other_ground() {
    let mut app = server(Step(10.0, 30.0));
    let walker = runner(&mut app, -50.0, ());
    run(&mut app, 0.5, walker);
    app.world_mut().entity_mut(walker).insert(SpawnOnGround::at([200.0, 0.0]));
    let at = app.world().get::<Transform>(walker).unwrap().translation;
    assert_eq!(at, Vec3::new(200.0, 31.0, 0.0));
    let at = run(&mut app, 0.5, walker);
    assert!(at.y == 31.0 && (at.x - 200.5).abs() < 0.02, "{at}");
}

/// The ground is asked where the walker is, although its translation does not follow yet.
#[test]
fn an_origin_that_moves_in_update_is_not_noticed() {
    let mut app = server(Step(10.0, 1000.0));
    app.add_systems(Update, move_origin.before(walk));
    let walker = runner(&mut app, -100.0, ());
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let at = run(&mut app, 2.0, walker);
    assert_eq!(at.y, 11.0);
    let position = app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
    assert!((position[0] + 98.0).abs() < 0.05, "{position:?}");
    assert!(f64::from(at.x) < -8000.0, "{at}");
}

fn move_origin(mut commands: Commands, mut frames: Local<u32>) {
    *frames += 1;
    if *frames == 30 {
        commands.insert_resource(TerrainOrigin::at([8192.0, 0.0]));
    }
}

/// Level ground at 100 m, and a slope that rises from x = 20, 100 m high.
struct Wall(f32);

impl Field<2> for Wall {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let rise = (x as f32 - 20.0) * self.0;
        let gradient = [if rise > 0.0 && rise < 100.0 { self.0 } else { 0.0 }, 0.0];
        Sample { value: 100.0 + rise.clamp(0.0, 100.0), gradient }
    }
}

fn wall(angle: f32, rate: f64, walker: TerrainWalker, at: Vec3) -> (App, Entity) {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Wall(angle.to_radians().tan())));
    app.add_systems(Update, walk);
    time_step(&mut app, 1.0 / rate);
    let walker = app.world_mut().spawn((walker, Transform::from_translation(at))).id();
    (app, walker)
}

fn state(app: &App, walker: Entity) -> (f32, WalkerMotion) {
    let feet = app.world().get::<Transform>(walker).unwrap().translation.y - 1.7;
    (feet, app.world().get::<TerrainWalker>(walker).unwrap().motion)
}

#[test]
fn what_falls_onto_a_steep_slope_slides_to_its_foot() {
    for (rate, angle) in [(30.0, 50.0), (60.0, 63.0), (30.0, 79.0)] {
        let motion = WalkerMotion::Falls { speed: 0.0 };
        let walker = TerrainWalker { motion, ..default() };
        let at = Vec3::new(22.3, 115.0, 0.4);
        let (mut app, walker) = wall(angle, rate, walker, at);
        let mut last = f32::INFINITY;
        for _ in 0..(8.0 * rate) as u32 {
            app.update();
            let (feet, motion) = state(&app, walker);
            assert!(feet <= last + 1e-4, "{rate} {angle}: it climbs");
            last = feet;
            if motion == WalkerMotion::Stands {
                break;
            }
        }
        let (feet, motion) = state(&app, walker);
        assert_eq!(motion, WalkerMotion::Stands, "{rate} {angle}: {feet}");
        assert!((feet - 100.0).abs() < 0.01, "{rate} {angle}: {feet}");
    }
}

#[test]
fn a_jump_at_a_wall_slides_down_again() {
    let walker = TerrainWalker { velocity: 3.0 * Vec2::X, ..default() };
    let (mut app, walker) = wall(63.0, 60.0, walker, Vec3::new(18.0, 101.7, 0.4));
    let mut high = 0;
    for _ in 0..300 {
        app.world_mut().get_mut::<TerrainWalker>(walker).unwrap().jump = true;
        app.update();
        let (feet, _) = state(&app, walker);
        assert!(feet < 101.6, "it climbs to {feet}");
        high = if feet > 100.41 { high + 1 } else { 0 };
        assert!(high < 120, "it hangs at {feet}");
    }
}

/// Smooth hills, the same in all places that are a multiple of 1000 m apart.
struct Hills;

impl Field<2> for Hills {
    fn sample(&self, at: [f64; 2]) -> Sample<2> {
        let turn = core::f64::consts::TAU / 50.0;
        let [x, z] = at.map(|at| (at.rem_euclid(50.0) * turn).sin_cos());
        let value = 3000.0 + 2.0 * (x.0 + z.1);
        Sample {
            value: value as f32,
            gradient: [2.0 * turn * x.1, -2.0 * turn * z.0].map(|g| g as f32),
        }
    }
}

const PLACES: [f64; 4] = [0.0, 6e3, 1e5, 1e9];
/// 1.4 m/s, ten degrees off x.
const VELOCITY: Vec2 = Vec2::new(1.378_731, 0.243_107);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Steps {
    Even,
    Uneven,
    /// In `FixedUpdate`, at 64 Hz.
    Fixed,
    /// Paused for a while in between.
    Paused,
}

/// How long they walk, in seconds.
const SECONDS: f64 = 0.25;

/// How far walkers go, from each of the places.
fn ways(rate: f64, steps: Steps) -> Vec<[f64; 2]> {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    if steps == Steps::Fixed {
        app.add_systems(FixedUpdate, walk);
    } else {
        app.add_systems(Update, walk);
    }
    let spawn = |place: f64| {
        let walker = TerrainWalker { velocity: VELOCITY, ..default() };
        (walker, WorldPosition::at([place, 3010.0, -place]))
    };
    let walkers = PLACES.map(|place| app.world_mut().spawn(spawn(place)).id());
    let elapsed = |app: &App| app.world().resource::<Time<Virtual>>().elapsed_secs_f64();
    for frame in 0.. {
        let left = SECONDS - elapsed(&app);
        if left < 1e-6 {
            break;
        }
        let long = [0.4, 1.0, 2.3, 0.1, 1.2][frame % 5];
        let step = if steps == Steps::Uneven { long / rate } else { 1.0 / rate };
        // No time passes in the first frame.
        time_step(&mut app, if frame == 0 { 0.0 } else { step.min(left) });
        if steps == Steps::Paused {
            let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
            if frame % 7 < 2 { time.pause() } else { time.unpause() }
        }
        app.update();
    }
    let way = |(walker, place): (Entity, f64)| {
        let [x, _, z] = app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
        [x - place, z + place]
    };
    walkers.into_iter().zip(PLACES).map(way).collect()
}

#[test]
fn a_walk_is_as_long_everywhere() {
    for (rate, steps) in [
        (30.0, Steps::Even),
        (60.0, Steps::Uneven),
        (144.0, Steps::Fixed),
        (240.0, Steps::Paused),
        (1000.0, Steps::Even),
    ] {
        // The first fixed step and the last one may be outstanding.
        let steps_left = if steps == Steps::Fixed { 1.0 / 64.0 } else { 0.0 };
        for (place, way) in PLACES.into_iter().zip(ways(rate, steps)) {
            let off = (DVec2::from(way) - SECONDS * VELOCITY.as_dvec2()).length();
            let limit = 1.4 * (0.01 * SECONDS + steps_left);
            assert!(off < limit, "{rate} {steps:?} {place}: {way:?}");
        }
    }
}

/// A game that moves one axis, or another system that adds to the translation, takes nothing away.
#[test]
fn what_a_game_adds_to_the_translation_is_kept() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    // A wind.
    let blow = |time: Res<Time>, mut walkers: Query<&mut Transform, With<TerrainWalker>>| {
        for mut transform in &mut walkers {
            transform.translation.z += 0.5 * time.delta_secs();
        }
    };
    app.add_systems(Update, (blow, walk).chain());
    time_step(&mut app, 1.0 / 250.0);
    let walker = TerrainWalker { velocity: 1.4 * Vec2::X, ..default() };
    let place = 6e3;
    let walker = app.world_mut().spawn((walker, WorldPosition::at([place, 3010.0, 0.0]))).id();
    for _ in 0..126 {
        app.update();
    }
    let [x, _, z] = app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
    assert!((x - place - 0.7).abs() < 0.01 && (z - 0.25).abs() < 0.01, "{x} {z}");
    let found = app.world().get::<Transform>(walker).unwrap().translation;
    assert_eq!(f64::from(found.x), f64::from(x as f32));
}

/// A translation that a game sets is where the walker goes on, and so is a position.
#[test]
fn teleports_by_translation_and_by_position_count() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    app.add_systems(Update, walk);
    time_step(&mut app, 1.0 / 60.0);
    let walker = TerrainWalker { velocity: 1.5 * Vec2::X, ..default() };
    let walker = app.world_mut().spawn((walker, WorldPosition::at([1e9, 3010.0, 0.0]))).id();
    (0..5).for_each(|_| app.update());
    let x = |app: &App| app.world().get::<WorldPosition>(walker).unwrap().get().unwrap()[0];
    app.world_mut().get_mut::<Transform>(walker).unwrap().translation.x = 250.5;
    app.update();
    assert!((x(&app) - 250.525).abs() < 1e-6, "{}", x(&app));
    // A game that sets the position in each frame does not stop it.
    for frame in 0..40 {
        let mut position = app.world_mut().get_mut::<WorldPosition>(walker).unwrap();
        let [x, y, z] = position.get().unwrap();
        position.set([if frame == 0 { 1e12 } else { x }, y, z]);
        app.update();
    }
    assert!((x(&app) - 1e12 - 1.0).abs() < 0.01, "{}", x(&app) - 1e12);
}
