//! The distance of what is drawn from the ground: of the triangles of each level, compared with its
//! measured and its proven error, and in a view, compared with the pixel error.

use std::f64::consts::TAU;

use bevy::math::DVec3;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_orogeny::advanced::selection::{Selection, View, select};
use bevy_orogeny::advanced::{ChunkBuilder, ChunkKey, Seams};
use bevy_orogeny::orogeny::{Field, Landscape};

use crate::shared::{LAYOUT, presets};

const CHUNKS: u64 = 12;
/// The points on each chunk: without rivers, and with them. On coarse chunks each of those is far
/// from all others, and takes a thousand times as long.
const POINTS: [u64; 2] = [700, 30];
const LEVELS: u8 = 11;
const VIEWERS: u64 = 16;
/// The points that each sees: without rivers, and with them, where points far from each other take
/// a thousand times as long.
const VIEW_POINTS: [u64; 2] = [1000, 80];
/// The distances of the points in metres.
const NEAREST: f64 = 64.0;
const RANGE: f64 = 30_000.0;
/// Pixels per radian for 1080 lines and a field of view of 45 degrees.
const PIXELS_PER_RADIAN: f64 = 1303.7;
const PIXEL_ERROR: f64 = 2.0;

/// A pseudo-random number from 0 to 1 for each index (SplitMix64).
fn random(index: u64) -> f64 {
    let mut bits = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// The distance of the field from a triangle at a point, in metres.
#[derive(Clone, Copy)]
struct Distance {
    vertical: f64,
    /// Along the normal of the triangle.
    normal: f64,
    /// `normal` as it looks from D 2^u, relative to the view from D, for a random u from 0 to 1.
    seen: f64,
}

/// The distances of the field from the triangles of a chunk's mesh, at random points.
fn distances(
    field: &impl Field<2>,
    builder: &ChunkBuilder,
    key: ChunkKey,
    points: u64,
    out: &mut Vec<Distance>,
) {
    let mesh = builder.build(key).unwrap().mesh;
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        panic!("no positions");
    };
    let corners: Vec<usize> = mesh.indices().unwrap().iter().collect();
    let [ox, oz] = LAYOUT.origin(key);
    for point in 0..points {
        let draw = |k: u64| {
            random((key.x as u64 ^ (key.z as u64) << 20).wrapping_add(7919 * (4 * point + k)))
        };
        let triangle = (draw(0) * (corners.len() / 3) as f64) as usize;
        let corner = |k: usize| positions[corners[3 * triangle + k]].map(f64::from);
        // Uniform over the triangle: the square is folded along its diagonal.
        let (mut u, mut v) = (draw(1), draw(2));
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [a, b, c] = [corner(0), corner(1), corner(2)];
        let [x, y, z] = [0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
        let vertical = (f64::from(field.value([ox + x, oz + z])) - y).abs();
        let up = (DVec3::from(b) - DVec3::from(a)).cross(DVec3::from(c) - DVec3::from(a));
        let normal = vertical * up.normalize().y.abs();
        out.push(Distance { vertical, normal, seen: normal / draw(3).exp2() });
    }
}

#[test]
fn drawn_triangles_keep_the_errors_of_their_level() {
    assert!(presets().len() >= 2);
    for preset in presets() {
        let (field, errors) = (&preset.ground, preset.errors());
        let points = POINTS[usize::from(field.rivers().is_some())];
        let builder = ChunkBuilder::new(Landscape::clone(field), LAYOUT, Seams::Open, true);
        println!("{}", preset.name);
        println!("level    normal: 99 %  vertical: largest    measured      proven   points above");
        let mut above = 0.0;
        for lod in 0..LEVELS {
            let mut found = Vec::new();
            for chunk in 0..CHUNKS {
                let at = |k| (random(2 * chunk + k + 100 * u64::from(lod)) - 0.5) * 400_000.0;
                let key = LAYOUT.key_at(lod, [at(0), at(1)]);
                distances(field, &builder, key, points, &mut found);
            }
            let mut normal: Vec<f64> = found.iter().map(|distance| distance.normal).collect();
            normal.sort_unstable_by(f64::total_cmp);
            let p99 = normal[normal.len() * 99 / 100];
            let largest = found.iter().map(|distance| distance.vertical).fold(0.0, f64::max);
            let (measured, proven) = (errors.measured(lod), errors.proven(lod));
            let over = found.iter().filter(|distance| distance.seen > measured).count();
            let share = over as f64 / found.len() as f64;
            above += share / f64::from(LEVELS);
            println!(
                "{lod:5} {p99:13.3} m {largest:15.3} m {measured:9.3} m {proven:9.3} m {:8.2} %",
                100.0 * share
            );
            // Heights are f32: they round by 1e-7 of some thousand metres.
            assert!(largest <= proven + 1e-3, "level {lod}: {largest} m, proven {proven} m");
        }
        // Measured errors hold for 99 % of points of the whole world, seen from the distances at
        // which a level is used, and these twelve chunks are a part.
        assert!(above < 0.03, "{above} of all points are farther away than measured");
    }
}

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
fn seen_distance(field: &impl Field<2>, selection: &Selection, view: View, point: [f64; 2]) -> f64 {
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
        let points = VIEW_POINTS[usize::from(field.rivers().is_some())];
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
                pixels
                    .push(seen_distance(field, &selection, view, point) / far * PIXELS_PER_RADIAN);
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
