//! The cost of terrain in the last frames.

use std::collections::VecDeque;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_orogeny::TerrainStats;

/// Number of frames kept.
const FRAMES: usize = 300;

/// The figures of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Milliseconds since the previous frame.
    pub time: f64,
    /// Milliseconds that the terrain systems took.
    pub plugin_time: f64,
    /// Chunks drawn, by level.
    pub levels: Vec<usize>,
    pub chunks: usize,
    pub tasks: usize,
    pub missing: usize,
    /// Mesh memory in 10^6 bytes.
    pub megabytes: f64,
}

/// The last frames, the newest last.
#[derive(Resource, Default)]
pub struct History {
    pub frames: VecDeque<Frame>,
    /// When the terrain systems began in this frame.
    begun: Option<Instant>,
    plugin_time: f64,
}

impl History {
    /// Adds a frame and drops the oldest.
    pub fn push(&mut self, frame: Frame) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
    }

    /// One figure of all frames, as points (-frames ago, figure).
    pub fn line(&self, number: impl Fn(&Frame) -> f64) -> Vec<[f64; 2]> {
        let first = -(self.frames.len() as f64 - 1.0);
        self.frames.iter().enumerate().map(|(i, frame)| [first + i as f64, number(frame)]).collect()
    }
}

/// Starts the clock before the terrain systems.
pub fn begin(mut history: ResMut<History>) {
    history.begun = Some(Instant::now());
}

/// Stops it after them.
pub fn end(mut history: ResMut<History>) {
    if let Some(begun) = history.begun.take() {
        history.plugin_time = 1e3 * begun.elapsed().as_secs_f64();
    }
}

/// Adds the figures of this frame.
pub fn record(mut history: ResMut<History>, stats: Res<TerrainStats>, time: Res<Time<Real>>) {
    let frame = Frame {
        time: 1e3 * time.delta_secs_f64(),
        plugin_time: history.plugin_time,
        levels: stats.displayed_by_lod.clone(),
        chunks: stats.chunks,
        tasks: stats.tasks_in_flight,
        missing: stats.missing,
        megabytes: stats.mesh_bytes as f64 / 1e6,
    };
    history.push(frame);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_frame_is_forgotten() {
        let mut history = History::default();
        (0..FRAMES + 5).for_each(|tasks| history.push(Frame { tasks, ..Frame::default() }));
        let line = history.line(|frame| frame.tasks as f64);
        assert_eq!(line.len(), FRAMES);
        assert_eq!(line[0], [-(FRAMES as f64 - 1.0), 5.0]);
        assert_eq!(line[FRAMES - 1], [0.0, FRAMES as f64 + 4.0]);
    }
}
