//! Around whom there are tiles.

use bevy_ecs::prelude::*;
use bevy_orogeny::orogeny::limits::Limit;
use bevy_transform::components::Transform;

/// Limits of [`NavigationSource::range`]. It must also be at most 32 tiles.
pub const RANGE: Limit = Limit {
    name: "range",
    unit: "m",
    min: 0.0,
    max: 8192.0,
    default: 64.0,
    help: "Distance within which there are tiles of a navigation mesh",
};

/// Put this on agents: the mesh has tiles around them. Tiles that no source needs are dropped.
///
/// Where it is comes from its `Transform` and the
/// [`TerrainOrigin`](bevy_orogeny::TerrainOrigin), or from the
/// [`WorldPosition`](bevy_orogeny::WorldPosition) of the topmost entity above it, so it may be
/// anywhere in the world. Sources of a flock share tiles; one source at its middle will do, too.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform)]
pub struct NavigationSource {
    /// The entity of the [`NavigationMesh`](crate::NavigationMesh).
    pub mesh: Entity,
    /// The distance within which there are tiles, in metres, see [`RANGE`]. At most 32 tiles: 512 m
    /// with cells of 0.25 m. Goals must be within it.
    pub range: f64,
}

impl NavigationSource {
    /// The largest range in tiles, which bounds their number to 3,500 for each source.
    pub(crate) const MAX_TILES: f64 = 32.0;

    /// A source of a mesh with the default range.
    pub fn new(mesh: Entity) -> Self {
        Self { mesh, range: RANGE.default }
    }
}
