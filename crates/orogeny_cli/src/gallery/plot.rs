//! Plots of curves.

#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;

use image::{Rgb, RgbImage, imageops};
use plotters::prelude::*;
#[cfg(not(target_family = "wasm"))]
use plotters::style::{FontStyle, register_font};

#[cfg(not(target_family = "wasm"))]
use crate::gallery::page::FONT;
use crate::gallery::page::number;
use crate::gallery::view::{NOTE, PAPER};

/// The points of a curve.
pub type Curve = Vec<(f64, f64)>;

/// Supersampling: plots are drawn this many times larger, then scaled down.
const FINE: u32 = 3;
/// The thickness of curves, in supersampled pixels.
const PEN: u32 = 5;

/// Draws curves on one pair of axes, over a given range of values or the range of the curves. The
/// labels fit a page with panels of `side` pixels.
pub fn plot(
    side: u32,
    [width, height]: [u32; 2],
    curves: &[(Rgb<u8>, Curve)],
    range: Option<[f64; 2]>,
) -> Result<RgbImage, String> {
    let mut fine = RgbImage::from_pixel(FINE * width, FINE * height, PAPER);
    draw(&mut fine, label_height(side), curves, range)
        .map_err(|problem| format!("plot: {problem}"))?;
    Ok(imageops::thumbnail(&fine, width, height))
}

fn draw(
    image: &mut RgbImage,
    font: u32,
    curves: &[(Rgb<u8>, Curve)],
    range: Option<[f64; 2]>,
) -> Result<(), Box<dyn std::error::Error>> {
    let (width, height) = image.dimensions();
    let area = BitMapBackend::with_buffer(image, (width, height)).into_drawing_area();
    let points = || curves.iter().flat_map(|(_, curve)| curve);
    let [left, right] = hull(points().map(|point| point.0));
    let [low, high] = range.unwrap_or_else(|| {
        let [low, high] = hull(points().map(|point| point.1));
        let pad = 0.06 * (high - low);
        [low - pad, high + pad]
    });
    // In a browser the library leaves fonts to the page, and cannot draw labels on an image.
    let labels = if cfg!(target_family = "wasm") { 0 } else { font };
    let mut chart = ChartBuilder::on(&area)
        .margin_top(font / 2)
        .margin_right(font)
        .x_label_area_size(labels * 2)
        .y_label_area_size(labels * 4)
        .build_cartesian_2d(left..right, low..high)?;
    let label = |x: &f64| number(*x);
    chart
        .configure_mesh()
        .x_labels(7)
        .y_labels(7)
        .set_all_tick_mark_size(4 * FINE)
        .max_light_lines(0)
        .bold_line_style(RGBColor(224, 224, 222).stroke_width(FINE))
        .axis_style(colour(NOTE).stroke_width(FINE))
        .label_style(("caption", font as i32, &colour(NOTE)))
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .draw()?;
    for (ink, curve) in curves {
        let style = colour(*ink);
        // One pixel wider than the pen, since the library rounds the corners of thick lines
        // inwards.
        let style_of_lines = style.stroke_width(PEN + 1);
        chart.draw_series(curve.windows(2).map(|ends| PathElement::new(ends, style_of_lines)))?;
        // A round pen hides the notches at the joints of thick lines.
        chart.draw_series(curve.iter().map(|&at| Circle::new(at, PEN / 2, style.filled())))?;
    }
    area.present()?;
    Ok(())
}

/// The height of labels in supersampled pixels. Registers the font with the plotting library.
fn label_height(side: u32) -> u32 {
    #[cfg(not(target_family = "wasm"))]
    {
        static KNOWN: OnceLock<()> = OnceLock::new();
        // If that fails, drawing the labels returns an error.
        KNOWN.get_or_init(|| drop(register_font("caption", FontStyle::Normal, FONT)));
    }
    FINE * (side / 27).max(10)
}

fn colour(Rgb([r, g, b]): Rgb<u8>) -> RGBColor {
    RGBColor(r, g, b)
}

fn hull(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
}
