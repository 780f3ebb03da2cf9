//! `SpawnOnGround` waits for what is pending.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::prelude::*;
use bevy_orogeny::{SpawnOnGroundError, TerrainProblem};

use super::support::plain;

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

fn flat(height: f32) -> Recipe {
    Recipe::new(1, 1.0, Node::Constant(height))
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

    app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = Ground::Recipe(flat(20.0));
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
