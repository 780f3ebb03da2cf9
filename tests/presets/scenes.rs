//! Terrain in scenes: components, and whole worlds, are converted to text and back by reflection,
//! as in Bevy's scene files and remote editors, in RON and in JSON.

use std::any::TypeId;
use std::path::Path;

use bevy::asset::{EphemeralHandleBehavior, HandleDeserializeProcessor, HandleSerializeProcessor};
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_orogeny::advanced::{Chunk, DerivedEntity, TerrainPresetTemplate};
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Raise, State};
use bevy_orogeny::orogeny::scatter::KindId;
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::prelude::*;
use serde::de::DeserializeSeed;

use super::{FOLDER, app, wait};

const HILLS: &str = "presets/hills.terrain.ron";

pub fn hills() -> Recipe {
    let path = Path::new(FOLDER).join(HILLS);
    Recipe::from_ron(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The text of a component in RON, with assets as paths.
fn save(app: &App, component: &dyn PartialReflect) -> ron::Result<String> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let handles =
        HandleSerializeProcessor { ephemeral_handle_behavior: EphemeralHandleBehavior::Error };
    ron::to_string(&TypedReflectSerializer::with_processor(component, &registry, &handles))
}

pub fn save_json(app: &App, component: &dyn PartialReflect) -> String {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    serde_json::to_string(&TypedReflectSerializer::new(component, &registry)).unwrap()
}

/// Spawns an entity with a component from RON.
fn load<C: Component>(app: &mut App, text: &str) -> Entity {
    let entity = app.world_mut().spawn_empty().id();
    let id = TypeId::of::<C>();
    insert(app, entity, id, text, &mut ron::Deserializer::from_str(text).unwrap());
    entity
}

pub fn load_json<C: Component>(app: &mut App, text: &str) -> Entity {
    let entity = app.world_mut().spawn_empty().id();
    let id = TypeId::of::<C>();
    insert(app, entity, id, text, &mut serde_json::Deserializer::from_str(text));
    entity
}

/// Inserts a component of a registered type from text.
pub fn insert<'de, D: serde::Deserializer<'de, Error: std::fmt::Display>>(
    app: &mut App,
    entity: Entity,
    id: TypeId,
    text: &str,
    deserializer: D,
) {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let mut assets = app.world().resource::<AssetServer>().clone();
    let mut handles = HandleDeserializeProcessor { load_from_path: &mut assets };
    let registration = registry.get(id).expect("the plugin registers the type");
    let value = TypedReflectDeserializer::with_processor(registration, &registry, &mut handles)
        .deserialize(deserializer)
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let component = registration.data::<ReflectComponent>().expect("it reflects as a component");
    component.insert(&mut app.world_mut().entity_mut(entity), &*value, &registry);
}

fn some_edits() -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    let crater = Crater { center: [1e12 + 0.125, -7.5], ..Crater::default() };
    let first = edits.log.add(1, crater).unwrap();
    let area = Area::Disc(Disc { center: [0.1, -0.2], ..Disc::default() });
    edits.log.add(u64::MAX, Raise { area, height: 0.3 }).unwrap();
    edits.log.set(2, first.change.id, State::Removed).unwrap();
    edits
}

/// All changes of a log, as text.
fn changes(edits: &TerrainEdits) -> String {
    format!("{:?}", edits.log.changes().collect::<Vec<_>>())
}

/// Entities with a component that has gone to RON and back, and to JSON and back.
fn through_text<C: Component + PartialReflect>(app: &mut App, component: &C) -> [Entity; 2] {
    let [ron, json] = [save(app, component).unwrap(), save_json(app, component)];
    [load::<C>(app, &ron), load_json::<C>(app, &json)]
}

