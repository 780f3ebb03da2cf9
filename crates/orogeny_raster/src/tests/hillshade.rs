//! Real elevation against the hillshade of matplotlib.
//!
//! `jacksboro.png` has 160 x 120 samples of the Jacksboro fault in Tennessee, 3 arc seconds apart,
//! from the sample data of matplotlib 3.11 (rows 100 to 219 and columns 150 to 309 of
//! `jacksboro_fault_dem.npz`, measured by the Shuttle Radar Topography Mission, in the public
//! domain). `jacksboro_hillshade.png` is
//! `LightSource(azdeg=315, altdeg=45).hillshade(elevation, dx=74.4, dy=92.5)` of it, times 65535.

use orogeny::Field;

use crate::{RasterField, Reading, read, read_weights};

const SIZE: [usize; 2] = [160, 120];
const SPACING: [f64; 2] = [74.4, 92.5];

fn path(name: &str) -> String {
    format!("{}/src/tests/files/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The light from the north-west on ground with a slope to the east and to the south.
fn light([east, south]: [f64; 2]) -> f64 {
    let half = 0.5f64.sqrt();
    // To the west, to the north, and up.
    let sun = [half * half, half * half, half];
    let normal = [east, south, 1.0];
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    normal.iter().zip(sun).map(|(n, s)| n * s).sum::<f64>() / length
}

#[test]
fn slopes_are_those_of_matplotlib() {
    let reading = Reading {
        spacing: Some(SPACING),
        height_scale: Some(1.0),
        placement: crate::Placement::At([0.0; 2]),
        ..Reading::default()
    };
    let (raster, report) = read(path("jacksboro.png"), &reading).unwrap();
    assert_eq!((raster.size(), report.heights), (SIZE, Some([302.0, 996.0])));
    let field = RasterField::new(&raster).unwrap();
    let shade = read_weights(path("jacksboro_hillshade.png"), &reading).unwrap();

    // By central differences of values, as matplotlib has them, and by the gradient of the spline.
    let (mut differences, mut gradients, mut exact) = (Vec::new(), Vec::new(), Vec::new());
    for j in 1..SIZE[1] - 1 {
        for i in 1..SIZE[0] - 1 {
            let at = |i: usize, j: usize| [i as f64 * SPACING[0], j as f64 * SPACING[1]];
            let value = |i: usize, j: usize| f64::from(field.value(at(i, j)));
            differences.push(light([
                (value(i + 1, j) - value(i - 1, j)) / (2.0 * SPACING[0]),
                (value(i, j + 1) - value(i, j - 1)) / (2.0 * SPACING[1]),
            ]));
            gradients.push(light(field.sample(at(i, j)).gradient.map(f64::from)));
            exact.push(f64::from(shade.weight(0, i, j).unwrap()));
        }
    }
    // matplotlib stretches the light to 0 to 1, so the two are linear in each other.
    let of_differences = correlation(&differences, &exact);
    let of_gradients = correlation(&gradients, &exact);
    assert!(of_differences > 0.999_999, "{of_differences}");
    assert!(of_gradients > 0.97, "{of_gradients}");
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum()
    };
    product(&|a, b| a * b) / (product(&|a, _| a * a) * product(&|_, b| b * b)).sqrt()
}
