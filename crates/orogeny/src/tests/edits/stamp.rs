//! Stamps against the textbook's B-spline through their samples, and what is refused.

use std::cell::RefCell;

use super::oracle::{self, Waves};
use super::{Bounds, EditedField, Field, keeps, quotients, random};
use crate::edits::{Blend, Edit, Raster, Stamp};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::{Grid, Node, Samples, Tree};

/// The cubic B-spline around 0.
fn bump(x: f64) -> f64 {
    match x.abs() {
        x if x < 1.0 => 2.0 / 3.0 - x * x + x * x * x / 2.0,
        x if x < 2.0 => (2.0 - x).powi(3) / 6.0,
        _ => 0.0,
    }
}

/// The weight of a stamp and its height.
pub fn oracle(stamp: &Stamp, [x, z]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = stamp.angle.to_radians().sin_cos();
    let (x, z) = (x - stamp.center[0], z - stamp.center[1]);
    let own = [x * cos + z * sin, z * cos - x * sin];
    let size = stamp.raster.size();
    let half = size.map(|count| (count as f64 - 1.0) * stamp.cell / 2.0);
    let weight = |k: usize| oracle::falls(own[k].abs() - (half[k] - stamp.falloff), stamp.falloff);
    let [u, v] = [0, 1].map(|k| (own[k] + half[k]) / stamp.cell);
    // Samples at the border count again outside it.
    let clamped = |i: i64, count: usize| i.clamp(0, count as i64 - 1) as usize;
    let all = coefficients(&stamp.raster);
    let mut height = 0.0;
    for j in -2..size[1] as i64 + 2 {
        for i in -2..size[0] as i64 + 2 {
            let [i_in, j_in] = [clamped(i, size[0]), clamped(j, size[1])];
            let coefficient = all[j_in * size[0] + i_in];
            height += bump(u - i as f64) * bump(v - j as f64) * coefficient;
        }
    }
    [weight(0) * weight(1), f64::from(stamp.level) + f64::from(stamp.height) * height]
}

/// The coefficients of the spline through all samples, by iteration.
fn coefficients(raster: &Raster) -> Vec<f64> {
    type Solved = Vec<(Raster, Vec<f64>)>;
    thread_local! {
        static SOLVED: RefCell<Solved> = const { RefCell::new(Vec::new()) };
    }
    SOLVED.with_borrow_mut(|solved| {
        if let Some((_, known)) = solved.iter().find(|(own, _)| own == raster) {
            return known.clone();
        }
        let [width, rows] = raster.size();
        let mut all: Vec<f64> = raster.samples().iter().map(|&s| f64::from(s)).collect();
        let lines = (0..rows).map(|j| (j * width, 1, width));
        for (start, stride, count) in lines.chain((0..width).map(|i| (i, width, rows))) {
            let samples: Vec<f64> = (0..count).map(|i| all[start + i * stride]).collect();
            for _ in 0..60 {
                for i in 0..count {
                    // One beyond the border is the one at the border.
                    let [before, after] = [i.max(1) - 1, (i + 1).min(count - 1)];
                    let own = 4.0 + f64::from(before == i) + f64::from(after == i);
                    let others = [before, after].into_iter().filter(|k| *k != i);
                    let others: f64 = others.map(|k| all[start + k * stride]).sum();
                    all[start + i * stride] = (6.0 * samples[i] - others) / own;
                }
            }
        }
        solved.push((raster.clone(), all.clone()));
        all
    })
}

/// A stamp on flat ground that adds its raster, 10 m for a sample of 1, to the very border.
fn flat(raster: Raster, cell: f64) -> EditedField<Tree<2>> {
    EditedField::new(
        Node::Constant(0.0).build().unwrap(),
        edited([Stamp { raster, cell, falloff: 0.01, ..Stamp::default() }]),
    )
}

#[test]
fn the_surface_goes_through_the_samples() {
    // Once it was 4.44 m.
    let bump = flat(Raster::default(), 4.0);
    assert_eq!(bump.value([0.0; 2]), 10.0);
    // The bounds of one sample are nearly tight.
    assert!(bump.bounds().max < 11.0, "{:?}", bump.bounds());
    let (mut r, mut overshoots) = (Random::new(3), false);
    let chess = |i: usize| if (i % 9 + i / 9).is_multiple_of(2) { 1.0 } else { -1.0 };
    let random = (0..81).map(|_| r.within(-1.0, 1.0) as f32).collect();
    for samples in [(0..81).map(chess).collect(), random] {
        let raster = Raster::new(9, samples).unwrap();
        let ground = flat(raster.clone(), 2.0);
        let bounds = ground.bounds();
        for (i, sample) in raster.samples().iter().enumerate() {
            // The weight is 0 on the border itself.
            let [u, v] = [i % 9, i / 9];
            if (1..8).contains(&u) && (1..8).contains(&v) {
                let found = ground.value([2.0 * u as f64 - 8.0, 2.0 * v as f64 - 8.0]);
                assert!((found - 10.0 * sample).abs() < 1e-5, "{u} {v}: {found} {sample}");
            }
        }
        // It overshoots, within its bounds.
        let dense = Grid::new([-7.9; 2], 0.05, [317, 317]);
        let mut all = Samples::values_only();
        ground.sample_grid(&dense, &mut all);
        let highest = all.values().iter().fold(0f32, |max, x| max.max(*x));
        let bound = bounds.max as f32;
        assert!(highest <= bound + 1e-4, "{highest} {bound}");
        overshoots |= highest > 10.1;
    }
    assert!(overshoots);
}

