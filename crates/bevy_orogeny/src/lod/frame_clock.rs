//! What frames take: the work of the main thread, of the renderer and of the GPU, without waiting.
//!
//! The main thread works from `First` to `PostUpdate`. After that it waits for the renderer, and
//! limits of the frame rate sleep. What the renderer and the GPU take is written by
//! `render::frame_cost`.

use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy_app::{App, First, MainScheduleOrder, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_platform::time::Instant;

/// What a frame takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameCost {
    /// From its start to that of the next one, with all waiting.
    pub whole: Duration,
    /// The work of the threads; of the busiest one, if several work at the same time.
    pub threads: Duration,
    /// The work of the GPU, if it is known.
    pub gpu: Option<Duration>,
}

impl FrameCost {
    /// The work that is known.
    pub fn work(&self) -> Duration {
        self.threads.max(self.gpu.unwrap_or_default())
    }

    /// More than the work, whatever is unknown of it.
    pub fn bound(&self) -> Duration {
        if self.gpu.is_some() { self.work() } else { self.work().max(self.whole) }
    }
}

/// The work of the GPU for a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Gpu {
    /// It cannot be measured.
    #[default]
    Unknown,
    /// No frame was measured since the last one was read.
    Waiting,
    #[cfg_attr(not(feature = "render"), allow(dead_code, reason = "the renderer measures it"))]
    Took(Duration),
}

/// The parts of the last frame that was measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub main: Duration,
    /// The work of the renderer, if it has drawn 3D views since this was read.
    pub renderer: Option<Duration>,
    /// Whether the renderer works while the main thread does the next frame.
    pub is_pipelined: bool,
    pub gpu: Gpu,
}

impl Parts {
    /// What a frame of that length takes, if something was drawn and measured.
    pub fn cost(&self, whole: Duration) -> Option<FrameCost> {
        let renderer = self.renderer?;
        let threads =
            if self.is_pipelined { self.main.max(renderer) } else { self.main + renderer };
        let gpu = match self.gpu {
            Gpu::Unknown => None,
            Gpu::Waiting => return None,
            Gpu::Took(time) => Some(time),
        };
        Some(FrameCost { whole, threads, gpu })
    }
}

/// Measures frames, in the main world and in that of the renderer.
#[derive(Resource, Clone, Default)]
pub(crate) struct FrameClock(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_wanted: bool,
    begun: Option<Instant>,
    parts: Parts,
}

impl FrameClock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was measured since the last call; and whether to measure what follows.
    pub fn take(&self, is_wanted: bool) -> Parts {
        let mut state = self.state();
        state.is_wanted = is_wanted;
        let parts = state.parts;
        state.parts.renderer = None;
        if let Gpu::Took(_) = parts.gpu {
            state.parts.gpu = Gpu::Waiting;
        }
        parts
    }

    /// Writes what the renderer measures, if somebody wants to know it.
    #[cfg(feature = "render")]
    pub fn write(&self, write: impl FnOnce(&mut Parts)) {
        let mut state = self.state();
        if state.is_wanted {
            write(&mut state.parts);
        }
    }

    /// Says whether the renderer works while the main thread does the next frame.
    #[cfg(all(feature = "render", not(target_arch = "wasm32")))]
    pub fn set_pipelined(&self, is_pipelined: bool) {
        self.state().parts.is_pipelined = is_pipelined;
    }

    /// Whether somebody wants to know it.
    #[cfg(feature = "render")]
    pub fn is_wanted(&self) -> bool {
        self.state().is_wanted
    }
}

/// Runs before `First`.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct BeginFrame;

/// Runs after `PostUpdate`.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct EndFrame;

pub(crate) fn build(app: &mut App) {
    app.init_resource::<FrameClock>()
        .init_schedule(BeginFrame)
        .init_schedule(EndFrame)
        .add_systems(BeginFrame, begin)
        .add_systems(EndFrame, end);
    if let Some(mut order) = app.world_mut().get_resource_mut::<MainScheduleOrder>() {
        order.insert_before(First, BeginFrame);
        order.insert_after(PostUpdate, EndFrame);
    }
}

fn begin(clock: Res<FrameClock>) {
    let mut state = clock.state();
    state.begun = state.is_wanted.then(Instant::now);
}

fn end(clock: Res<FrameClock>) {
    let mut state = clock.state();
    if let Some(begun) = state.begun.take() {
        state.parts.main = begun.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn threads_work_at_the_same_time_or_one_after_the_other() {
        let parts = Parts { main: 3 * MS, renderer: Some(4 * MS), ..Parts::default() };
        let cost = |parts: Parts| parts.cost(16 * MS).unwrap();
        assert_eq!(cost(parts).work(), 7 * MS);
        assert_eq!(cost(Parts { is_pipelined: true, ..parts }).work(), 4 * MS);
        // Of a GPU that cannot be measured, the whole frame is a bound.
        assert_eq!(cost(parts).bound(), 16 * MS);
        assert_eq!(cost(Parts { gpu: Gpu::Took(9 * MS), ..parts }).bound(), 9 * MS);
    }

    /// Frames that draw nothing, of a minimised window, and those whose GPU time is on its way.
    #[test]
    fn what_was_not_measured_is_no_cost() {
        let drawn = Parts { renderer: Some(MS), gpu: Gpu::Took(MS), ..Parts::default() };
        assert!(drawn.cost(MS).is_some());
        assert_eq!(Parts { renderer: None, ..drawn }.cost(MS), None);
        assert_eq!(Parts { gpu: Gpu::Waiting, ..drawn }.cost(MS), None);
    }

    #[test]
    fn the_main_thread_is_measured_only_if_wanted() {
        let mut app = App::new();
        build(&mut app);
        app.add_systems(bevy_app::Update, || std::thread::sleep(3 * MS));
        // A limit of the frame rate.
        app.add_systems(bevy_app::Last, || std::thread::sleep(200 * MS));
        let clock = app.world().resource::<FrameClock>().clone();
        app.update();
        assert_eq!(clock.take(true).main, Duration::ZERO);
        app.update();
        let main = clock.take(true).main;
        assert!(main >= 3 * MS && main < 200 * MS, "{main:?}");
    }
}
