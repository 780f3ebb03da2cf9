//! The time that tasks have in a browser, where they share the thread of the frames.

use core::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::{Real, Time};

use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::slices;

/// Lets tasks work after the frame that begins.
pub(crate) fn give(
    budget: Res<TerrainBudget>,
    time: Option<Res<Time<Real>>>,
    mut stats: ResMut<TerrainStats>,
) {
    let frame = time.map_or(Duration::ZERO, |time| time.delta());
    let taken = slices::open(budget.task_time_in(frame));
    stats.task_time = taken.in_frame;
    stats.longest_slice = stats.longest_slice.max(taken.longest);
}
