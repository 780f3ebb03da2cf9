//! A tile's collider has exactly the triangles of the mesh.

use bevy::mesh::{Indices, VertexAttributeValues};
use bevy::prelude::*;
use bevy_orogeny::advanced::{ChunkBuilder, ChunkKey, Layout, Seams, Tile};
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::{GroundQuery, Terrain};
use proptest::prelude::*;

use crate::support::{Engine, Triangle, collider_triangles, recipe, with_each_engine};

/// The triangles of chunk meshes that lie on a tile, relative to the tile's corner.
fn mesh_triangles(terrain: &Terrain, tile: ChunkKey) -> Vec<Triangle> {
    let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
    let tiles = Layout { cells: Tile::CELLS, ..layout };
    let corner = tiles.origin(tile);
    let ground = GroundQuery::of(terrain).unwrap().landscape().clone();
    let builder = ChunkBuilder::new(ground, layout, Seams::Morph, true);
    let chunks_a_tile = i64::from(Tile::CELLS / terrain.cells.min(Tile::CELLS));
    let first = layout.key_at(0, corner);
    let mut found = Vec::new();
    for (x, z) in (0..chunks_a_tile).flat_map(|z| (0..chunks_a_tile).map(move |x| (x, z))) {
        let key = ChunkKey { lod: 0, x: first.x + x, z: first.z + z };
        let mesh = builder.build(key).unwrap().mesh;
        let Some(VertexAttributeValues::Float32x3(positions)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("no positions");
        };
        let Some(Indices::U16(indices)) = mesh.indices() else { panic!("no indices") };
        let off = [0, 1].map(|k| (layout.origin(key)[k] - corner[k]) as f32);
        let width = tiles.size(0) as f32;
        found.extend(indices.chunks_exact(3).filter_map(|corners| {
            let triangle = [0, 1, 2].map(|k| {
                let [x, y, z] = positions[usize::from(corners[k])];
                [x + off[0], y, z + off[1]]
            });
            let inside =
                |[x, _, z]: &[f32; 3]| (0.0..=width).contains(x) && (0.0..=width).contains(z);
            triangle.iter().all(inside).then_some(triangle)
        }));
    }
    found
}

/// The triangles as bits, sorted. Each starts at its smallest corner and keeps its winding.
fn sorted(triangles: Vec<Triangle>) -> Vec<[[u32; 3]; 3]> {
    let canonical = |triangle: Triangle| {
        // Adding 0 turns -0 into 0.
        let bits = triangle.map(|p| p.map(|x| (x + 0.0).to_bits()));
        let least = (0..3).min_by_key(|&k| bits[k]).unwrap();
        [0, 1, 2].map(|k| bits[(least + k) % 3])
    };
    let mut triangles: Vec<_> = triangles.into_iter().map(canonical).collect();
    triangles.sort_unstable();
    triangles
}

/// The number of triangles of a tile without holes.
const ALL: usize = 2 * 8 * 8;

fn check<E: Engine>(terrain: &Terrain, key: ChunkKey, count: usize) {
    let ground = GroundQuery::of(terrain).unwrap();
    let collider = sorted(collider_triangles::<E>(&Tile::build(&ground, key)));
    assert_eq!(collider.len(), count);
    assert_eq!(collider, sorted(mesh_triangles(terrain, key)), "{key:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Near the origin and out to 2^40 m, with chunks of all sizes.
    #[test]
    fn colliders_are_the_mesh(
        seed: u64,
        near in [-2000i64..2000, -2000i64..2000],
        far in prop::sample::select(vec![0i64, 1 << 20, -(1 << 35)]),
        cells in 3u32..=7,
        spacing in -4i32..=4,
    ) {
        let terrain = Terrain {
            cells: 1 << cells,
            spacing: f64::from(spacing).exp2(),
            ..Terrain::recipe(recipe(seed))
        };
        let key = ChunkKey { lod: 0, x: near[0] + far, z: near[1] - far };
        with_each_engine!(E => check::<E>(&terrain, key, ALL));
    }
}

/// A field with NaN, with an infinite slope, and with heights of `f32::MAX` and minus infinity.
struct Broken;

impl Field<2> for Broken {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        match (x as i64, z as i64) {
            (3, 5) => Sample { value: f32::NAN, gradient: [f32::NAN; 2] },
            (6, 2) => Sample { value: 4.0, gradient: [f32::INFINITY, 0.0] },
            (7, 7) => Sample { value: f32::MAX, gradient: [0.0; 2] },
            (1, 1) => Sample { value: f32::NEG_INFINITY, gradient: [0.0; 2] },
            _ => Sample { value: 1.0, gradient: [0.0; 2] },
        }
    }
}

#[test]
fn broken_fields_have_colliders_too() {
    let key = ChunkKey { lod: 0, x: 0, z: 0 };
    // Two vertices are holes, with six triangles each.
    with_each_engine!(E => check::<E>(&Terrain::field(Broken), key, ALL - 12));
}
