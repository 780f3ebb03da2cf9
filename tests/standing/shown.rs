//! Ground that was changed and is not shown yet, and `SpawnOnGround`, which waits for what is
//! pending.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::ecs::system::{RunSystemOnce, SystemState};
use bevy::prelude::*;
use bevy_orogeny::advanced::SpawnOnGroundError;
use bevy_orogeny::orogeny::edits::{Area, Disc, Flatten};
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;

use super::{Step, flat, height, plain, time_step};

#[derive(Resource, Default)]
struct Changes(u32);

fn flat_ground(height: f32) -> Ground {
    Ground::Recipe(flat(height))
}

/// Level ground at 5 m that is drawn, and what walks on it.
fn scene(ground: Ground) -> (App, Entity, Entity) {
    let mut app = plain();
    app.init_resource::<Changes>()
        .add_observer(|_: On<TerrainChanged>, mut changes: ResMut<Changes>| changes.0 += 1)
        .add_systems(Update, walk);
    time_step(&mut app, 0.016);
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
    let (mut app, terrain, walker) = scene(flat_ground(5.0));
    app.update();
    assert_eq!(height(&app, walker), 6.0);
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat_ground(485.0);
    app.update();
    let is_old = changes(&app) == 1;
    assert!(is_old, "a test of what is not shown yet");
    assert_eq!(heights(&mut app, [3.0, 4.0]), [485.0, 5.0]);
    until(&mut app, 2, |app| assert_eq!(height(app, walker), 6.0));
    assert_eq!(height(&app, walker), 486.0);
    assert_eq!(heights(&mut app, [3.0, 4.0]), [485.0, 485.0]);
    app.update();
    assert_eq!(height(&app, walker), 486.0);

    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat_ground(470.0);
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
    let (mut app, terrain, walker) = scene(flat_ground(5.0));
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
    let (mut app, terrain, walker) = scene(flat_ground(5.0));
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
    let (mut app, terrain, _) = scene(flat_ground(5.0));
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
    let terrain = app.world_mut().spawn(Terrain { ground: flat_ground(5.0), ..default() }).id();
    let walker = TerrainWalker { height: 1.0, ..default() };
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    for new in [50.0, 60.0] {
        app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat_ground(new);
        // Also before it is adopted.
        assert_eq!(heights(&mut app, [0.0; 2]), [new, new]);
        app.update();
        assert_eq!((heights(&mut app, [0.0; 2]), height(&app, walker)), ([new, new], new + 1.0));
    }
}

/// What was shown is dropped with its terrain, and when another ground is shown.
#[test]
fn old_ground_is_dropped() {
    let field = Arc::new(Step(5.0, 5.0));
    let (mut app, terrain, _) = scene(Ground::field(field.clone()));
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat_ground(7.0);
    until(&mut app, 2, |_| {});
    let is_dropped = |app: &mut App, field: &Arc<Step>| {
        let start = Instant::now();
        while Arc::strong_count(field) > 1 {
            app.update();
            assert!(start.elapsed() < Duration::from_secs(60), "{}", Arc::strong_count(field));
            sleep(Duration::from_millis(1));
        }
    };
    is_dropped(&mut app, &field);
    let field = Arc::new(Step(5.0, 5.0));
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = Ground::field(field.clone());
    until(&mut app, 3, |_| {});
    app.world_mut().despawn(terrain);
    is_dropped(&mut app, &field);
}

#[derive(Resource, Default)]
struct Ready(Vec<Entity>);

/// An app with level ground, whose assets are in a folder.
fn level(folder: &str, height: f32) -> (App, Entity) {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.into(), ..default() };
    app.add_plugins((MinimalPlugins, TransformPlugin, assets, TerrainPlugins));
    app.init_resource::<Ready>()
        .add_observer(|ready: On<GroundReady>, mut seen: ResMut<Ready>| seen.0.push(ready.entity));
    let terrain = app.world_mut().spawn(Terrain::recipe(flat(height))).id();
    app.update();
    (app, terrain)
}