#[test]
fn stamps_of_all_blends_match_the_oracle() {
    for seed in 0..400 {
        let mut r = Random::new(seed);
        let blend = [Blend::Add, Blend::Replace, Blend::Max, Blend::Min][seed as usize % 4];
        let stamp = random::stamp(&mut r, [0.0; 2], blend);
        let center = stamp.center;
        let edits = [Edit::from(stamp.clone())];
        let field = EditedField::new(Waves, edited([edits[0].clone()]));
        let all = field.bounds();
        for _ in 0..40 {
            let p = [0, 1].map(|k| center[k] + r.within(-60.0, 60.0));
            let jet = field.jet(p);
            let exact = oracle::edited(&edits, Waves::height(p), p).unwrap();
            assert!((f64::from(jet.sample.value) - exact).abs() < 1e-4, "{seed} {p:?}");
            // Quotients across a crease are neither side's.
            let [_, shape] = oracle(&stamp, p);
            let gap = (shape - Waves::height(p)).abs();
            if gap < 0.1 && matches!(blend, Blend::Max | Blend::Min) {
                continue;
            }
            let (gradient, hessian) = quotients(&edits, p, 2e-4).unwrap();
            let Bounds { lipschitz, curvature, .. } = all;
            for k in 0..2 {
                let error = (f64::from(jet.sample.gradient[k]) - gradient[k]).abs();
                assert!(error < 1e-4 * (1.0 + lipschitz), "{seed} {p:?} {jet:?} {gradient:?}");
                for (found, exact) in jet.hessian[k].iter().zip(hessian[k]) {
                    let error = (f64::from(*found) - exact).abs();
                    let scale = 1.0 + curvature.min(1e3);
                    assert!(error < 1e-3 * scale, "{seed} {p:?} {jet:?} {hessian:?}");
                }
            }
            let radius = r.magnitude(0.01, 20.0);
            let near = field.local_bounds(p, radius);
            for _ in 0..10 {
                let (angle, distance) = (r.within(0.0, 6.3), r.within(0.0, 0.999 * radius));
                let jet = field.jet([p[0] + distance * angle.cos(), p[1] + distance * angle.sin()]);
                assert!(keeps(all, jet) && keeps(near, jet), "{seed} {p:?} {jet:?} {near:?}");
            }
        }
    }
}

#[test]
fn what_is_refused() {
    let error = |stamp: Stamp| Edit::from(stamp).check().unwrap_err().to_string();
    let wide = error(Stamp { falloff: 8.1, ..Stamp::default() });
    assert!(wide.contains("Stamp.falloff") && wide.contains("8 m"), "{wide}");
    let far = error(Stamp { center: [f64::NAN, 0.0], ..Stamp::default() });
    assert!(far.contains("Stamp.center[0]"), "{far}");
    let cell = error(Stamp { cell: 0.0, ..Stamp::default() });
    assert!(cell.contains("Stamp.cell"), "{cell}");
    let raster = |width, samples: Vec<f32>| Raster::new(width, samples).unwrap_err().to_string();
    assert!(raster(3, vec![0.0; 12]).contains("width"));
    assert!(raster(4098, vec![0.0; 4 * 4098]).contains("width"));
    assert!(raster(4, vec![0.0; 4 * 4098]).contains("rows"));
    assert_eq!(Raster::new(4097, vec![0.0; 4 * 4097]).unwrap().size(), [4097, 4]);
    assert!(raster(4, vec![0.0; 17]).contains("multiple of 4"));
    assert!(raster(4, vec![0.0; 12]).contains("rows"));
    let mut samples = vec![0.0; 20];
    samples[7] = f32::NAN;
    assert!(raster(5, samples.clone()).contains("samples[7]"));
    samples[7] = 1.01;
    assert!(raster(5, samples).contains("samples[7]"));
    let gray = Raster::from_gray(4, &[u16::MAX; 16]).unwrap();
    assert_eq!(gray, Raster::new(4, vec![1.0; 16]).unwrap());
}
