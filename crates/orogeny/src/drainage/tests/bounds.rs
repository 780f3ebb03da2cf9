//! Bounds in discs, compared with samples.

use super::{continents, drainage, relief};
use crate::derivative::bounds::Bounds;
use crate::drainage::{Drainage, RiverGround};
use crate::field::Field;
use crate::fractal::Fractal;
use crate::node::Node;
use crate::noise::GradientNoise;
use crate::tests::random::Random;

/// Ground with flat parts, lakes and detail.
fn field(seed: u64) -> RiverGround {
    let noise = GradientNoise::seeded(seed);
    let detail = Fractal { frequency: 0.02, amplitude: 4.0, ..Fractal::fbm(3.0, noise) };
    let drainage = Drainage {
        relief: Some(relief(seed)),
        detail: Some(Node::from(detail) - 2.0),
        lakes: 0.5,
        levels: 3.0,
        spacing: 4000.0,
        ..drainage(seed)
    };
    RiverGround::new(continents(seed), &drainage).unwrap().with_sea(0.0)
}

fn length([x, z]: [f32; 2]) -> f64 {
    f64::from(x).hypot(z.into())
}

#[test]
fn heights_and_slopes_in_discs_are_within_bounds() {
    let mut random = Random::new(21);
    // The tightness of slopes in small discs: the bound over the steepest sample.
    let (mut ratios, mut infinite) = (Vec::new(), 0);
    for (seed, far) in [(21, 0.0), (22, -3e5), (23, 1e9)] {
        let field = field(seed);
        let limited = field.band_limited(300.0).unwrap();
        for _ in 0..400 {
            let center = [0; 2].map(|_| far + random.within(-2e4, 2e4));
            let radius = random.magnitude(0.01, 600.0);
            let near = field.local_bounds(center, radius);
            let coarse = limited.local_bounds(center, radius);
            let Bounds { min, max, lipschitz, .. } = near;
            assert!(min.is_finite() && max.is_finite());
            let mut steepest = 0.0f64;
            for k in 0..40 {
                let (angle, part) = (random.within(0.0, 6.3), random.within(0.0, 1.0).sqrt());
                let off = if k == 0 { 0.0 } else { radius * part };
                let p = [center[0] + off * angle.cos(), center[1] + off * angle.sin()];
                let sample = field.sample(p);
                let value = f64::from(sample.value);
                assert!((min..=max).contains(&value), "{value} {near:?} {p:?} {radius}");
                steepest = steepest.max(length(sample.gradient));
                let slope = length(limited.sample(p).gradient);
                assert!(slope <= coarse.lipschitz + 1e-4, "{slope} {coarse:?} {p:?} {radius}");
            }
            let is_bounded = steepest <= lipschitz * (1.0 + 1e-5) + 1e-4;
            assert!(is_bounded, "{steepest} {near:?} {center:?} {radius}");
            if radius < 10.0 {
                infinite += usize::from(lipschitz.is_infinite());
                ratios.push(lipschitz / steepest.max(0.1));
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let [median, most] = [50, 95].map(|part| ratios[ratios.len() * part / 100]);
    println!("slopes in discs below 10 m: {median:.2} times the steepest sample, 95 % {most:.2}");
    assert!(infinite == 0 && median < 4.0 && most < 40.0, "{infinite} {median} {most}");
}
