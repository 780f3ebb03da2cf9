//! The distance between a mesh's triangles and the field is within the proven bound.

use super::random::{Random, tree};
use crate::{Field, Tree};

/// The largest distance between a field and a triangle of half a square, at some sampled points.
fn distance(field: &Tree<2>, r: &mut Random, corner: [f64; 2], spacing: f64) -> f64 {
    let at =
        |u: f64, v: f64| f64::from(field.value([corner[0] + u * spacing, corner[1] + v * spacing]));
    let [a, b, d] = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)];
    let mut largest = 0f64;
    for _ in 0..12 {
        let (u, v) = (r.within(0.0, 1.0), r.within(0.0, 1.0));
        let (u, v) = (u.max(v), u.min(v));
        let plane = a + (b - a) * u + (d - b) * v;
        largest = largest.max((at(u, v) - plane).abs());
    }
    largest
}

#[test]
fn no_triangle_is_farther_away() {
    let (mut checked, mut tightest) = (0, 0f64);
    for seed in 0..3000 {
        let mut r = Random::new(seed + 40_000_000);
        let depth = 1 + r.below(5);
        let Ok(field) = tree::<2>(&mut r, depth).build() else { continue };
        let bounds = field.bounds();
        for _ in 0..8 {
            let spacing = 10f64.powf(r.within(-3.0, 2.0));
            let corner = r.point::<2>(40.0);
            let proven = field.interpolation_error(spacing);
            assert!(proven <= bounds.max - bounds.min);
            let found = distance(&field, &mut r, corner, spacing);
            // Heights are f32.
            let rounding = 4e-6 * (1.0 + bounds.max_abs() + bounds.lipschitz.min(1e3));
            assert!(
                found <= proven + rounding,
                "{found}, proven {proven}, at {corner:?} with {spacing}, seed {seed}"
            );
            if proven > 100.0 * rounding {
                tightest = tightest.max(found / proven);
            }
            checked += 1;
        }
    }
    println!("{checked} triangles; the one nearest to its bound reaches {tightest:.2} of it");
    assert!(checked > 10_000 && tightest > 0.3);
}

/// A sum of octaves is bounded octave by octave, which is far tighter than the bounds of the whole
/// sum.
#[test]
fn octaves_count_one_by_one() {
    use crate::{Fractal, GradientNoise, Node};
    let fbm = Fractal {
        frequency: 0.00025,
        amplitude: 500.0,
        ..Fractal::fbm(12.0, GradientNoise::seeded(1))
    };
    let field = Node::<2>::from(fbm).build().unwrap();
    for spacing in [16.0, 64.0, 256.0] {
        let bounds = field.bounds();
        let whole = (bounds.curvature * spacing * spacing / 4.0)
            .min(bounds.lipschitz * spacing / 2f64.sqrt());
        let one_by_one = field.interpolation_error(spacing);
        println!("{spacing} m: {one_by_one:.3} m, by the bounds of the whole {whole:.3} m");
        assert!(one_by_one < 0.7 * whole);
    }
}
