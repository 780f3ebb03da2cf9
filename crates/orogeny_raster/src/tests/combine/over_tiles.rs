//! Rasters in tiles over other ground.

use orogeny::{Field, Grid};

use super::{assert_bounds, assert_grids_are_points, noise};
use crate::tests::random;
use crate::tests::tiles::{SIZE, SPACING, position, reading, tiled, unbounded};
use crate::tests::write::Folder;
use crate::{Amplification, RasterTiles, Tiling};

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

/// On a plane of one slope, the factor is that of the slope, and far points have no noise.
#[test]
fn tiles_are_amplified_by_their_slopes() {
    let folder = Folder::new();
    let plane = |k: usize| {
        0.3 * SPACING[0] * (k % SIZE[0]) as f64 + 0.4 * SPACING[1] * (k / SIZE[0]) as f64
    };
    let heights: Vec<f32> = (0..SIZE[0] * SIZE[1]).map(|k| plane(k) as f32).collect();
    let path = crate::tests::tiles::r32(&folder, &heights);
    let (tiles, _) = RasterTiles::open(path, &reading(), &Tiling::default()).unwrap();
    let noise = noise(0.5, 2.0);
    let amplification = Amplification { slopes: [0.25, 0.75], factors: [0.5, -2.0] };
    let ground = tiles.amplified(noise.clone(), amplification).unwrap();
    let [x0, z0] = tiles.corners()[0];
    for k in 0..200 {
        // Far from the border, where samples are mirrored.
        let [u, v] = [0, 1].map(|axis| 0.5 + 0.3 * random(axis, k));
        let p = [x0 + u * 600.0 * SPACING[0], z0 + v * 300.0 * SPACING[1]];
        let difference = f64::from(ground.value(p)) - f64::from(tiles.value(p));
        let exact = -0.75 * f64::from(noise.value(p));
        assert!((difference - exact).abs() < 1e-3, "{p:?}: {difference} {exact}");
        assert_bounds(&ground, p, 10.0, k);
    }
    let far = ground.sparse(200.0).unwrap();
    let p = [x0 + 600.0, z0 + 450.0];
    assert_eq!(far.sample(p), tiles.sparse(200.0).unwrap().sample(p));
    let over = ground.over(noise.clone(), 20.0).unwrap();
    assert_eq!(over.sample([x0 - 1.0, z0]), noise.sample([x0 - 1.0, z0]));
    assert_eq!(over.sample(p), ground.sample(p));
    assert!(tiled(&folder, false, unbounded()).amplified(noise, amplification).is_err());
}
