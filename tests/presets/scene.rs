//! Terrain in scenes: components are converted to text and back by reflection, as in Bevy's scene
//! files and remote editors.

use std::any::TypeId;
use std::path::Path;

use bevy::asset::{EphemeralHandleBehavior, HandleDeserializeProcessor, HandleSerializeProcessor};
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::prelude::*;
use bevy_orogeny::{TerrainPresetTemplate, TerrainProblem};
use serde::de::DeserializeSeed;

use crate::support::{FOLDER, app, wait};

const HILLS: &str = "presets/hills.terrain.ron";

fn hills() -> Recipe {
    let path = Path::new(FOLDER).join(HILLS);
    Recipe::from_ron(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The text of a component, with assets as paths.
fn save(app: &App, component: &dyn PartialReflect) -> ron::Result<String> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let handles =
        HandleSerializeProcessor { ephemeral_handle_behavior: EphemeralHandleBehavior::Error };
    ron::to_string(&TypedReflectSerializer::with_processor(component, &registry, &handles))
}

/// Spawns an entity with a component from text.
fn load<C: Component>(app: &mut App, text: &str) -> Entity {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let mut assets = app.world().resource::<AssetServer>().clone();
    let mut handles = HandleDeserializeProcessor { load_from_path: &mut assets };
    let registration = registry.get(TypeId::of::<C>()).expect("the plugin registers the type");
    let value = TypedReflectDeserializer::with_processor(registration, &registry, &mut handles)
        .deserialize(&mut ron::Deserializer::from_str(text).unwrap())
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let component = registration.data::<ReflectComponent>().expect("it reflects as a component");
    let mut entity = app.world_mut().spawn_empty();
    component.insert(&mut entity, &*value, &registry);
    entity.id()
}

fn comes_back<C: Component + PartialReflect + PartialEq + std::fmt::Debug>(component: C) {
    let text = save(&app(FOLDER), &component).unwrap();
    let mut app = app(FOLDER);
    let entity = load::<C>(&mut app, &text);
    assert_eq!(app.world().get::<C>(entity), Some(&component), "{text}");
}

#[test]
fn components_come_back_from_text() {
    comes_back(Terrain::default());
    comes_back(Terrain { cells: 32, spacing: 0.5, ..Terrain::recipe(hills()) });
    comes_back(Terrain { keep_meshes: true, ..Terrain::loading() });
    comes_back(TerrainViewer { uniform: Some(3), ..default() });
    comes_back(SpawnOnGround { align: true, ..SpawnOnGround::at([1e12, -7.25]) });
    comes_back(TerrainWalker { height: 1.2, ..default() });
    comes_back(MovesWithOrigin);
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
