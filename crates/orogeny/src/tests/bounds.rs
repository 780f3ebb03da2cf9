//! Searches for points that violate proven bounds, and for triangles of a mesh that are farther
//! from the field than proven.

use crate::lattice::{Fade, Gradients, Lattice, LatticeGrid, LatticeValues};
use crate::noise::CellularOutput;
use crate::tests::random::{METRICS, OUTPUTS, Random, fractal_kinds, tree};
use crate::{Bounds, Cellular, Field, Fractal, FractalKind, GradientNoise, Node, Simplex, Tree};

/// The largest value, slope and second derivative that a search finds.
struct Found {
    range: [f64; 2],
    slope: f64,
    curvature: f64,
}

/// The step for differences of gradients.
const STEP: f64 = 1.0 / 1024.0;

/// The value at `p`, its negative, the slope, and the second derivative along `e`.
fn measure<const N: usize>(field: &Tree<N>, p: [f64; N], e: [f64; N]) -> [f64; 4] {
    let here = field.sample(p);
    let length = |v: [f64; N]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = length(e).max(1e-9);
    let moved = |h: f64| {
        let q = core::array::from_fn(|k| p[k] + h * e[k] / unit);
        field.sample(q).gradient.map(f64::from)
    };
    let (a, b) = (moved(-STEP), moved(STEP));
    let second = length(core::array::from_fn(|k| b[k] - a[k])) / (2.0 * STEP);
    let value = f64::from(here.value);
    [value, -value, length(here.gradient.map(f64::from)), second]
}

/// Random points over many cells, then repeated steps from the best ones.
fn search<const N: usize>(field: &Tree<N>, seed: u64) -> Found {
    let r = &mut Random::new(seed);
    let mut best = [f64::NEG_INFINITY; 4];
    for (quantity, best) in best.iter_mut().enumerate() {
        let mut pool: Vec<(f64, [f64; N], [f64; N])> = (0..20_000)
            .map(|_| {
                let (p, e) = (r.point(3000.0), r.point(1.0));
                (measure(field, p, e)[quantity], p, e)
            })
            .collect();
        for round in 0..24 {
            pool.sort_by(|a, b| b.0.total_cmp(&a.0));
            pool.truncate(60);
            let step = 0.3 * 0.8f64.powi(round);
            for i in 0..pool.len() * 8 {
                let (_, p, e) = pool[i % 60];
                let (dp, de): ([f64; N], [f64; N]) = (r.point(step), r.point(step));
                let p = core::array::from_fn(|k| p[k] + dp[k]);
                let e = core::array::from_fn(|k| e[k] + de[k]);
                pool.push((measure(field, p, e)[quantity], p, e));
            }
        }
        *best = pool.iter().map(|x| x.0).fold(f64::NEG_INFINITY, f64::max);
    }
    Found { range: [-best[1], best[0]], slope: best[2], curvature: best[3] }
}

/// Searches a field and prints its bounds with their ratio to the largest values found. Differences
/// of f32 gradients are accurate to 1e-3 of the slope over the step.
fn row<const N: usize>(name: &str, node: impl Into<Node<N>>, basic: bool) {
    let field = node.into().build().unwrap();
    let Bounds { min, max, lipschitz, curvature, .. } = field.bounds();
    let found = search(&field, 7);
    let slack = 2e-6 * (1.0 + max.abs() + min.abs() + lipschitz);
    assert!(
        found.range[0] >= min - slack && found.range[1] <= max + slack,
        "{name}: {:?}",
        found.range
    );
    assert!(found.slope <= lipschitz * (1.0 + 2e-5), "{name}: {} > {lipschitz}", found.slope);
    let noise = 4e-6 * lipschitz / STEP;
    assert!(found.curvature <= curvature + noise, "{name}: {} > {curvature}", found.curvature);
    let width = (max - min) / (found.range[1] - found.range[0]);
    let ratios = [width, lipschitz / found.slope, curvature / found.curvature];
    println!(
        "| {name} | {min:.3} to {max:.3} | {:.2} | {lipschitz:.3} | {:.2} | {curvature:.2} \
         | {:.2} |",
        ratios[0], ratios[1], ratios[2]
    );
    let limited = ratios.iter().filter(|ratio| ratio.is_finite());
    assert!(!basic || limited.into_iter().all(|&ratio| ratio <= 2.0), "{name}: {ratios:?}");
}

fn with<const N: usize>(values: LatticeValues) -> GradientNoise<N> {
    GradientNoise { values, ..GradientNoise::seeded(1) }
}

fn fractal<const N: usize>(kind: FractalKind) -> Fractal<N> {
    Fractal { kind, ..Fractal::fbm(3.0, GradientNoise::seeded(1)) }
}

