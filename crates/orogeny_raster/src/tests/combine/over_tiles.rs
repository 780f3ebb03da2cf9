//! Rasters in tiles over other ground.

use orogeny::{Field, Grid};

use super::{assert_bounds, assert_grids_are_points, noise};
use crate::Tiling;
use crate::tests::tiles::{SIZE, SPACING, position, tiled, unbounded};
use crate::tests::write::Folder;

#[test]
fn tiles_are_blended_at_edges_and_holes() {
    let folder = Folder::new();
    let tiles = tiled(&folder, false, Tiling::default());
    let hills = noise(0.001, 40.0);
    let ground = tiles.over(hills.clone(), 50.0).unwrap();
    let [first, last] = tiles.corners();
    for p in [first, last, [0.0, 0.0], [first[0], 400.0]] {
        assert_eq!(ground.jet(p), hills.jet(p), "{p:?}");
    }
    let middle = [0, 1].map(|k| first[k] + SIZE[k] as f64 / 2.0 * SPACING[k]);
    assert_eq!(ground.jet(middle), tiles.jet(middle));
    for (k, radius) in (0..60).zip([0.0, 4.0, 30.0].into_iter().cycle()) {
        assert_bounds(&ground, position(k), radius, k);
    }
    assert_grids_are_points(&ground, &Grid::new([-5.0, 200.0], 4.0, [70, 20]));
    let far = ground.sparse(200.0).unwrap();
    assert_eq!(far.sample([0.0, 0.0]), hills.sample([0.0, 0.0]));
    assert!((far.value(middle) - ground.value(middle)).abs() < 60.0);
}

/// Wherever the raster has a hole, the ground has none.
#[test]
fn holes_are_filled() {
    let folder = Folder::new();
    let tiles = tiled(&folder, true, Tiling::default());
    match tiles.over(noise(0.001, 40.0), 0.0) {
        Ok(ground) => (0..3000).for_each(|k| assert!(ground.value(position(k)).is_finite())),
        // Holes everywhere leave nothing to show.
        Err(error) => assert!(error.to_string().contains("nowhere"), "{error}"),
    }
    let error = tiled(&folder, false, unbounded()).over(noise(0.001, 40.0), 1.0).unwrap_err();
    assert!(error.to_string().contains("Scan"), "{error}");
}
