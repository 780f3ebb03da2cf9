//! Whole worlds in scenes.

use std::any::TypeId;

use bevy::prelude::*;
use bevy_orogeny::prelude::*;
use bevy_orogeny::{Chunk, DerivedEntity};

use super::as_text::{changes, hills, insert, save, some_edits};
use super::support::{FOLDER, app, wait};

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
    let derived =
        before.world_mut().query::<(&DerivedEntity, &Name)>().iter(before.world()).count();
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
        let now = world.query::<&DerivedEntity>().iter(world).count();
        assert_eq!(now, derived);
        let ground = world.query::<&SpawnOnGround>().single(world).unwrap();
        assert_eq!(ground.lowest, Some(1e8));
    }
}
