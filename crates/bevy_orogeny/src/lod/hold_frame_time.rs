//! A quality that holds a frame time.

use core::time::Duration;

use bevy_camera::visibility::ViewVisibility;
use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_reflect::Reflect;
use bevy_time::{Real, Time, Virtual};
use bevy_window::Window;

use crate::chunk::key::Chunk;
use crate::lod::frame_clock::{FrameClock, FrameCost, Gpu};
use crate::lod::quality::TerrainQuality;

/// Changes [`TerrainQuality`] between low, medium, high and ultra so that frames take at most this
/// long. It goes down after two seconds of slow frames, and up after ten seconds of frames with
/// time to spare. If it has to go down again at once, it waits twice as long before the next try,
/// so it does not oscillate.
///
/// It measures work, not waiting: the time of the main thread from `First` to `PostUpdate`, that of
/// the renderer's without the wait for the window, and that of the GPU. So neither the frame rate
/// of a display nor a reactive or limited main loop makes frames slow. Frames of a window that is
/// not focused, in which `Time<Virtual>` is paused, or in which no camera sees terrain do not
/// count, nor does a single one of a second.
///
/// The GPU is measured where it has timestamps (`WgpuFeatures::TIMESTAMP_QUERY`). Elsewhere a
/// warning says so, and only the threads' time makes a frame slow: you need a setting for players
/// whose GPU is too slow. It has time to spare there if the whole frame is short enough.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_orogeny::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(HoldFrameTime::fps(60.0));
/// ```
#[derive(Resource, Clone, Debug, Reflect)]
#[reflect(Resource, Debug, Clone)]
pub struct HoldFrameTime {
    /// The frame time to hold.
    pub target: Duration,
    level: usize,
    /// Seconds of frames since the last change, and of them those in a row that were slow and fast.
    since: f64,
    slow: f64,
    fast: f64,
    /// How many fast seconds it takes to go up.
    patience: f64,
    /// Whether the last frame was a pause.
    was_long: bool,
}

/// The least work of a slow frame, and the most of one with time to spare, in targets.
const SLOW: f64 = 1.15;
const FAST: f64 = 0.85;
/// Slow seconds before it goes down.
const DOWN_AFTER: f64 = 2.0;
/// The least and the largest number of fast seconds before it goes up.
const UP_AFTER: [f64; 2] = [10.0, 600.0];
/// Going down so soon after going up is a failed try.
const FAILED: f64 = 120.0;
/// A single frame of so much work is a pause, such as loading. The next one counts.
const PAUSE: f64 = 1.0;

impl HoldFrameTime {
    /// Holds a frame time. It starts at the highest quality but one.
    pub fn new(target: Duration) -> Self {
        let patience = UP_AFTER[0];
        Self { target, level: 2, since: 0.0, slow: 0.0, fast: 0.0, patience, was_long: false }
    }

    /// Holds a frame rate. Rates below 1 a second count as 1, infinite ones as 1,000.
    pub fn fps(rate: f64) -> Self {
        let rate = if rate.is_nan() { 60.0 } else { rate.clamp(1.0, 1000.0) };
        Self::new(Duration::from_secs_f64(1.0 / rate))
    }

    /// The quality after a frame.
    fn after(&mut self, cost: FrameCost) -> TerrainQuality {
        let target = self.target.as_secs_f64();
        let [work, bound] = [cost.work(), cost.bound()].map(|time| time.as_secs_f64());
        let was_long = core::mem::replace(&mut self.was_long, work >= PAUSE);
        if work < PAUSE || was_long {
            // A frame that waits counts as one that is just fast enough.
            let seconds = cost.whole.as_secs_f64().min(work.max(target));
            self.since += seconds;
            // A slow frame among fast ones counts by its length, and so does the reverse.
            let weigh = |sum: f64, counts: bool| {
                if counts { sum + seconds } else { (sum - 3.0 * seconds).max(0.0) }
            };
            self.slow = weigh(self.slow, work > SLOW * target);
            self.fast = weigh(self.fast, bound < FAST * target);
            if self.slow > DOWN_AFTER && self.level > 0 {
                let [least, most] = UP_AFTER;
                let failed = self.since < FAILED;
                self.patience = if failed { (2.0 * self.patience).min(most) } else { least };
                self.change(self.level - 1);
            } else if self.fast > self.patience && self.level + 1 < TerrainQuality::ALL.len() {
                self.change(self.level + 1);
            }
        }
        TerrainQuality::ALL[self.level].1
    }

    fn change(&mut self, level: usize) {
        (self.level, self.since, self.slow, self.fast) = (level, 0.0, 0.0, 0.0);
    }
}

