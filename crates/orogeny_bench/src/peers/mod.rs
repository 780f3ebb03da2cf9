//! The other libraries, each used as its documentation advises. Where one has no gradients, these
//! are central differences.

mod bevy_noised;
mod fastnoise_lite;
mod libnoise;
mod noise;
mod noise_functions;
mod noiz;

use crate::contestant::Contestant;
use crate::workload::{Fractal, Kind, Task};

/// Everyone who can do a task.
pub fn contestants(task: &Task) -> Vec<Contestant> {
    [
        noiz::contestants(task),
        noise::contestants(task),
        fastnoise_lite::contestants(task),
        libnoise::contestants(task),
        noise_functions::contestants(task),
        bevy_noised::contestants(task),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The octaves of a task, if it is of a kind that others have: for points one, with cells as wide
/// as 1.
fn fractal(task: &Task) -> Option<Fractal> {
    match *task {
        // No other library damps or erodes.
        Task::Grid { fractal: Fractal { kind: Kind::Damped | Kind::Eroded, .. }, .. } => None,
        Task::Grid { fractal, .. } => Some(fractal),
        Task::Points { .. } => {
            Some(Fractal { octaves: 1, frequency: 1.0, lacunarity: 2.0, kind: Kind::Fbm })
        }
        Task::Jets { .. } | Task::Chunk { .. } => None,
    }
}

/// The octaves of a task that wants plain fBm.
fn fbm(task: &Task) -> Option<Fractal> {
    fractal(task).filter(|fractal| fractal.kind == Kind::Fbm)
}
