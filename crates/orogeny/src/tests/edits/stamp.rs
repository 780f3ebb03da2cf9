//! Stamps against the textbook's B-spline, and what is refused.

use super::oracle::{self, Waves};
use super::{Bounds, Edited, Field, keeps, quotients, random};
use crate::edits::{Blend, Edit, EditLog, Raster, Stamp};
use crate::tests::random::Random;

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
    let clamped = |i: i64, count: usize| i.clamp(0, count as i64 - 1) as u32;
    let mut height = 0.0;
    for j in -2..size[1] as i64 + 2 {
        for i in -2..size[0] as i64 + 2 {
            let sample = sample(&stamp.raster, [clamped(i, size[0]), clamped(j, size[1])]);
            height += bump(u - i as f64) * bump(v - j as f64) * f64::from(sample);
        }
    }
    [weight(0) * weight(1), f64::from(stamp.level) + f64::from(stamp.height) * height]
}

fn sample(raster: &Raster, [i, j]: [u32; 2]) -> f32 {
    raster.samples()[j as usize * raster.size()[0] + i as usize]
}

#[test]
fn stamps_of_all_blends_match_the_oracle() {
    for seed in 0..400 {
        let mut r = Random::new(seed);
        let blend = [Blend::Add, Blend::Replace, Blend::Max, Blend::Min][seed as usize % 4];
        let stamp = random::stamp(&mut r, [0.0; 2], blend);
        let center = stamp.center;
        let edits = [Edit::from(stamp.clone())];
        let mut log = EditLog::new();
        log.add(1, edits[0].clone()).unwrap();
        let field = Edited::new(Waves, log.edits());
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
    assert!(raster(513, vec![0.0; 4 * 513]).contains("width"));
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
