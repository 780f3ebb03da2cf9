//! The layout of all pictures, a title, a note, and rows of labelled panels on white; text; and
//! plots of curves.

use std::sync::LazyLock;
#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage, imageops};
use plotters::prelude::*;
#[cfg(not(target_family = "wasm"))]
use plotters::style::{FontStyle, register_font};

use crate::gallery::view::{INK, NOTE, PAPER};

/// An image and the label above it, in coloured parts.
pub struct Panel {
    label: Vec<(String, Rgb<u8>)>,
    image: RgbImage,
}

impl Panel {
    /// A panel with a plain label.
    pub fn new(label: impl Into<String>, image: RgbImage) -> Self {
        Self { label: vec![(label.into(), NOTE)], image }
    }

    /// A panel with a legend: each curve's name in its colour.
    pub fn with_legend(label: Vec<(String, Rgb<u8>)>, image: RgbImage) -> Self {
        Self { label, image }
    }
}

/// The sizes of a page, derived from the side of a panel.
struct Sizes {
    margin: u32,
    gap: u32,
    title: f32,
    note: f32,
}

impl Sizes {
    fn of(side: u32) -> Self {
        let side = side as f32;
        let height = |part: f32, min: f32| (side / part).max(min).round();
        let margin = height(24.0, 8.0) as u32;
        Self { margin, gap: margin * 3 / 4, title: height(19.0, 14.0), note: height(25.0, 11.0) }
    }

    /// The height of a row of labels.
    fn label(&self, row: &[Panel]) -> u32 {
        let none = row.iter().flat_map(|panel| &panel.label).all(|(text, _)| text.is_empty());
        if none { 0 } else { line_height(self.note) as u32 }
    }
}

/// Lays out a page for panels of about `side` pixels.
pub fn page(title: &str, note: &str, rows: Vec<Vec<Panel>>, side: u32) -> RgbImage {
    let sizes = Sizes::of(side);
    let row_width = |row: &Vec<Panel>| {
        row.iter().map(|panel| panel.image.width() + sizes.gap).sum::<u32>() - sizes.gap
    };
    let width = rows.iter().map(row_width).max().unwrap_or(side);
    let title = wrap(title, sizes.title, width as f32);
    let note = if note.is_empty() { vec![] } else { wrap(note, sizes.note, width as f32) };
    let heights = rows.iter().map(|row| row.iter().map(|p| p.image.height()).max().unwrap_or(0));
    let heights: Vec<u32> = heights.collect();
    let head =
        title.len() as f32 * line_height(sizes.title) + note.len() as f32 * line_height(sizes.note);
    let body: u32 =
        rows.iter().zip(&heights).map(|(row, height)| height + sizes.label(row) + sizes.gap).sum();
    let height = sizes.margin + head as u32 + body + sizes.margin;
    let mut page = RgbImage::from_pixel(width + 2 * sizes.margin, height, PAPER);

    let mut y = sizes.margin as f32 * 0.75;
    for (lines, height, ink) in [(&title, sizes.title, INK), (&note, sizes.note, NOTE)] {
        for line in lines {
            draw_text(&mut page, line, height, [sizes.margin as f32, y], ink);
            y += line_height(height);
        }
    }
    let mut y = sizes.margin + head as u32;
    for (row, height) in rows.iter().zip(heights) {
        y += sizes.gap;
        draw_row(&mut page, row, [sizes.margin, y], &sizes);
        y += sizes.label(row) + height;
    }
    page
}

fn draw_row(page: &mut RgbImage, row: &[Panel], [mut x, y]: [u32; 2], sizes: &Sizes) {
    for panel in row {
        let mut at = x as f32;
        for (part, ink) in &panel.label {
            draw_text(page, part, sizes.note, [at, y as f32], *ink);
            at += text_width(part, sizes.note) + sizes.note;
        }
        let top = y + sizes.label(row);
        imageops::replace(page, &panel.image, x.into(), top.into());
        x += panel.image.width() + sizes.gap;
    }
}

/// Halves an image; each pixel is the mean of four.
pub fn halved(image: &RgbImage) -> RgbImage {
    imageops::thumbnail(image, image.width() / 2, image.height() / 2)
}

/// The font, embedded in the program.
const FONT: &[u8] = epaint_default_fonts::UBUNTU_LIGHT;

static GLYPHS: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(FONT).expect("the embedded font is valid"));

/// The line spacing of text of `height` pixels.
fn line_height(height: f32) -> f32 {
    (1.25 * height).round()
}

/// The width of a text of `height` pixels.
fn text_width(text: &str, height: f32) -> f32 {
    lay_out(text, height, |_, _| ())
}

/// Wraps a text at `limit` pixels. Longer words are not broken.
fn wrap(text: &str, height: f32, limit: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("never empty");
        let longer = if last.is_empty() { word.to_string() } else { format!("{last} {word}") };
        if last.is_empty() || text_width(&longer, height) <= limit {
            *last = longer;
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// Draws a line of text of `height` pixels whose upper left corner is at `at`.
fn draw_text(image: &mut RgbImage, text: &str, height: f32, [left, top]: [f32; 2], ink: Rgb<u8>) {
    let scale = PxScale::from(height);
    let baseline = top + GLYPHS.as_scaled(scale).ascent();
    lay_out(text, height, |glyph, x| {
        let glyph = glyph.with_scale_and_position(scale, point(left + x, baseline));
        let Some(outline) = GLYPHS.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, cover| {
            let [x, y] = [corner.x + x as f32, corner.y + y as f32];
            if x >= 0.0 && y >= 0.0 && (x as u32) < image.width() && (y as u32) < image.height() {
                let under = image.get_pixel_mut(x as u32, y as u32);
                let blend = |k: usize| {
                    let [under, ink] = [under[k], ink[k]].map(f32::from);
                    (under + (ink - under) * cover.min(1.0)).round() as u8
                };
                *under = Rgb(std::array::from_fn(blend));
            }
        });
    });
}

/// Visits every glyph with its offset along the line, and returns the width of the text.
fn lay_out(text: &str, height: f32, mut visit: impl FnMut(ab_glyph::GlyphId, f32)) -> f32 {
    let font = GLYPHS.as_scaled(height);
    let mut x = 0.0;
    let mut last = None;
    for glyph in text.chars().map(|c| font.glyph_id(c)) {
        x += last.map_or(0.0, |last| font.kern(last, glyph));
        visit(glyph, x);
        x += font.h_advance(glyph);
        last = Some(glyph);
    }
    x
}

/// Formats a number for a caption: up to three decimals, with a typographic minus sign.
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return if x < 0.0 { "−∞".into() } else { "∞".into() };
    }
    let digits = if x.abs() < 10.0 { 3 } else { 1 };
    let text = format!("{x:.digits$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.replace('-', "−") }
}

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
    draw_plot(&mut fine, label_height(side), curves, range)
        .map_err(|problem| format!("plot: {problem}"))?;
    Ok(imageops::thumbnail(&fine, width, height))
}

fn draw_plot(
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
