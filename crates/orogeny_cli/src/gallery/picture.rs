//! The kinds of picture in the gallery.

use image::RgbImage;
use orogeny::edits::{Edit, EditLog, EditedField};
use orogeny::{Field, Grid, Node, Samples};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::gallery::page::{Curve, Panel, number, page, plot};
use crate::gallery::view::{CURVES, Slice, View, describe};

/// The frame rate of animations.
const FRAMES_PER_SECOND: u16 = 12;
/// The z of slices through 3D fields: not a lattice plane, where gradient noise is faint.
const CUT: f64 = 0.4;
/// The side of the ground that is edited, in metres.
const GROUND: f64 = 240.0;

/// A field or an edit with its label.
pub type Labelled<T> = (&'static str, fn() -> T);

/// What to draw.
pub enum Picture {
    /// A 2D field, this many units across: its value and its shaded surface.
    Plane(f64, fn() -> Node<2>),
    /// The same for a slice through a 3D field.
    Slice(f64, fn() -> Node<3>),
    /// Labelled 2D fields side by side: values above surfaces.
    Planes(f64, &'static [Labelled<Node<2>>]),
    /// Up to four labelled 1D fields over this many units: values and derivatives.
    Curves(f64, &'static [Labelled<Node<1>>]),
    /// The same hills with each of up to four labelled edits.
    Edits(&'static [Labelled<Edit>]),
    /// Anything else, drawn from its caption and the side of a panel in pixels.
    Scene(fn(&str, u32) -> Result<Frames, String>),
}

/// The frames of a picture: one, or several of an animation.
pub type Frames = Vec<RgbImage>;

/// Encodes a PNG, animated if there are several frames.
pub fn encode(frames: &[RgbImage]) -> Result<Vec<u8>, EncodingError> {
    let Some(first) = frames.first() else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, first.width(), first.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::Adaptive);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(1, FRAMES_PER_SECOND)?;
    }
    let mut writer = encoder.write_header()?;
    for frame in frames {
        writer.write_image_data(frame)?;
    }
    writer.finish()?;
    Ok(bytes)
}

impl Picture {
    /// Draws the picture with panels of `side` pixels.
    pub fn make(&self, caption: &str, side: u32) -> Result<Frames, String> {
        match self {
            Picture::Plane(across, node) => {
                let field = build(&node())?;
                Ok(pair(caption, &field, *across, side))
            }
            Picture::Slice(across, node) => {
                let field = build(&node())?;
                Ok(pair(caption, &Slice { field: &field, z: CUT }, *across, side))
            }
            Picture::Planes(across, list) => planes(caption, *across, list, side),
            Picture::Curves(across, list) => curves(caption, *across, list, side),
            Picture::Edits(list) => edits(caption, list, side),
            Picture::Scene(scene) => scene(caption, side),
        }
    }
}

/// Builds a field, with its error as text.
pub fn build<const N: usize>(node: &Node<N>) -> Result<orogeny::Tree<N>, String> {
    node.build().map_err(|error| error.to_string())
}

/// The value and the surface side by side.
fn pair(caption: &str, field: &impl Field<2>, across: f64, side: u32) -> Frames {
    let view = View::new(field, [0.0; 2], across, side);
    let range = view.range();
    let panels = vec![
        Panel::new("value", view.grey(range)),
        Panel::new("surface, shaded by its exact gradient", view.surface()),
    ];
    vec![page(caption, &describe(&field.bounds(), range), vec![panels], side)]
}

fn planes(
    caption: &str,
    across: f64,
    list: &[Labelled<Node<2>>],
    side: u32,
) -> Result<Frames, String> {
    let small = if list.len() > 2 { side * 5 / 8 } else { side };
    let (mut values, mut surfaces) = (Vec::new(), Vec::new());
    for (label, node) in list {
        let field = build(&node())?;
        let view = View::new(&field, [0.0; 2], across, small);
        let [low, high] = [field.bounds().min, field.bounds().max].map(number);
        values.push(Panel::new(*label, view.grey(view.range())));
        surfaces.push(Panel::new(format!("proven {low} to {high}"), view.surface()));
    }
    let note =
        "values, minimum black and maximum white, above shaded surfaces with their proven ranges";
    Ok(vec![page(caption, note, vec![values, surfaces], side)])
}

/// The ground before and after edits, seen from above. The origin is in the middle.
fn edits(caption: &str, list: &[Labelled<Edit>], side: u32) -> Result<Frames, String> {
    let hills = build(&Node::noise(7).fbm(4).frequency(1.0 / 200.0).amplitude(20.0))?;
    let small = side * 5 / 8;
    let panel = |label, log: &EditLog| {
        let ground = EditedField::new(&hills, log.edits());
        let corner = [-0.5 * GROUND; 2];
        Panel::new(label, View::new(&ground, corner, GROUND, small).surface())
    };
    let mut panels = vec![panel("the ground", &EditLog::new())];
    for (label, edit) in list {
        let mut log = EditLog::new();
        log.add(1, edit()).map_err(|error| error.to_string())?;
        panels.push(panel(*label, &log));
    }
    let note = format!("hills, {GROUND} m across, shaded by their exact gradients");
    Ok(vec![page(caption, &note, vec![panels], side)])
}

fn curves(
    caption: &str,
    across: f64,
    list: &[Labelled<Node<1>>],
    side: u32,
) -> Result<Frames, String> {
    let (mut values, mut slopes, mut legend) = (Vec::new(), Vec::new(), Vec::new());
    let mut proven = Vec::new();
    for ((label, node), colour) in list.iter().zip(CURVES) {
        let field = build(&node())?;
        let [value, slope] = curve(&field, across, side);
        values.push((colour, value));
        slopes.push((colour, slope));
        legend.push((label.to_string(), colour));
        let [low, high, steepest] =
            [field.bounds().min, field.bounds().max, field.bounds().lipschitz].map(number);
        proven.push(format!("{label}: {low} to {high}, slope at most {steepest}"));
    }
    let size = [side, side * 3 / 4];
    let panels = vec![
        Panel::with_legend(legend, plot(side, size, &values, None)?),
        Panel::new("exact derivatives", plot(side, size, &slopes, None)?),
    ];
    let note = format!("Proven: {}", proven.join("  ·  "));
    Ok(vec![page(caption, &note, vec![panels], side)])
}

/// The values and the derivatives of a 1D field from 0 to `across`.
pub fn curve(field: &impl Field<1>, across: f64, side: u32) -> [Curve; 2] {
    let points = 4 * side as usize;
    let spacing = across / points as f64;
    let grid = Grid::new([0.0], spacing, [points + 1]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    let line = |of: fn(orogeny::Sample<1>) -> f32| {
        samples.iter().zip(grid.points()).map(|(s, [x])| (x, f64::from(of(s)))).collect()
    };
    [line(|sample| sample.value), line(|sample| sample.gradient[0])]
}
