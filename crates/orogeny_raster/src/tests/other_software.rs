//! Files against other software: odd ones against what rasterio and pyproj say of them (see
//! `odd_files/write.py`), those that GDAL 3 wrote, and real elevation against the hillshade of
//! matplotlib.
//!
//! `jacksboro.png` has 160 x 120 samples of the Jacksboro fault in Tennessee, 3 arc seconds apart,
//! from the sample data of matplotlib 3.11 (rows 100 to 219 and columns 150 to 309 of
//! `jacksboro_fault_dem.npz`, measured by the Shuttle Radar Topography Mission, in the public
//! domain). `jacksboro_hillshade.png` is
//! `LightSource(azdeg=315, altdeg=45).hillshade(elevation, dx=74.4, dy=92.5)` of it, times 65535.

use std::path::{Path, PathBuf};

use orogeny::Field;
use serde_json::Value;

use crate::tests::georeferenced;
use crate::tests::write::Folder;
use crate::{
    Format, Placement, Raster, RasterField, RasterTiles, Reading, Report, Tiling, inspect, read,
    read_weights,
};

/// The path of a file beside this one.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests").join(name)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

/// The settings that a file is read with.
fn reading(settings: &Value) -> Reading {
    let mut reading = georeferenced();
    for (name, value) in settings.as_object().unwrap() {
        match name.as_str() {
            "height_scale" => reading.height_scale = value.as_f64(),
            "no_data" => reading.no_data = value.as_f64(),
            "spacing" => {
                reading.spacing = Some(numbers(value).try_into().unwrap());
                reading.placement = Placement::Centred;
            }
            "format" if value == "Terrarium" => reading.format = Some(Format::Terrarium),
            "format" => reading.format = Some(Format::TerrainRgb),
            name => panic!("{name}"),
        }
    }
    reading
}

fn check(name: &str, raster: &Raster, report: &Report, wanted: &Value, heights: &Value) {
    let spacing = numbers(&wanted["spacing"]);
    let first = numbers(&wanted["first"]);
    for (k, (&spacing, &first)) in spacing.iter().zip(&first).enumerate() {
        let found = raster.spacing()[k];
        // Web Mercator is scaled as on a sphere.
        let tolerance = if name.contains("web_mercator") { 7e-3 } else { 1e-6 };
        let is_same = (found / spacing - 1.0).abs() < tolerance;
        assert!(is_same, "{name}: {found} for {spacing}\n{report}");
        if wanted["reading"]["spacing"].is_null() {
            // In steps: then it does not depend on how they are scaled.
            let found = raster.position()[k] / found;
            let is_same = (found - first).abs() < 1e-6 * first.abs().max(1e3);
            assert!(is_same, "{name}: {found} {first}");
        }
    }
    let heights = numbers(heights);
    assert_eq!(raster.heights().len(), heights.len(), "{name}");
    for (i, (&found, &exact)) in raster.heights().iter().zip(&heights).enumerate() {
        assert_eq!(found.is_nan(), exact.is_nan(), "{name} {i}: {found} for {exact}\n{report}");
        let difference = (f64::from(found) - exact).abs();
        let tolerance = 2e-7 * exact.abs();
        assert!(exact.is_nan() || difference <= tolerance, "{name} {i}: {found} for {exact}");
    }
    let no_data = wanted["no_data"].as_str().map(|text| text.parse::<f64>().unwrap());
    let found = report.no_data;
    let is_nan = |x: Option<f64>| x.is_none_or(f64::is_nan);
    let is_same = (is_nan(found) && is_nan(no_data)) || found == no_data;
    assert!(is_same, "{name}: {found:?} for {no_data:?}");
    let mut left = texts(&wanted["warnings"]);
    for warning in &report.warnings {
        let text = warning.to_string();
        let place = left.iter().position(|part| text.contains(part));
        left.remove(place.unwrap_or_else(|| panic!("{name}: {text}")));
    }
    assert!(left.is_empty(), "{name} lacks warnings {left:?}:\n{report}");
}