/// Prints a table of every noise, fractal and combinator: each bound, and its ratio to the largest
/// value found.
#[test]
fn no_search_breaks_a_bound() {
    println!(
        "| field | range | / found | slope | / found | curvature | / found |\n\
         |---|---|---|---|---|---|---|"
    );
    for fade in [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic] {
        let noise = GradientNoise { fade, ..GradientNoise::seeded(1) };
        row::<2>(&format!("gradient 2D, {fade:?}"), noise, true);
        let noise = GradientNoise { fade, ..GradientNoise::value(1) };
        row::<2>(&format!("value 2D, {fade:?}"), noise, true);
    }
    // The default gradients in one dimension are +1 and -1.
    row::<1>("gradient 1D", GradientNoise::seeded(1), true);
    row::<3>("gradient 3D", GradientNoise::seeded(1), true);
    row::<4>("gradient 4D", GradientNoise::seeded(1), false);
    row::<1>("value 1D", GradientNoise::value(1), true);
    row::<3>("value 3D", GradientNoise::value(1), true);
    row::<4>("value 4D", GradientNoise::value(1), false);
    row::<3>("improved (2002)", GradientNoise::improved(), true);
    row::<2>("classic (1985) 2D", GradientNoise::classic(1), true);
    row::<3>("classic (1985) 3D", GradientNoise::classic(1), true);
    row::<2>("square 2D", GradientNoise::square(1), true);
    row::<2>("diagonal 2D", GradientNoise::diagonal(), true);
    row::<2>(
        "unit 2D",
        GradientNoise { gradients: Gradients::Unit, ..GradientNoise::seeded(1) },
        true,
    );
    row::<2>(
        "edges 2D",
        GradientNoise { gradients: Gradients::Edges, ..GradientNoise::seeded(1) },
        true,
    );
    row::<2>("gradient + value 2D", with(LatticeValues::Added), false);
    row::<1>("four-point value 1D", with(LatticeValues::FourPoint), true);
    row::<2>("four-point value 2D", with(LatticeValues::FourPoint), false);
    let grid = LatticeGrid {
        size: [4, 3],
        gradients: vec![],
        values: (0..12).map(|i| ((i * 7) % 12) as f32).collect(),
    };
    row::<2>("grid of heights", GradientNoise::grid(grid), false);
    row::<2>("simplex 2D", Simplex { seed: 1 }, true);
    row::<3>("simplex 3D", Simplex { seed: 1 }, false);
    for metric in METRICS {
        for output in OUTPUTS {
            let noise = Cellular { output, metric, ..Cellular::seeded(1) };
            row::<2>(&format!("cellular {output:?} {metric:?} 2D"), noise, false);
        }
    }
    row::<1>(
        "cellular F2 1D",
        Cellular { output: CellularOutput::F2, ..Cellular::seeded(1) },
        false,
    );
    row::<3>(
        "cellular F2 3D",
        Cellular { output: CellularOutput::F2, ..Cellular::seeded(1) },
        false,
    );
    for kind in fractal_kinds().into_iter().filter(|kind| !matches!(kind, FractalKind::Damped(_))) {
        let name = format!("{kind:?}").split([' ', '(']).next().unwrap().to_owned();
        row::<2>(&format!("{name}, 3 octaves"), fractal(kind), false);
    }
    let a = || Node::<2>::from(fractal(FractalKind::Fbm));
    let b = || Node::<2>::noise(9);
    row("sum", a() + b(), false);
    row("product", a() * b(), false);
    row("smooth min", a().min(b(), 0.3), false);
    row("smooth max", a().max(b(), 0.3), false);
    row("lerp by mask", a().lerp(b(), Node::noise(3).normalize(0.0, 1.0)), false);
    row("abs", a().abs(), false);
    row("square", a().square(), false);
    row("clamp", a().clamp(-0.2, 0.3, 0.0), false);
    row("smooth clamp", a().clamp(-0.2, 0.3, 0.1), false);
    row("terraces", a().terraces(0.2, 0.5), false);
    row("curve", a().curve([(-1.0, 0.0), (0.0, 0.2), (0.5, 1.0)]), false);
    row("normalize", a().normalize(0.0, 1.0), false);
    row("scale", a().frequency(3.0), false);
    row("rotate", a().rotate(30.0), false);
    row("translate", a().translate([5.0, 7.0]), false);
    row("warp", a().warp([b() * 0.3, Node::noise(8) * 0.3]), false);
}

/// The worst-case lattice: at each point, the unit gradient along its term of the slope at the
/// middle of a cell.
#[test]
fn the_worst_lattice_reaches_the_bound() {
    // For grad n along axis 0 at t = (1/2, 1/2), the terms W e + dW/dx (t - c), see
    // `noise/bounds.rs`.
    let slope = 1.875f64;
    let gradients = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|c: [i32; 2]| {
        let x: [f64; 2] = core::array::from_fn(|k| 0.5 - f64::from(c[k]));
        let dw = 0.5 * slope * f64::from(2 * c[0] - 1);
        let v = [0.25 + dw * x[0], dw * x[1]];
        let length = (v[0] * v[0] + v[1] * v[1]).sqrt();
        v.map(|v| (v / length) as f32)
    });
    let grid = LatticeGrid { size: [2, 2], gradients: gradients.to_vec(), values: vec![] };
    let noise = GradientNoise { lattice: Lattice::Grid(grid), ..GradientNoise::default() };
    let field = Node::from(noise).build().unwrap();
    let reached = f64::from(field.sample([0.5, 0.5]).gradient[0]);
    let bound = field.bounds().lipschitz;
    println!("{reached} of {bound}");
    assert!(reached <= bound && reached > 0.985 * bound);
}

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
