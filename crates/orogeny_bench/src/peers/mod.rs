//! The other libraries, each used as its documentation recommends. For those without gradients, the
//! benchmark takes central differences.

mod bevy_noised;
mod fastnoise_lite;
mod libnoise;
mod noise;
mod noise_functions;
mod noiz;

use crate::contestant::Contestant;
use crate::workload::{Fractal, Kind, Task};

/// All contestants that can do a task.
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

/// The fractal of a task that other libraries support. For points it is a single octave of
/// frequency 1.
fn fractal(task: &Task) -> Option<Fractal> {
    match *task {
        // No other library here has damped or eroded fractals.
        Task::Grid { fractal: Fractal { kind: Kind::Damped | Kind::Eroded, .. }, .. } => None,
        Task::Grid { fractal, .. } => Some(fractal),
        Task::Points { .. } => {
            Some(Fractal { octaves: 1, frequency: 1.0, lacunarity: 2.0, kind: Kind::Fbm })
        }
        Task::Jets { .. } | Task::Chunk { .. } => None,
    }
}

/// The fractal of a task, if it is plain fBm.
fn fbm(task: &Task) -> Option<Fractal> {
    fractal(task).filter(|fractal| fractal.kind == Kind::Fbm)
}
