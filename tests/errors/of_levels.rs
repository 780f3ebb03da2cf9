//! The distance of drawn triangles from the ground, compared with the measured and the proven error
//! of each level.

use bevy::math::DVec3;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Field, Landscape};
use bevy_orogeny::{ChunkBuilder, ChunkKey, Seams};

use crate::shared::preset_list::{LAYOUT, presets};

const CHUNKS: u64 = 12;
/// The points on each chunk: without rivers, and with them. On coarse chunks each of those is far
/// from all others, and takes a thousand times as long.
const POINTS: [u64; 2] = [700, 30];
const LEVELS: u8 = 11;

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
