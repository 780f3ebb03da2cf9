//! Files that are closed while the game goes on, and the order of a game's own systems.

use bevy::prelude::*;
use bevy_orogeny_world::{TerrainWorld, TerrainWorldSystems};
use tempfile::tempdir;

use crate::support::{edit, log, open, read, same, world};

const LATE: &str = "1 changes were made after the file was closed";

#[test]
fn closing_saves_all_of_its_frame() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let (mut app, terrain) = open(&path, 3);
    app.update();
    edit(&mut app, |ground| ground.crater([1.0, 0.0], 5.0).unwrap());
    let mut open = app.world_mut().resource_mut::<TerrainWorld>();
    open.close();
    open.set_data("player", Some(vec![5])).unwrap();
    edit(&mut app, |ground| ground.crater([2.0, 0.0], 5.0).unwrap());
    let expected = log(&app, terrain).clone();
    app.update();
    assert_eq!((world(&app).error(), world(&app).waiting()), (None, 0));
    // The file is closed, so it can be opened while the app runs.
    let saved = read(&path);
    assert!(same(&saved.log, &expected) && saved.log.len() == 2);
    assert_eq!(saved.data["player"], [5]);
    // Too late, and reported.
    edit(&mut app, |ground| ground.crater([3.0, 0.0], 5.0).unwrap());
    app.update();
    let error = world(&app).error().unwrap();
    assert!(error.ends_with(LATE), "{error}");
    drop(app);
    assert!(same(&read(&path).log, &expected));
}

/// A game that wants to know whether all is saved.
#[test]
fn a_world_that_was_removed_can_be_finished() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let (mut app, terrain) = open(&path, 3);
    edit(&mut app, |ground| ground.crater([1.0, 0.0], 5.0).unwrap());
    let expected = log(&app, terrain).clone();
    let removed = app.world_mut().remove_resource::<TerrainWorld>().unwrap();
    assert!(removed.finish().is_ok());
    assert!(same(&read(&path).log, &expected));
}

/// A system that sets data.
fn set(key: &'static str) -> impl Fn(ResMut<TerrainWorld>) {
    move |mut world: ResMut<TerrainWorld>| world.set_value(key, &1).unwrap()
}

#[test]
fn systems_run_before_and_after_saving() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let (mut app, _) = open(&path, 3);
    let save = TerrainWorldSystems::Save;
    app.add_systems(PostUpdate, (set("early").before(save), set("late").after(save)));
    app.world_mut().resource_mut::<TerrainWorld>().close();
    app.update();
    let error = world(&app).error().unwrap();
    assert!(error.ends_with(LATE), "{error}");
    drop(app);
    assert_eq!(read(&path).data.keys().collect::<Vec<_>>(), ["early"]);
}
