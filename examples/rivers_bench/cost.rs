//! The time that grids and points take.

use std::hint::black_box;
use std::time::Instant;

use orogeny::drainage::RiverGround;
use orogeny::{Field, Grid, Samples};

use crate::Metric;

const POINTS: usize = 129;

fn grid(corner: [f64; 2]) -> Grid<2> {
    Grid::new(corner, 1.0, [POINTS; 2])
}

/// The median of the nanoseconds that some runs take.
fn median(count: usize, mut run: impl FnMut(usize)) -> f64 {
    let time = |i| {
        let begin = Instant::now();
        run(i);
        begin.elapsed().as_secs_f64() * 1e9
    };
    let mut times: Vec<f64> = (0..count).map(time).collect();
    times.sort_by(f64::total_cmp);
    times[count / 2]
}

pub fn measure(field: &RiverGround) -> Vec<Metric> {
    let samples = (POINTS * POINTS) as f64;
    let (mut all, mut values) = (Samples::new(), Samples::values_only());
    // Ten grids beside each other, on land.
    let near = |i: usize| grid([51e3 + 130.0 * (i % 10) as f64, 11e3]);
    (0..10).for_each(|i| field.sample_grid(&near(i), &mut all));
    let far = |i: usize| [1e6 + 50e3 * i as f64, -3e6];
    vec![
        Metric {
            name: "fill_ns_per_sample",
            value: median(200, |i| field.sample_grid(&near(i), &mut all)) / samples,
        },
        Metric {
            name: "values_ns_per_sample",
            value: median(200, |i| field.sample_grid(&near(i), &mut values)) / samples,
        },
        Metric {
            name: "cold_fill_ns_per_sample",
            value: median(20, |i| field.sample_grid(&grid(far(i)), &mut all)) / samples,
        },
        Metric {
            name: "cold_point_us",
            value: median(40, |i| {
                black_box(field.value(far(100 + i)));
            }) / 1e3,
        },
        Metric {
            name: "warm_point_us",
            value: median(10_000, |i| {
                black_box(field.value([51e3 + 0.07 * i as f64, 11.05e3]));
            }) / 1e3,
        },
    ]
}
