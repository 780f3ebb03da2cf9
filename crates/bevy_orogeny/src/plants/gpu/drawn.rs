//! Tells games and benchmarks how many plants were drawn: reads back the arguments of draws.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_render::render_resource::{Buffer, BufferDescriptor, BufferUsages, MapMode};
use bevy_render::renderer::{RenderContext, RenderDevice};

use super::buffers::{ARGUMENT_BYTES, Buffers};
use super::extract::Extracted;

/// Counts the plants that are drawn, as long as this resource is there. Counting costs a copy of
/// some kilobytes from the device in each frame.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::advanced::DrawnPlants;
///
/// fn print(drawn: Res<DrawnPlants>) {
///     for view in drawn.views() {
///         println!("{}: {} instances, {} triangles", view.view, view.instances, view.triangles);
///     }
/// }
///
/// App::new().init_resource::<DrawnPlants>().add_systems(Update, print);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct DrawnPlants {
    views: Arc<Mutex<Vec<DrawnInView>>>,
    bytes: Arc<AtomicU64>,
}

/// What was drawn of plants in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnInView {
    /// The camera or the light.
    pub view: Entity,
    /// Whether it is a shadow map.
    pub is_shadow: bool,
    /// Which one of the shadow maps of the light: the cascade, or the side of a cube.
    pub subview: u32,
    /// Trees, blades and so on.
    pub instances: u64,
    /// Their triangles.
    pub triangles: u64,
    /// The draws with at least one instance.
    pub draws: u64,
}

impl DrawnPlants {
    /// What was drawn in a frame shortly before; empty if nothing is known yet.
    pub fn views(&self) -> Vec<DrawnInView> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The bytes on the device for the instances that are drawn in all views: the room that
    /// [`TerrainBudget::plant_bytes`](crate::advanced::TerrainBudget::plant_bytes) limits.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, views: Vec<DrawnInView>) {
        *self.views.lock().unwrap_or_else(PoisonError::into_inner) = views;
    }
}

/// A copy of the arguments of draws that is being read.
#[derive(Resource, Default)]
pub(super) struct Counting {
    /// The copy, and what each of its views and draws is.
    copied: Option<(Buffer, Vec<DrawnInView>, Vec<usize>)>,
    is_reading: Arc<AtomicBool>,
}

/// Copies the arguments of all draws, unless a copy is being read.
pub(super) fn copy(
    mut context: RenderContext,
    mut counting: ResMut<Counting>,
    (buffers, extracted): (Res<Buffers>, Res<Extracted>),
    device: Res<RenderDevice>,
) {
    if let Some(drawn) = &extracted.drawn {
        drawn.bytes.store(buffers.room.bytes(), Ordering::Relaxed);
    }
    let is_free = !counting.is_reading.load(Ordering::Acquire);
    if let Some(drawn) = extracted.drawn.as_ref().filter(|_| !buffers.is_ready) {
        drawn.set(Vec::new());
    }
    let Some(arguments) = buffers.arguments().filter(|_| extracted.drawn.is_some() && is_free)
    else {
        return;
    };
    let views = buffers.views();
    let shapes: Vec<usize> = extracted.draws.iter().map(|draw| draw.shape).collect();
    let size = (views.len() * shapes.len()) as u64 * ARGUMENT_BYTES;
    let copy = device.create_buffer(&BufferDescriptor {
        label: Some("plants that were drawn"),
        size,
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    context.command_encoder().copy_buffer_to_buffer(arguments, 0, &copy, 0, size);
    counting.copied = Some((copy, views, shapes));
}

/// Reads the copy once it is there.
pub(super) fn read(
    mut counting: ResMut<Counting>,
    extracted: Res<Extracted>,
    device: Res<RenderDevice>,
) {
    let (Some((copy, mut views, shapes)), Some(drawn)) =
        (counting.copied.take(), extracted.drawn.clone())
    else {
        return;
    };
    let is_reading = Arc::clone(&counting.is_reading);
    is_reading.store(true, Ordering::Release);
    let buffer = copy.clone();
    device.map_buffer(&copy.slice(..), MapMode::Read, move |result| {
        if result.is_ok() {
            let bytes = buffer.slice(..).get_mapped_range();
            let row = ARGUMENT_BYTES as usize * shapes.len();
            for (view, rows) in views.iter_mut().zip(bytes.chunks_exact(row)) {
                add_up(view, rows, &shapes);
            }
            drawn.set(views);
        }
        is_reading.store(false, Ordering::Release);
    });
}

/// Adds up the arguments of the draws of a view. Parts of a shape have the same instances.
fn add_up(view: &mut DrawnInView, rows: &[u8], shapes: &[usize]) {
    let mut instances: HashMap<usize, u64> = HashMap::default();
    for (row, &shape) in rows.chunks_exact(ARGUMENT_BYTES as usize).zip(shapes) {
        let word = |k: usize| {
            let word: Option<[u8; 4]> = row[4 * k..4 * k + 4].try_into().ok();
            u64::from(word.map_or(0, u32::from_le_bytes))
        };
        let (indices, count) = (word(0), word(1));
        view.triangles += indices / 3 * count;
        view.draws += u64::from(count > 0);
        instances.insert(shape, count);
    }
    view.instances = instances.values().sum();
}
