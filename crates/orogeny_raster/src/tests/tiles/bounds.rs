//! Bounds of rasters in tiles, and the overview.

use std::ops::ControlFlow;

use orogeny::{Bounds, Field};

use super::{SPACING, heights, position, r32, raster, reading, tiled};
use crate::tests::write::Folder;
use crate::{RasterError, RasterField, RasterTiles, Reading, TileBounds, Tiling};

#[test]
fn a_scan_finds_those_of_the_raster_in_memory() {
    let folder = Folder::new();
    for has_holes in [false, true] {
        let tiles = tiled(&folder, has_holes, Tiling::default());
        let memory = RasterField::new(&raster(has_holes)).unwrap();
        let (found, exact) = (tiles.bounds(), memory.bounds());
        let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b.abs();
        assert!(is_near(found.min, exact.min) && is_near(found.max, exact.max), "{found:?}");
        // A deep hole would raise the Lipschitz constant; these are none.
        assert!(is_near(found.lipschitz, exact.lipschitz), "{found:?} {exact:?}");
        assert!(is_near(found.curvature, exact.curvature), "{found:?} {exact:?}");
        for (k, radius) in (0..150).zip([0.0, 1.0, 4.0, 10.0, 60.0, 300.0].into_iter().cycle()) {
            let p = position(k);
            let (near, all) = (tiles.local_bounds(p, radius), found);
            if tiles.value(p).is_nan() {
                assert_eq!(near, Bounds::UNKNOWN);
                continue;
            }
            assert!(near.min >= all.min && near.max <= all.max, "{near:?}");
            assert!(near.lipschitz <= all.lipschitz && near.curvature <= all.curvature);
            for l in 0..40 {
                let [a, r] = [3.2, radius].map(|x| x * crate::tests::random(k, l));
                let jet = tiles.jet([p[0] + r * a.cos(), p[1] + r * a.sin()]);
                if !jet.sample.value.is_nan() {
                    let [x, z] = jet.sample.gradient.map(f64::from);
                    let value = f64::from(jet.sample.value);
                    assert!(value >= near.min - 1e-3 && value <= near.max + 1e-3);
                    assert!(x.hypot(z) <= near.lipschitz * 1.00001 + 1e-5);
                }
            }
        }
    }
}

/// Two plains, 100 m apart in height, with a hole of 80 cells between them: no tile knows how the
/// other fills it, but a line across keeps the Lipschitz constant.
#[test]
fn lines_across_large_holes_keep_the_lipschitz_constant() {
    let folder = Folder::new();
    let height = |i: usize| match i % 600 {
        ..220 => 0.0,
        300.. => 100.0,
        _ => f32::NAN,
    };
    let heights: Vec<f32> = (0..600 * 300).map(height).collect();
    let (tiles, _) =
        RasterTiles::open(r32(&folder, &heights), &reading(), &Tiling::default()).unwrap();
    let ends = [10.0 + 2.0 * 217.0, 10.0 + 2.0 * 302.0];
    let [low, high] = ends.map(|x| f64::from(tiles.value([x, 100.0])));
    let slope = (high - low) / (ends[1] - ends[0]);
    assert!((slope - 100.0 / 170.0).abs() < 0.01, "{slope}");
    assert!(tiles.bounds().lipschitz >= slope);
    let p = [ends[0], 100.0];
    assert!(tiles.local_bounds(p, 200.0).lipschitz >= slope);
}

#[test]
fn given_bounds_hold() {
    let folder = Folder::new();
    let mut all = heights(false);
    // A peak in the first tile.
    all[50 * 600 + 50] = 5000.0;
    let given = Bounds { min: 0.0, max: 1000.0, lipschitz: 20.0, curvature: 50.0 };
    let tiling = Tiling { bounds: TileBounds::Given(given), ..Tiling::default() };
    let (tiles, _) = RasterTiles::open(r32(&folder, &all), &reading(), &tiling).unwrap();
    assert_eq!(tiles.bounds(), given);
    assert!(tiles.value([20.0, 0.0]).is_nan() && tiles.value([400.0, 100.0]).is_nan());
    assert!(tiles.value([1000.0, 100.0]).is_finite());
    let errors = tiles.take_errors();
    let text = errors[0].to_string();
    assert!(errors.len() == 1 && text.contains("column 0, row 0"), "{errors:?}");
    assert!(text.contains("Tiling::bounds") && text.contains("50"), "{text}");
    assert_eq!(tiles.local_bounds([1000.0, 100.0], 500.0), given);
    for bad in [Bounds { min: 2.0, max: 1.0, ..given }, Bounds { lipschitz: f64::NAN, ..given }] {
        let tiling = Tiling { bounds: TileBounds::Given(bad), ..Tiling::default() };
        let error = RasterTiles::open(r32(&folder, &all), &reading(), &tiling).unwrap_err();
        assert!(error.to_string().contains("Tiling::bounds"), "{error}");
    }
}

