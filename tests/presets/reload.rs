//! Changes of a preset file on disk reach the terrain.

use std::fs;

use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use super::support::{app, problem, recipe, wait};

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
