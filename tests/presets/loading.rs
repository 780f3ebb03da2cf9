//! A terrain from a preset: before its file is loaded, nothing is built and no problem is reported,
//! and changes on disk reach it.

use std::fs;

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, QueryError};
use bevy_orogeny::prelude::*;

use super::{app, problem, recipe, wait};
use crate::shared::{collect_errors, errors_with};

fn query(app: &mut App) -> Result<f32, QueryError> {
    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    let terrains = state.get(app.world()).unwrap();
    Ok(terrains.single()?.surface([3.0, 4.0])?.value)
}

#[test]
fn a_preset_alone_is_a_terrain() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.terrain.ron");
    fs::write(&file, "(height: 5.0, field: Add([Fractal(octaves: 77)]))").unwrap();
    let mut app = app(folder.path().to_str().unwrap());
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let flag = app.world_mut().spawn(SpawnOnGround::at([3.0, 4.0])).id();
    let handle = app.world().resource::<AssetServer>().load("test.terrain.ron");
    let settings = Terrain { spacing: 4.0, ..Terrain::loading() };
    let terrain = app.world_mut().spawn((settings, TerrainPreset(handle.clone()))).id();

    app.update();
    let chunks = |app: &mut App| app.world_mut().query::<&Chunk>().iter(app.world()).count();
    assert_eq!(query(&mut app), Err(QueryError::Loading));
    // The only problem is the file, which may have been read by now. No chunk is built either.
    let others =
        |(_, problem): &(_, &TerrainProblem)| !matches!(problem, TerrainProblem::Preset { .. });
    assert_eq!(app.world().resource::<TerrainProblems>().iter().filter(others).count(), 0);
    wait(&mut app, "the fault", |world| problem(world).is_some());
    (0..5).for_each(|_| app.update());
    assert_eq!(query(&mut app), Err(QueryError::Loading));
    assert_eq!((chunks(&mut app), app.world().resource::<TerrainStats>().built), (0, 0));
    assert!(app.world().get::<SpawnOnGround>(flag).is_some());

    fs::write(&file, recipe(3).to_ron().unwrap()).unwrap();
    wait(&mut app, "the corrected file", |world| {
        let stats = world.resource::<TerrainStats>();
        stats.displayed > 0 && stats.missing == 0
    });
    assert_eq!(problem(app.world()), None);
    assert_eq!(query(&mut app), Ok(30.0));
    assert_eq!(app.world().get::<Transform>(flag).unwrap().translation, Vec3::new(3.0, 30.0, 4.0));
    assert_eq!(app.world().get::<Terrain>(terrain).unwrap().spacing, 4.0);

    // Both ways to spawn a preset alone.
    app.world_mut().despawn(terrain);
    for second in [false, true] {
        let terrain = if second {
            app.world_mut().spawn(Terrain::preset(handle.clone())).id()
        } else {
            app.world_mut().spawn(TerrainPreset(handle.clone())).id()
        };
        app.update();
        assert_eq!(query(&mut app), Ok(30.0));
        app.world_mut().despawn(terrain);
    }
}

/// The error of a preset is logged once, however many terrains follow it, and lists all of them.
#[test]
fn an_error_is_logged_once() {
    collect_errors();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("once.terrain.ron"), "(hieght: 5.0)").unwrap();
    let mut app = app(folder.path().to_str().unwrap());
    let handle: Handle<Preset> = app.world().resource::<AssetServer>().load("once.terrain.ron");
    app.world_mut().spawn(TerrainPreset(handle.clone()));
    app.world_mut().spawn(TerrainPreset(handle.clone()));
    let reported = |world: &World| {
        let all = world.resource::<TerrainProblems>().iter().map(|(_, problem)| problem);
        all.filter(|problem| matches!(problem, TerrainProblem::Preset { .. })).count()
    };
    wait(&mut app, "the faults", |world| reported(world) == 2);
    // One that comes after the error knows it as well.
    app.world_mut().spawn(TerrainPreset(handle));
    app.update();
    assert_eq!(reported(app.world()), 3);
    // The asset server tells of the error before it logs it.
    wait(&mut app, "the message", |_| !errors_with("once.terrain.ron").is_empty());
    let errors = errors_with("once.terrain.ron");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("did you mean `height`?"), "{errors:?}");
}

#[test]
fn saving_a_file_reloads_it_and_a_faulty_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.terrain.ron");
    fs::write(&file, recipe(1).to_ron().unwrap()).unwrap();

    let mut app = app(folder.path().to_str().unwrap());
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
    let message = problem(app.world()).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains("test.terrain.ron") && message.contains("field.Add[0].Fractal.octaves"),
        "{message}"
    );
    (0..20).for_each(|_| app.update());
    assert!(follows(2)(app.world()));
    assert_eq!(app.world().resource::<TerrainStats>().built, built);
    assert!(app.world().resource::<TerrainStats>().displayed > 0);

    fs::write(&file, recipe(3).to_ron().unwrap()).unwrap();
    wait(&mut app, "the corrected file", follows(3));
    assert_eq!(problem(app.world()), None);
}
