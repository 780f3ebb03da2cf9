//! Identities between combinators, checked at many points: bit for bit unless a tolerance is given.

use orogeny::node::Terraces;
use orogeny::{
    Cellular, Field, Fractal, FractalKind, GradientNoise, Node, Sample, Shape, Transform,
};
use proptest::prelude::*;

type Tree2 = Node<2>;

/// Four different fields.
fn fields() -> [Tree2; 4] {
    let fbm = |seed| Fractal { frequency: 0.3, ..Fractal::fbm(3.0, GradientNoise::seeded(seed)) };
    let ridged = Fractal { kind: FractalKind::Ridged(Default::default()), ..fbm(2) };
    [fbm(1).into(), ridged.into(), GradientNoise::value(3).into(), Cellular::seeded(4).into()]
}

fn pairs() -> Vec<(Tree2, Tree2)> {
    let fields = fields();
    (0..4).map(|i| (fields[i].clone(), fields[(i + 1) % 4].clone())).collect()
}

/// Compares two trees at points near and far, within `tolerance` relative to the size of values and
/// of gradients.
fn same(name: &str, a: Tree2, b: Tree2, tolerance: f32) {
    let (a, b) = (a.build().unwrap(), b.build().unwrap());
    for i in 0..500 {
        let p = [f64::from(i) * 0.731 - 170.0, f64::from(i * i % 977) * 0.313 - 130.0];
        let (x, y) = (a.sample(p), b.sample(p));
        let numbers = |s: Sample<2>| [s.value, s.gradient[0], s.gradient[1]];
        for (x, y) in numbers(x).into_iter().zip(numbers(y)) {
            let error = (x - y).abs() / (1.0 + x.abs());
            assert!(error <= tolerance, "{name} at {p:?}: {x} and {y}");
        }
    }
}

#[test]
fn sums_and_products() {
    for (a, b) in pairs() {
        same("a + b = b + a", a.clone() + b.clone(), b.clone() + a.clone(), 0.0);
        same("a b = b a", a.clone() * b.clone(), b.clone() * a.clone(), 0.0);
        same("a - a = 0", a.clone() - a.clone(), 0.0.into(), 0.0);
        same("2 a = a + a", a.clone() * 2.0, a.clone() + a.clone(), 0.0);
        same("a a = a^2", a.clone() * a.clone(), a.clone().square(), 0.0);
        let (sum, difference) = (a.clone() + b.clone(), a.clone() - b.clone());
        same("(a + b)(a - b) = a^2 - b^2", sum * difference, a.square() - b.square(), 4e-6);
    }
}

#[test]
fn blends() {
    for (a, b) in pairs() {
        for smooth in [0.0, 0.3] {
            let minimum = a.clone().min(b.clone(), smooth);
            same("min(a, b) = min(b, a)", minimum.clone(), b.clone().min(a.clone(), smooth), 2e-6);
            let maximum = a.clone().max(b.clone(), smooth);
            same(
                "min + max = a + b",
                minimum.clone() + maximum.clone(),
                a.clone() + b.clone(),
                4e-6,
            );
            same("-max(-a, -b) = min(a, b)", -(-a.clone()).max(-b.clone(), smooth), minimum, 0.0);
        }
        same("|a| = max(a, -a)", a.clone().abs(), a.clone().max(-a.clone(), 0.0), 0.0);
        same("lerp at 0 is a", a.clone().lerp(b.clone(), 0.0), a.clone(), 0.0);
        same("lerp at 1 is b", a.clone().lerp(b.clone(), 1.0), b.clone(), 4e-6);
        let mean = (a.clone() + b.clone()) * 0.5;
        same("lerp at 1/2 is the mean", a.clone().lerp(b.clone(), 0.5), mean, 4e-6);
        let clamped = a.clone().clamp(-0.2, 0.3, 0.0);
        same("clamp is max and min", clamped, a.max(-0.2, 0.0).min(0.3, 0.0), 0.0);
    }
}

#[test]
fn shapes() {
    for a in fields() {
        let terraces = Shape::Terraces(Terraces { strength: 0.0, ..Terraces::default() });
        same("terraces of no strength", a.clone().shape(terraces), a.clone(), 2e-6);
        let line = [(-3.0, -3.0), (-1.0, -1.0), (0.5, 0.5), (4.0, 4.0)];
        same("a straight curve", a.clone().curve(line), a.clone(), 4e-6);
        same("a wide clamp", a.clone().clamp(-1e3, 1e3, 1.0), a.clone(), 0.0);
        let range = a.build().unwrap().bounds();
        let own = a.clone().normalize(range.min as f32, range.max as f32);
        same("normalised to its own range", own, a.clone(), 4e-6);
        same("||a|| = |a|", a.clone().abs().abs(), a.abs(), 0.0);
    }
}

