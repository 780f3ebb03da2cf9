//! Text rendering.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};

/// The font, embedded in the program.
pub const FONT: &[u8] = epaint_default_fonts::UBUNTU_LIGHT;

static GLYPHS: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(FONT).expect("the embedded font is valid"));

/// The line spacing of text of `height` pixels.
pub fn line(height: f32) -> f32 {
    (1.25 * height).round()
}

/// The width of a text of `height` pixels.
pub fn width(text: &str, height: f32) -> f32 {
    lay_out(text, height, |_, _| ())
}

/// Wraps a text at `limit` pixels. Longer words are not broken.
pub fn wrap(text: &str, height: f32, limit: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("never empty");
        let longer = if last.is_empty() { word.to_string() } else { format!("{last} {word}") };
        if last.is_empty() || width(&longer, height) <= limit {
            *last = longer;
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// Draws a line of text of `height` pixels whose upper left corner is at `at`.
pub fn draw(image: &mut RgbImage, text: &str, height: f32, [left, top]: [f32; 2], ink: Rgb<u8>) {
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
