//! The order of the plugin's systems.

use bevy_app::{App, MainScheduleOrder, PostUpdate};
use bevy_ecs::schedule::{
    IntoScheduleConfigs, Schedule, ScheduleLabel, SingleThreadedExecutor, SystemSet,
};
use bevy_ecs::world::World;

/// The schedule of streaming: the steps of [`TerrainSystems`], in this order, on the main thread.
///
/// It runs once a frame between `Update`, where cameras move, and `PostUpdate`, where transforms
/// are propagated and visibility is determined. So each frame is drawn with the chunks that were
/// selected for it. If a viewer moves in `PostUpdate`, chunks are selected and shown a second time,
/// after transform propagation. (Viewports are those of the last frame, since Bevy updates them in
/// `PostUpdate`. In its first frame a camera has none.)
///
/// The steps take some tenths of a millisecond. Spreading them over threads would take longer.
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StreamTerrain;

/// The steps of streaming: all but the last one in this order in the schedule [`StreamTerrain`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Adopts changed presets, settings and far planes.
    Adopt,
    /// Removes what was lost with the graphics device, so that it is built again.
    Recover,
    /// Turns the results of finished tasks into meshes and textures.
    Receive,
    /// Each terrain selects the chunks that its viewers want.
    Select,
    /// Puts entities on the ground, and prepares the plants that appear with the chunks.
    Place,
    /// Shows and hides chunks. Walkers that new ground would bury are put on it.
    Show,
    /// Materials, water, plants and spawned instances follow the chunks that are shown.
    Follow,
    /// Removes unwanted chunks, and starts tasks for missing ones.
    Dispatch,
    /// Updates the statistics.
    Report,
    /// In `PostUpdate`, after transform propagation and before visibility is propagated: selects
    /// and shows chunks again, if a viewer has moved there, and finds viewers below water.
    ShowLate,
}

/// Runs in frames in which a viewer moved in `PostUpdate`: selects and shows chunks again.
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FollowLateViewers;

/// Adds the schedules, with their steps in order.
pub(crate) fn build(app: &mut App) {
    use TerrainSystems::*;
    let mut schedule = Schedule::new(StreamTerrain);
    schedule.set_executor(SingleThreadedExecutor::new()).configure_sets(
        (Adopt, Recover, Receive, Select, Place, Show, Follow, Dispatch, Report).chain(),
    );
    let mut late = Schedule::new(FollowLateViewers);
    late.set_executor(SingleThreadedExecutor::new());
    app.add_schedule(schedule).add_schedule(late);
    // An app without the main schedule runs `StreamTerrain` itself.
    if let Some(mut order) = app.world_mut().get_resource_mut::<MainScheduleOrder>() {
        order.insert_before(PostUpdate, StreamTerrain);
    }
}

/// Runs [`FollowLateViewers`].
pub(crate) fn follow_late_viewers(world: &mut World) {
    world.run_schedule(FollowLateViewers);
}
