//! Streaming: the systems that build, show and remove chunks.
//!
//! The steps of [`TerrainSystems`](crate::advanced::TerrainSystems) are in `adopt`, `tasks`
//! (receive and dispatch), `select`, `show` and `report`. The pure functions of `lod` and `chunk`
//! make all decisions; the systems here apply them to entities. Start with `schedule` of `base`,
//! then [`components`].
//!
//! A terrain shows one [set of chunks](chunk_set). When its settings change, a second set is built
//! in the background, and replaces the first in one frame once it is complete. Of the changes that
//! arrive meanwhile, only the newest is pending. So terrain follows a dragged slider as fast as it
//! can be built. After an edit, the second set shares the chunks that the edit does not touch.
//!
//! A set has its chunks in a [`TileStream`](crate::stream::TileStream). The entity of a chunk is
//! spawned when its mesh is ready.

mod adopt;
pub(crate) mod chunk_entity;
mod chunk_set;
pub(crate) mod components;
mod inherit;
mod lod_scale;
mod report;
mod select;
mod show;
mod tasks;

use bevy_app::{App, PostUpdate};
use bevy_asset::AssetEventSystems;
use bevy_camera::visibility::VisibilitySystems;
use bevy_ecs::schedule::common_conditions::resource_changed;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemCondition};
use bevy_transform::TransformSystems;

pub(crate) use adopt::adopt;
pub(crate) use report::report;
pub(crate) use show::{show, show_again};
pub(crate) use tasks::receive;

use crate::base::origin::TerrainOrigin;
use crate::base::schedule::{FollowLateViewers, StreamTerrain, TerrainSystems};
#[cfg(target_family = "wasm")]
use crate::base::task_time;
use crate::base::{anchor, assets, derived, drawn_for, rebase, schedule};
use crate::terrain::preset::Preset;

/// Adds the systems of all steps.
pub(crate) fn build(app: &mut App) {
    use TerrainSystems::*;
    schedule::build(app);
    inherit::build(app);
    assets::build(app);
    assets::follow::<Preset>(app);
    app.add_systems(
        StreamTerrain,
        (
            (
                derived::despawn_copies,
                adopt::follow_presets.after(assets::read_failures),
                adopt,
                // A viewer that was placed in `Update` is there in the same frame.
                rebase::follow_positions
                    .run_if(rebase::a_position_was_set.or_eager(resource_changed::<TerrainOrigin>)),
                anchor::follow,
            )
                .chain()
                .in_set(Adopt),
            receive.in_set(Receive),
            (select::locate, select::select_chunks).chain().in_set(Select),
            show.in_set(Show),
            (tasks::remove_unwanted, tasks::dispatch).chain().in_set(Dispatch),
            report.in_set(Report),
        ),
    );
    #[cfg(target_family = "wasm")]
    // Before any task is spawned in this frame: those that wait go on first.
    app.add_systems(bevy_app::First, task_time::give.after(bevy_time::TimeSystems));
    app.add_systems(FollowLateViewers, (select::locate, select::select_again, show_again).chain())
        .add_systems(
            PostUpdate,
            schedule::follow_late_viewers
                .in_set(ShowLate)
                .run_if(select::viewers_moved_late.or_eager(resource_changed::<TerrainOrigin>))
                .after(TransformSystems::Propagate)
                // New meshes and visible chunks take effect in the same frame.
                .before(AssetEventSystems)
                .before(VisibilitySystems::VisibilityPropagate)
                .before(VisibilitySystems::CalculateBounds)
                .before(VisibilitySystems::CheckVisibility)
                .ambiguous_with_all(),
        )
        .add_observer(adopt::on_terrain_added)
        .add_observer(adopt::on_edits_removed)
        .add_observer(drawn_for::on_drawn_added)
        .add_observer(chunk_entity::on_chunk_removed)
        .add_observer(chunk_entity::on_terrain_removed);
}
