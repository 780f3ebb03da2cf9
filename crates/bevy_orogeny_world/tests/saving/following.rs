//! What changes without an editor: the recipe, presets, and logs that are changed directly.

use std::fs;

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Change, Crater, EditId, EditLog, State};
use bevy_orogeny::{Ground, Terrain, TerrainEdits, TerrainPreset};
use bevy_orogeny_world::{SavedTerrain, TerrainWorld};

use crate::{app_with, edit, island, log, open, read, recipe, run_until, same, world};

fn crater(time: u64, author: u64) -> Change {
    let id = EditId { time, author };
    let crater = Crater { center: [time as f64, author as f64], ..Crater::default() };
    Change { id, time: id, state: State::Shown(crater.into()) }
}

#[test]
fn the_recipe_is_saved_when_it_changes() {
    let (_folder, path) = island();
    let (mut app, terrain) = open(&path, 3);
    for seed in 4..8 {
        app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = Ground::Recipe(recipe(seed));
        app.update();
    }
    // Another setting is not.
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().spacing = 2.0;
    app.update();
    assert_eq!(world(&app).world().recipe, recipe(7));
    run_until(&mut app, |app| world(app).waiting() == 0);
    assert_eq!(world(&app).saved(), 4);
    drop(app);
    assert_eq!(read(&path).recipe, recipe(7));
}

#[test]
fn the_recipe_of_a_preset_is_saved() {
    let (folder, path) = island();
    let assets = folder.path().join("assets");
    fs::create_dir(&assets).unwrap();
    fs::write(assets.join("other.terrain.ron"), recipe(11).to_ron().unwrap()).unwrap();
    fs::write(assets.join("bad.terrain.ron"), "(seed: ").unwrap();
    let file_path = assets.to_str().unwrap().to_string();
    let mut app = app_with(AssetPlugin { file_path, ..AssetPlugin::default() });
    let new = Terrain::recipe(recipe(3));
    app.insert_resource(TerrainWorld::open_or_create(&path, &new).unwrap());
    let preset = |app: &App, name: &str| {
        TerrainPreset(app.world().resource::<AssetServer>().load(format!("{name}.terrain.ron")))
    };
    let other = preset(&app, "other");
    let terrain = app.world_mut().spawn((SavedTerrain, other)).id();
    run_until(&mut app, |app| world(app).world().recipe == recipe(11));
    let bad = preset(&app, "bad");
    app.world_mut().entity_mut(terrain).insert(bad);
    for _ in 0..50 {
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    drop(app);
    assert_eq!(read(&path).recipe, recipe(11));
}

#[test]
fn changes_without_an_editor_are_found() {
    let (_folder, path) = island();
    let (mut app, terrain) = open(&path, 3);
    edit(&mut app, |ground| ground.crater([0.0, 0.0], 5.0).unwrap());
    app.update();
    // One with an editor and others without, in the same frame. One is from another machine, and
    // older than the newest.
    edit(&mut app, |ground| ground.crater([5.0, 0.0], 5.0).unwrap());
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.apply(crater(50, 2)).unwrap();
    edits.log.apply(crater(20, 3)).unwrap();
    let first = edits.log.ids().next().unwrap();
    edits.log.set(1, first, State::Removed).unwrap();
    app.update();
    let expected = log(&app, terrain).clone();
    assert!(same(&world(&app).world().log, &expected));
    run_until(&mut app, |app| world(app).waiting() == 0);
    // No more than that is saved: a crater, another one, two of others and a removal.
    assert_eq!(world(&app).saved(), 5);
    drop(app);
    assert!(same(&read(&path).log, &expected));
}

/// A game that goes back to an earlier state, or starts again, by putting in another log.
#[test]
fn a_log_that_is_replaced_is_saved_as_it_is() {
    let (_folder, path) = island();
    let (mut app, terrain) = open(&path, 3);
    for n in 0..10 {
        edit(&mut app, move |ground| ground.crater([f64::from(n), 0.0], 5.0).unwrap());
        app.update();
    }
    let checkpoint = log(&app, terrain).clone();
    let id = checkpoint.ids().next().unwrap();
    edit(&mut app, move |ground| ground.set(id, State::Removed).unwrap());
    edit(&mut app, |ground| ground.crater([99.0, 0.0], 5.0).unwrap());
    app.update();
    app.world_mut().entity_mut(terrain).insert(TerrainEdits { log: checkpoint.clone() });
    edit(&mut app, |ground| ground.crater([-9.0, 0.0], 5.0).unwrap());
    app.update();
    let expected = log(&app, terrain).clone();
    assert_eq!(expected.len(), 11);
    drop(app);
    assert!(same(&read(&path).log, &expected));
    let (mut app, terrain) = open(&path, 3);
    app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().log = EditLog::new();
    app.update();
    drop(app);
    assert_eq!(read(&path).log.changes().count(), 0);
}
