//! The time that the plugin takes of each frame on the main thread.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::advanced::StreamTerrain;
use bevy_orogeny::advanced::TerrainSystems;
use bevy_orogeny::advanced::TerrainSystems::*;
use cpu_time::ThreadTime;

/// The steps of the plugin, in their order, with their names.
pub const STEPS: [(&str, TerrainSystems); 6] = [
    ("adopt", Adopt),
    ("receive", Receive),
    ("select", Select),
    ("show", Show),
    ("dispatch", Dispatch),
    ("report", Report),
];

/// A moment, and the time that this thread was running until then: others preempt it where cores
/// are few.
#[derive(Clone, Copy)]
struct Mark(Instant, Duration);

impl Mark {
    fn now() -> Self {
        Self(Instant::now(), ThreadTime::now().as_duration())
    }

    /// The time since another mark, and the part of it that the thread was running.
    fn since(self, other: Self) -> [Duration; 2] {
        [self.0 - other.0, self.1.saturating_sub(other.1)]
    }
}

/// The marks of this frame: before the first step, after each step if steps are measured, and after
/// the last one.
#[derive(Resource, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// The time of all steps, and the part of it that the thread was running.
    pub fn whole(&self) -> Option<[Duration; 2]> {
        match self.0[..] {
            [first, .., last] => Some(last.since(first)),
            _ => None,
        }
    }

    /// The time of each step, if steps are measured.
    pub fn steps(&self) -> impl Iterator<Item = Duration> {
        let pairs = self.0.windows(2).filter(move |_| self.0.len() > 2);
        pairs.map(|pair| pair[1].0 - pair[0].0)
    }
}

/// Adds the systems that take the marks.
pub fn add(app: &mut App, steps: bool) {
    app.init_resource::<Marks>()
        .add_systems(StreamTerrain, (begin.before(Adopt), mark.after(Report)));
    if steps {
        for pair in STEPS.windows(2) {
            app.add_systems(StreamTerrain, mark.after(pair[0].1).before(pair[1].1));
        }
    }
}

fn begin(mut marks: ResMut<Marks>) {
    marks.0.clear();
    marks.0.push(Mark::now());
}

fn mark(mut marks: ResMut<Marks>) {
    marks.0.push(Mark::now());
}
