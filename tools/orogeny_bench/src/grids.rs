//! Grids and batches of points for libraries that sample one position at a time.

use std::array;
use std::hint::black_box;

use crate::contest::Contestant;
use crate::workload::{POINTS, REACH, Task, VOLUME};

/// A value and its gradient.
pub type Sloped<const N: usize> = (f32, [f32; N]);

/// The random positions, from SplitMix64.
pub fn positions<const N: usize>() -> Vec<[f64; N]> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        (2.0 * unit - 1.0) * REACH
    };
    (0..POINTS).map(|_| array::from_fn(|_| next())).collect()
}

/// The size of a task's grid, if it has one of N dimensions.
fn size<const N: usize>(task: &Task) -> Option<[usize; N]> {
    match *task {
        Task::Grid { side, .. } => [side; 2][..].try_into().ok(),
        Task::Volume { .. } => VOLUME[..].try_into().ok(),
        _ => None,
    }
}

/// Samples a grid row by row. All coordinates of its first point are `start`.
#[inline(always)]
fn fill<const N: usize, T>(
    size: [usize; N],
    start: f64,
    out: &mut [T],
    sample: impl Fn([f64; N]) -> T,
) {
    for (mut row, out) in out.chunks_exact_mut(size[0]).enumerate() {
        let mut p = [start; N];
        for k in 1..N {
            p[k] += (row % size[k]) as f64;
            row /= size[k];
        }
        for (x, out) in out.iter_mut().enumerate() {
            p[0] = start + x as f64;
            *out = sample(p);
        }
    }
}

/// Runs a task with a library that returns values, using central differences if the task has
/// gradients.
pub fn values<const N: usize>(
    library: &'static str,
    task: &Task,
    value: impl Fn([f64; N]) -> f32 + 'static,
) -> Option<Contestant> {
    let sloped = task.has_gradients();
    let run: Box<dyn FnMut()> = match (*task, size(task)) {
        (Task::Grid { .. } | Task::Volume { .. }, None) => return None,
        (_, Some(size)) if sloped => differences(size, value),
        (_, Some(size)) => {
            let mut out = vec![0f32; task.samples()];
            Box::new(move || {
                fill(size, 0.0, &mut out, &value);
                black_box(&out);
            })
        }
        (Task::Points { .. } | Task::Single { .. }, _) => {
            let points = positions();
            let mut out = vec![(0f32, [0f32; N]); POINTS];
            const STEP: f64 = 1.0 / 128.0;
            Box::new(move || {
                for (out, &p) in out.iter_mut().zip(&points) {
                    out.0 = value(p);
                    if sloped {
                        out.1 = array::from_fn(|k| {
                            let at = |step: f64| {
                                array::from_fn(|i| if i == k { p[i] + step } else { p[i] })
                            };
                            (0.5 / STEP) as f32 * (value(at(STEP)) - value(at(-STEP)))
                        });
                    }
                }
                black_box(&out);
            })
        }
        _ => return None,
    };
    let method = if sloped { "differences" } else { "value" };
    Some(Contestant { library, method, level: "", run })
}

/// Central differences on a grid with a border of one sample.
fn differences<const N: usize>(
    size: [usize; N],
    value: impl Fn([f64; N]) -> f32 + 'static,
) -> Box<dyn FnMut()> {
    let wide = size.map(|side| side + 2);
    let strides: [usize; N] = array::from_fn(|k| wide[..k].iter().product());
    let mut heights = vec![0f32; wide.iter().product()];
    let mut out = vec![(0f32, [0f32; N]); size.iter().product()];
    Box::new(move || {
        fill(wide, -1.0, &mut heights, &value);
        for (mut row, out) in out.chunks_exact_mut(size[0]).enumerate() {
            let mut first = 1;
            for k in 1..N {
                first += (row % size[k] + 1) * strides[k];
                row /= size[k];
            }
            for (x, out) in out.iter_mut().enumerate() {
                let at = first + x;
                let slope = |stride| 0.5 * (heights[at + stride] - heights[at - stride]);
                *out = (heights[at], strides.map(slope));
            }
        }
        black_box(&out);
    })
}

/// Runs a task with a library that returns gradients, if the task has gradients.
pub fn gradients<const N: usize>(
    library: &'static str,
    method: &'static str,
    task: &Task,
    sample: impl Fn([f64; N]) -> Sloped<N> + 'static,
) -> Option<Contestant> {
    let mut out = vec![(0f32, [0f32; N]); task.samples()];
    let run: Box<dyn FnMut()> = match (*task, size(task)) {
        _ if !task.has_gradients() => return None,
        (_, Some(size)) => Box::new(move || {
            fill(size, 0.0, &mut out, &sample);
            black_box(&out);
        }),
        (Task::Points { .. } | Task::Single { .. }, _) => {
            let points = positions();
            Box::new(move || {
                for (out, &p) in out.iter_mut().zip(&points) {
                    *out = sample(p);
                }
                black_box(&out);
            })
        }
        _ => return None,
    };
    Some(Contestant { library, method, level: "", run })
}
