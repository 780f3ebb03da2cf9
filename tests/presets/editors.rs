//! Editors that know types by reflection alone, as the Bevy Remote Protocol does: what they read,
//! spawn and change as JSON.

use std::any::TypeId;

use bevy::prelude::*;
use bevy::reflect::serde::TypedReflectDeserializer;
use bevy::reflect::{GetPath, TypePath};
use bevy_orogeny::advanced::{Chunk, DerivedEntity, ScatterStats};
use bevy_orogeny::prelude::*;
use serde::de::DeserializeSeed;
use serde_json::{Value, json};

use super::scenes::{hills, insert, load_json, save_json};
use super::{FOLDER, app, wait};

/// Changes a field of a component, or of a resource on its entity.
fn mutate<C: Component + TypePath>(
    app: &mut App,
    entity: Entity,
    path: &str,
    value: Value,
) -> Result<(), String> {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let reflect = registry.get_type_data::<ReflectComponent>(TypeId::of::<C>());
    let reflect = reflect.expect("it reflects as a component");
    let mut whole = reflect.reflect_mut(app.world_mut().entity_mut(entity)).unwrap();
    let field = whole.reflect_path(path).map_err(|error| error.to_string())?;
    let id = field.get_represented_type_info().expect("it is of a static type").type_id();
    let registration = registry.get(id).expect("the plugin registers the types of fields");
    let value = TypedReflectDeserializer::new(registration, &registry)
        .deserialize(value)
        .map_err(|error| error.to_string())?;
    whole.reflect_path_mut(path).unwrap().try_apply(&*value).map_err(|error| error.to_string())
}

/// A terrain from an editor is built, and follows what the editor changes. What it may not have is
/// an error or is reported, and the old ground stays.
#[test]
fn an_editor_changes_a_terrain() {
    let mut app = app(FOLDER);
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let json = save_json(&app, &Terrain::recipe(hills()));
    let terrain = load_json::<Terrain>(&mut app, &json);
    // The revision of all chunks, if they have the same.
    let revision = |world: &World| {
        let mut chunks = world.try_query::<&Chunk>()?;
        let mut revisions = chunks.iter(world).map(|chunk| chunk.revision);
        let first = revisions.next()?;
        revisions.all(|revision| revision == first).then_some(first)
    };
    wait(&mut app, "chunks", |world| revision(world).is_some());
    let first = revision(app.world());
    mutate::<Terrain>(&mut app, terrain, ".cells", json!(16)).unwrap();
    wait(&mut app, "other chunks", |world| revision(world) > first);
    let changed = revision(app.world());

    for (path, value, error) in [
        (".cells", json!("many"), "expected u32"),
        (".cell", json!(16), "cell"),
        (".ground", json!({ "Recipe": { "seed": -1 } }), "u64"),
    ] {
        let message = mutate::<Terrain>(&mut app, terrain, path, value).unwrap_err();
        assert!(message.contains(error), "{path}: {message}");
    }
    mutate::<Terrain>(&mut app, terrain, ".cells", json!(33)).unwrap();
    (0..10).for_each(|_| app.update());
    let problems = app.world().resource::<TerrainProblems>();
    let reported = problems.iter().any(|(entity, problem)| {
        entity == Some(terrain) && matches!(problem, TerrainProblem::Terrain(_))
    });
    assert!(reported && revision(app.world()) == changed, "{problems:?}");
}

/// Settings can be read and changed while a program runs.
#[test]
fn an_editor_changes_settings() {
    /// The entity of a resource, after its value went to JSON and back.
    fn comes_back<R: Resource + Reflect>(app: &mut App) -> Entity {
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let registered = registry.get(TypeId::of::<R>()).expect("the plugin registers it");
        assert!(registered.data::<ReflectResource>().is_some());
        drop(registry);
        let json = save_json(app, app.world().resource::<R>());
        let id = app.world().components().component_id::<R>().unwrap();
        let entity = app.world().resource_entities().get(id).unwrap();
        let text = &mut serde_json::Deserializer::from_str(&json);
        insert(app, entity, TypeId::of::<R>(), &json, text);
        entity
    }
    let mut app = app(FOLDER);
    app.insert_resource(HoldFrameTime::fps(50.0));
    let budget = comes_back::<TerrainBudget>(&mut app);
    comes_back::<TerrainQuality>(&mut app);
    comes_back::<TerrainOrigin>(&mut app);
    comes_back::<TerrainStats>(&mut app);
    comes_back::<ScatterStats>(&mut app);
    comes_back::<HoldFrameTime>(&mut app);
    comes_back::<EditAuthor>(&mut app);
    mutate::<TerrainBudget>(&mut app, budget, ".tasks", json!(3)).unwrap();
    assert_eq!(app.world().resource::<TerrainBudget>().tasks, 3);
}

/// Whatever the plugin spawns has a name, and shows its public components.
#[test]
fn an_editor_reads_what_the_plugin_spawns() {
    let mut app = app(FOLDER);
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    app.world_mut().spawn(Terrain::default());
    wait(&mut app, "chunks", |world| world.resource::<TerrainStats>().displayed > 0);
    let spawned: Vec<EntityRef> =
        app.world().iter_entities().filter(|entity| entity.contains::<DerivedEntity>()).collect();
    assert!(spawned.iter().all(|entity| entity.contains::<Name>()));
    let chunks = spawned.iter().filter_map(|entity| entity.get::<Chunk>());
    let levels = chunks.map(|chunk| {
        let value: Value = serde_json::from_str(&save_json(&app, chunk)).unwrap();
        assert!(value["key"]["lod"].is_number(), "{value}");
    });
    assert!(levels.count() > 0);
}
