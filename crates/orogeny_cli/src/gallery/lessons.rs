//! From white noise to fractals: heightmaps, octaves, persistence.

use std::f32::consts::FRAC_1_SQRT_2;

use orogeny::lattice::LatticeGrid;
use orogeny::{Field, Fractal, GradientNoise, Node};

use super::{Entry, entry};
use crate::gallery::page::{Panel, page, plot};
use crate::gallery::picture::Picture::{Planes, Scene};
use crate::gallery::picture::{Frames, build, curve};
use crate::gallery::view::{Blocks, CURVES, INK, View};

/// How fractal noise is constructed.
#[rustfmt::skip]
pub const LESSONS: &[Entry] = &[
    entry("white-noise", "White noise and Perlin noise", Scene(white)),
    entry("heightmap", "A 5 x 5 heightmap, interpolated by value noise", Scene(heightmap)),
    entry("six-octaves-curves",
        "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum",
        Scene(octave_curves)),
    entry("six-octaves",
        "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum",
        Scene(octave_planes)),
    entry("persistence-curves", "Persistence (gain), the ratio of amplitudes: six octaves",
        Scene(persistence_curves)),
    entry("persistence", "Persistence (gain), the ratio of amplitudes: six octaves", Planes(4.0, &[
        ("1/4", || persistence(0.25)),
        ("1/2", || persistence(0.5)),
        ("1/√2", || persistence(FRAC_1_SQRT_2)),
        ("1", || persistence(1.0)),
    ])),
];

/// The heights of the heightmap, row by row.
#[rustfmt::skip]
const HEIGHTS: [f32; 25] = [
    0.1, 0.2, 0.3, 0.2, 0.1,
    0.2, 0.6, 0.8, 0.4, 0.2,
    0.3, 0.7, 1.0, 0.9, 0.3,
    0.1, 0.4, 0.6, 0.5, 0.0,
    0.0, 0.1, 0.3, 0.1, 0.0,
];
/// Amplitude and frequency of the six octaves.
const OCTAVES: [(f32, f64); 6] =
    [(128.0, 4.0), (64.0, 8.0), (32.0, 16.0), (16.0, 32.0), (8.0, 64.0), (4.0, 128.0)];

/// White noise next to Perlin noise.
fn white(caption: &str, side: u32) -> Result<Frames, String> {
    // At lattice points, value noise is their random values.
    let random = build(&GradientNoise::value(1).into())?;
    let noise = build(&Node::noise(1))?;
    let panels = [
        ("a random value per square", View::new(&Blocks(&random), [-0.5; 2], 64.0, side)),
        ("a random gradient per lattice point, 8 x 8", View::new(&noise, [0.0; 2], 8.0, side)),
    ]
    .map(|(label, view)| Panel::new(label, view.grey(view.range())));
    let note = "White noise is independent at every point. Perlin noise is smooth, with features \
                as wide as a lattice cell.";
    Ok(vec![page(caption, note, vec![panels.into()], side)])
}

/// A heightmap, raw and interpolated.
fn heightmap(caption: &str, side: u32) -> Result<Frames, String> {
    let grid = LatticeGrid { size: [5; 2], gradients: Vec::new(), values: HEIGHTS.into() };
    let field = build(&GradientNoise::grid(grid).into())?;
    let small = side * 3 / 4;
    // Half a cell more on each side centres the heights in their squares.
    let view = |field: &dyn Field<2>| View::new(&field, [-0.5; 2], 5.0, small);
    let (raw, smooth) = (view(&Blocks(&field)), view(&field));
    let panels = vec![
        Panel::new("the heights", raw.grey([0.0, 1.0])),
        Panel::new("interpolated, quintic fade", smooth.grey([0.0, 1.0])),
        Panel::new("surface", smooth.surface()),
    ];
    let note = "GradientNoise::grid(LatticeGrid { size: [5, 5], values, .. }). The grid wraps, so \
                it tiles.";
    Ok(vec![page(caption, note, vec![panels], side)])
}

/// Each octave and the sum as curves, on the same scale.
fn octave_curves(caption: &str, side: u32) -> Result<Frames, String> {
    let height = side * 2 / 5;
    let line = |label: String, node: Node<1>, ink, width| {
        let [value, _] = curve(&build(&node)?, 1.0, side);
        let image = plot(side, [width, height], &[(ink, value)], Some([-128.0, 128.0]))?;
        Ok::<_, String>(Panel::with_legend(vec![(label, ink)], image))
    };
    let mut rows = Vec::new();
    for pair in octaves().chunks(2) {
        let panel =
            |(label, node): &(String, Node<1>)| line(label.clone(), node.clone(), CURVES[0], side);
        rows.push(pair.iter().map(panel).collect::<Result<_, _>>()?);
    }
    rows.push(vec![line("the sum".into(), sum(), CURVES[1], 2 * side + side / 32)?]);
    Ok(vec![page(caption, "All to the same scale.", rows, side)])
}

/// Each octave, the sum and its surface.
fn octave_planes(caption: &str, side: u32) -> Result<Frames, String> {
    let view = |node: &Node| Ok::<_, String>(View::new(&build(node)?, [0.0; 2], 1.0, side * 5 / 8));
    let mut panels = Vec::new();
    for (label, node) in octaves() {
        let view = view(&node)?;
        panels.push(Panel::new(label, view.grey(view.range())));
    }
    let whole = view(&sum())?;
    panels.push(Panel::new("the sum", whole.grey(whole.range())));
    panels.push(Panel::new("its surface", whole.surface()));
    let below = panels.split_off(4);
    let note = "Each from its minimum in black to its maximum in white.";
    Ok(vec![page(caption, note, vec![panels, below], side)])
}

/// The six octaves with their labels.
fn octaves<const N: usize>() -> Vec<(String, Node<N>)> {
    let octave = |(seed, (amplitude, frequency))| {
        let noise = GradientNoise::seeded(seed);
        let octave = Fractal { amplitude, frequency, ..Fractal::fbm(1.0, noise) };
        (format!("amplitude {amplitude}, frequency {frequency}"), octave.into())
    };
    (0..).zip(OCTAVES).map(octave).collect()
}

fn sum<const N: usize>() -> Node<N> {
    Node::Add(octaves().into_iter().map(|(_, octave)| octave).collect())
}

/// Four ratios of amplitudes, as curves on the same scale.
fn persistence_curves(caption: &str, side: u32) -> Result<Frames, String> {
    let settings = [("1/4", 0.25), ("1/2", 0.5), ("1/√2", FRAC_1_SQRT_2), ("1", 1.0)];
    let mut panels = Vec::new();
    for (i, (label, gain)) in settings.into_iter().enumerate() {
        let node = Fractal { gain, ..Fractal::fbm(6.0, GradientNoise::<1>::square(7)) };
        let [value, _] = curve(&build(&node.into())?, 8.0, side);
        let image = plot(side, [side, side / 2], &[(CURVES[i], value)], Some([-1.5, 1.5]))?;
        panels.push(Panel::with_legend(
            vec![("persistence".into(), INK), (label.into(), CURVES[i])],
            image,
        ));
    }
    let below = panels.split_off(2);
    Ok(vec![page(caption, "All to the same scale.", vec![panels, below], side)])
}

fn persistence(gain: f32) -> Node {
    Fractal { gain, ..Fractal::fbm(6.0, GradientNoise::seeded(7)) }.into()
}
