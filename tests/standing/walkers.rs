//! What walkers meet in an app: boxes, themselves, and an origin that moves.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;

/// One height for negative x, another elsewhere.
struct Step(f32, f32);

impl Field<2> for Step {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        Sample::constant(if x < 0.0 { self.0 } else { self.1 })
    }
}

/// A server that does not propagate transforms, as the documentation describes it.
fn server(ground: Step) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainPlugins));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
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