#[test]
fn a_scan_reports_progress_and_can_be_cancelled() {
    let folder = Folder::new();
    let paths = [r32(&folder, &heights(false))];
    let mut seen = Vec::new();
    let mut all = |part| {
        seen.push(part);
        ControlFlow::Continue(())
    };
    RasterTiles::open_mosaic(&paths, &reading(), &Tiling::default(), &mut all).unwrap();
    assert_eq!(seen.len(), 6);
    assert!(seen.is_sorted() && seen[5] == 1.0);
    let mut stop = |_| ControlFlow::Break(());
    let outcome = RasterTiles::open_mosaic(&paths, &reading(), &Tiling::default(), &mut stop);
    assert!(matches!(outcome, Err(RasterError::Cancelled)));
    // Nothing is written beside the file.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn far_points_show_means() {
    let tiles = tiled(&Folder::new(), true, Tiling::default());
    assert!(tiles.sparse(30.0).is_none() && tiles.sparse(f64::NAN).is_none());
    assert!(tiled(&Folder::new(), true, super::unbounded()).sparse(1e4).is_none());
    let far = tiles.sparse(32.0 * SPACING[1]).unwrap();
    // The same rectangle.
    for p in [tiles.corners()[0], tiles.corners()[1]] {
        assert!(far.value(p).is_finite(), "{p:?}");
    }
    for k in 0..300 {
        let p = position(k);
        let (found, exact) = (far.value(p), tiles.value(p));
        // Hills are 120 samples long, and smooth over 32 of them.
        assert!(exact.is_nan() || (found - exact).abs() < 60.0, "{p:?} {found} {exact}");
    }
}

/// Of a plane, the means are the plane.
#[test]
fn means_of_a_plane_are_the_plane() {
    let folder = Folder::new();
    let size = [65, 129];
    let plane = |i: usize| (i % 65) as f32 + 2.0 * (i / 65) as f32;
    let heights: Vec<f32> = (0..65 * 129).map(plane).collect();
    let reading = Reading { size: Some(size), spacing: Some([1.0; 2]), ..reading() };
    let path = r32(&folder, &heights);
    let (tiles, _) = RasterTiles::open(path, &reading, &Tiling::default()).unwrap();
    let far = tiles.sparse(32.0).unwrap();
    for [i, j] in [[1, 1], [1, 2], [1, 3]] {
        let p = [10.0 + 32.0 * f64::from(i), -20.0 + 32.0 * f64::from(j)];
        let (found, exact) = (far.value(p), tiles.value(p));
        // 32 samples around a node have their middle half a sample beside it.
        assert!((found - exact).abs() < 2.0, "{found} {exact}");
    }
}

/// A plain has one height, no slope, and an overview of that height.
#[test]
fn plains_are_plain() {
    let folder = Folder::new();
    let path = r32(&folder, &[7.5; 600 * 300]);
    let (tiles, _) = RasterTiles::open(path, &reading(), &Tiling::default()).unwrap();
    assert_eq!(tiles.bounds(), Bounds::constant(7.5));
    let overview = tiles.overview().unwrap();
    assert!(overview.is_whole.iter().all(|&is| is) && overview.slopes.iter().all(|&s| s == 0.0));
    let far = tiles.sparse(200.0).unwrap();
    (0..100).for_each(|k| assert!((far.value(position(k)) - 7.5).abs() < 1e-5));
    (0..100).for_each(|k| assert_eq!(tiles.value(position(k)), 7.5));
}
