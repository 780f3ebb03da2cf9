//! Odd files against what rasterio and pyproj say of them: see `odd_files/write.py`.

use std::path::{Path, PathBuf};

use orogeny::Field;
use serde_json::Value;

use crate::{
    Format, Placement, Raster, RasterField, RasterTiles, Reading, Report, Tiling, inspect, read,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/odd_files")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

/// The settings that a file is read with.
fn reading(settings: &Value) -> Reading {
    let mut reading = Reading { placement: Placement::Georeferenced, ..Reading::default() };
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
    let path = folder().join(name);
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
    let text = std::fs::read_to_string(folder().join("answers.json")).unwrap();
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
