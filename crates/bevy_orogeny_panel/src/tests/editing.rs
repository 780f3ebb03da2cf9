//! Files and terrains behind the document.

use std::fs;

use bevy::prelude::*;
use bevy_orogeny::advanced::Preset;
use bevy_orogeny::{Terrain, TerrainPreset};
use orogeny::Recipe;
use tempfile::tempdir;

use super::support::{Person, recipe};
use crate::document::draft::Draft;
use crate::document::{Document, Step};

fn edit(person: &mut Person, seed: u64) {
    let recipe = Recipe { seed, ..recipe() };
    person.document().edit(Draft::new(recipe), Step::Single);
    person.frame(Vec::new());
}

fn seed(person: &mut Person) -> [u64; 2] {
    [person.document().draft().recipe.seed, person.terrain().seed]
}

#[test]
fn recipes_are_saved_and_loaded() {
    let folder = tempdir().unwrap();
    let mut person = Person::with_files(recipe(), folder.path());
    edit(&mut person, 2);
    person.editing().save("two");
    assert!(!person.document().is_unsaved());
    edit(&mut person, 3);
    person.editing().save("three");
    assert_eq!(person.editing().presets.names(), ["three", "two"]);
    person.editing().load("two".into());
    person.frame(Vec::new());
    assert_eq!((seed(&mut person), person.document().file()), ([2, 2], Some("two")));

    // The panel asks before it discards unsaved edits.
    edit(&mut person, 4);
    person.editing().load("three".into());
    person.frame(Vec::new());
    assert_eq!(
        (seed(&mut person), person.editing().asked_for.clone()),
        ([4, 4], Some("three".into()))
    );
    assert!(person.sees("Discard unsaved changes and load three?"));
    person.click("Keep editing");
    assert_eq!((seed(&mut person)[0], person.editing().asked_for.clone()), (4, None));
    person.editing().load("three".into());
    person.frame(Vec::new());
    person.click("Load");
    person.frame(Vec::new());
    assert_eq!((seed(&mut person), person.document().is_unsaved()), ([3, 3], false));
    person.document().undo();
    person.frame(Vec::new());
    assert_eq!(seed(&mut person), [4, 4]);
}

#[test]
fn errors_of_files_are_shown_and_change_nothing() {
    let folder = tempdir().unwrap();
    let mut person = Person::with_files(recipe(), folder.path());
    fs::create_dir(folder.path().join("presets")).unwrap();
    fs::write(folder.path().join("presets/broken.terrain.ron"), "(field: Add([]))").unwrap();
    for (name, part) in [
        ("broken", "field.Add: must hold at least one field"),
        ("missing", "presets/missing.terrain.ron"),
    ] {
        person.editing().load(name.into());
        person.frame(Vec::new());
        assert!(person.sees(part), "{:?}", person.texts);
        assert_eq!(seed(&mut person), [1, 1]);
    }
    for name in ["", "a/b", "../x"] {
        person.editing().save(name);
        assert!(person.editing().file_error.clone().unwrap().contains("letters"), "{name}");
    }
    person.editing().paste("(field: Constant(2e6))");
    person.frame(Vec::new());
    assert!(person.sees("not a valid recipe: field.Constant: constant is 2e6"));
}

/// On a second visit no file is read any more. Once the ground stayed, and the next save would have
/// put it into the other preset's file.
#[test]
fn a_preset_that_is_loaded_already_is_shown() {
    let folder = tempdir().unwrap();
    let names = ["one", "two"];
    fs::create_dir(folder.path().join("presets")).unwrap();
    let mut person = Person::with_files(recipe(), folder.path());
    let handles = [5, 6].map(|seed| {
        let name = format!("presets/{}.terrain.ron", names[seed as usize - 5]);
        let text = Document::new(Recipe { seed, ..recipe() }, None).copy().unwrap();
        fs::write(folder.path().join(&name), text).unwrap();
        person.app.world().resource::<AssetServer>().load::<Preset>(name)
    });
    let is_loaded = |person: &mut Person| {
        let presets = person.app.world().resource::<Assets<Preset>>();
        handles.iter().all(|handle| presets.contains(handle))
    };
    person.wait("both files", is_loaded);
    let world = person.app.world_mut();
    let terrain = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
    for visit in [0, 1, 0, 1] {
        let preset = TerrainPreset(handles[visit].clone());
        person.app.world_mut().entity_mut(terrain).insert(preset);
        person.frames(2);
        assert_eq!(seed(&mut person), [5 + visit as u64; 2]);
        assert_eq!(person.document().file(), Some(names[visit]));
    }
}

