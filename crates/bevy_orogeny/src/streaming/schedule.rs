//! The order of the plugin's systems.

use bevy_app::{App, MainScheduleOrder, PostUpdate};
use bevy_ecs::schedule::{
    IntoScheduleConfigs, Schedule, ScheduleLabel, SingleThreadedExecutor, SystemSet,
};

/// The schedule of streaming: the steps of [`TerrainSystems`], one after the other, on the main
/// thread alone.
///
/// It runs once in every frame, between `Update`, where cameras move, and `PostUpdate`, where
/// transforms are propagated and visibility is decided: so a frame is drawn with the chunks
/// selected for it. (Viewports are those of the frame before, since Bevy updates them in
/// `PostUpdate`; a camera's first frame counts as one without.) The steps take some tenths of a
/// millisecond; handing them to other threads, which build chunks meanwhile, would take longer than
/// that.
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StreamTerrain;

/// The steps of streaming, in this order in the schedule [`StreamTerrain`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Changed presets, settings and far planes are taken over.
    Adopt,
    /// Finished tasks become meshes.
    Receive,
    /// Each terrain selects the chunks that its viewers want.
    Select,
    /// Chunks are shown and hidden.
    Show,
    /// Tasks are started, unwanted chunks removed.
    Dispatch,
    /// Statistics are counted.
    Report,
}

/// Adds the schedule, with its steps in their order.
pub(crate) fn build(app: &mut App) {
    use TerrainSystems::*;
    let mut schedule = Schedule::new(StreamTerrain);
    schedule
        .set_executor(SingleThreadedExecutor::new())
        .configure_sets((Adopt, Receive, Select, Show, Dispatch, Report).chain());
    app.add_schedule(schedule);
    // An app without the main schedule runs this one where it likes.
    if let Some(mut order) = app.world_mut().get_resource_mut::<MainScheduleOrder>() {
        order.insert_before(PostUpdate, StreamTerrain);
    }
}
