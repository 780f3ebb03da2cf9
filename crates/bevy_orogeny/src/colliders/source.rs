//! What has colliders of the ground around it, and what those are: components alone.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

use crate::chunk::key::ChunkKey;

/// Put it on whatever must not fall through: players, vehicles, crates. The ground around it gets
/// colliders; no camera is needed.
///
/// It belongs on the body itself, on an entity without a parent: a source with one has tiles, too,
/// but is neither raised with a changed ground nor put back on it.
///
/// ```
/// use bevy_orogeny::TerrainColliderSource;
///
/// // A crate of 2 m: its corners are 1.73 m from its middle.
/// let crate_of_two_metres = TerrainColliderSource::new(1.75);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainColliderSource {
    /// The radius of a ball around the entity's origin that holds its shape, in metres: above 0, at
    /// most 64 cells of the terrain.
    ///
    /// Under the ball, [`REACH`](Self::REACH) beyond it, and along the way of the next step (128
    /// cells of it at most), tiles are there before the step. With cells of 1 m, a crate's need is
    /// up to four tiles, and nothing's within the limits more than 750; `examples/physics_bench.rs`
    /// measures what a tile costs.
    pub radius: f32,
    /// Whether the entity is put back on the ground when its origin is found deeper under the
    /// surface than a tenth of its radius: however fast it was, and whatever was thrown at it. On
    /// by default; off for things with business under the ground. With several terrains, only what
    /// is under all of them counts.
    pub keep_above: bool,
}

impl TerrainColliderSource {
    /// How far beyond the ball tiles reach, in metres, up to the 64 cells of a radius: room for a
    /// push that nobody foresaw.
    pub const REACH: f32 = 2.0;

    /// How far ahead tiles are prepared by tasks, in seconds of the present velocity.
    pub const AHEAD: f32 = 1.0;

    /// A source whose shape lies in a ball of that radius.
    pub const fn new(radius: f32) -> Self {
        Self { radius, keep_above: true }
    }
}

impl Default for TerrainColliderSource {
    fn default() -> Self {
        Self::new(1.0)
    }
}

/// A collider of the ground: a child of its terrain, as long as a source is near.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct ColliderTile {
    /// The terrain that it belongs to.
    pub terrain: Entity,
    /// Which square it covers: a chunk of level 0, in a layout of
    /// [`Tile::CELLS`](crate::Tile::CELLS) cells.
    pub key: ChunkKey,
}

/// A source that was told that its ground is there.
#[derive(Component)]
pub(crate) struct Grounded;

/// There are colliders to wait for.
#[derive(Resource, Default)]
pub(crate) struct HasColliders;
