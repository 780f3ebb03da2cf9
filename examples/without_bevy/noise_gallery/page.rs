//! The layout of all pictures: a title, a note, and rows of labelled panels on white.

use image::{Rgb, RgbImage, imageops};

use crate::colour::{INK, NOTE, PAPER};
use crate::text;

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
        if none { 0 } else { text::line(self.note) as u32 }
    }
}

/// Lays out a page for panels of about `side` pixels.
pub fn page(title: &str, note: &str, rows: Vec<Vec<Panel>>, side: u32) -> RgbImage {
    let sizes = Sizes::of(side);
    let row_width = |row: &Vec<Panel>| {
        row.iter().map(|panel| panel.image.width() + sizes.gap).sum::<u32>() - sizes.gap
    };
    let width = rows.iter().map(row_width).max().unwrap_or(side);
    let title = text::wrap(title, sizes.title, width as f32);
    let note = if note.is_empty() { vec![] } else { text::wrap(note, sizes.note, width as f32) };
    let heights = rows.iter().map(|row| row.iter().map(|p| p.image.height()).max().unwrap_or(0));
    let heights: Vec<u32> = heights.collect();
    let head =
        title.len() as f32 * text::line(sizes.title) + note.len() as f32 * text::line(sizes.note);
    let body: u32 =
        rows.iter().zip(&heights).map(|(row, height)| height + sizes.label(row) + sizes.gap).sum();
    let height = sizes.margin + head as u32 + body + sizes.margin;
    let mut page = RgbImage::from_pixel(width + 2 * sizes.margin, height, PAPER);

    let mut y = sizes.margin as f32 * 0.75;
    for (lines, height, ink) in [(&title, sizes.title, INK), (&note, sizes.note, NOTE)] {
        for line in lines {
            text::draw(&mut page, line, height, [sizes.margin as f32, y], ink);
            y += text::line(height);
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
            text::draw(page, part, sizes.note, [at, y as f32], *ink);
            at += text::width(part, sizes.note) + sizes.note;
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
