//! The entities of tiles, and of the batches that draw them.

use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_ecs::prelude::*;
use bevy_light::TransmittedShadowReceiver;
use bevy_math::Vec3;
use bevy_mesh::{Mesh3d, MeshTag};
use bevy_pbr::MeshMaterial3d;

use super::ScatterTile;
use super::pool::{Drawn, PoolWriter};
use super::tiers::TileKey;
use super::tile::Batch;
use super::tiles::{Built, Placed};
use crate::streaming::derived::derived;
use crate::streaming::drawn_for::{DrawnFor, NeverCasts};
use crate::streaming::origin::{Anchor, TerrainOrigin};

/// The tier of a tile is in the bits of its tag from this one on.
const TIER_SHIFT: u32 = 28;

/// On the entity of a tile: which one it is.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub(crate) struct TileOf {
    pub terrain: Entity,
    pub key: TileKey,
}

/// Spawns the hidden entity of a tile, unless nothing stands there.
pub(super) fn spawn(
    Built { tile, meshes, time }: Built,
    terrain: Entity,
    key: TileKey,
    origin: &TerrainOrigin,
    pool: &mut PoolWriter,
    commands: &mut Commands,
) -> Option<Placed> {
    meshes.into_iter().for_each(|(copies, mesh)| pool.add_mesh(copies, mesh));
    let tile = tile?;
    let instances = tile.batches.iter().map(|batch| batch.records.len()).sum::<usize>();
    let parts = ScatterTile { instances: instances as u32, build_time: time };
    let width = key.tier().width as f32;
    let (anchor, mut place) = Anchor::new(origin, key.square().min);
    place.translation.y = tile.bottom;
    place.scale = Vec3::new(width, tile.rise, width);
    let batches = tile.batches.into_iter().map(|batch| parts_of(batch, key, pool));
    let batches: Vec<_> = batches.collect();
    let owner = (TileOf { terrain, key }, DrawnFor(terrain), ChildOf(terrain));
    let owner = (owner, derived("Plants"));
    let mut entity = commands.spawn((parts, place, anchor, Visibility::Hidden, owner));
    entity.with_children(|children| {
        for parts in batches {
            let parts = (parts, derived("Batch of plants"), DrawnFor(terrain));
            // Shadows of far plants would not be seen.
            if key.tier().has_shadows {
                children.spawn(parts);
            } else {
                children.spawn((parts, NeverCasts));
            }
        }
    });
    let heights = [tile.bottom, tile.bottom + tile.rise].map(f64::from);
    Some(Placed { entity: entity.id(), heights, is_drawn: false })
}

/// The components of a batch in a tile.
fn parts_of(batch: Batch, key: TileKey, pool: &mut PoolWriter) -> impl Bundle + use<> {
    let Batch { copies, records, aabb } = batch;
    let Drawn { batch, mesh, material } = pool.add_batch(copies, records);
    // The shader finds its records and its tier there.
    let tag = MeshTag(batch.start | u32::from(key.tier) << TIER_SHIFT);
    // Light does not shine through leaves in the shade.
    let shade = TransmittedShadowReceiver;
    (batch, Mesh3d(mesh), MeshMaterial3d(material), tag, shade, aabb, NoAutoAabb)
}
