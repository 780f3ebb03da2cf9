//! Limits on the work of streaming in each frame, and statistics.

use core::time::Duration;

use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// Limits on the work of streaming, for all terrains together. Changes take effect in the next
/// frame. If the budget is too small, terrain is coarser: with few [`chunks`](Self::chunks) for as
/// long as views need more, otherwise for a moment. No limit stops streaming: 0 counts as the
/// smallest one that does not. To keep the ground as it is, remove the viewers.
///
/// The coarsest chunks that a view needs, at most nine for each viewer, are not counted. At the
/// start and after a teleport they are built at once, in the frame that needs them.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainBudget {
    /// The maximum number of chunks of each terrain. Views that need more, because of a small pixel
    /// error or a guarantee, get coarser levels, at the least some hundred chunks.
    pub chunks: usize,
    /// The maximum number of tasks that build chunks at the same time, at least 1.
    ///
    /// As many build collider tiles, for tiles that a
    /// [`TerrainColliderSource`](crate::TerrainColliderSource) will need soon; tiles that it needs
    /// now are built at once, without a task. Navigation meshes have the same limit. Half as many
    /// build tiles of plants and rocks, and for each terrain half as many find what a
    /// [`ScatterSpawner`](crate::advanced::ScatterSpawner) spawns.
    pub tasks: usize,
    /// The maximum number of finished chunks that become meshes each frame, the most urgent first,
    /// at least 1. As many are despawned when no longer needed, and half as many finished tiles of
    /// plants and rocks are added.
    pub per_frame: usize,
    /// Whether chunks and tiles of plants are also built on the threads of Bevy's `IoTaskPool`, of
    /// which there are as many as of its `AsyncComputeTaskPool`, while more than those build are
    /// missing: at the start, after a teleport, in fast flight. Reading a file waits for at most
    /// four of them. In a browser it has no effect.
    pub io_threads: bool,
    /// The most bytes on the device for the plants and rocks that are drawn, in the views of all
    /// cameras and all shadow maps together: 32 for each. It takes as much of that as views need,
    /// at least 1 MiB. Where they need more, or a device has less, plants that look smallest are
    /// left out, in all views alike; a warning says so.
    pub plant_bytes: u64,
    /// The time that tasks may take each frame in a browser, where they share a thread with the
    /// frames. Of a long frame they may take a quarter, up to sixteen times as much. However short
    /// it is, one task works for some milliseconds each frame. Elsewhere it has no effect.
    pub task_time: Duration,
}

impl Default for TerrainBudget {
    fn default() -> Self {
        Self {
            chunks: 4096,
            // Where tasks take turns, few are begun, so that the most urgent are soon done.
            tasks: if cfg!(target_family = "wasm") { 8 } else { 64 },
            per_frame: 64,
            io_threads: true,
            plant_bytes: 64 << 20,
            task_time: Duration::from_millis(4),
        }
    }
}

impl TerrainBudget {
    /// The maximum number of tasks of each kind but those for plants.
    pub(crate) fn max_tasks(&self) -> usize {
        self.tasks.max(1)
    }

    /// The maximum number of tasks that build tiles of plants and rocks.
    pub(crate) fn max_plant_tasks(&self) -> usize {
        (self.tasks / 2).max(1)
    }

    /// The maximum number of chunks that become meshes in a frame, and that are despawned.
    pub(crate) fn max_per_frame(&self) -> usize {
        self.per_frame.max(1)
    }

    /// The maximum number of tiles of plants and rocks that are added in a frame.
    pub(crate) fn max_plants_per_frame(&self) -> usize {
        (self.per_frame / 2).max(1)
    }

    /// The time that tasks may take after a frame that was that long.
    #[cfg(any(test, target_family = "wasm"))]
    pub(crate) fn task_time_in(&self, frame: Duration) -> Duration {
        self.task_time.max((frame / 4).min(self.task_time.saturating_mul(16)))
    }
}

/// The current state of streaming, for all terrains together.
#[derive(Resource, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainStats {
    /// Chunks with a mesh, drawn or not.
    pub chunks: usize,
    /// Chunks drawn.
    pub displayed: usize,
    /// Drawn chunks of each level, the finest first.
    pub displayed_by_lod: Vec<usize>,
    /// Whether levels are coarser than the viewers request, because of [`TerrainBudget::chunks`].
    pub limited: bool,
    /// Tasks that are building chunks.
    pub tasks_in_flight: usize,
    /// Chunks that are needed but not ready, and running measurements of fields. 0 if all terrain
    /// is complete and up to date.
    pub missing: usize,
    /// Triangles of the drawn chunks, before culling.
    pub triangles: usize,
    /// Bytes of the vertices and indices of all chunks with a mesh, drawn or not, except those that
    /// are to be removed.
    pub mesh_bytes: usize,
    /// Tasks cancelled since the start, because their chunks were no longer needed.
    pub cancelled: u64,
    /// Chunks built since the start.
    pub built: u64,
    /// The time that a chunk takes to build on its thread, as a moving average.
    pub build_time: Duration,
    /// The time that tasks took after the last frame, in a browser.
    pub task_time: Duration,
    /// The longest time that a task took without a break since the start, in a browser. No frame
    /// can begin meanwhile.
    pub longest_slice: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_have_half_of_each_limit() {
        let limits = |tasks, per_frame| {
            let budget = TerrainBudget { tasks, per_frame, ..TerrainBudget::default() };
            let plants = [budget.max_plant_tasks(), budget.max_plants_per_frame()];
            ([budget.max_tasks(), budget.max_per_frame()], plants)
        };
        assert_eq!(limits(64, 64), ([64, 64], [32, 32]));
        assert_eq!(limits(8, 64), ([8, 64], [4, 32]));
        assert_eq!(limits(0, 0), ([1, 1], [1, 1]));
        assert_eq!(limits(usize::MAX, 1), ([usize::MAX, 1], [usize::MAX / 2, 1]));
    }

    #[test]
    fn tasks_have_a_quarter_of_a_long_frame() {
        let budget = TerrainBudget::default();
        let given = [0, 16, 32, 2000].map(Duration::from_millis);
        let expected = [4, 4, 8, 64].map(Duration::from_millis);
        assert_eq!(given.map(|frame| budget.task_time_in(frame)), expected);
        for task_time in [Duration::ZERO, Duration::MAX] {
            let budget = TerrainBudget { task_time, ..budget };
            assert_eq!(budget.task_time_in(Duration::MAX), task_time);
        }
    }
}
