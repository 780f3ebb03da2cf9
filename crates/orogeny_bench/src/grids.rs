//! Grids and batches of points for libraries that sample one position at a time.

use std::hint::black_box;

use crate::contestant::Contestant;
use crate::workload::{POINTS, REACH, Task};

/// The positions of [`Task::Points`], from SplitMix64.
pub fn positions() -> Vec<[f64; 2]> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        (2.0 * unit - 1.0) * REACH
    };
    (0..POINTS).map(|_| [next(), next()]).collect()
}

/// Runs a task with a library that returns values, using central differences if the task has
/// gradients.
pub fn values(
    library: &'static str,
    task: &Task,
    value: impl Fn(f64, f64) -> f32 + 'static,
) -> Option<Contestant> {
    let run: Box<dyn FnMut()> = match *task {
        Task::Grid { side, gradient: false, .. } => {
            let mut out = vec![0f32; side * side];
            Box::new(move || {
                for (z, row) in out.chunks_exact_mut(side).enumerate() {
                    for (x, out) in row.iter_mut().enumerate() {
                        *out = value(x as f64, z as f64);
                    }
                }
                black_box(&out);
            })
        }
        Task::Grid { side, gradient: true, .. } => {
            // With a border of one sample.
            let wide = side + 2;
            let mut heights = vec![0f32; wide * wide];
            let mut out = vec![[0f32; 3]; side * side];
            Box::new(move || {
                for (z, row) in heights.chunks_exact_mut(wide).enumerate() {
                    for (x, out) in row.iter_mut().enumerate() {
                        *out = value(x as f64 - 1.0, z as f64 - 1.0);
                    }
                }
                for (z, row) in out.chunks_exact_mut(side).enumerate() {
                    for (x, out) in row.iter_mut().enumerate() {
                        let at = (z + 1) * wide + x + 1;
                        let dx = 0.5 * (heights[at + 1] - heights[at - 1]);
                        let dz = 0.5 * (heights[at + wide] - heights[at - wide]);
                        *out = [heights[at], dx, dz];
                    }
                }
                black_box(&out);
            })
        }
        Task::Points { gradient } => {
            let points = positions();
            let mut out = vec![[0f32; 3]; POINTS];
            const STEP: f64 = 1.0 / 128.0;
            Box::new(move || {
                for (out, &[x, z]) in out.iter_mut().zip(&points) {
                    out[0] = value(x, z);
                    if gradient {
                        let scale = (0.5 / STEP) as f32;
                        out[1] = scale * (value(x + STEP, z) - value(x - STEP, z));
                        out[2] = scale * (value(x, z + STEP) - value(x, z - STEP));
                    }
                }
                black_box(&out);
            })
        }
        Task::Jets { .. } | Task::Chunk { .. } => return None,
    };
    let gradient =
        matches!(task, Task::Grid { gradient: true, .. } | Task::Points { gradient: true });
    let method = if gradient { "differences" } else { "value" };
    Some(Contestant { library, method, level: "", run })
}

/// Runs a task with a library that returns gradients, if the task has gradients.
pub fn gradients(
    library: &'static str,
    task: &Task,
    sample: impl Fn(f64, f64) -> [f32; 3] + 'static,
) -> Option<Contestant> {
    let run: Box<dyn FnMut()> = match *task {
        Task::Grid { side, gradient: true, .. } => {
            let mut out = vec![[0f32; 3]; side * side];
            Box::new(move || {
                for (z, row) in out.chunks_exact_mut(side).enumerate() {
                    for (x, out) in row.iter_mut().enumerate() {
                        *out = sample(x as f64, z as f64);
                    }
                }
                black_box(&out);
            })
        }
        Task::Points { gradient: true } => {
            let points = positions();
            let mut out = vec![[0f32; 3]; POINTS];
            Box::new(move || {
                for (out, &[x, z]) in out.iter_mut().zip(&points) {
                    *out = sample(x, z);
                }
                black_box(&out);
            })
        }
        _ => return None,
    };
    Some(Contestant { library, method: "analytic", level: "", run })
}
