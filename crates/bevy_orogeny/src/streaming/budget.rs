//! How much streaming may cost, and what it does at the moment.

use core::time::Duration;

use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// What streaming may spend, all terrains together. Where it is not enough, terrain is coarser for
/// a moment.
///
/// Not counted are the coarsest chunks that a view cannot do without, nine a viewer at most: at the
/// start and after a teleport they are built at once, in the frame that needs them.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainBudget {
    /// Chunks that each terrain may want. A view that asks for more, by a small pixel error or a
    /// guarantee, gets coarser levels.
    pub chunks: usize,
    /// Chunk tasks on the way at once, at least 1.
    pub tasks_in_flight: usize,
    /// Tasks of collider tiles on the way at once: those that a
    /// [`TerrainColliderSource`](crate::TerrainColliderSource) will need soon. What it needs now is
    /// built without a task.
    pub tiles_in_flight: usize,
    /// Finished chunks that become meshes each frame, at least 1.
    pub applied_per_frame: usize,
    /// Chunks no longer wanted that are despawned each frame, at least 1.
    pub removed_per_frame: usize,
}

impl Default for TerrainBudget {
    fn default() -> Self {
        Self {
            chunks: 4096,
            tasks_in_flight: 64,
            tiles_in_flight: 64,
            applied_per_frame: 32,
            removed_per_frame: 32,
        }
    }
}

/// What streaming does at the moment, all terrains together.
#[derive(Resource, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainStats {
    /// Chunks with a mesh, drawn or not.
    pub chunks: usize,
    /// Chunks drawn.
    pub displayed: usize,
    /// Chunks drawn of each level, the finest first.
    pub displayed_by_lod: Vec<usize>,
    /// Whether levels are coarser than asked, since the chunks would be too many.
    pub limited: bool,
    /// Chunk tasks on the way.
    pub tasks_in_flight: usize,
    /// Chunks wanted but not ready, and measurements on the way; 0 where all terrain is complete
    /// and up to date.
    pub missing: usize,
    /// Triangles of the chunks drawn, before culling.
    pub triangles: usize,
    /// Bytes of the vertices and indices of all chunks with a mesh, drawn or not, but those that
    /// wait to be removed.
    pub mesh_bytes: usize,
    /// Chunk tasks cancelled since the start, since nobody wanted their chunks any more.
    pub cancelled: u64,
    /// Chunks built since the start.
    pub built: u64,
    /// The average time that building a chunk took on its thread, over the last ones.
    pub build_time: Duration,
}
