//! The entities that draw shapes: one for each part, whatever stands where.
//!
//! To Bevy, each is a mesh that is always in view. How many instances of it are drawn is decided
//! on the device, see `gpu`.

use bevy_asset::Assets;
use bevy_camera::visibility::{NoFrustumCulling, Visibility};
use bevy_ecs::prelude::*;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_pbr::MeshMaterial3d;
use bevy_render::batching::NoAutomaticBatching;
use bevy_transform::components::Transform;

use super::baking::Baking;
use super::library::Library;
use super::material::PlantMaterials;
use super::store::{DrawNumber, DrawRow, Plants, TileNumber, Wanted};
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, NeverCasts};
use crate::terrain::Terrain;

/// Spawns what draws new shapes.
pub(crate) fn spawn(
    mut commands: Commands,
    mut plants: ResMut<Plants>,
    mut meshes: ResMut<Assets<Mesh>>,
    (library, materials): (Res<Library>, Res<PlantMaterials>),
    mut baking: ResMut<Baking>,
    terrains: Query<(), With<Terrain>>,
) {
    for unused in plants.unused.drain(..) {
        commands.entity(unused).try_despawn();
    }
    for wanted in plants.wanted(&library, &mut meshes, &materials, &mut baking) {
        let Wanted { terrain, shape, part, mesh, material, casts } = wanted;
        if !terrains.contains(terrain) {
            continue;
        }
        let id = mesh.id();
        let drawn = (Mesh3d(mesh), MeshMaterial3d(material), NoAutomaticBatching);
        let always = (Transform::IDENTITY, Visibility::Inherited, NoFrustumCulling);
        let owner = (DrawnFor(terrain), ChildOf(terrain));
        let entity = commands.spawn_empty().id();
        let number = plants.add_draw(DrawRow { entity, shape, part, mesh: id });
        let mut entity = commands.entity(entity);
        entity.insert((drawn, always, owner, number, derived("Shape of plants")));
        // Shadows of far plants would not be seen.
        if !casts {
            entity.insert(NeverCasts);
        }
    }
}

/// Despawns what has lost its terrain.
pub(super) fn despawn_orphans(
    mut commands: Commands,
    orphans: Query<Entity, (With<DrawNumber>, Without<ChildOf>)>,
) {
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());
}

pub(super) fn on_tile_removed(
    event: On<Remove, TileNumber>,
    tiles: Query<&TileNumber>,
    mut plants: ResMut<Plants>,
) {
    if let Ok(&tile) = tiles.get(event.entity) {
        plants.remove(tile);
    }
}

pub(super) fn on_draw_removed(
    event: On<Remove, DrawNumber>,
    draws: Query<&DrawNumber>,
    mut plants: ResMut<Plants>,
) {
    if let Ok(&draw) = draws.get(event.entity) {
        plants.remove_draw(draw);
    }
}
