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
    let others = [
        noise::contestant(task),
        fastnoise_lite::contestant(task),
        libnoise::contestant(task),
        noise_functions::contestant(task),
        bevy_noised::contestant(task),
    ];
    noiz::contestants(task).into_iter().chain(others).flatten().collect()
}

/// The noise of a task, if it is a plain noise or plain fBm.
fn fbm(task: &Task) -> Option<Noise> {
    task.noise().filter(|noise| noise.kind == Kind::Fbm)
}
