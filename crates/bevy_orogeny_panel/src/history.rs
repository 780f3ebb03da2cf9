//! Statistics of the last frames.

use std::collections::VecDeque;
use std::time::Instant;

use bevy::prelude::*;
use bevy_orogeny::TerrainStats;

/// Frames that are remembered.
const FRAMES: usize = 300;

/// What is known of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Milliseconds from the frame before, and those that the plugin's systems took.
    pub time: f64,
    pub plugin_time: f64,
    /// Chunks drawn of each level.
    pub levels: Vec<usize>,
    pub chunks: usize,
    pub tasks: usize,
    pub missing: usize,
    /// 10^6 bytes of meshes.
    pub megabytes: f64,
}

/// The last frames, the newest last.
#[derive(Resource, Default)]
pub struct History {
    pub frames: VecDeque<Frame>,
    /// When the plugin's systems began in this frame, and what they took.
    begun: Option<Instant>,
    plugin_time: f64,
}

impl History {
    /// Adds a frame, and forgets the oldest.
    pub fn push(&mut self, frame: Frame) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
    }

    /// A number of each frame, over how many frames ago it was.
    pub fn line(&self, number: impl Fn(&Frame) -> f64) -> Vec<[f64; 2]> {
        let first = -(self.frames.len() as f64 - 1.0);
        self.frames.iter().enumerate().map(|(i, frame)| [first + i as f64, number(frame)]).collect()
    }
}

/// Looks at the clock before the plugin's systems.
pub fn begin(mut history: ResMut<History>) {
    history.begun = Some(Instant::now());
}

/// And after them.
pub fn end(mut history: ResMut<History>) {
    if let Some(begun) = history.begun.take() {
        history.plugin_time = 1e3 * begun.elapsed().as_secs_f64();
    }
}

/// Remembers this frame.
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
