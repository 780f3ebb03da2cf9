//! Components as text and back by reflection, as in Bevy's scene files and in editors.

use std::any::TypeId;
use std::path::Path;

use bevy::asset::{EphemeralHandleBehavior, HandleDeserializeProcessor, HandleSerializeProcessor};
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_orogeny::TerrainEdits;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Raise, State};
use serde::de::DeserializeSeed;

use super::support::FOLDER;

pub const HILLS: &str = "presets/hills.terrain.ron";

pub fn hills() -> Recipe {
    let path = Path::new(FOLDER).join(HILLS);
    Recipe::from_ron(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The text of a component in RON, with assets as paths.
pub fn save(app: &App, component: &dyn PartialReflect) -> ron::Result<String> {
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
pub fn load<C: Component>(app: &mut App, text: &str) -> Entity {
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

pub fn some_edits() -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    let crater = Crater { center: [1e12 + 0.125, -7.5], ..Crater::default() };
    let first = edits.log.add(1, crater).unwrap();
    let area = Area::Disc(Disc { center: [0.1, -0.2], ..Disc::default() });
    edits.log.add(u64::MAX, Raise { area, height: 0.3 }).unwrap();
    edits.log.set(2, first.change.id, State::Removed).unwrap();
    edits
}

/// All changes of a log, as text.
pub fn changes(edits: &TerrainEdits) -> String {
    format!("{:?}", edits.log.changes().collect::<Vec<_>>())
}
