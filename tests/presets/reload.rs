//! Changes of a preset file on disk reach the terrain.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{
    Ground, Terrain, TerrainPlugin, TerrainPreset, TerrainProblem, TerrainProblems, TerrainStats,
    TerrainViewer,
};

fn recipe(seed: u64) -> Recipe {
    Recipe::new(seed, 10.0, Node::Constant(seed as f32))
}

/// Updates until something holds, for half a minute at most.
fn wait(app: &mut App, what: &str, holds: impl Fn(&World) -> bool) {
    let start = Instant::now();
    while !holds(app.world()) {
        assert!(start.elapsed() < Duration::from_secs(30), "waited in vain for {what}");
        app.update();
        sleep(Duration::from_millis(2));
    }
}

fn problem(world: &World) -> Option<String> {
    let (_, problem) = world.resource::<TerrainProblems>().iter().next()?;
    matches!(problem, TerrainProblem::Preset { .. }).then(|| problem.to_string())
}

#[test]
fn saving_a_file_reloads_it_and_a_faulty_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.terrain.ron");
    fs::write(&file, recipe(1).to_ron().unwrap()).unwrap();

    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin {
            file_path: folder.path().to_str().unwrap().into(),
            watch_for_changes_override: Some(true),
            ..default()
        },
        TerrainPlugin,
    ));
    let preset = TerrainPreset(app.world().resource::<AssetServer>().load("test.terrain.ron"));
    let terrain = app.world_mut().spawn((Terrain::default(), preset)).id();
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let follows = |seed: u64| {
        move |world: &World| {
            let ground = &world.get::<Terrain>(terrain).unwrap().ground;
            matches!(ground, Ground::Recipe(found) if *found == recipe(seed))
        }
    };
    wait(&mut app, "the first load", follows(1));

    fs::write(&file, recipe(2).to_ron().unwrap()).unwrap();
    wait(&mut app, "the change", follows(2));
    wait(&mut app, "the new terrain", |world| world.resource::<TerrainStats>().missing == 0);
    let built = app.world().resource::<TerrainStats>().built;

    fs::write(&file, "(height: 5.0, field: Add([Fractal(octaves: 77)]))").unwrap();
    wait(&mut app, "the fault", |world| problem(world).is_some());
    let told = problem(app.world()).unwrap();
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(
        told.contains("test.terrain.ron") && told.contains("field.Add[0].Fractal.octaves"),
        "{told}"
    );
    (0..20).for_each(|_| app.update());
    assert!(follows(2)(app.world()));
    assert_eq!(app.world().resource::<TerrainStats>().built, built);
    assert!(app.world().resource::<TerrainStats>().displayed > 0);

    fs::write(&file, recipe(3).to_ron().unwrap()).unwrap();
    wait(&mut app, "the mended file", follows(3));
    assert_eq!(problem(app.world()), None);
}
