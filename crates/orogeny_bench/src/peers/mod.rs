//! The other libraries, each used as its documentation recommends. For those without gradients, the
//! benchmark takes central differences.

mod bevy_noised;
mod fastnoise_lite;
mod libnoise;
mod noise;
mod noise_functions;
mod noiz;

use crate::contest::Contestant;
use crate::workload::{Kind, Noise, Task};

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

/// The noise of a task, if it is a plain noise or plain fBm.
fn fbm(task: &Task) -> Option<Noise> {
    task.noise().filter(|noise| noise.kind == Kind::Fbm)
}
