//! A game makes a world, ends, and another one opens it.

use std::collections::BTreeMap;
use std::path::Path;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use bevy_orogeny_world::{SavedTerrain, TerrainWorld, world_of};
use serde::{Deserialize, Serialize};
use tempfile::tempdir;

use crate::{app, edit, exit, heights, island, log, open, read, recipe, run_until, same, world};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Player {
    place: [f64; 3],
    name: String,
    bag: BTreeMap<String, u32>,
}

/// A world with a crater: its edits and heights.
fn crater(path: &Path) -> (EditLog, Vec<[u32; 3]>) {
    let (mut app, terrain) = open(path, 3);
    edit(&mut app, |ground| ground.crater([10.0, 5.0], 20.0).unwrap());
    app.update();
    (log(&app, terrain).clone(), heights(&mut app))
}

#[test]
fn all_of_a_world_comes_back() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("worlds/island.world");
    let bag = [("rope".into(), 1), ("nails".into(), 40)].into();
    let player = Player { place: [0.1, -3e8, 1e-12], name: "Ä \"b\"\n".into(), bag };
    let (mut app, terrain) = open(&path, 3);
    // The ground is there at once, before any frame.
    let untouched = heights(&mut app);
    let crater = edit(&mut app, |ground| ground.crater([10.0, 5.0], 20.0).unwrap());
    app.update();
    edit(&mut app, |ground| ground.raise([-30.0, 0.0], 10.0, 5.0, 4.0).unwrap());
    // Undo and redo.
    let undone = edit(&mut app, move |ground| ground.undo(&crater).unwrap());
    app.update();
    edit(&mut app, move |ground| ground.undo(&undone).unwrap());
    edit(&mut app, |ground| {
        let hole = ground.hole([60.0, 0.0], 4.0).unwrap();
        ground.undo(&hole).unwrap();
    });
    let mut saved = app.world_mut().resource_mut::<TerrainWorld>();
    saved.set_data("boat", Some(vec![1, 2, 3])).unwrap();
    saved.set_value("player", &player).unwrap();
    assert_eq!(saved.data("boat"), Some(&[1, 2, 3][..]));
    assert!(saved.waiting() > 0);
    app.update();
    run_until(&mut app, |app| world(app).waiting() == 0);
    // Four edits, of which two states were replaced in the same transaction or later, and data.
    assert!(world(&app).saved() >= 5 && world(&app).error().is_none());
    let (expected, ground) = (log(&app, terrain).clone(), heights(&mut app));
    assert_eq!(expected.len(), 2);
    assert_ne!(ground, untouched);
    exit(&mut app);
    drop(app);

    let saved = read(&path);
    assert!(same(&saved.log, &expected) && saved.recipe == recipe(3));
    // The ground of a new world does not count for one that exists.
    let (mut app, terrain) = open(&path, 4);
    assert!(same(log(&app, terrain), &expected));
    assert_eq!(heights(&mut app), ground);
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(heights(&mut app), ground);
    assert_eq!(world(&app).value("player").unwrap(), Some(player));
    assert_eq!(world(&app).value::<Player>("horse").unwrap(), None);
    let error = world(&app).value::<Player>("boat").unwrap_err().to_string();
    assert!(error.contains("data.boat"), "{error}");
    // Nothing has changed, so nothing is saved.
    assert_eq!((world(&app).saved(), world(&app).waiting()), (0, 0));
}

#[test]
fn an_app_that_is_dropped_or_exits_saves_its_last_frame() {
    let (_folder, path) = island();
    for n in 0..6 {
        let (mut app, terrain) = open(&path, 3);
        edit(&mut app, move |ground| ground.crater([f64::from(n), 0.0], 5.0).unwrap());
        let mut saved = app.world_mut().resource_mut::<TerrainWorld>();
        saved.set_data("n", Some(vec![n as u8])).unwrap();
        let expected = log(&app, terrain).clone();
        match n % 3 {
            0 => exit(&mut app),
            1 => app.update(),
            // Closing the world as a game does that goes back to its menu.
            _ => drop(app.world_mut().remove_resource::<TerrainWorld>()),
        }
        if n == 0 {
            // Too late, and reported.
            assert_eq!(world(&app).error(), None);
            edit(&mut app, |ground| ground.crater([500.0, 0.0], 5.0).unwrap());
            app.update();
            let error = world(&app).error().unwrap();
            assert!(error.ends_with("1 changes were made after the file was closed"), "{error}");
        }
        drop(app);
        let saved = read(&path);
        assert!(same(&saved.log, &expected), "{n}");
        assert_eq!(saved.data["n"], [n as u8]);
    }
}

