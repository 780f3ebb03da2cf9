//! Remote editors: what the methods of the Bevy Remote Protocol read, spawn and change, without its
//! connection.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy_orogeny::prelude::*;
use bevy_orogeny::{
    Chunk, DerivedEntity, EditAuthor, HoldFrameTime, ScatterStats, TerrainBudget, TerrainProblem,
    TerrainQuality,
};
use bevy_remote::BrpResult;
use bevy_remote::builtin_methods::*;
use serde_json::{Value, json};

use super::as_text::{changes, hills, save_json, some_edits};
use super::support::{FOLDER, app, wait};

/// Calls a method, and returns its result or the message of its error.
macro_rules! call {
    ($app:expr, $method:ident, $params:expr) => {{
        let world = $app.world_mut();
        let result: BrpResult = world.run_system_once_with($method, Some($params)).unwrap();
        result.map_err(|error| error.message)
    }};
}

/// The value of a component as a remote editor shows it.
fn read<C: TypePath>(app: &mut App, entity: Entity) -> Value {
    let params = json!({ "entity": entity, "components": [C::type_path()], "strict": true });
    let values = call!(app, process_remote_get_components_request, params).unwrap();
    values[C::type_path()].clone()
}

fn spawn(app: &mut App, components: Value) -> Entity {
    let params = json!({ "components": components });
    let spawned = call!(app, process_remote_spawn_entity_request, params).unwrap();
    serde_json::from_value(spawned["entity"].clone()).unwrap()
}

fn mutate<C: TypePath>(
    app: &mut App,
    entity: Entity,
    path: &str,
    value: Value,
) -> Result<Value, String> {
    let params =
        json!({ "entity": entity, "component": C::type_path(), "path": path, "value": value });
    call!(app, process_remote_mutate_components_request, params)
}

/// Reads a component from one entity, and spawns another with what was read.
fn comes_back<C: Component + TypePath + PartialEq + std::fmt::Debug + Clone>(component: C) {
    let mut app = app(FOLDER);
    let entity = app.world_mut().spawn(component.clone()).id();
    let value = read::<C>(&mut app, entity);
    let copy = spawn(&mut app, json!({ C::type_path(): value }));
    assert_eq!(app.world().get::<C>(copy), Some(&component));
}

#[test]
fn components_come_back_through_a_remote_editor() {
    comes_back(Terrain::default());
    comes_back(Terrain { keep_meshes: true, ..Terrain::loading() });
    comes_back(TerrainViewer { uniform: Some(3), ..default() });
    comes_back(SpawnOnGround { lowest: Some(-1e9), ..SpawnOnGround::at([1e12, -7.25]) });
    comes_back(WorldPosition::at([1e12 + 0.25, -3.5, 0.0]));
    comes_back(TerrainWalker { height: 1.2, ..default() });
    comes_back(WalkerObstacle::default());
    let mut app = app(FOLDER);
    let edits = some_edits();
    let original = app.world_mut().spawn(edits.clone()).id();
    let value = read::<TerrainEdits>(&mut app, original);
    let copy = spawn(&mut app, json!({ TerrainEdits::type_path(): value }));
    let copy = app.world().get::<TerrainEdits>(copy).unwrap();
    assert_eq!(changes(copy), changes(&edits));
}

/// A terrain from a remote editor is built, and follows what the editor changes. What it may not
/// have is an error or is reported, and the old ground stays.
#[test]
fn a_remote_editor_changes_a_terrain() {
    let mut app = app(FOLDER);
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    let value: Value =
        serde_json::from_str(&save_json(&app, &Terrain::recipe(hills()))).expect("it is JSON");
    let terrain = spawn(&mut app, json!({ Terrain::type_path(): value }));
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
fn a_remote_editor_changes_settings() {
    fn comes_back<R: Resource + TypePath>(app: &mut App) {
        let name = json!({ "resource": R::type_path() });
        let read = call!(app, process_remote_get_resources_request, name).unwrap();
        let value = json!({ "resource": R::type_path(), "value": read["value"] });
        call!(app, process_remote_insert_resources_request, value).unwrap();
    }
    let mut app = app(FOLDER);
    app.insert_resource(HoldFrameTime::fps(50.0));
    comes_back::<TerrainBudget>(&mut app);
    comes_back::<TerrainQuality>(&mut app);
    comes_back::<TerrainOrigin>(&mut app);
    comes_back::<TerrainStats>(&mut app);
    comes_back::<ScatterStats>(&mut app);
    comes_back::<HoldFrameTime>(&mut app);
    comes_back::<EditAuthor>(&mut app);
    let params =
        json!({ "resource": TerrainBudget::type_path(), "path": ".tasks_in_flight", "value": 3 });
    call!(app, process_remote_mutate_resources_request, params).unwrap();
    assert_eq!(app.world().resource::<TerrainBudget>().tasks_in_flight, 3);
}

/// Whatever the plugin spawns has a name, and shows its public components.
#[test]
fn a_remote_editor_reads_what_the_plugin_spawns() {
    let mut app = app(FOLDER);
    app.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    app.world_mut().spawn(Terrain::default());
    wait(&mut app, "chunks", |world| world.resource::<TerrainStats>().displayed > 0);
    let params = json!({ "data": { "components": [Name::type_path()], "option": "all" },
        "filter": { "with": [DerivedEntity::type_path()] } });
    let found = call!(app, process_remote_query_request, params).unwrap();
    let found = found.as_array().unwrap();
    let all = app.world_mut().query_filtered::<(), With<DerivedEntity>>().iter(app.world()).count();
    assert_eq!(found.len(), all);
    let chunk = Chunk::type_path();
    let chunks = found.iter().filter_map(|entity| entity["components"].get(chunk));
    assert!(
        chunks.inspect(|chunk| assert!(chunk["key"]["lod"].is_number(), "{chunk}")).count() > 0
    );
}
