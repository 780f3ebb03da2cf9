//! The budget holds.

use orogeny::{Field, Grid, Samples};

use super::{SPACING, unbounded};
use crate::tests::write::Folder;
use crate::{ByteOrder, RasterTiles, Reading, Tiling};

/// A raster of 64 MB, of zeros: a file of which no byte is written.
#[test]
fn memory_stays_within_the_budget() {
    let folder = Folder::new();
    let path = folder.file("a.r32", &[]);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(4000 * 4000 * 4).unwrap();
    let reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        spacing: Some(SPACING),
        height_scale: Some(1.0),
        ..Reading::default()
    };
    let budget = 4 << 20;
    let tiling = Tiling { budget, ..unbounded() };
    let peak = allocation_counter::measure(|| {
        let (tiles, _) = RasterTiles::open(&path, &reading, &tiling).unwrap();
        let mut samples = Samples::new();
        for k in 0..60 {
            let corner = [-3900.0 + 120.0 * f64::from(k), -5900.0 + 190.0 * f64::from(k)];
            tiles.sample_grid(&Grid::new(corner, 4.0, [65; 2]), &mut samples);
            assert!(samples.iter().all(|s| s.value == 0.0));
            assert!(tiles.memory() <= budget, "{}", tiles.memory());
        }
        assert!(tiles.memory() > budget / 2);
    });
    // Tiles, what a thread needs meanwhile, and up to 8 tiles in use.
    assert!(peak.bytes_max < budget as u64 + (6 << 20), "{}", peak.bytes_max);
}

/// What a scan leaves in memory is what the documentation says.
#[test]
fn a_scan_takes_a_byte_for_33_samples() {
    let folder = Folder::new();
    let path = folder.file("a.r16", &[]);
    let samples = 4001 * 4001;
    std::fs::File::options().write(true).open(&path).unwrap().set_len(samples * 2).unwrap();
    let reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        spacing: Some(SPACING),
        height_scale: Some(1.0),
        ..Reading::default()
    };
    let (tiles, _) = RasterTiles::open(&path, &reading, &Tiling::default()).unwrap();
    assert!(tiles.sparse(1000.0).is_some());
    // Other threads take part in the scan, but this one frees what is left.
    let freed = -allocation_counter::measure(|| drop(tiles)).bytes_current;
    let ratio = samples as f64 / freed as f64;
    assert!((32.0..34.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_tiny_budget_is_an_error() {
    let tiling = Tiling { budget: 1000, ..Tiling::default() };
    let error = RasterTiles::open("a.r32", &Reading::default(), &tiling).unwrap_err();
    assert!(error.to_string().contains("Tiling::budget"), "{error}");
}
