//! The time that the plugin takes of each frame.

use std::time::Instant;

use bevy::prelude::*;
use bevy_orogeny::StreamTerrain;
use bevy_orogeny::TerrainSystems::{self, *};

/// The steps of the plugin, in their order, with their names.
pub const STEPS: [(&str, TerrainSystems); 6] = [
    ("adopt", Adopt),
    ("receive", Receive),
    ("select", Select),
    ("show", Show),
    ("dispatch", Dispatch),
    ("report", Report),
];

/// Time stamps of this frame: before the first step, after each step if steps are measured, and
/// after the last one.
#[derive(Resource, Default)]
pub struct Marks(pub Vec<Instant>);

/// Adds the systems that take the time stamps.
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
    marks.0.push(Instant::now());
}

fn mark(mut marks: ResMut<Marks>) {
    marks.0.push(Instant::now());
}
