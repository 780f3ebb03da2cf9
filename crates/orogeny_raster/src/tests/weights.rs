//! Masks and splat maps.

use orogeny::{Bounds, Field, Grid, Samples};
use png::{BitDepth, ColorType};
use tiff::encoder::Compression;
use tiff::encoder::colortype::{ColorType as TiffColor, RGB8, RGBA16};
use tiff::tags::{PhotometricInterpretation, SampleFormat};

use crate::tests::random;
use crate::tests::write::{Folder, HandTiff, Tags, huge_png, png, tif};
use crate::{Placement, RasterError, Reading, Weights, read_weights};

fn spaced() -> Reading {
    let placement = Placement::At([100.0, -50.0]);
    Reading { spacing: Some([2.0, 3.0]), placement, ..Reading::default() }
}

/// Random weights of three layers that sum to 255.
fn splat(count: u64) -> Vec<[u8; 3]> {
    let part = |k, seed| (random(seed, k) * 0.5 + 0.5) * 255.0;
    let pixel = |k: u64| {
        let red = part(k, 1) as u8;
        let green = (part(k, 2) * f64::from(255 - red) / 255.0) as u8;
        [red, green, 255 - red - green]
    };
    (0..count).map(pixel).collect()
}

#[test]
fn channels_are_weights() {
    let folder = Folder::new();
    for (color, channels) in [
        (ColorType::Grayscale, 1),
        (ColorType::GrayscaleAlpha, 2),
        (ColorType::Rgb, 3),
        (ColorType::Rgba, 4),
    ] {
        let data: Vec<u8> = (0..12 * channels * 2).map(|i| (i * 5) as u8).collect();
        let path = folder.file("a.png", &png([4, 3], color, BitDepth::Sixteen, &data));
        let weights = read_weights(path, &spaced()).unwrap();
        let bytes = &data[..12 * channels];
        let path = folder.file("b.png", &png([4, 3], color, BitDepth::Eight, bytes));
        let coarse = read_weights(path, &spaced()).unwrap();
        assert_eq!((weights.layers(), coarse.layers()), (channels, channels));
        for k in 0..12 * channels {
            let (pixel, layer) = (k / channels, k % channels);
            let weight = |w: &Weights| w.weight(layer, pixel % 4, pixel / 4).unwrap();
            let number = f32::from(data[2 * k]) * 256.0 + f32::from(data[2 * k + 1]);
            assert_eq!(weight(&weights), number / 65535.0);
            assert_eq!(weight(&coarse), f32::from(bytes[k]) / 255.0);
        }
        assert_eq!(weights.weight(channels, 0, 0), None);
        assert_eq!(weights.weight(0, 4, 0), None);
    }
}

/// Grey with alpha, which the encoder lacks.
struct GrayAlpha8;

impl TiffColor for GrayAlpha8 {
    type Inner = u8;
    const TIFF_VALUE: PhotometricInterpretation = PhotometricInterpretation::BlackIsZero;
    const BITS_PER_SAMPLE: &'static [u16] = &[8; 2];
    const SAMPLE_FORMAT: &'static [SampleFormat] = &[SampleFormat::Uint; 2];

    fn horizontal_predict(row: &[u8], result: &mut Vec<u8>) {
        result.extend_from_slice(row);
    }
}

#[test]
fn grey_tiffs_with_alpha_are_two_weights() {
    let folder = Folder::new();
    let data: Vec<u8> = (0..40).map(|i| 6 * i).collect();
    let bytes = tif::<GrayAlpha8>([5, 4], &data, &Tags::projected(), Compression::Uncompressed);
    let weights = read_weights(folder.file("a.tif", &bytes), &Reading::default()).unwrap();
    assert_eq!(weights.layers(), 2);
    for (k, &value) in data.iter().enumerate() {
        let (pixel, layer) = (k / 2, k % 2);
        let found = weights.weight(layer, pixel % 5, pixel / 5);
        assert_eq!(found, Some(f32::from(value) / 255.0));
    }
}

#[test]
fn tiffs_are_weights() {
    let folder = Folder::new();
    let data: Vec<u8> = splat(20 * 17).into_flattened();
    let bytes = tif::<RGB8>([20, 17], &data, &Tags::projected(), Compression::Lzw);
    let weights = read_weights(folder.file("a.tif", &bytes), &Reading::default()).unwrap();
    weights.check_sums().unwrap();
    assert_eq!(weights.weight(1, 3, 2), Some(f32::from(data[(2 * 20 + 3) * 3 + 1]) / 255.0));
    let data: Vec<u16> = (0..4 * 30).map(|i| i * 500).collect();
    let bytes = tif::<RGBA16>([6, 5], &data, &Tags::projected(), Compression::Uncompressed);
    let weights = read_weights(folder.file("a.tif", &bytes), &Reading::default()).unwrap();
    assert_eq!((weights.layers(), weights.weight(3, 5, 4)), (4, Some(59500.0 / 65535.0)));
}

