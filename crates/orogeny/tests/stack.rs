//! Fields fit into a small stack, even in a plain dev build: Windows gives the main thread 1 MiB.
//!
//! Frames are largest at opt-level 0, with which other workspaces build this crate by default:
//!
//! ```sh
//! cargo test -p orogeny --test stack --config 'profile.dev.package.orogeny.opt-level=0'
//! ```

use orogeny::fractal::{Damped, Ridged};
use orogeny::simd::levels;
use orogeny::{
    Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Jets, Node, Samples,
    Simplex,
};

/// Half of what Windows gives.
const STACK: usize = 512 << 10;

fn nodes() -> Vec<(&'static str, Node<2>)> {
    let fbm = || Fractal { frequency: 0.05, ..Fractal::<2>::fbm(4.0, GradientNoise::seeded(1)) };
    let kind = |kind| Node::from(Fractal { kind, ..fbm() });
    vec![
        ("fBm", fbm().into()),
        ("value noise", GradientNoise::value(1).into()),
        ("permuted", GradientNoise::improved().into()),
        ("ridged", kind(FractalKind::Ridged(Ridged::default()))),
        ("damped", kind(FractalKind::Damped(Damped::default()))),
        ("simplex", Simplex { seed: 1 }.into()),
        ("cellular", Cellular::seeded(1).into()),
        ("eroded", (Node::from(fbm()) * 20.0).erode(Erosion { scale: 30.0, ..Erosion::default() })),
    ]
}

/// Noise in more dimensions than two.
fn noises<const N: usize>() -> Vec<(&'static str, Node<N>)> {
    let fbm = Fractal { frequency: 0.05, ..Fractal::fbm(4.0, GradientNoise::seeded(1)) };
    vec![("fBm", fbm.into()), ("permuted", GradientNoise::improved().into())]
}

#[test]
fn grids_and_points_fit_half_a_mebibyte() {
    check(nodes());
    check(noises::<3>());
    check(noises::<4>());
}

fn check<const N: usize>(nodes: Vec<(&'static str, Node<N>)>) {
    for (name, node) in nodes {
        for (level, simd) in levels() {
            let node = node.clone();
            let evaluate = move || {
                let field = node.build().expect("a valid recipe");
                let mut size = [3; N];
                size[0] = 33;
                let grid = Grid::new([-3.0; N], 0.5, size);
                let points: Vec<_> = grid.points().collect();
                for out in [Samples::new(), Samples::values_only()] {
                    let mut out = out.with_level(simd);
                    field.sample_grid(&grid, &mut out);
                    field.sample_points(&points, &mut out);
                }
                let mut jets = Jets::new().with_level(simd);
                field.jet_grid(&grid, &mut jets);
                field.jet_points(&points, &mut jets);
                jets.get(7)
            };
            // A stack overflow ends the process, so print the name before.
            eprintln!("{name} in {N} dimensions, {level}");
            let thread = std::thread::Builder::new().stack_size(STACK).spawn(evaluate).unwrap();
            assert!(thread.join().unwrap().sample.value.is_finite(), "{name}, {level}");
        }
    }
}
