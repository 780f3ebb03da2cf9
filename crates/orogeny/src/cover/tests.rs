use proptest::prelude::*;

use super::*;
use crate::band::Band;

fn layer() -> impl Strategy<Value = CoverLayer> {
    let band = (-1.0f32..1.0, 0.0f32..1.0, 0.0f32..0.5);
    (0..6usize, [band.clone(), band.clone(), band], 0.0f32..4.0, 0.0f32..1.0).prop_map(
        |(kind, [height, slope, curvature], edge_noise, coverage)| CoverLayer {
            height: Band {
                min: height.0 * 1000.0,
                max: (height.0 + height.1) * 1000.0,
                soft: height.2 * 1000.0,
            },
            slope: Band { min: slope.0.max(0.0), max: slope.0.max(0.0) + slope.1, soft: slope.2 },
            curvature: Band {
                min: curvature.0 * 0.1,
                max: (curvature.0 + curvature.1) * 0.1,
                soft: curvature.2 * 0.1,
            },
            edge_noise,
            coverage,
            ..CoverLayer::of(CoverKind::ALL[kind].clone())
        },
    )
}

fn cover_point() -> impl Strategy<Value = CoverPoint> {
    (-2000.0f32..2000.0, 0.0f32..3.0, -0.1f32..0.1, [-1e9f64..1e9, -1e9f64..1e9]).prop_map(
        |(height, slope, curvature, position)| CoverPoint {
            height,
            slope,
            curvature,
            position,
            ..CoverPoint::default()
        },
    )
}

proptest! {
    #[test]
    fn weights_are_parts_of_a_whole(
        layers in proptest::collection::vec(layer(), 1..=8),
        point in cover_point(),
    ) {
        let cover = Cover { layers };
        prop_assert!(cover.check().is_ok());
        let weights = cover.weights(&point);
        prop_assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)), "{weights:?}");
        prop_assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{weights:?}");
        prop_assert!(weights[cover.layers.len()..].iter().all(|&w| w == 0.0));
    }
}

/// Without noise a band covers everything well within it, half at its edges, and nothing well
/// beyond them.
#[test]
fn bands_have_soft_edges() {
    let bounded = |layer: CoverLayer| Cover {
        layers: vec![CoverLayer::of(CoverKind::Grass), CoverLayer { edge_noise: 0.0, ..layer }],
    };
    let rock = CoverLayer::of(CoverKind::Rock);
    let at = CoverPoint::default();
    let heights =
        bounded(CoverLayer { height: Band { min: 10.0, max: 90.0, soft: 8.0 }, ..rock.clone() });
    let slopes =
        bounded(CoverLayer { slope: Band { min: 0.5, max: 0.9, soft: 0.1 }, ..rock.clone() });
    let hollows =
        bounded(CoverLayer { curvature: CoverLayer::CURVATURE.above(0.01).soft(0.01), ..rock });
    for (cover, x, expected) in [
        (&heights, CoverPoint { height: 5.9, ..at }, 0.0),
        (&heights, CoverPoint { height: 10.0, ..at }, 0.5),
        // S(3/4) = 27/32.
        (&heights, CoverPoint { height: 12.0, ..at }, 27.0 / 32.0),
        (&heights, CoverPoint { height: 50.0, ..at }, 1.0),
        (&heights, CoverPoint { height: 90.0, ..at }, 0.5),
        (&heights, CoverPoint { height: 94.1, ..at }, 0.0),
        (&slopes, CoverPoint { slope: 0.0, ..at }, 0.0),
        (&slopes, CoverPoint { slope: 0.7, ..at }, 1.0),
        (&slopes, CoverPoint { slope: 0.9, ..at }, 0.5),
        (&hollows, CoverPoint { curvature: -0.02, ..at }, 0.0),
        (&hollows, CoverPoint { curvature: 0.01, ..at }, 0.5),
        (&hollows, CoverPoint { curvature: 0.02, ..at }, 1.0),
    ] {
        let [grass, rock, ..] = cover.weights(&x);
        assert!(
            (rock - expected).abs() < 1e-5 && (grass + rock - 1.0).abs() < 1e-6,
            "{x:?}: {rock}"
        );
    }
    assert_eq!(heights.dominant(&CoverPoint { height: 50.0, ..at }).unwrap().kind, CoverKind::Rock);
}

