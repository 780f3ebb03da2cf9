//! The ground from which a terrain's tiles are built, and moving tiles with the origin.

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use orogeny::Region;

use super::source::ColliderTile;
use super::tile::layout;
use crate::base::origin::TerrainOrigin;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::Terrain;

/// On each terrain: the ground of its tiles, and the terrain's position (x, height, z) in the world
/// when they were built. It differs from [`AdoptedGround`] between a change and the next step.
#[derive(Component, Clone)]
pub(super) struct TileGround {
    pub ground: GroundQuery,
    pub position: [f64; 3],
}

impl TileGround {
    /// The newest valid ground. `None` if there is none, or the terrain is rotated or scaled.
    pub fn newest(adopted: &AdoptedGround) -> Option<Self> {
        Some(Self { ground: adopted.newest()?.clone(), position: adopted.position? })
    }

    /// Whether both are the same ground at the same position, and the same things stand on it.
    pub fn is(&self, other: &Self) -> bool {
        let same = self.ground.is(&other.ground) && self.ground.has_scatter_of(&other.ground);
        same && self.position == other.position
    }

    /// Where the heights of this ground differ from the one before; `None` for everywhere.
    pub fn changes(&self, old: &Self) -> Option<Vec<Region>> {
        self.ground.edited_since(&old.ground).filter(|_| self.position == old.position)
    }

    /// Converts a position (x, z) in the world to one relative to the terrain's origin.
    pub fn local(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x - self.position[0], z - self.position[2]]
    }

    /// The height of the triangles at (x, z), both in the world. `None` in a hole.
    pub fn height(&self, position: [f64; 2]) -> Option<f64> {
        let surface = self.ground.surface(self.local(position)).ok()?;
        Some(self.position[1] + f64::from(surface.value))
    }
}

/// Moves tiles after a new origin was inserted.
pub(super) fn follow_origin(
    origin: Res<TerrainOrigin>,
    terrains: Query<&TileGround>,
    mut tiles: Query<(&ColliderTile, &mut Transform)>,
) {
    if !origin.is_changed() {
        return;
    }
    for (tile, mut transform) in &mut tiles {
        let Ok(TileGround { ground, .. }) = terrains.get(tile.terrain) else { continue };
        transform.set_if_neq(origin.transform(layout(ground).origin(tile.key)));
    }
}

/// Forgets the ground of an entity that is no longer a terrain.
pub(super) fn on_terrain_removed(event: On<Remove, Terrain>, mut commands: Commands) {
    commands.entity(event.entity).try_remove::<TileGround>();
}
