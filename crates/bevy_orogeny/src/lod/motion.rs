//! How viewers move, so that streaming can look ahead.

use bevy_ecs::component::Component;

/// How far ahead streaming looks, in seconds.
const FORESIGHT: f64 = 0.25;
/// The time constant of the smoothed velocity, in seconds.
const SMOOTHING: f64 = 0.2;

/// The motion of a viewer.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Motion {
    /// The viewer's position (x, height, z) at the last selection, in metres.
    seen: [f64; 3],
    now: Track,
    /// The track at the beginning of the frame.
    before: Track,
}

/// Position and velocity.
#[derive(Clone, Copy, Debug, Default)]
struct Track {
    /// (x, z) in metres.
    position: Option<[f64; 2]>,
    /// In metres per second, smoothed.
    velocity: [f64; 2],
}

impl Motion {
    /// Stores the position (x, height, z) that selection uses.
    pub(crate) fn see(&mut self, position: [f64; 3]) {
        self.seen = position;
    }

    /// Whether this was the viewer's position at the last selection. Equal NaNs count as equal.
    pub(crate) fn was_at(&self, position: [f64; 3]) -> bool {
        self.seen.map(f64::to_bits) == position.map(f64::to_bits)
    }

    /// Advances by a frame of `seconds`. Returns the extrapolated position of a viewer with this
    /// range, in metres.
    pub(crate) fn advance(&mut self, position: [f64; 2], range: f64, seconds: f64) -> [f64; 2] {
        self.before = self.now;
        self.now.step(position, range, seconds)
    }

    /// Replaces the position of this frame, after [`advance`](Self::advance).
    pub(crate) fn correct(&mut self, position: [f64; 2], range: f64, seconds: f64) -> [f64; 2] {
        self.now = self.before;
        self.now.step(position, range, seconds)
    }
}

impl Track {
    fn step(&mut self, position: [f64; 2], range: f64, seconds: f64) -> [f64; 2] {
        let last = self.position.replace(position).unwrap_or(position);
        let way = [0, 1].map(|k| position[k] - last[k]);
        if way[0].hypot(way[1]) > range / 2.0 {
            // A teleport is not a movement.
            self.velocity = [0.0; 2];
        } else if seconds > 0.0 {
            let part = 1.0 - (-seconds / SMOOTHING).exp();
            self.velocity =
                [0, 1].map(|k| self.velocity[k] + part * (way[k] / seconds - self.velocity[k]));
        }
        let speed = self.velocity[0].hypot(self.velocity[1]);
        let time = FORESIGHT.min(range / 4.0 / speed.max(1e-9));
        [0, 1].map(|k| position[k] + time * self.velocity[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_looks_ahead_and_ignores_teleports() {
        let mut motion = Motion::default();
        let mut ahead = [0.0; 2];
        for frame in 0..120 {
            ahead = motion.advance([f64::from(frame), 5.0], 1000.0, 0.01);
        }
        // 100 m/s for a quarter of a second.
        assert!((ahead[0] - 144.0).abs() < 0.5 && (ahead[1] - 5.0).abs() < 1e-9, "{ahead:?}");
        assert_eq!(motion.advance([5000.0, 0.0], 1000.0, 0.01), [5000.0, 0.0]);
        assert_eq!(motion.advance([5000.0, 0.0], 1000.0, 0.0), [5000.0, 0.0]);
        let position = |motion: &Motion| motion.now.position.unwrap();
        for _ in 0..50 {
            let there = position(&motion).map(|at| at + 300.0);
            ahead = motion.advance(there, 1000.0, 0.001);
        }
        let way = [0, 1].map(|k| ahead[k] - position(&motion)[k]);
        assert!(
            (way[0].hypot(way[1]) - 250.0).abs() < 1.0,
            "no farther than a quarter of the range"
        );
    }

    /// A viewer that is corrected in every frame has the velocity of one that is not.
    #[test]
    fn corrections_count_once() {
        let (mut late, mut punctual) = (Motion::default(), Motion::default());
        for frame in 0..60 {
            let [last, now] = [frame, frame + 1].map(|frame| [f64::from(frame), 0.0]);
            late.advance(last, 1000.0, 0.01);
            let ahead = punctual.advance(now, 1000.0, 0.01);
            assert_eq!(late.correct(now, 1000.0, 0.01), ahead);
        }
    }
}
