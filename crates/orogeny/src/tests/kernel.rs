//! Dense grids in two dimensions have the bits of points, at every SIMD level.

use crate::fractal::{Hybrid, Ridged};
use crate::lattice::{Fade, Gradients, LatticeValues};
use crate::noise::{CellularOutput, Noise};
use crate::simd::{Level, levels};
use crate::tests::random::{METRICS, OUTPUTS, Random, cases, fractal_kinds, tree};
use crate::{
    Cellular, Field, Fractal, FractalKind, GradientNoise, Grid, Jet, Node, Sample, Samples, Simplex,
};

fn bits(sample: Sample<2>) -> [u32; 3] {
    [sample.value, sample.gradient[0], sample.gradient[1]].map(f32::to_bits)
}

/// Fills a grid at every level, and compares all of them with each other and with some points. Does
/// the same for values only.
fn check(field: &dyn Field<2>, grid: &Grid<2>, samples: &mut [Samples<2>], what: &str) {
    let mut values = Samples::values_only();
    for out in samples.iter_mut() {
        field.sample_grid(grid, out);
        assert_eq!(out.len(), grid.len());
        values = values.with_level(out.tables.level);
        field.sample_grid(grid, &mut values);
        let found = values.values().iter().map(|v| v.to_bits());
        assert!(
            found.eq(out.values().iter().map(|v| v.to_bits())),
            "{what}, {grid:?}: values only"
        );
        assert!(values.derivatives(0).is_empty());
    }
    // Scattered points use other code.
    let points: Vec<_> = grid.points().step_by(1 + grid.len() / 500).collect();
    for out in &*samples {
        let mut scattered = Samples::new().with_level(out.tables.level);
        field.sample_points(&points, &mut scattered);
        assert_eq!(scattered.len(), points.len());
        values = values.with_level(out.tables.level);
        field.sample_points(&points, &mut values);
        let found = values.values().iter().map(|v| v.to_bits());
        assert!(found.eq(scattered.values().iter().map(|v| v.to_bits())), "{what}: values only");
        for (i, p) in points.iter().enumerate() {
            let [found, exact] = [scattered.get(i), field.sample(*p)].map(bits);
            assert_eq!(found, exact, "{what}, {p:?}");
        }
    }
    let (first, others) = samples.split_first().unwrap();
    for other in others {
        for i in 0..grid.len() {
            assert_eq!(bits(first.get(i)), bits(other.get(i)), "{what}, {grid:?} at {i}");
        }
    }
    // Every point of small grids. Of large ones the last columns and rows, and some between.
    let [nx, nz] = grid.size;
    for (i, p) in grid.points().enumerate() {
        if grid.len() < 400 || i % nx + 2 >= nx || i / nx + 1 >= nz || i % 97 == 0 {
            let [found, exact] = [first.get(i), field.sample(p)].map(bits);
            assert_eq!(found, exact, "{what}, {grid:?} at {i}");
        }
    }
}

/// A buffer for each SIMD level, and one for the scalar code.
fn buffers() -> Vec<Samples<2>> {
    let levels = levels().into_iter().map(|(_, level)| level).chain([Level::fallback()]);
    levels.map(|level| Samples::new().with_level(level)).collect()
}

/// Sizes from 1 to 300, with origins near zero, negative ones and at 1e12 m.
fn grid(r: &mut Random, largest: usize) -> Grid<2> {
    let size = [0; 2].map(|_| match r.below(4) {
        0 => 1 + r.below(20),
        1 => (16 << r.below(4)) + 1,
        _ => 1 + r.below(largest),
    });
    let far = [0.0, 1e3, 1e12][r.below(3)];
    let origin = [0; 2].map(|_| (r.within(-1.0, 1.0) * far * 8.0).round() / 8.0);
    Grid::new(origin, 2f64.powi(r.below(14) as i32 - 4), size.map(|n| n.min(300)))
}

/// Every lattice noise that the kernel supports, in every kind of fractal, and with the gradients
/// of coarse levels.
#[test]
fn every_noise_has_the_bits_of_points() {
    let mut r = Random::new(1);
    let mut samples = buffers();
    let values = [LatticeValues::Zero, LatticeValues::Added, LatticeValues::Alone];
    let gradients = [Gradients::Even, Gradients::Unit, Gradients::Diagonals];
    let fades = [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic];
    for (h, &values) in values.iter().enumerate() {
        for (g, gradients) in gradients.iter().enumerate() {
            for (k, kind) in fractal_kinds().into_iter().enumerate() {
                // Damped octaves need second derivatives.
                let is_damped = matches!(kind, FractalKind::Damped(_));
                let fade = if is_damped { Fade::Quintic } else { fades[(h + g + k) % 4] };
                let noise = GradientNoise {
                    values,
                    gradients: gradients.clone(),
                    fade,
                    ..GradientNoise::seeded(r.bits())
                };
                let fractal = Fractal {
                    kind,
                    frequency: 0.07,
                    lacunarity: 1.0 + r.within(0.5, 1.2),
                    rotation: [0.0, 25.0][(h + k) % 2],
                    amplitude: r.within(-30.0, 30.0) as f32,
                    ..Fractal::fbm(r.within(1.0, 7.0), noise)
                };
                let field = Node::from(fractal).build().unwrap();
                let what = format!("{values:?} {gradients:?} {fade:?} {kind:?}");
                for _ in 0..3 {
                    let grid = grid(&mut r, 60);
                    check(&field, &grid, &mut samples, &what);
                    let limited = field.band_limited(grid.spacing[0] / 2.0).unwrap();
                    check(&limited, &grid, &mut samples, &what);
                }
            }
        }
    }
}