fn comes_back<C: Component + PartialReflect + PartialEq + std::fmt::Debug>(component: C) {
    let mut app = app(FOLDER);
    for entity in through_text(&mut app, &component) {
        assert_eq!(app.world().get::<C>(entity), Some(&component));
    }
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
    for entity in through_text(&mut app, &edits) {
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
        for entity in through_text(&mut app, &spawner) {
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

/// The components of all entities as text, with their types. As with Bevy's own scenes, these are
/// all registered components; here without handles and the hierarchy.
fn save_world(app: &App, wanted: impl Fn(EntityRef) -> bool) -> Vec<Vec<(TypeId, String)>> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let others = [TypeId::of::<ChildOf>(), TypeId::of::<Children>(), TypeId::of::<Mesh3d>()];
    let save_entity = |entity: EntityRef| {
        let components = registry.iter().filter(|known| !others.contains(&known.type_id()));
        let all = components.filter_map(|known| {
            let component = known.data::<ReflectComponent>()?.reflect(entity)?;
            let path = component.reflect_type_path();
            let is_ours = path.starts_with("bevy_orogeny") || path.contains("Transform");
            // Bevy can only save an `Entity` with its feature `serialize`.
            let text = save(app, component.as_partial_reflect()).ok().filter(|_| is_ours)?;
            Some((known.type_id(), text))
        });
        all.collect::<Vec<_>>()
    };
    let is_resource = |entity: &EntityRef| entity.contains::<bevy::ecs::resource::IsResource>();
    let entities = app.world().iter_entities().filter(|entity| !is_resource(entity));
    entities
        .filter(|&entity| wanted(entity))
        .map(save_entity)
        .filter(|all| !all.is_empty())
        .collect()
}

/// The terrain, its edits and its viewer come back from a scene. Chunks and the like do not: they
/// are told apart by their marker, have names, and are despawned if a scene has them all the same.
#[test]
fn a_scene_brings_back_terrain_and_edits() {
    let mut before = app(FOLDER);
    before.world_mut().spawn((Terrain::recipe(hills()), some_edits()));
    before.world_mut().spawn(TerrainViewer { range: 200.0, ..default() });
    before.world_mut().spawn(SpawnOnGround { lowest: Some(1e8), ..default() });
    wait(&mut before, "chunks", |world| {
        let stats = world.resource::<TerrainStats>();
        stats.displayed > 0 && stats.missing == 0
    });
    // Which chunks stay although they are not drawn depends on the order of their arrival.
    let seen = |world: &mut World| {
        let mut derived = world.query::<(&DerivedEntity, &Name, &Visibility)>();
        derived.iter(world).filter(|(.., visibility)| **visibility != Visibility::Hidden).count()
    };
    let derived = seen(before.world_mut());
    assert!(derived > 20, "{derived}");
    let mut chunks = before.world_mut().query::<(&Chunk, Has<DerivedEntity>)>();
    assert!(chunks.iter(before.world()).all(|(_, is_derived)| is_derived));

    let own = save_world(&before, |entity| !entity.contains::<DerivedEntity>());
    assert_eq!(own.len(), 3);
    let all = save_world(&before, |_| true);
    assert!(all.len() > own.len() + 20);
    for saved in [own, all] {
        let mut after = app(FOLDER);
        for components in saved {
            let entity = after.world_mut().spawn_empty().id();
            for (id, text) in components {
                let mut deserializer = ron::Deserializer::from_str(&text).unwrap();
                insert(&mut after, entity, id, &text, &mut deserializer);
                after.world_mut().flush();
            }
        }
        wait(&mut after, "chunks", |world| {
            let stats = world.resource::<TerrainStats>();
            stats.displayed > 0 && stats.missing == 0
        });
        let world = after.world_mut();
        let (terrain, edits) =
            world.query::<(&Terrain, &TerrainEdits)>().single(world).expect("one terrain");
        assert_eq!(terrain.ground, Ground::Recipe(hills()));
        assert_eq!(changes(edits), changes(&some_edits()));
        assert_eq!(seen(world), derived);
        let ground = world.query::<&SpawnOnGround>().single(world).unwrap();
        assert_eq!(ground.lowest, Some(1e8));
    }
}
