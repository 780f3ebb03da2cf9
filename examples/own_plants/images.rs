//! The images of bark and of a cluster of leaves, as PNG files.

use std::f32::consts::{PI, TAU};

use png::{BitDepth, ColorType};

use super::numbers::{Random, hash, mix};

const BARK: [u32; 2] = [128, 256];
/// Plates of bark across and along the image.
const PLATES: [i32; 2] = [6, 5];
const CRACK: [f32; 3] = [0.17, 0.14, 0.12];
const PLATE: [f32; 3] = [0.45, 0.4, 0.34];

const LEAVES: u32 = 256;
const LEAF: [f32; 3] = [0.29, 0.43, 0.13];
const VEIN: [f32; 3] = [0.5, 0.6, 0.27];
const TWIG: [f32; 3] = [0.3, 0.26, 0.17];
/// Twigs, from foot to tip, in parts of the image; and how many leaves they have.
const TWIGS: [([f32; 4], u32); 6] = [
    ([0.5, 0.98, 0.34, 0.7], 3),
    ([0.5, 0.85, 0.72, 0.68], 4),
    ([0.5, 0.7, 0.28, 0.42], 6),
    ([0.5, 0.62, 0.74, 0.4], 6),
    ([0.5, 0.98, 0.5, 0.5], 4),
    ([0.5, 0.5, 0.51, 0.26], 7),
];

/// Long plates with cracks between them. The image repeats in both directions.
pub fn bark() -> Vec<u8> {
    let pixels = (0..BARK[0] * BARK[1]).flat_map(|i| {
        let [u, v] = [(i % BARK[0]) as f32 / BARK[0] as f32, (i / BARK[0]) as f32 / BARK[1] as f32];
        let bend = 0.08 * (noise(u, v, [8, 6], 1) - 0.5);
        let (edge, plate) = plates(u + bend, v + bend);
        let height = (edge * 2.2).min(1.0);
        let grain = mix(0.75, 1.2, 0.6 * noise(u, v, [32, 12], 2) + 0.4 * noise(u, v, [64, 64], 3));
        let light = grain * mix(0.85, 1.1, plate);
        std::array::from_fn::<u8, 3, _>(|k| byte(mix(CRACK[k], PLATE[k], height) * light))
    });
    png(BARK, ColorType::Rgb, &pixels.collect::<Vec<_>>())
}

/// How far a place is from the edge of its plate, and a number of the plate within 0..1.
fn plates(u: f32, v: f32) -> (f32, f32) {
    let [x, y] = [u * PLATES[0] as f32, v * PLATES[1] as f32];
    let (mut nearest, mut second, mut number) = (f32::MAX, f32::MAX, 0.0);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let cell = [x.floor() as i32 + dx, y.floor() as i32 + dy];
            let [a, b] = [0, 1].map(|k| cell_hash(cell, PLATES, k));
            let distance = (cell[0] as f32 + a - x).hypot(cell[1] as f32 + b - y);
            if distance < nearest {
                (nearest, second, number) = (distance, nearest, cell_hash(cell, PLATES, 2));
            } else {
                second = second.min(distance);
            }
        }
    }
    (second - nearest, number)
}

/// Smooth noise within 0..1 that repeats after this many cells.
fn noise(u: f32, v: f32, cells: [i32; 2], seed: u32) -> f32 {
    let [x, y] = [u * cells[0] as f32, v * cells[1] as f32];
    let [s, t] = [x, y].map(|x| 0.5 - 0.5 * (PI * (x - x.floor())).cos());
    let at = |dx, dy| cell_hash([x.floor() as i32 + dx, y.floor() as i32 + dy], cells, 8 + seed);
    mix(mix(at(0, 0), at(1, 0), s), mix(at(0, 1), at(1, 1), s), t)
}

fn cell_hash(cell: [i32; 2], cells: [i32; 2], seed: u32) -> f32 {
    let [x, y] = [0, 1].map(|k| cell[k].rem_euclid(cells[k]) as u32);
    hash(x + (y << 10) + (seed << 20))
}

