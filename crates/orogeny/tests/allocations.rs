//! A reused buffer allocates nothing.

use allocation_counter::measure;
use orogeny::edits::{Area, Disc, EditLog, EditedField, Raise, Smooth};
use orogeny::fractal::{Damped, Hybrid, PingPong, Ridged};
use orogeny::lattice::Permutation;
use orogeny::noise::{CellularOutput, Metric};
use orogeny::simd::levels;
use orogeny::{
    Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Jets, Node, Samples,
    Simplex,
};

#[test]
fn reused_buffers_allocate_nothing() {
    let fractal = |kind, rotation| Fractal {
        kind,
        rotation,
        frequency: 0.05,
        ..Fractal::<2>::fbm(3.0, GradientNoise::seeded(1))
    };
    let fbm = || Node::from(fractal(FractalKind::Fbm, 0.0));
    let ridged = FractalKind::Ridged(Ridged::default());
    let permuted = GradientNoise {
        lattice: orogeny::lattice::Lattice::Permutation(Permutation::default()),
        ..GradientNoise::value(1)
    };
    let nodes = [
        ("fBm", fbm()),
        ("ridged", fractal(ridged, 0.0).into()),
        ("rotated", fractal(FractalKind::Fbm, 30.0).into()),
        ("rotated ridged", fractal(ridged, 30.0).into()),
        ("damped", fractal(FractalKind::Damped(Damped::default()), 0.0).into()),
        ("eroded", (fbm() * 20.0).erode(Erosion { scale: 30.0, ..Erosion::default() })),
        ("permuted", permuted.into()),
        ("simplex", Simplex { seed: 1 }.into()),
        ("cellular", Cellular::seeded(1).into()),
        (
            "cell values",
            Cellular {
                output: CellularOutput::CellValue,
                metric: Metric::Manhattan,
                ..Cellular::seeded(1)
            }
            .into(),
        ),
        ("hybrid", fractal(FractalKind::Hybrid(Hybrid::default()), 0.0).into()),
        ("ping-pong", fractal(FractalKind::PingPong(PingPong::default()), 30.0).into()),
        (
            "a tree",
            (fbm() * Node::from(Simplex { seed: 2 })).min(fbm(), 0.2).lerp(fbm(), Node::noise(3)),
        ),
        ("warped, rotated, shaped", fbm().warp([fbm(), fbm()]).rotate(20.0).clamp(-0.2, 0.3, 0.1)),
    ];
    let grid = |x| Grid::new([x, -7.0], 0.5, [45, 33]);
    // Not larger, but with other numbers of rows and columns.
    let smaller = Grid::new([1.0, 1.0], 0.5, [11, 133]);
    let larger = Grid::new([1.0, 0.0], 0.5, [11, 134]);
    for (name, node) in nodes {
        let field = node.build().unwrap();
        for (level, simd) in levels() {
            let mut jets = Jets::new().with_level(simd);
            for mut out in [Samples::new(), Samples::values_only()].map(|out| out.with_level(simd))
            {
                let points: Vec<_> = grid(3.0).points().collect();
                // Warps swap buffers with their operands, so each buffer has to grow once.
                for _ in 0..3 {
                    field.sample_grid(&grid(0.0), &mut out);
                    field.sample_points(&points, &mut out);
                    field.jet_grid(&grid(0.0), &mut jets);
                    field.jet_points(&points, &mut jets);
                }
                for _ in 0..3 {
                    field.sample_grid(&larger, &mut out);
                    field.jet_grid(&larger, &mut jets);
                }
                let again = measure(|| {
                    field.sample_grid(&grid(100.0), &mut out);
                    field.sample_grid(&smaller, &mut out);
                    field.jet_grid(&smaller, &mut jets);
                    field.sample_points(&points, &mut out);
                    field.jet_grid(&grid(100.0), &mut jets);
                    field.jet_points(&points, &mut jets);
                });
                assert_eq!(again.count_total, 0, "{name}, {level}");
            }
        }
    }
}

/// Ground that no edit touches, and any scattered points.
#[test]
fn edits_allocate_nothing_elsewhere() {
    let hills = Node::<2>::noise(7).fbm(8).frequency(1.0 / 500.0).build().unwrap();
    let mut log = EditLog::new();
    for i in 0..100 {
        let area = Area::Disc(Disc { center: [f64::from(i), 0.0], ..Disc::default() });
        let wavelength = f64::from(1 << (i % 8));
        log.add(1, Smooth { area, wavelength, strength: 0.5 }).unwrap();
        log.add(1, Raise { area, height: 1.0 }).unwrap();
    }
    let field = EditedField::new(hills, log.edits());
    let (mut out, mut jets) = (Samples::new(), Jets::new());
    let far = Grid::new([1e4, 0.0], 1.0, [33, 33]);
    let points: Vec<_> = Grid::new([0.0, 0.0], 1.0, [30, 3]).points().collect();
    let mut run = || {
        field.sample_grid(&far, &mut out);
        field.jet_grid(&far, &mut jets);
        field.sample_points(&points, &mut out);
        field.jet_points(&points, &mut jets);
        std::hint::black_box((field.sample(points[0]), field.jet(points[7])));
    };
    (0..3).for_each(|_| run());
    assert_eq!(measure(run).count_total, 0);
}
