//! Queries of the surface agree with the meshes.

use bevy_math::DVec3;
use proptest::prelude::*;

use super::*;
use crate::chunk::height_field::normal;

/// Chunks near the origin, on both sides of it, and at 1e12 m.
fn keys(layout: &Layout, lod: u8) -> Vec<ChunkKey> {
    let far = (1e12 / layout.size(lod)) as i64;
    [(0, 0), (-1, -1), (5, -3), (far, -far), (-far + 1, 7)]
        .map(|(x, z)| ChunkKey { lod, x, z })
        .to_vec()
}

#[test]
fn vertices_are_those_of_the_meshes_bit_for_bit() {
    for layout in [LAYOUT, Layout { cells: 8, spacing: 0.25 }, Layout { cells: 32, spacing: 1.0 }] {
        let query = query(layout);
        for key in [0, 1, 3, 7].into_iter().flat_map(|lod| keys(&layout, lod)) {
            for (position, height) in chunk(&query, key).0 {
                let surface = query.surface_at_level(key.lod, position).unwrap();
                let field = query.field(position).unwrap();
                assert_eq!(surface.value.to_bits(), height.to_bits(), "{key:?} {position:?}");
                assert_eq!(field.value.to_bits(), height.to_bits(), "{key:?} {position:?}");
            }
        }
    }
}

/// Within every triangle of a mesh, the height is interpolated from the corners by barycentric
/// weights, and the normal is that of the face.
#[test]
fn the_surface_is_the_mesh_between_vertices() {
    let query = query(LAYOUT);
    for key in [0, 2, 5].into_iter().flat_map(|lod| keys(&LAYOUT, lod)) {
        let (vertices, triangles) = chunk(&query, key);
        for corners in triangles {
            let corners = corners.map(|i| vertices[i]);
            let [a, b, c] = corners.map(|([x, z], y)| {
                let [ox, oz] = corners[0].0;
                DVec3::new(x - ox, y.into(), z - oz)
            });
            let face = (b - a).cross(c - a).normalize();
            for weights in
                [[0.4, 0.35, 0.25], [0.05, 0.05, 0.9], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1]]
            {
                let mean = |of: [f64; 3]| -> f64 { (0..3).map(|k| weights[k] * of[k]).sum() };
                let position = [0, 1].map(|axis| mean(corners.map(|corner| corner.0[axis])));
                let height = mean(corners.map(|corner| corner.1.into()));
                let found = query.surface_at_level(key.lod, position).unwrap();
                // At 1e12 a position is rounded to 1e-4 m.
                let rounding = 1e-5 + 4e-16 * position[0].abs().max(position[1].abs());
                assert!((f64::from(found.value) - height).abs() < rounding, "{key:?} {position:?}");
                assert!((normal(found).as_dvec3() - face).length() < 1e-6, "{key:?} {position:?}");
            }
        }
    }
}

proptest! {
    /// The surface is continuous across the diagonals and the borders of cells.
    #[test]
    fn the_surface_is_continuous(
        x in -1000i64..1000, z in -1000i64..1000, along in 0.0..1.0f64, lod in 0u8..4,
        far in prop::sample::select(vec![0i64, 1 << 36]),
    ) {
        let query = query(LAYOUT);
        let spacing = LAYOUT.spacing(lod);
        let at = |u: f64, v: f64| {
            let corner = [x + far, z].map(|k| k as f64 * spacing);
            let position = [corner[0] + u * spacing, corner[1] + v * spacing];
            f64::from(query.surface_at_level(lod, position).unwrap().value)
        };
        let step = if far == 0 { 1e-7 } else { 1e-4 };
        for [u, v, across] in [[along, along, 1.0], [0.0, along, 1.0], [along, 0.0, 0.0]] {
            let (a, b) = (at(u - step * across, v + step), at(u + step * across, v - step));
            prop_assert!((a - b).abs() < 2e-5 + 10.0 * step * spacing, "{a} {b}");
            prop_assert!((at(u, v) - a).abs() < 2e-5 + 10.0 * step * spacing);
        }
    }
}