/// Sets the quality, if some frame time is to be held.
pub(crate) fn hold(
    control: Option<ResMut<HoldFrameTime>>,
    clock: Option<Res<FrameClock>>,
    (real, virtual_time): (Option<Res<Time<Real>>>, Option<Res<Time<Virtual>>>),
    windows: Query<&Window>,
    chunks: Query<&ViewVisibility, With<Chunk>>,
    mut quality: ResMut<TerrainQuality>,
) {
    let Some(clock) = clock else { return };
    let parts = clock.take(control.is_some());
    let (Some(mut control), Some(real)) = (control, real) else { return };
    if parts.renderer.is_some() && parts.gpu == Gpu::Unknown {
        warn_once!(
            "this GPU or renderer has no timestamps: `HoldFrameTime` lowers the quality only for \
             the time of threads, and does not notice a slow GPU"
        );
    }
    let is_behind = !windows.is_empty() && !windows.iter().any(|window| window.focused);
    let is_paused = virtual_time.is_some_and(|time| time.is_paused());
    if is_behind || is_paused || !chunks.iter().any(|visibility| visibility.get()) {
        return;
    }
    if let Some(cost) = parts.cost(real.delta()) {
        let wanted = control.after(cost);
        quality.set_if_neq(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame that took so many seconds, of which it worked for some.
    fn frame(whole: f64, threads: f64, gpu: Option<f64>) -> FrameCost {
        let [whole, threads] = [whole, threads].map(Duration::from_secs_f64);
        FrameCost { whole, threads, gpu: gpu.map(Duration::from_secs_f64) }
    }

    /// Runs frames for some seconds, on a machine where each quality takes its frame time.
    fn run(control: &mut HoldFrameTime, seconds: f64, costs: [f64; 4]) -> (usize, usize) {
        run_each(control, seconds, |level| frame(costs[level], 0.002, Some(costs[level])))
    }

    /// The same, where a function of the quality says what frames take. Returns the last quality,
    /// and how often it has changed.
    fn run_each(
        control: &mut HoldFrameTime,
        seconds: f64,
        cost: impl Fn(usize) -> FrameCost,
    ) -> (usize, usize) {
        let (mut time, mut changes, mut level) = (0.0, 0, control.level);
        while time < seconds {
            let cost = cost(level);
            control.after(cost);
            time += cost.whole.as_secs_f64();
            changes += usize::from(control.level != level);
            level = control.level;
        }
        (level, changes)
    }

    #[test]
    fn it_finds_the_highest_quality_that_is_fast_enough() {
        let control = || HoldFrameTime::fps(60.0);
        assert_eq!(run(&mut control(), 60.0, [0.03, 0.04, 0.05, 0.08]).0, 0);
        assert_eq!(run(&mut control(), 60.0, [0.012, 0.016, 0.03, 0.05]).0, 1);
        assert_eq!(run(&mut control(), 60.0, [0.005; 4]).0, 3);
        // The slower of threads and GPU counts.
        let threads = |_| frame(0.03, 0.03, Some(0.002));
        assert_eq!(run_each(&mut control(), 60.0, threads).0, 0);
        let none = |_| frame(0.03, 0.03, None);
        assert_eq!(run_each(&mut control(), 60.0, none).0, 0);
    }

    /// Whatever frames wait for, their work counts: a display, a limit, an event of a reactive
    /// window, a throttled one in the background.
    #[test]
    fn waiting_is_not_work() {
        for rate in [30.0, 60.0, 120.0, 240.0] {
            for whole in [1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0, 0.9, 1.1, 5.0, 60.0] {
                let mut control = HoldFrameTime::fps(rate);
                let waits = |_| frame(whole, 0.001, Some(0.002));
                let (level, changes) = run_each(&mut control, 10_000.0 * whole, waits);
                assert_eq!((level, changes), (3, 1), "{rate} a second, frames of {whole} s");
            }
            // Of a slow GPU each frame counts, however long it waits.
            let mut control = HoldFrameTime::fps(rate);
            let slow = |_| frame(5.0, 0.001, Some(0.05));
            assert_eq!(run_each(&mut control, 5_000.0, slow).0, 0);
        }
    }

    /// Without timestamps a long frame may have waited, but a short one cannot have been slow.
    #[test]
    fn an_unknown_gpu_is_not_guessed() {
        let mut control = HoldFrameTime::fps(60.0);
        assert_eq!(run_each(&mut control, 600.0, |_| frame(0.05, 0.002, None)), (2, 0));
        assert_eq!(run_each(&mut control, 600.0, |_| frame(0.005, 0.002, None)), (3, 1));
    }

    /// In an hour it tries the next quality a dozen times, not every ten seconds.
    #[test]
    fn it_does_not_oscillate() {
        let mut control = HoldFrameTime::fps(60.0);
        let (level, changes) = run(&mut control, 3600.0, [0.01, 0.0138, 0.03, 0.05]);
        assert_eq!(level, 1);
        assert!((2..30).contains(&changes), "{changes}");
    }

    #[test]
    fn pauses_and_odd_numbers_change_nothing() {
        let mut control = HoldFrameTime::fps(f64::NAN);
        for whole in [Duration::ZERO, Duration::MAX] {
            for _ in 0..100 {
                control.after(FrameCost { whole, ..frame(0.0, 0.016, Some(0.016)) });
            }
        }
        // A single long frame among others.
        for i in 0..300 {
            control.after(if i % 50 == 0 {
                frame(5.0, 5.0, None)
            } else {
                frame(0.018, 0.018, None)
            });
        }
        assert_eq!(control.level, 2);
        // But not one after another.
        assert_eq!(run(&mut control, 60.0, [1.2; 4]).0, 0);
        assert_eq!(HoldFrameTime::fps(0.0).target, Duration::from_secs(1));
    }
}