/// Fields stay within 0 to 1, sum to 1, and are the mean of samples by the B-spline.
#[test]
fn fields_are_smooth_weights() {
    let folder = Folder::new();
    let data = splat(30 * 20).into_flattened();
    let bytes = png([30, 20], ColorType::Rgb, BitDepth::Eight, &data);
    let weights = read_weights(folder.file("a.png", &bytes), &spaced()).unwrap();
    weights.check_sums().unwrap();
    let layers = weights.fields();
    for k in 0..2000 {
        let [u, v] = [0, 1].map(|axis| 0.5 + 0.5 * random(axis, k));
        let p = [100.0 + 58.0 * u, -50.0 + 57.0 * v];
        let values: Vec<f32> = layers.iter().map(|layer| layer.value(p)).collect();
        assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{values:?}");
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{values:?}");
        let slopes = layers.iter().map(|layer| layer.sample(p).gradient[0]).sum::<f32>();
        assert!(slopes.abs() < 1e-6, "{slopes}");
        let (jet, h) = (layers[0].jet(p), 0.01);
        let [before, after] = [-h, h].map(|h| layers[0].sample([p[0] + h, p[1]]));
        if !before.value.is_nan() && !after.value.is_nan() {
            let slope = f64::from(after.value - before.value) / (2.0 * h);
            assert!((f64::from(jet.sample.gradient[0]) - slope).abs() < 1e-3);
            let second = f64::from(after.gradient[0] - before.gradient[0]) / (2.0 * h);
            assert!((f64::from(jet.hessian[0][0]) - second).abs() < 5e-3);
        }
        let near = layers[1].local_bounds(p, 1.0);
        assert!(near.min <= f64::from(values[1]) + 1e-6 && near.max >= f64::from(values[1]) - 1e-6);
    }
    // At a sample: 4/9 of itself, 1/9 of its neighbours, 1/36 of those at its corners.
    let at = |i: usize, j: usize| f64::from(weights.weight(0, i, j).unwrap());
    let mean = |j: usize| (at(6, j) + 4.0 * at(7, j) + at(8, j)) / 6.0;
    let exact = (mean(4) + 4.0 * mean(5) + mean(6)) / 6.0;
    assert!((f64::from(layers[0].value([114.0, -35.0])) - exact).abs() < 1e-6);
    let bounds = layers[0].bounds();
    assert!(bounds.min >= -1e-6 && bounds.max <= 1.0 + 1e-6, "{bounds:?}");
    assert_eq!(layers[0].local_bounds([0.0, 0.0], 1.0), Bounds::UNKNOWN);
    let mut samples = Samples::new();
    let grid = Grid::new([99.0, -51.0], 0.7, [90, 40]);
    layers[2].sample_grid(&grid, &mut samples);
    for (sample, p) in samples.iter().zip(grid.points()) {
        let point = layers[2].sample(p);
        assert_eq!(sample.value.to_bits(), point.value.to_bits());
        assert_eq!(sample.gradient.map(f32::to_bits), point.gradient.map(f32::to_bits));
    }
}

#[test]
fn sums_are_checked() {
    let folder = Folder::new();
    let mut data = splat(30 * 20);
    data[7 * 30 + 11] = [100, 20, 35];
    data[0] = [100, 100, 54];
    let bytes = png([30, 20], ColorType::Rgb, BitDepth::Eight, data.as_flattened());
    let weights = read_weights(folder.file("a.png", &bytes), &spaced()).unwrap();
    let text = weights.check_sums().unwrap_err().to_string();
    // One missing step is within the rounding of three numbers.
    assert!(text.contains("1 samples") && text.contains("column 11, row 7"), "{text}");
    assert!(text.contains("0.392 + 0.078 + 0.137 = 0.608"), "{text}");
    let whole = weights.normalised().unwrap();
    whole.check_sums().unwrap();
    assert!((whole.weight(0, 11, 7).unwrap() - 100.0 / 155.0).abs() < 1e-6);
    let empty = Weights::new([2, 2], [1.0; 2], [0.0; 2], vec![vec![0.0; 4]; 2]).unwrap();
    assert!(empty.normalised().unwrap_err().to_string().contains("column 0, row 0"));
}

#[test]
fn what_are_no_weights_is_said() {
    let folder = Folder::new();
    let text = |name: &str, bytes: &[u8], reading: &Reading| {
        let error = read_weights(folder.file(name, bytes), reading).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        error.to_string()
    };
    let grey = png([4, 3], ColorType::Grayscale, BitDepth::Eight, &[0; 12]);
    assert!(text("a.png", &grey, &Reading::default()).contains("Reading::spacing"));
    let bits = png([8, 2], ColorType::Grayscale, BitDepth::One, &[0; 2]);
    assert!(text("a.png", &bits, &spaced()).contains("8 or 16 bits"));
    assert!(text("a.png", &huge_png([16_000, 16_000]), &spaced()).contains("in memory"));
    assert!(text("a.png", &huge_png([10_000, 10_000]), &spaced()).contains("cannot hold"));
    assert!(text("a.png", &grey[..40], &spaced()).contains("end of file"));
    assert!(text("a.r16", &[0; 8], &spaced()).contains("PNG and TIFF"));
    let mut signed = HandTiff::of(false, [6, 5], None, |_, _| 0);
    assert!(text("a.tif", &signed.bytes(), &spaced()).contains("unsigned"));
    signed.set(256, 9000).set(257, 9000).set(278, 9000);
    assert!(text("a.tif", &signed.bytes(), &spaced()).contains("cannot hold"));

    let new = |layers| Weights::new([2, 2], [1.0; 2], [0.0; 2], layers).unwrap_err();
    assert!(matches!(new(vec![]), RasterError::Limit(_)));
    assert!(new(vec![vec![0.0; 3]]).to_string().contains("3 weights"));
    for weight in [1.1, -0.1, f32::NAN] {
        let text = new(vec![vec![0.0, 0.0, 0.0, weight]]).to_string();
        assert!(text.contains("column 1, row 1"), "{text}");
    }
}
