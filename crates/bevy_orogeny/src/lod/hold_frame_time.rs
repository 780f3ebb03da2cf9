//! A quality that holds a frame time.

use core::time::Duration;

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_time::{Real, Time};

use crate::lod::quality::TerrainQuality;

/// Changes [`TerrainQuality`] between low, medium, high and ultra so that frames take at most this
/// long on average. It goes down after two slow seconds, and up after ten fast ones. If it has to
/// go down again at once, it waits twice as long before the next try, so it does not oscillate.
///
/// It measures the whole frame, whatever takes the time.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_orogeny::HoldFrameTime;
/// # let mut app = App::new();
/// app.insert_resource(HoldFrameTime::fps(60.0));
/// ```
#[derive(Resource, Clone, Debug, Reflect)]
#[reflect(Resource, Debug, Clone)]
pub struct HoldFrameTime {
    /// The frame time to hold.
    pub target: Duration,
    level: usize,
    /// Seconds since the last change, and of them those in a row that were slow and fast.
    since: f64,
    slow: f64,
    fast: f64,
    /// How many fast seconds it takes to go up.
    patience: f64,
    /// Whether the last frame was a pause.
    was_long: bool,
}

/// How much longer than the target a slow frame takes, and a fast one at most.
const SLOW: f64 = 1.15;
const FAST: f64 = 1.03;
/// Slow seconds before it goes down.
const DOWN_AFTER: f64 = 2.0;
/// The least and the largest number of fast seconds before it goes up.
const UP_AFTER: [f64; 2] = [10.0, 600.0];
/// Going down so soon after going up is a failed try.
const FAILED: f64 = 120.0;
/// A longer frame is a pause: loading, or a window that was moved. The next one counts.
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

    /// The quality after a frame that took so many seconds.
    fn after(&mut self, seconds: f64) -> TerrainQuality {
        let target = self.target.as_secs_f64();
        let was_long = core::mem::replace(&mut self.was_long, seconds >= PAUSE);
        if seconds >= 0.0 && seconds.is_finite() && (seconds < PAUSE || was_long) {
            self.since += seconds;
            // A slow frame among fast ones counts by its length, and so does the reverse.
            let weigh = |sum: f64, counts: bool| {
                if counts { sum + seconds } else { (sum - 3.0 * seconds).max(0.0) }
            };
            self.slow = weigh(self.slow, seconds > SLOW * target);
            self.fast = weigh(self.fast, seconds < FAST * target);
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
    time: Option<Res<Time<Real>>>,
    mut quality: ResMut<TerrainQuality>,
) {
    if let (Some(mut control), Some(time)) = (control, time) {
        let wanted = control.after(time.delta_secs_f64());
        quality.set_if_neq(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs frames for some seconds, on a machine where each quality takes its frame time.
    fn run(control: &mut HoldFrameTime, seconds: f64, costs: [f64; 4]) -> (usize, usize) {
        let (mut time, mut changes, mut level) = (0.0, 0, control.level);
        while time < seconds {
            let frame = costs[level];
            control.after(frame);
            time += frame;
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
        // A display that waits for 60 Hz never shows how fast frames could be.
        assert_eq!(run(&mut control(), 60.0, [1.0 / 60.0; 4]).0, 3);
    }

    /// In an hour it tries the next quality a dozen times, not every ten seconds.
    #[test]
    fn it_does_not_oscillate() {
        let mut control = HoldFrameTime::fps(60.0);
        let (level, changes) = run(&mut control, 3600.0, [0.01, 0.0166, 0.03, 0.05]);
        assert_eq!(level, 1);
        assert!((2..30).contains(&changes), "{changes}");
    }

    #[test]
    fn pauses_and_odd_numbers_change_nothing() {
        let mut control = HoldFrameTime::fps(f64::NAN);
        for seconds in [f64::NAN, f64::INFINITY, -1.0] {
            for _ in 0..100 {
                control.after(seconds);
            }
        }
        // A single long frame among others.
        for frame in 0..300 {
            control.after(if frame % 50 == 0 { 5.0 } else { 0.018 });
        }
        assert_eq!(control.level, 2);
        // But not one after another.
        assert_eq!(run(&mut control, 60.0, [1.2; 4]).0, 0);
        assert_eq!(HoldFrameTime::fps(0.0).target, Duration::from_secs(1));
    }
}
