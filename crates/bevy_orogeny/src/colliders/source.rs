//! The components of collider sources and of colliders.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

use crate::base::anchor::MovesWithOrigin;
use crate::chunk::key::ChunkKey;

/// Put this on each body that must not fall through the ground: players, vehicles, crates. The
/// ground around it gets colliders, and so do the trunks and rocks that stand there, see
/// [`ScatterKind::solid_radius`]. No camera is needed.
///
/// The entity should have no parent. A source with a parent gets colliders, too, but it is neither
/// raised when the ground changes nor put back on the ground.
///
/// A tree planted into a body, or a body put into a tree, makes the engine push the body out,
/// sideways or up, at the speed that it allows for such corrections.
///
/// ```
/// use bevy_orogeny::TerrainColliderSource;
///
/// // A crate of 2 m: its corners are 1.73 m from its centre.
/// let crate_of_two_metres = TerrainColliderSource::new(1.75);
/// ```
///
/// [`ScatterKind::solid_radius`]: orogeny::scatter::ScatterKind::solid_radius
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainColliderSource {
    /// The radius of a ball around the entity's origin that contains its shape, in metres: above 0,
    /// at most 64 cells of the terrain.
    ///
    /// Before each step, there are colliders under the ball, [`REACH`](Self::REACH) beyond it, and
    /// along its path in the step (at most 128 cells of it). Where solid things grow, they reach
    /// farther by the radius of the widest one. With cells of 1 m, a crate needs up to
    /// four tiles, and a source at its limits needs 750. `bench physics` of the repository
    /// measures the cost of a tile.
    pub radius: f32,
    /// Whether the entity is put back on the ground when a step leaves its origin deeper under the
    /// surface than a tenth of its radius. On by default; turn it off for bodies that belong under
    /// the ground, also those that go there through a hole. With several terrains, it must be under
    /// all of them.
    pub keep_above: bool,
}

impl TerrainColliderSource {
    /// How far beyond the ball tiles reach, in metres, for pushes that do not show in the velocity.
    /// Ball, margin and the widest solid together are at most 64 cells.
    pub const REACH: f32 = 2.0;

    /// How far ahead tasks build tiles: in seconds, at the current velocity.
    pub const AHEAD: f32 = 1.0;

    /// A source whose shape fits into a ball of radius `radius`.
    pub const fn new(radius: f32) -> Self {
        Self { radius, keep_above: true }
    }
}

impl Default for TerrainColliderSource {
    fn default() -> Self {
        Self::new(1.0)
    }
}

/// A collider of the ground: a child of its terrain that exists while a source is near. If trunks
/// or rocks stand on it, it has a child with a [`ColliderSolids`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[require(MovesWithOrigin)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct ColliderTile {
    /// The terrain that it belongs to.
    pub terrain: Entity,
    /// The square that it covers, as a chunk of level 0 in a layout of
    /// [`Tile::CELLS`](crate::advanced::Tile::CELLS) cells.
    pub key: ChunkKey,
}

/// The collider of all trunks and rocks that stand on a tile: a child of the [`ColliderTile`].
/// [`Placement::raycast`](orogeny::scatter::Placement::raycast) and
/// [`Placement::nearest`](orogeny::scatter::Placement::nearest) tell which of them a body or a ray
/// has hit.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct ColliderSolids;

/// Marks a source for which [`GroundReady`](crate::GroundReady) was triggered.
#[derive(Component)]
pub(crate) struct Grounded;

/// Exists if the app has a [`TerrainColliderPlugin`](crate::advanced::TerrainColliderPlugin), so
/// that sources wait for colliders.
#[derive(Resource, Default)]
pub(crate) struct HasColliders;
