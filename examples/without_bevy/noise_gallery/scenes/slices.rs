//! Slices of 3D noise, and why the domain should be rotated for them.
//!
//! Gradient noise is zero at lattice points, so a slice at integer z is faint everywhere, and an
//! animation along z pulses. A rotated slice crosses lattice planes at every phase at once.

use orogeny::{Field, Grid, Node, Samples, Tree};
use rayon::prelude::*;

use crate::colour::CURVES;
use crate::page::{Panel, page};
use crate::picture::{Made, build};
use crate::plot::{Curve, plot};
use crate::view::{Slice, View};

const FRAMES: u32 = 24;
/// The distance that the slice moves along z.
const WAY: f64 = 2.0;
/// The width of frames in cells.
const CELLS: f64 = 6.0;
/// The rotation around the axis (1, 1, 1), in degrees.
const TURN: f64 = 40.0;
/// The values drawn black and white.
const RANGE: [f32; 2] = [-0.6, 0.6];

/// The strength of a slice is measured over a square of this many cells. Also the number of points
/// along each axis, and the number of slices.
const MEASURED: f64 = 48.0;
const POINTS: usize = 192;
const SLICES: usize = 65;

fn fields() -> Result<[Tree<3>; 2], String> {
    Ok([build(&Node::noise(1))?, build(&Node::noise(1).rotate(TURN))?])
}

/// The moving slice, aligned and rotated.
///
/// # Errors
/// A field that is not valid.
pub fn film(caption: &str, side: u32) -> Result<Made, String> {
    let fields = fields()?;
    let small = side * 3 / 4;
    let frame = |i| {
        let z = WAY * f64::from(i) / f64::from(FRAMES);
        let slice = |field| View::new(&Slice { field, z }, [0.0; 2], CELLS, small).grey(RANGE);
        let [straight, rotated] = [slice(&fields[0]), slice(&fields[1])];
        let panels = vec![
            Panel::new(format!("aligned, z = {z:.2}"), straight),
            Panel::new(format!("rotate({TURN}), z = {z:.2}"), rotated),
        ];
        page(caption, "", vec![panels], side)
    };
    Ok(Made::Film((0..FRAMES).into_par_iter().map(frame).collect()))
}

/// The root mean square of both slices as z changes.
///
/// # Errors
/// A plot that cannot be drawn.
pub fn strength(caption: &str, side: u32) -> Result<Made, String> {
    let [straight, rotated] = fields()?.map(|field| root_mean_squares(&field));
    let min = |curve: &Curve| curve.iter().fold(f64::INFINITY, |min, p| min.min(p.1));
    let max = |curve: &Curve| curve.iter().fold(0f64, |max, p| max.max(p.1));
    let note = format!(
        "Root mean square of a slice by z: aligned {:.3} to {:.3}, rotated {:.3} to {:.3}.",
        min(&straight),
        max(&straight),
        min(&rotated),
        max(&rotated)
    );
    let legend =
        vec![("aligned".into(), CURVES[1]), (format!("rotated by {TURN} degrees"), CURVES[0])];
    let range =
        [0.95 * min(&straight).min(min(&rotated)), 1.05 * max(&straight).max(max(&rotated))];
    let image =
        plot(side, [2 * side, side], &[(CURVES[1], straight), (CURVES[0], rotated)], Some(range))?;
    Ok(Made::Still(page(caption, &note, vec![vec![Panel::with_legend(legend, image)]], side)))
}

fn root_mean_squares(field: &Tree<3>) -> Curve {
    let slice = |i: usize| {
        let z = i as f64 / (SLICES - 1) as f64;
        let grid = Grid::new([0.0, 0.0, z], MEASURED / POINTS as f64, [POINTS, POINTS, 1]);
        let mut samples = Samples::new();
        field.sample_grid(&grid, &mut samples);
        let squares = samples.values().iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
        (z, (squares / samples.len() as f64).sqrt())
    };
    (0..SLICES).into_par_iter().map(slice).collect()
}