#[test]
fn domains() {
    for (a, b) in pairs() {
        same("scaled by 1", a.clone().frequency(1.0), a.clone(), 0.0);
        same("scaled twice", a.clone().frequency(2.0).frequency(0.5), a.clone(), 0.0);
        let moved = |x: f64| a.clone().translate([x, 0.25]);
        same("moved there and back", moved(3.5).translate([-3.5, -0.25]), a.clone(), 0.0);
        same("rotated there and back", a.clone().rotate(33.0).rotate(-33.0), a.clone(), 2e-5);
        let quarter = (0..4).fold(a.clone(), |a, _| a.rotate(90.0));
        same("four quarter turns", quarter, a.clone(), 2e-5);
        same("warped by constants", a.clone().warp([3.5.into(), 0.25.into()]), moved(3.5), 0.0);
        same(
            "warped by nothing",
            a.clone().warp([b.clone() * 0.0, b.clone() * 0.0]),
            a.clone(),
            0.0,
        );
        let warped = |a: Tree2| a.warp([b.clone(), b.clone() * 0.5]);
        same("a warp of a sum", warped(a.clone() + b.clone()), warped(a) + warped(b.clone()), 4e-6);
    }
    // The last transform is the first to be applied to positions.
    let noise = || Node::<2>::noise(1);
    let field = noise().translate([10.0, 0.0]).frequency(3.0).build().unwrap();
    assert_eq!(field.value([1.1, 2.0]), noise().build().unwrap().value([1.1 * 3.0 + 10.0, 6.0]));
}

#[test]
fn fractals() {
    let noise = || GradientNoise::<2>::seeded(5);
    let plain =
        |octaves| Fractal { reseed: false, offset: false, ..Fractal::fbm(octaves, noise()) };
    let kind = |kind| Fractal { kind, ..plain(1.0) };
    same("one octave is the noise", plain(1.0).into(), noise().into(), 0.0);
    let second = Tree2::from(noise()).frequency(2.0) * 0.5;
    same("two octaves", plain(2.0).into(), Tree2::from(noise()) + second, 2e-6);
    same(
        "turbulence of one octave",
        kind(FractalKind::Turbulence).into(),
        Tree2::from(noise()).abs(),
        0.0,
    );
    let billow = Tree2::from(noise()).abs() * 2.0 - 1.0;
    same("billow of one octave", kind(FractalKind::Billow).into(), billow, 0.0);
    let crest = (Tree2::from(1.0) - Tree2::from(noise()).abs()).square();
    same(
        "a ridge of one octave",
        kind(FractalKind::Ridged(Default::default())).into(),
        crest,
        4e-6,
    );
    let form = Fractal::b_over_a(4.0, noise(), 2.0, 2.0);
    same("b over a with a = b = 2", form.into(), plain(4.0).into(), 0.0);
    // Octaves fade in: 3.999999 of them nearly equal 4.
    same("fading in", plain(3.999_999).into(), plain(4.0).into(), 1e-5);
    same("fading out", plain(3.000_001).into(), plain(3.0).into(), 1e-5);
    let half = (Tree2::from(plain(3.0)) + Tree2::from(plain(4.0))) * 0.5;
    same("half way", plain(3.5).into(), half, 2e-6);
    let turn = Fractal { rotation: 30.0, ..plain(2.0) };
    let rotated = (Tree2::from(noise()).frequency(2.0) * 0.5).rotate(30.0);
    same("the second octave is rotated", turn.into(), Tree2::from(noise()) + rotated, 2e-5);
}

proptest! {
    /// Noise repeats after its period and not before.
    #[test]
    fn periods(x in 2u32..9, z in 2u32..9, p in [-50f64..50.0, -50f64..50.0], seed: u64) {
        let gradient = GradientNoise { period: [x, z], ..GradientNoise::<2>::seeded(seed) };
        let fractal = Fractal { frequency: 0.25, ..Fractal::fbm(4.0, gradient.clone()) };
        let cellular = Cellular { period: [x, z], ..Cellular::seeded(seed) };
        let nodes = [(Tree2::from(gradient), 1.0), (fractal.into(), 4.0), (cellular.into(), 1.0)];
        for (node, scale) in nodes {
            let field = node.build().unwrap();
            // Multiples of a power of two, so that the shifted position is exact.
            let p = p.map(|x| (x * 1024.0).floor() / 1024.0);
            let moved = [p[0] + scale * f64::from(x) * 3.0, p[1] - scale * f64::from(z)];
            prop_assert_eq!(field.sample(p), field.sample(moved));
            // A shift by one cell changes the noise. (With 16 gradients some pairs are equal by
            // chance: periods of two or three cells have too few pairs to test.)
            if x < 4 {
                continue;
            }
            let early = |i: i32| {
                let p = [p[0] + f64::from(i) * 0.371, p[1] + f64::from(i) * 0.233];
                field.sample(p) == field.sample([p[0] + scale, p[1]])
            };
            prop_assert!(!(0..20).all(early));
        }
    }

    /// A scale along one axis scales positions and the gradient along that axis only.
    #[test]
    fn stretching(p in [-50f64..50.0, -50f64..50.0]) {
        let noise = Tree2::noise(1);
        let stretched = noise.clone().transform(Transform::Scale([4.0, 0.5])).build().unwrap();
        let (a, b) = (stretched.sample(p), noise.build().unwrap().sample([p[0] * 4.0, p[1] * 0.5]));
        prop_assert_eq!(a.value, b.value);
        prop_assert_eq!(a.gradient, [b.gradient[0] * 4.0, b.gradient[1] * 0.5]);
    }
}
