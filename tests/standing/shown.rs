//! Ground that was changed and is not shown yet.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::edits::{Area, Disc, Flatten};
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::prelude::*;

use super::support::plain;

#[derive(Resource, Default)]
struct Changes(u32);

fn flat(height: f32) -> Ground {
    Ground::Recipe(Recipe::new(1, 1.0, Node::Constant(height)))
}

/// Level ground at 5 m that is drawn, and what walks on it.
fn scene(ground: Ground) -> (App, Entity, Entity) {
    let mut app = plain();
    app.init_resource::<Changes>()
        .add_observer(|_: On<TerrainChanged>, mut changes: ResMut<Changes>| changes.0 += 1)
        .add_systems(Update, walk)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
    let terrain = Terrain { ground, cells: 16, ..default() };
    let terrain = app.world_mut().spawn(terrain).id();
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let walker = TerrainWalker { height: 1.0, ..default() };
    let walker = app.world_mut().spawn((walker, Transform::from_xyz(3.0, 6.0, 4.0))).id();
    until(&mut app, 1, |_| {});
    (app, terrain, walker)
}

/// Level ground at 9 m.
fn pad(center: [f64; 2]) -> Flatten {
    let area = Area::Disc(Disc { center, radius: 6.0, falloff: 2.0 });
    Flatten { area, height: 9.0, ..Flatten::default() }
}

fn changes(app: &App) -> u32 {
    app.world().resource::<Changes>().0
}

/// Updates until ground has been shown so many times, and checks each frame before.
fn until(app: &mut App, count: u32, mut check: impl FnMut(&mut App)) {
    let start = Instant::now();
    loop {
        app.update();
        if changes(app) >= count {
            return;
        }
        check(app);
        assert!(start.elapsed() < Duration::from_secs(120), "not shown");
        sleep(Duration::from_micros(500));
    }
}

fn height(app: &App, entity: Entity) -> f32 {
    app.world().get::<Transform>(entity).unwrap().translation.y
}

/// What a query answers by the newest ground, and by the one that is shown.
fn heights(app: &mut App, at: [f64; 2]) -> [f32; 2] {
    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    let terrains = state.get(app.world()).unwrap();
    let shown = terrains.shown();
    assert_eq!(shown.highest(at).unwrap().terrain(), terrains.single().unwrap().terrain());
    assert_eq!(shown.iter().count(), 1);
    [terrains.single(), shown.single()].map(|ground| ground.unwrap().surface(at).unwrap().value)
}

/// Up: it is put on the new ground in the frame in which that is drawn. Down: it falls.
#[test]
fn a_walker_stands_on_what_is_drawn() {
    let (mut app, terrain, walker) = scene(flat(5.0));
    app.update();
    assert_eq!(height(&app, walker), 6.0);
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat(485.0);
    app.update();
    let is_old = changes(&app) == 1;
    assert!(is_old, "a test of what is not shown yet");
    assert_eq!(heights(&mut app, [3.0, 4.0]), [485.0, 5.0]);
    until(&mut app, 2, |app| assert_eq!(height(app, walker), 6.0));
    assert_eq!(height(&app, walker), 486.0);
    assert_eq!(heights(&mut app, [3.0, 4.0]), [485.0, 485.0]);
    app.update();
    assert_eq!(height(&app, walker), 486.0);

    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat(470.0);
    until(&mut app, 3, |app| assert_eq!(height(app, walker), 486.0));
    let mut last = height(&app, walker);
    for _ in 0..130 {
        app.update();
        let now = height(&app, walker);
        assert!((471.0..=last).contains(&now), "{now}");
        last = now;
    }
    assert_eq!(last, 471.0);
    let motion = app.world().get::<TerrainWalker>(walker).unwrap().motion;
    assert_eq!(motion, WalkerMotion::Stands);
}

/// A slope that rises from x = -10, at 5 m.
struct Slope;

impl Field<2> for Slope {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let along = (x + 10.0).clamp(0.0, 60.0) as f32;
        let gradient = [if along > 0.0 && along < 60.0 { 2.0 } else { 0.0 }, 0.0];
        Sample { value: 5.0 + 2.0 * along, gradient }
    }
}

