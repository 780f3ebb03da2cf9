//! The room for instances that are selected: as much as they need, up to a budget.
//!
//! How many are wanted is known on the device alone, which leaves out the smallest ones where all
//! do not fit. It is read back some frames later, and the room follows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_render::render_resource::{Buffer, BufferDescriptor, BufferUsages, MapMode};
use bevy_render::renderer::{RenderContext, RenderDevice};

use super::buffers::{Buffers, most_bytes};
use super::extract::Extracted;
use crate::plants::material::INSTANCE;

/// The instances that there is always room for.
const LEAST: u32 = 1 << 15;
/// The frames after which room is given back that none of them needed.
const PATIENCE: u32 = 600;

/// The number of instances that there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub capacity: u32,
    /// The most that were wanted lately, and for how many frames that has been looked at.
    most: u32,
    frames: u32,
}

impl Default for Room {
    fn default() -> Self {
        // What a camera and its cascades select in a meadow, so that few have to wait for more.
        Self { capacity: 4 * LEAST, most: 0, frames: 0 }
    }
}

impl Room {
    pub fn bytes(self) -> u64 {
        u64::from(self.capacity) * INSTANCE
    }

    /// Follows what was wanted in a frame, at most to `budget` instances.
    fn follow(&mut self, wanted: u32, budget: u32) {
        self.most = self.most.max(wanted);
        self.frames += 1;
        // Half as much again, so that walking on does not make a new buffer in each frame.
        let ample = |count: u32| (count.saturating_add(count / 2)).max(LEAST);
        if wanted > self.capacity {
            self.capacity = ample(wanted);
            (self.most, self.frames) = (0, 0);
        } else if self.frames >= PATIENCE {
            if ample(self.most) < self.capacity / 2 {
                self.capacity = ample(self.most);
            }
            (self.most, self.frames) = (0, 0);
        }
        self.capacity = self.capacity.min(budget);
    }
}

/// What the device tells of a frame shortly before.
#[derive(Resource, Default)]
pub(super) struct Wanted {
    /// What is copied there is read.
    copy: Option<Buffer>,
    is_copied: bool,
    is_reading: Arc<AtomicBool>,
    /// The number of instances that were wanted, and whether it is news.
    count: Arc<AtomicU32>,
    is_new: Arc<AtomicBool>,
}

/// How many instances a budget in bytes allows on a device.
fn allowed(bytes: u64, device: &RenderDevice) -> u32 {
    let count = bytes.min(most_bytes(device)) / INSTANCE;
    u32::try_from(count).unwrap_or(u32::MAX).max(1)
}

/// Makes as much room as the budget and what was wanted last ask for.
pub(super) fn follow(
    wanted: Res<Wanted>,
    mut buffers: ResMut<Buffers>,
    extracted: Res<Extracted>,
    device: Res<RenderDevice>,
) {
    let budget = allowed(extracted.budget, &device);
    buffers.room.capacity = buffers.room.capacity.min(budget);
    if wanted.is_new.swap(false, Ordering::Acquire) {
        let count = wanted.count.load(Ordering::Relaxed);
        if count > budget {
            warn_once!(
                "views select {count} instances of plants, and there is room for {budget}: those \
                 that look smallest are left out. TerrainBudget::plant_bytes is the room."
            );
        }
        buffers.room.follow(count, budget);
    }
}

/// Copies the number of instances that are wanted, unless a copy is being read.
pub(super) fn copy(
    mut context: RenderContext,
    mut wanted: ResMut<Wanted>,
    buffers: Res<Buffers>,
    device: Res<RenderDevice>,
) {
    let Some((counters, place)) = buffers.wanted() else { return };
    if wanted.is_reading.load(Ordering::Acquire) {
        return;
    }
    let copy = wanted.copy.get_or_insert_with(|| {
        device.create_buffer(&BufferDescriptor {
            label: Some("plants that are wanted"),
            size: 4,
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        })
    });
    context.command_encoder().copy_buffer_to_buffer(counters, place, copy, 0, 4);
    wanted.is_copied = true;
}

/// Reads the copy once it is there.
pub(super) fn read(mut wanted: ResMut<Wanted>, device: Res<RenderDevice>) {
    let is_copied = core::mem::take(&mut wanted.is_copied);
    let Some(copy) = wanted.copy.clone().filter(|_| is_copied) else { return };
    let [is_reading, is_new] = [&wanted.is_reading, &wanted.is_new].map(Arc::clone);
    let count = Arc::clone(&wanted.count);
    is_reading.store(true, Ordering::Release);
    let buffer = copy.clone();
    device.map_buffer(&copy.slice(..), MapMode::Read, move |result| {
        if result.is_ok() {
            if let Ok(word) = <[u8; 4]>::try_from(&*buffer.slice(..).get_mapped_range()) {
                count.store(u32::from_le_bytes(word), Ordering::Relaxed);
                is_new.store(true, Ordering::Release);
            }
            buffer.unmap();
        }
        is_reading.store(false, Ordering::Release);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_at_once_and_shrinks_late_within_the_budget() {
        let mut room = Room::default();
        room.follow(1_000_000, 4_000_000);
        assert_eq!(room.capacity, 1_500_000);
        (1..PATIENCE).for_each(|_| room.follow(1000, 4_000_000));
        assert_eq!(room.capacity, 1_500_000);
        room.follow(1000, 4_000_000);
        assert_eq!(room.capacity, LEAST);
        // What is wanted now and then keeps its room.
        room.follow(100_000, 4_000_000);
        for frame in 0..3 * PATIENCE {
            room.follow(if frame % 100 == 0 { 90_000 } else { 10 }, 4_000_000);
        }
        assert_eq!(room.capacity, 150_000);
        room.follow(u32::MAX, 4_000_000);
        assert_eq!(room.capacity, 4_000_000);
        room.follow(0, 1);
        assert_eq!(room.capacity, 1);
    }
}
