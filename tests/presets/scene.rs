//! Terrain in scenes: components are converted to text and back by reflection, as in Bevy's scene
//! files and remote editors, in RON and in JSON.

use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::KindId;
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::prelude::*;
use bevy_orogeny::{ScatterSpawner, SpawnedKinds, TerrainPresetTemplate, TerrainProblem};

use super::as_text::{HILLS, changes, hills, load, load_json, save, save_json, some_edits};
use super::support::{FOLDER, app, wait};

fn comes_back<C: Component + PartialReflect + PartialEq + std::fmt::Debug>(component: C) {
    let mut app = app(FOLDER);
    let text = save(&app, &component).unwrap();
    let entity = load::<C>(&mut app, &text);
    assert_eq!(app.world().get::<C>(entity), Some(&component), "{text}");
    let text = save_json(&app, &component);
    let entity = load_json::<C>(&mut app, &text);
    assert_eq!(app.world().get::<C>(entity), Some(&component), "{text}");
}

#[test]
fn components_come_back_from_text() {
    comes_back(Terrain::default());
    comes_back(Terrain { cells: 32, spacing: 0.5, ..Terrain::recipe(hills()) });
    comes_back(Terrain { keep_meshes: true, ..Terrain::loading() });
    comes_back(TerrainViewer { uniform: Some(3), ..default() });
    comes_back(SpawnOnGround { align: true, ..SpawnOnGround::at([1e12, -7.25]) });
    comes_back(SpawnOnGround { lowest: Some(-1e9), deepest: None, search: 3.5, ..default() });
    comes_back(WorldPosition::default());
    comes_back(TerrainWalker { height: 1.2, ..default() });
    comes_back(WorldPosition::at([1e12 + 0.25, -3.5, 0.0]));
    comes_back(WalkerObstacle::default());
}

#[test]
fn edits_come_back() {
    let mut app = app(FOLDER);
    let edits = some_edits();
    let [text, json] = [save(&app, &edits).unwrap(), save_json(&app, &edits)];
    let [ron, json] =
        [load::<TerrainEdits>(&mut app, &text), load_json::<TerrainEdits>(&mut app, &json)];
    for entity in [ron, json] {
        let loaded = app.world().get::<TerrainEdits>(entity).unwrap();
        assert_eq!(changes(loaded), changes(&edits));
        assert!(changes(loaded).contains("Removed") && changes(loaded).contains("Raise"));
    }
}

#[test]
fn spawners_come_back() {
    let mut app = app(FOLDER);
    let all = [
        SpawnedKinds::Custom,
        SpawnedKinds::All,
        SpawnedKinds::Ids(vec![KindId(3), KindId(u64::MAX)]),
    ];
    for kinds in all {
        let spawner = ScatterSpawner { distance: 70.5, kinds };
        let [text, json] = [save(&app, &spawner).unwrap(), save_json(&app, &spawner)];
        let loaded =
            [load::<ScatterSpawner>(&mut app, &text), load_json::<ScatterSpawner>(&mut app, &json)];
        for entity in loaded {
            let loaded = app.world().get::<ScatterSpawner>(entity).unwrap();
            assert_eq!(format!("{loaded:?}"), format!("{spawner:?}"));
        }
    }
    // A function is code.
    let spawner = ScatterSpawner { distance: 9.0, kinds: SpawnedKinds::Where(|_| true) };
    assert!(save(&app, &spawner).is_err());
}

/// A terrain that was loaded from text is built.
#[test]
fn a_terrain_from_text_is_built() {
    let mut app = app(FOLDER);
    let text = save(&app, &Terrain::recipe(hills())).unwrap();
    load::<Terrain>(&mut app, &text);
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    wait(&mut app, "chunks", |world| world.resource::<TerrainStats>().displayed > 0);
}

#[test]
fn a_preset_comes_back_as_its_path() {
    let mut app = app(FOLDER);
    let preset = TerrainPreset(app.world().resource::<AssetServer>().load(HILLS));
    let text = save(&app, &preset).unwrap();
    assert!(text.contains(HILLS), "{text}");
    let terrain = load::<TerrainPreset>(&mut app, &text);
    wait(&mut app, "the preset", |world| {
        world.get::<Terrain>(terrain).unwrap().ground == Ground::Recipe(hills())
    });
}

/// As with `bsn! { TerrainPreset("presets/hills.terrain.ron") }`.
#[test]
fn a_preset_has_a_template() {
    let mut app = app(FOLDER);
    let mut terrain = app.world_mut().spawn_empty();
    let preset = terrain.build_template(&TerrainPresetTemplate(HILLS.into())).unwrap();
    let terrain = terrain.insert(preset).id();
    wait(&mut app, "the preset", |world| {
        world.get::<Terrain>(terrain).unwrap().ground == Ground::Recipe(hills())
    });
}

/// Code cannot be saved: that is an error, rather than a terrain that loads as another one.
#[test]
fn a_field_of_ones_own_is_an_error() {
    struct Flat;
    impl Field<2> for Flat {
        fn sample(&self, _: [f64; 2]) -> Sample<2> {
            Sample::constant(3.0)
        }
    }
    let error = save(&app(FOLDER), &Terrain::field(Flat)).unwrap_err().to_string();
    assert!(error.contains("Field"), "{error}");
}

/// A scene may contain anything. A recipe outside its limits is reported as a problem with its
/// path.
#[test]
fn a_faulty_recipe_from_text_is_reported() {
    let mut app = app(FOLDER);
    let recipe = Recipe { height: 1e9, ..Recipe::new(1, 1.0, Node::Constant(1.0)) };
    let text = save(&app, &Terrain::recipe(recipe)).unwrap();
    let terrain = load::<Terrain>(&mut app, &text);
    app.update();
    let problems = app.world().resource::<TerrainProblems>();
    let found = problems.iter().any(|(entity, problem)| {
        entity == Some(terrain)
            && matches!(problem, TerrainProblem::Terrain(_))
            && problem.to_string().contains("height")
    });
    assert!(found, "{problems:?}");
}