/// New ground that is too steep lifts it, and it slides down that as if it had fallen on it.
#[test]
fn a_walker_slides_down_new_ground_that_is_too_steep() {
    let (mut app, terrain, walker) = scene(flat(5.0));
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = Ground::field(Arc::new(Slope));
    until(&mut app, 2, |_| {});
    assert!((height(&app, walker) - 32.0).abs() < 0.1);
    (0..600).for_each(|_| app.update());
    let motion = app.world().get::<TerrainWalker>(walker).unwrap().motion;
    assert_eq!((height(&app, walker), motion), (6.0, WalkerMotion::Stands));
}

/// After an edit and its undo, and with a camera on the walker's shoulders.
#[test]
fn pads_are_stood_on_once_they_are_drawn() {
    let (mut app, terrain, walker) = scene(flat(5.0));
    let child = Transform::from_xyz(0.0, 2.0, 0.0);
    app.world_mut().spawn((child, ChildOf(walker)));
    let pad = pad([3.0, 4.0]);
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    let applied = edits.log.add(1, pad).unwrap();
    until(&mut app, 2, |app| assert_eq!(height(app, walker), 6.0));
    assert_eq!(height(&app, walker), 10.0);
    app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().log.undo(1, &applied).unwrap();
    until(&mut app, 3, |app| assert_eq!(height(app, walker), 10.0));
    (0..90).for_each(|_| app.update());
    assert_eq!(height(&app, walker), 6.0);
}

/// Where nothing is pending it is put at once, elsewhere when the new ground is drawn.
#[test]
fn what_is_spawned_stands_on_what_is_drawn() {
    let (mut app, terrain, _) = scene(flat(5.0));
    let pad = pad([30.0, 4.0]);
    app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().log.add(1, pad).unwrap();
    app.update();
    assert_eq!(changes(&app), 1, "a test of what is not shown yet");
    let [beside, on] =
        [[-20.0, 0.0], [30.0, 4.0]].map(|at| app.world_mut().spawn(SpawnOnGround::at(at)).id());
    let waits = |app: &App, entity| app.world().get::<SpawnOnGround>(entity).is_some();
    assert!(!waits(&app, beside) && height(&app, beside) == 5.0);
    until(&mut app, 2, |app| assert!(waits(app, on)));
    app.update();
    assert!(!waits(&app, on) && height(&app, on) == 9.0);
}

/// Without chunks nobody sees another ground than the newest one.
#[test]
fn a_server_has_one_ground() {
    let mut app = plain();
    app.add_systems(Update, walk);
    let terrain = app.world_mut().spawn(Terrain { ground: flat(5.0), ..default() }).id();
    let walker = TerrainWalker { height: 1.0, ..default() };
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    for new in [50.0, 60.0] {
        app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat(new);
        // Also before it is adopted.
        assert_eq!(heights(&mut app, [0.0; 2]), [new, new]);
        app.update();
        assert_eq!((heights(&mut app, [0.0; 2]), height(&app, walker)), ([new, new], new + 1.0));
    }
}

struct Level;

impl Field<2> for Level {
    fn sample(&self, _: [f64; 2]) -> Sample<2> {
        Sample::constant(5.0)
    }
}

/// What was shown is dropped with its terrain, and when another ground is shown.
#[test]
fn old_ground_is_dropped() {
    let field = Arc::new(Level);
    let (mut app, terrain, _) = scene(Ground::field(field.clone()));
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat(7.0);
    until(&mut app, 2, |_| {});
    let is_dropped = |app: &mut App, field: &Arc<Level>| {
        let start = Instant::now();
        while Arc::strong_count(field) > 1 {
            app.update();
            assert!(start.elapsed() < Duration::from_secs(60), "{}", Arc::strong_count(field));
            sleep(Duration::from_millis(1));
        }
    };
    is_dropped(&mut app, &field);
    let field = Arc::new(Level);
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = Ground::field(field.clone());
    until(&mut app, 3, |_| {});
    app.world_mut().despawn(terrain);
    is_dropped(&mut app, &field);
}
