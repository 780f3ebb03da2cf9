//! Files and ground that cannot be opened or saved: the terrain stays, and the error is reported.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use bevy::prelude::*;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use bevy_orogeny_world::orogeny_world::{MAX_DATA, WorldFile};
use bevy_orogeny_world::{TerrainWorld, TerrainWorldError, world_of};
use tempfile::tempdir;

use crate::{edit, heights, island, log, open, read, recipe, run_until, same, world};

fn field() -> Terrain {
    Terrain::field(Node::<2>::Constant(3.0).build().unwrap())
}

#[test]
fn what_cannot_be_opened_or_created() {
    let folder = tempdir().unwrap();
    let named = |name: &str| folder.path().join(name);
    let plain = Terrain::recipe(recipe(3));
    let fail = |path: &Path, new: &Terrain| TerrainWorld::open_or_create(path, new).unwrap_err();
    // Not a world, and left as it was.
    fs::write(named("letter"), "Dear").unwrap();
    assert!(fail(&named("letter"), &plain).to_string().contains("letter: the file is not a world"));
    assert_eq!(fs::read(named("letter")).unwrap(), b"Dear");
    // Another program has it open.
    let held = WorldFile::create(named("held"), &world_of(&plain, &default()).unwrap()).unwrap();
    assert!(
        fail(&named("held"), &plain).to_string().ends_with("another program has the file open")
    );
    drop(held);
    // No folder can be there, and no file.
    let error = fail(&named("letter/island.world"), &plain);
    assert!(matches!(error, TerrainWorldError::Folder { .. }), "{error}");
    assert!(TerrainWorld::open(named("missing")).is_err());
    // Ground that no file can hold.
    assert!(matches!(fail(&named("new"), &field()), TerrainWorldError::Field));
    assert!(matches!(fail(&named("new"), &Terrain::loading()), TerrainWorldError::Loading));
    let bad = Terrain::recipe(Recipe { height: f32::NAN, ..recipe(3) });
    assert!(fail(&named("new"), &bad).to_string().contains("height"));
    assert!(!named("new").exists());
    assert!(matches!(world_of(&field(), &TerrainEdits::default()), Err(TerrainWorldError::Field)));
}

#[test]
fn ground_that_cannot_be_saved_is_reported_while_it_lasts() {
    let (_folder, path) = island();
    let (mut app, terrain) = open(&path, 3);
    let mut set = |ground: Ground| {
        app.world_mut().get_mut::<Terrain>(terrain).unwrap().ground = ground;
        app.update();
        app.update();
        world(&app).error()
    };
    let error = set(field().ground).unwrap();
    assert!(error.contains("island.world: the ground of the terrain is a custom field"), "{error}");
    assert_eq!(set(Ground::Recipe(recipe(4))), None);
    let bad = Recipe { height: f32::NAN, ..recipe(5) };
    assert!(set(Ground::Recipe(bad)).unwrap().contains("height"));
    // Edits are saved all the same.
    edit(&mut app, |ground| ground.crater([0.0, 0.0], 5.0).unwrap());
    app.update();
    let expected = log(&app, terrain).clone();
    drop(app);
    let saved = read(&path);
    assert_eq!(saved.recipe, recipe(4));
    assert!(same(&saved.log, &expected) && saved.log.len() == 1);
}

#[test]
fn data_has_limits() {
    let (_folder, path) = island();
    let mut world = TerrainWorld::open_or_create(&path, &Terrain::recipe(recipe(3))).unwrap();
    world.set_data("map", Some(vec![1])).unwrap();
    let error = world.set_data("map", Some(vec![0; MAX_DATA + 1])).unwrap_err().to_string();
    assert_eq!(error, "data.map: has 16777217 bytes, but may have at most 16777216");
    assert!(world.set_data("", Some(Vec::new())).is_err());
    assert_eq!((world.data("map"), world.waiting()), (Some(&[1][..]), 1));
    assert!(world.finish().is_ok());
    assert_eq!(read(&path).data.len(), 1);
}

const FULL: &str = "OROGENY_FULL_DISK";

/// The program of the test below. Its files may have some megabytes.
#[test]
fn plays_on_a_full_disk() {
    let Some(path) = env::var_os(FULL) else { return };
    let (mut app, terrain) = open(Path::new(&path), 3);
    edit(&mut app, |ground| ground.crater([0.0, 0.0], 5.0).unwrap());
    app.update();
    run_until(&mut app, |app| world(app).waiting() == 0);
    for key in ["a", "b", "c"] {
        let mut world = app.world_mut().resource_mut::<TerrainWorld>();
        world.set_data(key, Some(vec![1; MAX_DATA])).unwrap();
    }
    run_until(&mut app, |app| world(app).error().is_some());
    println!("{:?}", world(&app).error());
    // The terrain is as it was, and can be edited.
    edit(&mut app, |ground| ground.raise([0.0, 0.0], 5.0, 5.0, 2.0).unwrap());
    app.update();
    heights(&mut app);
    // A switch waits.
    let other = Path::new(&path).with_extension("other");
    let other = TerrainWorld::open_or_create(other, &Terrain::recipe(recipe(4))).unwrap();
    app.world_mut().resource_mut::<TerrainWorld>().switch_to(other);
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(world(&app).path(), Path::new(&path));
    assert_eq!((log(&app, terrain).len(), world(&app).waiting()), (2, 4));
    // There is room again, once there is less to save.
    for key in ["a", "b", "c"] {
        app.world_mut().resource_mut::<TerrainWorld>().set_data(key, None).unwrap();
    }
    run_until(&mut app, |app| world(app).next().is_none());
    assert_eq!(world(&app).error(), None);
    println!("switched");
}

#[cfg(unix)]
#[test]
fn a_full_disk_stops_no_game_and_loses_nothing() {
    let (_folder, path) = island();
    // Writes beyond the limit fail, as on a full disk, with the signal of them ignored.
    let script = "trap '' XFSZ; ulimit -f 16384; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(env::current_exe().unwrap())
        .args(["--exact", "errors::plays_on_a_full_disk", "--nocapture"])
        .env(FULL, &path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("switched"), "{output:?}");
    assert_eq!(read(&path).log.len(), 2);
    assert!(read(&path).data.is_empty());
}
