//! The errors that a viewer sees on the screen, compared with the pixel error.

use std::f64::consts::TAU;

use bevy_orogeny::orogeny::Field;
use bevy_orogeny::selection::{Selection, View, select};

use crate::shared::preset_list::{LAYOUT, presets};

const VIEWERS: u64 = 16;
/// The points that each sees: without rivers, and with them, where points far from each other take
/// a thousand times as long.
const POINTS: [u64; 2] = [1000, 80];
/// The distances of the points in metres.
const NEAREST: f64 = 64.0;
const RANGE: f64 = 30_000.0;
/// Pixels per radian for 1080 lines and a field of view of 45 degrees.
const PIXELS_PER_RADIAN: f64 = 1303.7;
const PIXEL_ERROR: f64 = 2.0;

/// A triangle of a level over a point: its height there and its slopes along x and z.
fn triangle(field: &impl Field<2>, lod: u8, point: [f64; 2]) -> [f64; 3] {
    let spacing = LAYOUT.spacing(lod);
    let cell = point.map(|coordinate| (coordinate / spacing).floor());
    let [u, v] = [0, 1].map(|k| point[k] / spacing - cell[k]);
    let [a, b, c, d] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .map(|corner| f64::from(field.value([0, 1].map(|k| (cell[k] + corner[k]) * spacing))));
    let [x, z] = if u > v { [b - a, d - b] } else { [d - c, c - a] };
    [a + x * u + z * v, x / spacing, z / spacing]
}

/// The distance of the field from the drawn surface at a point, along the normal, in metres. While
/// a level morphs, its surface lies between its own triangles and those of the next coarser level.
fn distance(field: &impl Field<2>, selection: &Selection, view: View, point: [f64; 2]) -> f64 {
    let mut lod = selection.root_lod;
    while lod > 0 && selection.split.contains(&LAYOUT.key_at(lod, point)) {
        lod -= 1;
    }
    let weight = selection.morph(&LAYOUT, &[view], lod, point);
    let [fine, coarse] = [lod, lod + 1].map(|lod| triangle(field, lod, point));
    let [height, x, z] = [0, 1, 2].map(|k| fine[k] + weight * (coarse[k] - fine[k]));
    (height - f64::from(field.value(point))).abs() / (1.0 + x * x + z * z).sqrt()
}

/// Points are distributed evenly over directions and over the logarithm of the distance, which is
/// how steep ground fills a picture.
#[test]
fn of_100_points_in_view_99_keep_the_pixel_error() {
    assert!(presets().len() >= 2);
    for preset in presets() {
        let (field, errors) = (&*preset.ground, preset.errors());
        let points = POINTS[usize::from(field.rivers().is_some())];
        let (mut pixels, mut chunks) = (Vec::new(), 0);
        for viewer in 0..VIEWERS {
            // The R2 sequence, in a square of 120 km.
            let at = |part: f64| ((viewer as f64 * part).fract() - 0.5) * 120_000.0;
            let from = [at(0.754_877_666_246_692_8), at(0.569_840_290_998_053_2)];
            let view = View::at(from, RANGE, PIXELS_PER_RADIAN / PIXEL_ERROR);
            let selection = select(&LAYOUT, errors, &[view]);
            chunks = selection.leaves().max(chunks);
            for point in 0..points {
                let index = (viewer * points + point) as f64;
                let far =
                    NEAREST * (RANGE / NEAREST).powf((index * 0.754_877_666_246_692_8).fract());
                let turn = TAU * (index * 0.569_840_290_998_053_2).fract();
                let point = [from[0] + far * turn.cos(), from[1] + far * turn.sin()];
                pixels.push(distance(field, &selection, view, point) / far * PIXELS_PER_RADIAN);
            }
        }
        pixels.sort_unstable_by(f64::total_cmp);
        let quantile = |part: f64| pixels[(pixels.len() as f64 * part) as usize];
        println!(
            "{:26} 90 %: {:.2} px, 99 %: {:.2} px, 99.9 %: {:.2} px, {chunks} chunks",
            preset.name,
            quantile(0.9),
            quantile(0.99),
            quantile(0.999)
        );
        assert!(quantile(0.99) <= PIXEL_ERROR, "{}", preset.name);
    }
}