/// Checks a file that is read whole and in tiles. Returns whether it can be read in tiles.
fn check_file(name: &str, wanted: &Value, rasters: &Value) -> bool {
    let path = path(&format!("odd_files/{name}"));
    if let Some(part) = wanted["error"].as_str() {
        let reading = Reading::default();
        let whole = read(&path, &reading).unwrap_err().to_string();
        assert!(whole.contains(part), "{name}: {whole}");
        let tiles = RasterTiles::open(&path, &reading, &Tiling::default()).unwrap_err();
        assert_eq!(tiles.to_string(), whole);
        return false;
    }
    let reading = reading(&wanted["reading"]);
    let (raster, report) = read(&path, &reading).unwrap_or_else(|e| panic!("{e}"));
    let index = wanted["heights"].as_u64().unwrap() as usize;
    check(name, &raster, &report, wanted, &rasters[index]);
    // As text, since NaN is not itself.
    let text = format!("{report:?}");
    assert_eq!(format!("{:?}", inspect(&path, &reading).unwrap()), text);
    if !report.can_be_tiled {
        return false;
    }
    let opened = RasterTiles::open(&path, &reading, &Tiling::default());
    let (tiles, in_tiles) = opened.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(format!("{in_tiles:?}"), text);
    let field = RasterField::new(&raster).unwrap();
    let [[x0, z0], [x1, z1]] = field.corners();
    for k in 0..40 {
        let [u, v] = [0.13 * f64::from(k) % 1.0, 0.37 * f64::from(k) % 1.0];
        let p = [x0 + u * (x1 - x0), z0 + v * (z1 - z0)];
        let (found, exact) = (tiles.value(p), field.value(p));
        let is_same = found == exact || (found.is_nan() && exact.is_nan());
        assert!(is_same || (found - exact).abs() < 1e-3, "{name} {p:?}: {found} {exact}");
    }
    true
}

#[test]
fn they_are_read_as_by_rasterio_whole_and_in_tiles() {
    let text = std::fs::read_to_string(path("odd_files/answers.json")).unwrap();
    let answers: Value = serde_json::from_str(&text).unwrap();
    let files = answers["files"].as_object().unwrap();
    assert!(files.len() >= 100);
    let (mut tiled, mut failed) = (0, Vec::new());
    for (name, wanted) in files {
        // All that fail are shown.
        match std::panic::catch_unwind(|| check_file(name, wanted, &answers["rasters"])) {
            Ok(is_tiled) => tiled += usize::from(is_tiled),
            Err(_) => failed.push(name),
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
    assert!(tiled >= 90, "{tiled}");
}

/// The height of each sample, by which the files were made.
fn height(x: usize, z: usize) -> f32 {
    (100 + x * 37 % 101 + z * 3 % 53 + (x * x * 7 + z * z * 13) % 97) as f32
}

fn check_gdal(bytes: &[u8], no_data: Option<f32>) -> (Raster, Report) {
    let (raster, report) = Folder::new().read("a.tif", bytes, &georeferenced()).unwrap();
    assert_eq!(raster.size(), [40, 21]);
    for z in 0..21 {
        for x in 0..40 {
            let (found, exact) = (raster.height(x, z).unwrap(), height(x, z));
            if Some(exact) == no_data {
                assert!(found.is_nan(), "{x} {z}");
            } else {
                assert_eq!(found, exact, "{x} {z}");
            }
        }
    }
    (raster, report)
}

/// The decoder of `tiff` 0.11 fails on this file unless its tiles are read whole.
#[test]
fn tiles_packed_by_lzw_are_read() {
    let (raster, report) = check_gdal(include_bytes!("files/lzw_tiles.tif"), None);
    assert_eq!(report.epsg, Some(32632));
    assert_eq!(raster.spacing(), [30.0, 20.0]);
    assert_eq!(raster.position(), [500_015.0, -4_999_990.0]);
}

#[test]
fn big_tiff_with_the_predictor_of_floats_is_read() {
    let bytes = include_bytes!("files/predictor3_bigtiff.tif");
    let (_, report) = check_gdal(bytes, Some(177.0));
    assert_eq!(report.epsg, Some(4326));
    assert_eq!(report.no_data, Some(177.0));
    assert!(report.no_data_count > Some(0));
    assert!(report.spacing_source.contains("degrees"), "{report}");
}

#[test]
fn big_endian_with_the_predictor_of_integers_is_read() {
    let (_, report) = check_gdal(include_bytes!("files/big_endian.tif"), Some(177.0));
    assert_eq!(report.sample_type, "16-bit signed integer");
}

const SIZE: [usize; 2] = [160, 120];
const SPACING: [f64; 2] = [74.4, 92.5];

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
    let (raster, report) = read(path("files/jacksboro.png"), &reading).unwrap();
    assert_eq!((raster.size(), report.heights), (SIZE, Some([302.0, 996.0])));
    let field = RasterField::new(&raster).unwrap();
    let shade = read_weights(path("files/jacksboro_hillshade.png"), &reading).unwrap();

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
