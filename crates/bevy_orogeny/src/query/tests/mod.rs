//! Queries compared with the meshes, rays compared with every triangle, and errors.

mod batches;
mod errors;
mod rays;
mod surface;

use std::sync::Arc;

use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::ray::Ray;
use orogeny::{Fractal, GradientNoise, Recipe};

use super::GroundQuery;
use crate::chunk::height_field::HeightField;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;

const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };

fn field() -> Arc<dyn HeightField> {
    let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
    let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm };
    Arc::new(Recipe::new(4, 1.0, field).build().unwrap())
}

fn query(layout: Layout) -> GroundQuery {
    GroundQuery::new(field(), layout).unwrap()
}

/// The vertices of a chunk without its skirt, in metres from the terrain's origin, and the corners
/// of its triangles.
fn chunk(query: &GroundQuery, key: ChunkKey) -> (Vec<([f64; 2], f32)>, Vec<[usize; 3]>) {
    let (ground, layout) = (query.landscape().clone(), query.layout());
    let mesh = ChunkBuilder::new(ground, *layout, Seams::Open, true).build(key).unwrap().mesh;
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        panic!("positions")
    };
    let (origin, cells) = (layout.origin(key), layout.cells as usize);
    let vertices = positions[..(cells + 1) * (cells + 1)].iter();
    let position =
        |&[x, y, z]: &[f32; 3]| ([origin[0] + f64::from(x), origin[1] + f64::from(z)], y);
    let corners: Vec<usize> = mesh.indices().unwrap().iter().take(6 * cells * cells).collect();
    (vertices.map(position).collect(), corners.chunks(3).map(|c| [c[0], c[1], c[2]]).collect())
}

fn rays(query: &GroundQuery, home: f64) -> impl Iterator<Item = Ray> + use<> {
    let heights = query.clone();
    (0..60u32).map(move |i| {
        let i = f64::from(i);
        let [x, z] = [home + 37.7 * i, 11.3 * i - home];
        let ground = f64::from(heights.surface([x, z]).unwrap().value);
        let heading = 2.4 * i;
        let pitch = -0.5 + (0.17 * i) % 0.7;
        Ray {
            origin: [x, ground + 0.01 + (1.7 * i) % 20.0, z],
            direction: [heading.cos(), pitch, heading.sin()],
            max_distance: 60.0,
        }
    })
}
