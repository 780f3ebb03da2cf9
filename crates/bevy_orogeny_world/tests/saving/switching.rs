//! Several worlds in one run.

use bevy::prelude::*;
use bevy_orogeny::Terrain;
use bevy_orogeny_world::TerrainWorld;
use tempfile::tempdir;

use crate::support::{edit, exit, heights, log, open, read, recipe, run_until, same, world};

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
