//! The limits of a raster.

use crate::{MAX_SAMPLES, MAX_SIDE, Raster, RasterError};

fn problem(result: Result<Raster, RasterError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn limits_are_checked() {
    let heights = || vec![1.0; 6];
    let new = |size, spacing, heights| Raster::new(size, [spacing; 2], [0.0; 2], heights);
    assert!(new([3, 2], 1.0, heights()).is_ok());
    for (size, wanted) in [
        ([0, 2], "each side"),
        ([1, 6], "each side"),
        ([MAX_SIDE + 1, 2], "each side"),
        ([usize::MAX, usize::MAX], "each side"),
        ([MAX_SIDE, MAX_SIDE], "kept in memory"),
        ([3, 3], "need 9 heights"),
    ] {
        let found = problem(new(size, 1.0, heights()));
        assert!(found.contains(wanted), "{size:?}: {found}");
    }
    for spacing in [0.0, -1.0, 1e-4, 2e5, f64::NAN, f64::INFINITY] {
        assert!(problem(new([3, 2], spacing, heights())).contains("spacing"));
    }
    assert!(problem(new([3, 2], 2.8e-4, heights())).contains("degrees"));
    for height in [1.1e5, -1.1e5, f32::INFINITY, f32::MIN] {
        let mut heights = heights();
        heights[4] = height;
        let found = problem(new([3, 2], 1.0, heights));
        assert!(found.contains("column 1, row 1") && found.contains("no_data"), "{found}");
    }
    assert!(problem(new([3, 2], 1.0, vec![f32::NAN; 6])).contains("no sample"));
    for position in [f64::NAN, f64::INFINITY, 2e9] {
        let found = Raster::new([3, 2], [1.0; 2], [0.0, position], heights());
        assert!(problem(found).contains("position"));
    }
    const { assert!(MAX_SAMPLES < MAX_SIDE * MAX_SIDE) };
}

#[test]
fn rows_run_south() {
    let heights = (0..6).map(|i| i as f32).collect();
    let raster = Raster::new([3, 2], [10.0, 20.0], [100.0, 200.0], heights).unwrap();
    assert_eq!(raster.height(2, 1), Some(5.0));
    assert_eq!(raster.height(3, 0), None);
    assert_eq!(raster.height(0, 2), None);
    assert_eq!(raster.corners(), [[100.0, 200.0], [120.0, 220.0]]);
    let moved = raster.at([0.0, 0.0]).unwrap();
    assert_eq!(moved.corners(), [[0.0, 0.0], [20.0, 20.0]]);
}
