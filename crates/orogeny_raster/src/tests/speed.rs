//! The time of a sample. Run it with optimisation, on Linux:
//!
//! ```sh
//! cargo test --release -p orogeny_raster speed -- --ignored --nocapture
//! ```

use orogeny::{Field, Grid, Samples};

use crate::RasterField;
use crate::tests::rough;

/// The nanoseconds that this thread has run: other programs do not count.
fn now() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    times.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
#[ignore = "prints times"]
fn speed() {
    let raster = rough(1, [2000, 2000]);
    let start = now();
    let field = RasterField::new(&raster).unwrap();
    let per = |start: f64, count: f64| (now() - start) / count;
    println!("building      {:6.1} ns a sample", per(start, 4e6));
    let (mut samples, mut values) = (Samples::new(), Samples::values_only());
    let chunk = |k: u32| Grid::new([20.0 + f64::from(k), 50.0 + f64::from(k)], 0.7, [65, 65]);
    for (name, samples) in [("grid", &mut samples), ("values only", &mut values)] {
        field.sample_grid(&chunk(0), samples);
        let start = now();
        (0..200).for_each(|k| field.sample_grid(&chunk(k), samples));
        println!("{name:13} {:6.1} ns a sample", per(start, 200.0 * 65.0 * 65.0));
    }
    let points: Vec<_> = (0..200).flat_map(|k| chunk(k).points()).collect();
    let count = points.len() as f64;
    let start = now();
    let sum: f32 = points.iter().map(|&p| field.sample(p).value).sum();
    println!("points        {:6.1} ns a sample ({sum})", per(start, count));
    let start = now();
    let sum: f32 = points.iter().map(|&p| field.jet(p).hessian[0][1]).sum();
    println!("jets          {:6.1} ns a sample ({sum})", per(start, count));
    for radius in [1.0, 20.0, 300.0] {
        let start = now();
        let sum: f64 =
            points.iter().take(100_000).map(|&p| field.local_bounds(p, radius).max).sum();
        println!("bounds {radius:5}  {:6.1} ns ({sum})", per(start, 1e5));
    }
}