/// Octaves in lanes, at single points, have the bits of octaves one by one.
#[test]
fn octaves_in_lanes_have_the_bits_of_octaves_one_by_one() {
    let mut r = Random::new(4);
    let kinds = [
        FractalKind::Fbm,
        FractalKind::Billow,
        FractalKind::Ridged(Ridged::default()),
        FractalKind::Hybrid(Hybrid::default()),
    ];
    let mut far = 0;
    for i in 0..60 {
        let fade = [Fade::Quintic, Fade::Cosine][i % 2];
        let noise = GradientNoise { fade, ..GradientNoise::seeded(r.bits()) };
        let fractal = Fractal::<2> {
            kind: kinds[i / 2 % 4],
            frequency: 0.07,
            lacunarity: 1.0 + r.within(0.2, 1.2),
            amplitude: r.within(-30.0, 30.0) as f32,
            ..Fractal::fbm(r.within(2.0, 17.0).floor(), noise)
        };
        let octaves = fractal.build(r.bits());
        for octaves in [octaves.clone(), octaves.band_limited(r.within(0.0, 4.0))] {
            let mut one_by_one = octaves.clone();
            one_by_one.lanes = None;
            let levels = levels().into_iter().map(|(_, level)| level).chain([Level::fallback()]);
            for level in levels {
                let mut octaves = octaves.clone();
                octaves.lanes.as_mut().unwrap().level = level;
                for _ in 0..20 {
                    let size = [10.0, 1e4, 1e12][r.below(3)];
                    let p = r.point(size);
                    let [found, exact] = [&octaves, &one_by_one].map(|o| o.at::<Sample<2>>(p));
                    assert_eq!(bits(found), bits(exact), "{fractal:?} at {p:?}, {level:?}");
                    let [found, exact] = [&octaves, &one_by_one].map(|o| o.at::<Jet<2>>(p));
                    assert_eq!(bits(found.sample), bits(exact.sample), "{fractal:?} at {p:?}");
                    let [found, exact] =
                        [found, exact].map(|jet| jet.hessian.map(|row| row.map(f32::to_bits)));
                    assert_eq!(found, exact, "{fractal:?} at {p:?}");
                    far += usize::from(p[0].abs() > 1e11);
                }
            }
        }
    }
    assert!(far > 1000);
}

/// Simplex and cellular noise, with and without rotation, single and in fractals.
#[test]
fn noise_of_points_alone_has_the_bits_of_points() {
    let mut r = Random::new(3);
    let mut samples = buffers();
    let cellular = |distance, jitter, period| Cellular {
        output: distance,
        jitter,
        period,
        ..Cellular::seeded(4)
    };
    let others = METRICS.into_iter().flat_map(|metric| {
        OUTPUTS.map(|output| Cellular { output, metric, ..Cellular::seeded(4) }.into())
    });
    let noises: [Noise<2>; 5] = [
        Simplex { seed: 5 }.into(),
        cellular(CellularOutput::F1, 1.0, [0; 2]).into(),
        cellular(CellularOutput::F2, 0.3, [0; 2]).into(),
        cellular(CellularOutput::F2MinusF1, 1.0, [0; 2]).into(),
        cellular(CellularOutput::F1, 0.0, [3, 5]).into(),
    ];
    for noise in noises.into_iter().chain(others) {
        let what = format!("{noise:?}");
        let kind = if noise.period() == [0; 2] {
            FractalKind::Ridged(Ridged::default())
        } else {
            FractalKind::Fbm
        };
        let rotation = if noise.period() == [0; 2] { 25.0 } else { 0.0 };
        let fractal =
            Fractal { kind, rotation, frequency: 0.11, ..Fractal::fbm(2.0, noise.clone()) };
        for node in [Node::Noise(noise), fractal.into()] {
            let field = node.build().unwrap();
            for _ in 0..6 {
                let grid = grid(&mut r, 50);
                check(&field, &grid, &mut samples, &what);
                let limited = field.band_limited(grid.spacing[0] / 2.0).unwrap();
                check(&limited, &grid, &mut samples, &what);
            }
        }
    }
}