/// A layer without bounds covers everything, whatever the noise. With a coverage below 1 it covers
/// about that fraction.
#[test]
fn coverage_is_the_part_that_is_covered() {
    for coverage in [0.0, 0.25, 0.5, 0.75, 1.0f32] {
        let snow = CoverLayer { coverage, ..CoverLayer::of(CoverKind::Snow) };
        let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Rock), snow] };
        let n = 4000;
        let covered = (0..n).map(|i| {
            let position = [f64::from(i) * 97.3, f64::from(i % 61) * 131.7];
            cover.weights(&CoverPoint { position, ..CoverPoint::default() })[1]
        });
        let part = covered.sum::<f32>() / n as f32;
        assert!((part - coverage).abs() < 0.07, "{coverage} {part}");
        assert!(coverage % 1.0 != 0.0 || part == coverage, "{coverage} {part}");
    }
}

#[test]
fn faults_are_named() {
    let fault = |layers: Vec<CoverLayer>| Cover { layers }.check().unwrap_err().to_string();
    let rock = CoverLayer::of(CoverKind::Rock);
    assert!(fault(vec![]).contains("at least"));
    assert!(fault(vec![rock.clone(); 17]).contains("at most 16"));
    let wrong = CoverLayer { slope: CoverLayer::SLOPE.soft(f32::NAN), ..rock.clone() };
    assert!(fault(vec![rock.clone(), wrong]).starts_with("cover[1].slope.soft: "));
    let upside_down =
        CoverLayer { height: CoverLayer::HEIGHT.above(5.0).below(4.0), ..rock.clone() };
    assert!(fault(vec![upside_down]).starts_with("cover[0].height.max: is 4, but"));
    let colour = Some([0.5, 1.5, 0.5]);
    assert!(fault(vec![CoverLayer { colour, ..rock }]).starts_with("cover[0].colour: "));
    assert!(Cover::default().check().is_ok());
}

#[test]
fn nan_leaves_the_first_layer() {
    let cover = Cover::default();
    let at = CoverPoint { height: 900.0, slope: 0.9, ..CoverPoint::default() };
    assert!(cover.weights(&at)[0] < 0.1);
    for wrong in [
        CoverPoint { height: f32::NAN, ..at },
        CoverPoint { slope: f32::NAN, ..at },
        CoverPoint { curvature: f32::NAN, ..at },
        CoverPoint { position: [f64::NAN, 0.0], ..at },
        CoverPoint { position: [0.0, f64::INFINITY], ..at },
    ] {
        let weights = cover.weights(&wrong);
        let first = core::array::from_fn(|i| if i == 0 { 1.0 } else { 0.0 });
        assert_eq!(weights, first, "{wrong:?}");
    }
}

/// The images have the noise of the weights, at the middle of each texel and on average.
#[test]
fn images_have_the_noise_of_edges() {
    let images = EdgeTextures::new();
    let size = EdgeTextures::SIZE;
    let read = |image: &[u8], texel: usize, k: usize| f32::from(image[4 * texel + k]) / 127.5 - 1.0;
    let mut largest = 0f32;
    for (i, j) in (0..size).step_by(7).flat_map(|j| (0..size).step_by(5).map(move |i| (i, j))) {
        for (fine, image) in [&images.coarse, &images.fine].into_iter().enumerate() {
            let texel = EdgeTextures::WIDTHS[fine] / size as f64;
            let sums = edge_noise::sums([i, j].map(|k| (k as f64 + 0.5) * texel), fine);
            for (k, sum) in sums.into_iter().enumerate() {
                largest = largest.max((read(image, i + size * j, k) - sum).abs());
            }
        }
    }
    assert!(largest < 0.01, "{largest}");
    // The last level is the mean, about 0.
    for image in [&images.coarse, &images.fine] {
        assert_eq!(image.len() % 4, 0);
        let last = image.len() / 4 - 1;
        assert!((0..3).all(|k| read(image, last, k).abs() < 0.1));
    }
}