/// The panel follows a preset file on disk: when it changes, becomes invalid, is corrected, and
/// conflicts with unsaved edits.
#[test]
fn changes_on_disk_are_taken_over_but_never_over_edits() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("presets/hills.terrain.ron");
    let text = |seed: u64| Document::new(Recipe { seed, ..recipe() }, None).copy().unwrap();
    fs::create_dir(folder.path().join("presets")).unwrap();
    fs::write(&path, text(5)).unwrap();

    let mut person = Person::with_files(recipe(), folder.path());
    let world = person.app.world_mut();
    let handle = world.resource::<AssetServer>().load("presets/hills.terrain.ron");
    let terrain = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
    world.entity_mut(terrain).insert(TerrainPreset(handle));
    person.wait("the file", |person| seed(person) == [5, 5]);
    let document = person.document();
    assert_eq!((document.file(), document.is_unsaved()), (Some("hills"), false));

    let change = |person: &mut Person, text: &str| {
        fs::write(&path, text).unwrap();
        person.app.world().resource::<AssetServer>().reload("presets/hills.terrain.ron");
    };
    change(&mut person, &text(6));
    person.wait("the change", |person| seed(person) == [6, 6]);
    assert!(!person.document().is_unsaved());

    change(&mut person, "(field: Add([Fractal(octaves: 99.0)]))");
    person.wait("the error", |person| person.sees("field.Add[0].Fractal.octaves: octaves is 99"));
    assert_eq!(seed(&mut person), [6, 6]);
    change(&mut person, &text(7));
    person.wait("the corrected file", |person| {
        seed(person) == [7, 7] && !person.sees("octaves is 99")
    });

    edit(&mut person, 8);
    change(&mut person, &text(9));
    person.wait("the question", |person| person.sees("The file has changed on disk"));
    assert_eq!(seed(&mut person), [8, 8]);
    person.click("Use the file");
    person.frame(Vec::new());
    assert_eq!((seed(&mut person), person.document().is_contested()), ([9, 9], false));
}

/// The panel follows a game that changes its terrain, in one step of undo.
#[test]
fn changes_of_the_game_are_followed() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let world = person.app.world_mut();
    let mut terrain = world.query::<&mut Terrain>().single_mut(world).unwrap();
    *terrain = Terrain::recipe(Recipe { seed: 77, ..recipe() });
    person.frame(Vec::new());
    assert_eq!(seed(&mut person), [77, 77]);
    person.document().undo();
    person.frame(Vec::new());
    assert_eq!(seed(&mut person), [1, 1]);
}

/// The terrain of a document is despawned, and another one replaces it. Its recipe is not an edit
/// of the old file, so saving cannot overwrite that file.
#[test]
fn another_terrain_gets_another_document() {
    let folder = tempdir().unwrap();
    let mut person = Person::with_files(recipe(), folder.path());
    person.editing().save("hills");
    let file = folder.path().join("presets/hills.terrain.ron");
    let text = fs::read_to_string(&file).unwrap();
    edit(&mut person, 2);

    let world = person.app.world_mut();
    let old = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
    world.despawn(old);
    world.spawn(Terrain::recipe(Recipe { seed: 9, ..recipe() }));
    person.frames(3);
    let document = person.document();
    assert_eq!((document.file(), document.is_unsaved()), (None, false));
    assert_eq!((document.can_go(), seed(&mut person)), ([false; 2], [9, 9]));
    person.click("Save");
    edit(&mut person, 10);
    person.click("Save");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    person.document().undo();
    person.frame(Vec::new());
    assert_eq!(seed(&mut person), [9, 9]);
}
