//! Several worlds in one run, files that are closed while the game goes on, and the order of a
//! game's own systems.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{Ground, Terrain};
use bevy_orogeny_world::{TerrainWorld, TerrainWorldSystems};
use tempfile::tempdir;

use crate::{edit, exit, heights, island, log, open, read, recipe, run_until, same, world};

#[test]
fn a_switch_saves_the_old_world_and_shows_the_new_one() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(format!("{name}.world")));
    let (mut app, terrain) = open(&one, 3);
    let mut expected = Vec::new();
    // By switching without a wait, and by replacing the resource.
    for n in 0..6 {
        edit(&mut app, move |ground| ground.crater([f64::from(n), 0.0], 5.0).unwrap());
        let before = log(&app, terrain).clone();
        let path = if n % 2 == 0 { &two } else { &one };
        let new = Terrain::recipe(recipe(if n % 2 == 0 { 4 } else { 3 }));
        let next = TerrainWorld::open_or_create(path, &new).unwrap();
        if n < 3 {
            app.world_mut().resource_mut::<TerrainWorld>().switch_to(next);
            assert!(world(&app).next().is_some());
            run_until(&mut app, |app| world(app).next().is_none());
        } else {
            app.insert_resource(next);
        }
        assert_eq!(world(&app).path(), path);
        let settings = app.world().get::<Terrain>(terrain).unwrap().clone();
        assert_eq!(settings, new, "{n}");
        app.update();
        if n > 0 {
            assert!(same(log(&app, terrain), &expected.pop().unwrap()), "{n}");
        }
        expected.push(before);
    }
    edit(&mut app, |ground| ground.raise([0.0, 0.0], 5.0, 5.0, 2.0).unwrap());
    let last = log(&app, terrain).clone();
    exit(&mut app);
    drop(app);
    assert!(same(&read(&one).log, &last));
    assert!(same(&read(&two).log, &expected.pop().unwrap()));
    assert_eq!((read(&one).recipe, read(&two).recipe), (recipe(3), recipe(4)));
}

#[test]
fn a_world_is_saved_under_another_name() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one", "saves/two"].map(|name| folder.path().join(name));
    let (mut app, terrain) = open(&one, 3);
    edit(&mut app, |ground| ground.crater([1.0, 0.0], 5.0).unwrap());
    let mut open = app.world_mut().resource_mut::<TerrainWorld>();
    open.set_data("player", Some(vec![5])).unwrap();
    app.update();
    let ground = heights(&mut app);
    let copy = TerrainWorld::create(&two, world(&app).world().clone()).unwrap();
    app.world_mut().resource_mut::<TerrainWorld>().switch_to(copy);
    run_until(&mut app, |app| world(app).path() == two);
    app.update();
    assert_eq!(heights(&mut app), ground);
    let before = log(&app, terrain).clone();
    edit(&mut app, |ground| ground.crater([2.0, 0.0], 5.0).unwrap());
    drop(app);
    // The frame of the last edit did not end, but the first world has all until the switch.
    assert!(same(&read(&one).log, &before) && same(&read(&two).log, &before));
    assert_eq!(read(&two).data["player"], [5]);
}

/// A game that saves the player in each frame, while somebody draws a stroke of a brush.
#[test]
fn a_switch_needs_no_pause() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(format!("{name}.world")));
    let (mut app, terrain) = open(&one, 3);
    let next = TerrainWorld::open_or_create(&two, &Terrain::recipe(recipe(4))).unwrap();
    app.world_mut().resource_mut::<TerrainWorld>().switch_to(next);
    let (start, mut frames, mut last) = (Instant::now(), 0_u32, EditLog::new());
    while world(&app).path() == one {
        assert!(start.elapsed() < Duration::from_secs(20), "it never switches");
        frames += 1;
        app.world_mut().resource_mut::<TerrainWorld>().set_value("frames", &frames).unwrap();
        let at = [f64::from(frames), 0.0];
        edit(&mut app, move |ground| ground.crater(at, 5.0).unwrap());
        last = log(&app, terrain).clone();
        app.update();
    }
    // All is in the old world, and nothing of it in the new one.
    let old = TerrainWorld::open(&one).unwrap();
    assert!(same(&old.world().log, &last));
    assert_eq!(old.value("frames").unwrap(), Some(frames));
    app.update();
    assert_eq!(app.world().get::<Terrain>(terrain).unwrap().ground, Ground::Recipe(recipe(4)));
    assert!(log(&app, terrain).is_empty());
    run_until(&mut app, |app| world(app).waiting() == 0);
    assert_eq!(world(&app).saved(), 0);
}

#[test]
fn a_world_that_is_inserted_gets_no_edits_of_the_one_before() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(format!("{name}.world")));
    let (mut app, _) = open(&two, 4);
    for x in [30.0, 40.0, 50.0] {
        edit(&mut app, move |ground| ground.crater([x, 0.0], 5.0).unwrap());
    }
    app.update();
    drop(app);
    let (mut app, terrain) = open(&one, 3);
    app.update();
    edit(&mut app, |ground| ground.crater([1.0, 0.0], 5.0).unwrap());
    let before = log(&app, terrain).clone();
    app.insert_resource(TerrainWorld::open(&two).unwrap());
    edit(&mut app, |ground| ground.crater([2.0, 0.0], 5.0).unwrap());
    let expected = log(&app, terrain).clone();
    app.update();
    run_until(&mut app, |app| world(app).waiting() == 0);
    // The edit of the new world, and not the whole log again.
    assert_eq!((world(&app).saved(), expected.len()), (1, 4));
    drop(app);
    assert!(same(&read(&one).log, &before) && same(&read(&two).log, &expected));
}

const LATE: &str = "1 changes were made after the file was closed";

#[test]
fn closing_saves_all_of_its_frame() {
    let (_folder, path) = island();
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
    let (_folder, path) = island();
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
    let (_folder, path) = island();
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