/// In whatever order a game adds them, and with settings of its own.
#[test]
fn the_terrain_may_come_before_the_world() {
    let (_folder, path) = island();
    let (expected, ground) = crater(&path);
    for comes_late in [false, true] {
        let mut app = app();
        let settings = Terrain { spacing: 4.0, cells: 16, ..Terrain::loading() };
        let terrain = app.world_mut().spawn((SavedTerrain, settings)).id();
        if comes_late {
            app.update();
        }
        app.insert_resource(TerrainWorld::open(&path).unwrap());
        app.update();
        let found = app.world().get::<Terrain>(terrain).unwrap();
        assert_eq!((found.spacing, found.cells), (4.0, 16));
        assert_eq!(found.ground, Ground::Recipe(recipe(3)));
        assert!(same(log(&app, terrain), &expected));
        assert_eq!(heights(&mut app), ground);
        // A terrain that goes comes back as it was.
        edit(&mut app, |ground| ground.crater([-10.0, 5.0], 20.0).unwrap());
        let dug = log(&app, terrain).clone();
        app.world_mut().despawn(terrain);
        app.update();
        let again = app.world_mut().spawn(SavedTerrain).id();
        assert!(same(log(&app, again), &dug));
        let undo = dug.changes().last().unwrap().id;
        let removed = bevy_orogeny::orogeny::edits::State::Removed;
        app.update();
        edit(&mut app, move |ground| ground.set(undo, removed).unwrap());
        // Only one terrain is saved.
        let other = (SavedTerrain, Terrain::recipe(recipe(9)), TerrainEdits::default());
        let other = app.world_mut().spawn(other).id();
        app.update();
        assert_eq!(app.world().get::<Terrain>(other).unwrap().ground, Ground::Recipe(recipe(9)));
        let last = log(&app, again).clone();
        drop(app);
        assert!(same(&read(&path).log, &last));
        assert_eq!(read(&path).recipe, recipe(3));
        // As it was for the second time.
        let edits = TerrainEdits { log: expected.clone() };
        let first = world_of(&Terrain::recipe(recipe(3)), &edits).unwrap();
        drop(TerrainWorld::replace(&path, first).unwrap());
    }
}

/// A game that inserts the ground of new worlds after it has spawned the terrain.
#[test]
fn the_file_replaces_what_is_inserted_in_the_same_frame() {
    let (_folder, path) = island();
    let (expected, ground) = crater(&path);
    let mut app = app();
    app.insert_resource(TerrainWorld::open(&path).unwrap());
    let spawn = |mut commands: Commands| {
        let new = Terrain { spacing: 4.0, ..Terrain::recipe(recipe(9)) };
        let mut terrain = commands.spawn(SavedTerrain);
        terrain.insert(new).insert(TerrainEdits::default());
        terrain.id()
    };
    let terrain = app.world_mut().run_system_once(spawn).unwrap();
    let found = app.world().get::<Terrain>(terrain).unwrap();
    assert_eq!((found.spacing, &found.ground), (4.0, &Ground::Recipe(recipe(3))));
    assert!(same(log(&app, terrain), &expected));
    assert_eq!(heights(&mut app), ground);
    app.update();
    run_until(&mut app, |app| world(app).waiting() == 0);
    assert_eq!((world(&app).saved(), heights(&mut app)), (0, ground));
    // From the next frame on, it is saved.
    let new = (Terrain::recipe(recipe(9)), TerrainEdits::default());
    app.world_mut().entity_mut(terrain).insert(new);
    app.update();
    drop(app);
    let saved = read(&path);
    assert!(saved.recipe == recipe(9) && saved.log.is_empty());
}
