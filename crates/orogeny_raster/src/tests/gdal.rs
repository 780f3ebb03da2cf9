//! Files that GDAL 3 wrote, by way of rasterio: other software than that which reads them.

use crate::tests::write::Folder;
use crate::{Placement, Raster, Reading, Report};

/// The height of each sample, by which the files were made.
fn height(x: usize, z: usize) -> f32 {
    (100 + x * 37 % 101 + z * 3 % 53 + (x * x * 7 + z * z * 13) % 97) as f32
}

fn check(bytes: &[u8], no_data: Option<f32>) -> (Raster, Report) {
    let reading = Reading { placement: Placement::Georeferenced, ..Reading::default() };
    let (raster, report) = Folder::new().read("a.tif", bytes, &reading).unwrap();
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
    let (raster, report) = check(include_bytes!("files/lzw_tiles.tif"), None);
    assert_eq!(report.epsg, Some(32632));
    assert_eq!(raster.spacing(), [30.0, 20.0]);
    assert_eq!(raster.position(), [500_015.0, -4_999_990.0]);
}

#[test]
fn big_tiff_with_the_predictor_of_floats_is_read() {
    let bytes = include_bytes!("files/predictor3_bigtiff.tif");
    let (_, report) = check(bytes, Some(177.0));
    assert_eq!(report.epsg, Some(4326));
    assert_eq!(report.no_data, Some(177.0));
    assert!(report.no_data_count > Some(0));
    assert!(report.spacing_source.contains("degrees"), "{report}");
}

#[test]
fn big_endian_with_the_predictor_of_integers_is_read() {
    let (_, report) = check(include_bytes!("files/big_endian.tif"), Some(177.0));
    assert_eq!(report.sample_type, "16-bit signed integer");
}