fn placed(app: &App, entity: Entity) -> Option<f32> {
    let waits = app.world().get::<SpawnOnGround>(entity).is_some();
    (!waits).then(|| app.world().get::<Transform>(entity).unwrap().translation.y)
}

/// Edits and settings of the same frame count, whatever comes first.
#[test]
fn changes_of_the_frame_count() {
    let (mut app, terrain) = level("", 5.0);
    let raise_and_spawn = |mut editor: TerrainEditor, mut commands: Commands| {
        editor.single().unwrap().raise([0.0; 2], 9.0, 1.0, 3.0).unwrap();
        commands.spawn(SpawnOnGround::default()).id()
    };
    let flag = app.world_mut().run_system_once(raise_and_spawn).unwrap();
    assert_eq!(placed(&app, flag), None);
    app.update();
    assert_eq!(placed(&app, flag), Some(8.0));

    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = flat_ground(20.0);
    let flag = app.world_mut().spawn(SpawnOnGround::default()).id();
    app.update();
    assert_eq!(placed(&app, flag), Some(23.0));
    // If nothing is pending, it is placed at once.
    let flag = app.world_mut().spawn(SpawnOnGround::default()).id();
    assert_eq!(placed(&app, flag), Some(23.0));
    assert_eq!(app.world().resource::<Ready>().0.len(), 3);
}

/// While a preset is being loaded, the old ground gives no answer; after an error it does.
#[test]
fn a_preset_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("high.terrain.ron"), flat(70.0).to_ron().unwrap()).unwrap();
    std::fs::write(file("faulty.terrain.ron"), "(height: nonsense)").unwrap();
    let (mut app, terrain) = level(folder.path().to_str().unwrap(), 5.0);
    for (name, expected) in [("high", 70.0), ("faulty", 70.0), ("missing", 70.0)] {
        let path = format!("{name}.terrain.ron");
        let preset = TerrainPreset(app.world().resource::<AssetServer>().load(path));
        app.world_mut().entity_mut(terrain).insert(preset);
        let flag = app.world_mut().spawn(SpawnOnGround::default()).id();
        assert_eq!(placed(&app, flag), None, "{name}");
        let start = Instant::now();
        let height = loop {
            app.update();
            if let Some(height) = placed(&app, flag) {
                break height;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "{name}");
            sleep(Duration::from_millis(1));
        };
        assert_eq!(height, expected, "{name}");
    }
    assert_eq!(app.world().resource::<Ready>().0.len(), 3);
}

/// Without a search, water is refused: the entity waits, and a problem says why.
#[test]
fn dry_is_the_default() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::recipe(flat(-4.0)).with_sea(0.0));
    app.update();
    let flag = app.world_mut().spawn(SpawnOnGround::default()).id();
    assert_eq!(placed(&app, flag), None);
    let problem = TerrainProblem::SpawnOnGround(SpawnOnGroundError::Unsuited);
    let problems: Vec<_> = app.world().resource::<TerrainProblems>().iter().collect();
    assert!(problems.contains(&(Some(flag), &problem)), "{problems:?}");
    app.world_mut().entity_mut(flag).insert(SpawnOnGround { deepest: None, ..default() });
    assert_eq!(placed(&app, flag), Some(-4.0));
}

/// What has a position of its own gets it in `f64`.
#[test]
fn far_ground_is_exact() {
    let (mut app, _) = level("", 5.0);
    let spawn = SpawnOnGround { offset: 0.5, ..SpawnOnGround::at([1e12 + 0.3, -1e9]) };
    let entity = app.world_mut().spawn((spawn, WorldPosition::default())).id();
    app.update();
    let position = app.world().get::<WorldPosition>(entity).unwrap().get();
    assert_eq!(position, Some([1e12 + 0.3, 5.5, -1e9]));
}