/// Leaves on twigs that grow from the middle of the lower edge.
pub fn leaves() -> Vec<u8> {
    // Where there is no leaf the colour is that of leaves too: smaller mips have no dark edges.
    let mut pixels = vec![[LEAF[0], LEAF[1], LEAF[2], 0.0]; (LEAVES * LEAVES) as usize];
    let mut random = Random(5);
    for (twig, count) in TWIGS {
        let [x0, y0, x1, y1] = twig.map(|x| x * LEAVES as f32);
        let heading = (y1 - y0).atan2(x1 - x0);
        let length = (x1 - x0).hypot(y1 - y0);
        paint(&mut pixels, [x0, y0], heading, length, |s, across| {
            (1.5 - across.abs() * length, TWIG.map(|x| x * mix(0.8, 1.2, s)))
        });
        for i in 0..count {
            // The last leaf is at the tip, the others are on either side by turns.
            let is_last = i + 1 == count;
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            let part = mix(0.25, 1.0, (i + 1) as f32 / count as f32);
            let foot = [mix(x0, x1, part), mix(y0, y1, part)];
            let turn = if is_last { 0.0 } else { side * random.range(0.75, 1.25) };
            let size = random.range(54.0, 66.0);
            let shade = random.range(0.75, 1.15);
            paint(&mut pixels, foot, heading + turn, size, |s, t| leaf(s, t, size, shade));
        }
    }
    let bytes = pixels.into_iter().flatten().map(byte).collect::<Vec<_>>();
    png([LEAVES; 2], ColorType::Rgba, &bytes)
}

/// A leaf at a place along and across it, in parts of its length: how many pixels the place is
/// within the edge, and its colour.
fn leaf(s: f32, t: f32, size: f32, shade: f32) -> (f32, [f32; 3]) {
    let teeth = 1.0 + 0.07 * (s * 13.0).fract();
    let half = 0.66 * s.powf(0.55) * (1.0 - s).powf(0.75) * teeth;
    let inside = (half - t.abs()) * size;
    let side_vein = ((s - 0.7 * t.abs()) * 8.0 * TAU).cos().max(0.0).powi(6);
    let vein = (1.0 - (t * size).abs() / 1.2).max(0.2 * side_vein);
    let fold = if t > 0.0 { 1.1 } else { 0.92 };
    let light = shade * fold * mix(0.7, 1.0, (inside / 4.0).clamp(0.0, 1.0));
    (inside, std::array::from_fn(|k| mix(LEAF[k], VEIN[k], vein) * light))
}

/// Paints a shape of this length. `shape` gives, for a place along and across it in parts of the
/// length, how many pixels it is within the edge, and its colour.
fn paint(
    pixels: &mut [[f32; 4]],
    foot: [f32; 2],
    heading: f32,
    length: f32,
    shape: impl Fn(f32, f32) -> (f32, [f32; 3]),
) {
    let (sin, cos) = heading.sin_cos();
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let [x, y] = [i as u32 % LEAVES, i as u32 / LEAVES].map(|x| x as f32 + 0.5);
        let [x, y] = [(x - foot[0]) / length, (y - foot[1]) / length];
        let [s, t] = [x * cos + y * sin, y * cos - x * sin];
        if !(0.0..=1.0).contains(&s) {
            continue;
        }
        let (inside, [r, g, b]) = shape(s, t);
        let cover = (inside + 0.5).clamp(0.0, 1.0);
        let blended = [r, g, b, 1.0].into_iter().zip(*pixel).map(|(new, old)| mix(old, new, cover));
        blended.zip(pixel.iter_mut()).for_each(|(new, old)| *old = new);
    }
}

fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0) as u8
}

fn png(size: [u32; 2], colour: ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size[0], size[1]);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().expect("memory takes all bytes");
    writer.write_image_data(pixels).expect("the size is that of the pixels");
    writer.finish().expect("memory takes all bytes");
    file
}