/// Positions where cells leave the range of 2^32 that vectors support: along each axis, and along
/// the diagonals, where skewed coordinates leave it at other positions.
#[test]
fn borders_of_the_vectors_have_the_bits_of_points() {
    let mut samples = buffers();
    let border = 2f64.powi(31);
    let noises: [Noise<2>; 3] = [
        GradientNoise::seeded(1).into(),
        Simplex { seed: 2 }.into(),
        Cellular { output: CellularOutput::F2, ..Cellular::seeded(3) }.into(),
    ];
    for noise in noises {
        let what = format!("{noise:?}");
        let field = Node::Noise(noise).build().unwrap();
        for scale in [1.0, 0.7886, 0.5, 0.25] {
            for [x, z] in
                [[1.0, 0.0], [0.0, -1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
            {
                let origin = [x, z].map(|side| side * border * scale - 8.0);
                check(&field, &Grid::new(origin, 0.5, [33, 33]), &mut samples, &what);
            }
        }
    }
}

/// Gradients that are all zero, of either sign, do not make it value noise.
#[test]
fn flat_tables_have_the_bits_of_points() {
    let mut samples = buffers();
    for zero in [0.0, -0.0] {
        for values in [LatticeValues::Zero, LatticeValues::Added, LatticeValues::Alone] {
            let gradients = Gradients::Table(vec![[zero; 2]]);
            let noise = GradientNoise { values, gradients, ..GradientNoise::seeded(7) };
            let fractal = Fractal { frequency: 0.1, amplitude: -2.0, ..Fractal::fbm(3.0, noise) };
            let field = Node::from(fractal).build().unwrap();
            let grid = Grid::new([-3.0, 8.0], 0.5, [19, 23]);
            check(&field, &grid, &mut samples, &format!("{zero:?} {values:?}"));
        }
    }
}

#[test]
fn large_grids_have_the_bits_of_points() {
    let mut r = Random::new(2);
    let mut samples = buffers();
    let fractal = Fractal { frequency: 0.013, ..Fractal::fbm(8.0, GradientNoise::seeded(3)) };
    let field = Node::from(fractal).build().unwrap();
    for size in (1..=40).chain([47, 48, 49, 63, 64, 65, 66, 127, 129, 257, 300]) {
        let grid = Grid { size: [size, 300 / size + 1], ..grid(&mut r, 2) };
        check(&field, &grid, &mut samples, "fBm");
    }
    for _ in 0..20 {
        check(&field, &grid(&mut r, 300), &mut samples, "fBm");
    }
    // More than one band, with values only and with the narrowest vectors as well.
    for size in [[17, 1700], [16, 1650], [33, 700]] {
        check(&field, &Grid { size, ..grid(&mut r, 2) }, &mut samples, "fBm in bands");
    }
}

#[test]
fn random_trees_have_the_bits_of_points() {
    let mut samples = buffers();
    for seed in 0..cases(300) as u64 {
        let mut r = Random::new(1000 + seed);
        let Ok(field) = tree::<2>(&mut r, 4).build() else { continue };
        check(&field, &grid(&mut r, 30), &mut samples, &format!("seed {seed}"));
    }
}

/// Positions without a cell are NaN, and do not affect others.
#[test]
fn points_outside_the_domain_are_nan() {
    let field = Node::<2>::noise(5).build().unwrap();
    let mut samples = buffers();
    for origin in [[1e18, 0.0], [-1e18, 5.0], [f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        let grid = Grid::new(origin, 2f64.powi(56), [37, 5]);
        for out in &mut samples {
            field.sample_grid(&grid, out);
            for (i, p) in grid.points().enumerate() {
                let (found, exact) = (out.get(i), field.sample(p));
                assert_eq!(found.value.is_nan(), exact.value.is_nan(), "{p:?}");
                assert!(exact.value.is_nan() || bits(found) == bits(exact), "{p:?}");
                assert!(!found.value.is_nan() || found.gradient.iter().all(|g| g.is_nan()));
            }
        }
    }
}

#[test]
fn bands_have_the_bits_of_the_whole() {
    let mut r = Random::new(11);
    for _ in 0..40 {
        let Ok(field) = tree::<2>(&mut r, 2).build() else { continue };
        let spacing = [r.within(-2.0, 2.0), r.within(-2.0, 2.0)];
        let size = [1 + r.below(40), 1 + r.below(40)];
        let grid = Grid { spacing, ..Grid::new(r.point(100.0), 1.0, size) };
        let mut whole = Samples::new();
        field.sample_grid(&grid, &mut whole);
        let mut part = Samples::new();
        let mut all = Vec::new();
        for band in grid.bands(1 + r.below(7)) {
            field.sample_grid(&band, &mut part);
            all.extend(part.iter());
        }
        assert_eq!(all, whole.iter().collect::<Vec<_>>());
        let mut values = vec![0.0; grid.len()];
        field.value_grid(&grid, &mut values);
        assert_eq!(values, whole.values());
        let points: Vec<_> = grid.points().collect();
        field.value_points(&points, &mut values);
        assert_eq!(values, whole.values());
        let (values, [dx, dz]) = whole.clone().into_vecs();
        assert_eq!(values, whole.values());
        assert_eq!([&dx[..], &dz[..]], [whole.derivatives(0), whole.derivatives(1)]);
    }
}
