//! The surfaces of rivers and lakes on a chunk: ribbons along their middle lines.
//!
//! A ribbon is as wide as the water. Its edges lie at the height of the water in the bank, so the
//! ground hides them. A part of a river belongs to the chunk in which it begins, and shares its
//! ends with the next, so ribbons that both chunks draw meet exactly, whatever their levels. At
//! steep falls the next part may begin lower.

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use orogeny::drainage::{Drained, RiverPart};

use crate::chunk::key::{ChunkKey, Layout};

/// The narrowest rivers that are drawn: in metres, and over the spacing of the chunk's vertices.
/// Narrower ones cannot be seen at the distances at which a level is drawn.
const NARROWEST: [f64; 2] = [0.5, 0.25];

/// The ribbons of a chunk.
#[derive(Debug)]
pub struct Ribbons {
    /// Positions in metres, x and z from the chunk's origin and the height from the terrain's; the
    /// normals of the surface at rest; texture coordinates: across the river, -1 at one edge and 1
    /// at the other, and the depth in the middle in metres; second texture coordinates: the mean
    /// velocity along x and z in m/s.
    pub mesh: Mesh,
    /// The box around all vertices.
    pub aabb: Aabb,
}

/// Vertices and triangles, while they are made.
#[derive(Default)]
struct Strips {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    sections: Vec<[f32; 2]>,
    flows: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Strips {
    /// Adds a part, for a chunk with this origin.
    fn add(&mut self, part: &RiverPart, origin: [f64; 2]) {
        let first = self.positions.len() as u32;
        let [start, end] = part.ends;
        let [x, z] = [0, 1].map(|k| end[k] - start[k]);
        let length = (x * x + z * z).sqrt().max(1e-3);
        let [x, z] = [x / length, z / length];
        let slope = ((part.surface[0] - part.surface[1]) / length) as f32;
        let normal = Vec3::new(slope * x as f32, 1.0, slope * z as f32).normalize();
        for k in 0..2 {
            let [dx, dz] = part.directions[k];
            for side in [-1.0, 1.0] {
                let aside = 0.5 * side * part.width[k];
                let place = [part.ends[k][0] - aside * dz, part.ends[k][1] + aside * dx];
                let [px, pz] = [0, 1].map(|k| (place[k] - origin[k]) as f32);
                self.positions.push([px, part.surface[k] as f32, pz]);
                self.normals.push(normal.into());
                self.sections.push([side as f32, part.depth as f32]);
                self.flows.push([dx, dz].map(|d| (part.speed * d) as f32));
            }
        }
        self.indices.extend([0, 1, 2, 2, 1, 3].map(|i| first + i));
    }
}

/// The ribbons of the rivers that begin in a chunk; `None` without any.
pub(super) fn ribbons(
    rivers: &Drained,
    layout: &Layout,
    key: ChunkKey,
    usages: RenderAssetUsages,
) -> Option<Ribbons> {
    let origin = layout.origin(key);
    let [least, part] = NARROWEST;
    let narrowest = least.max(part * layout.spacing(key.lod));
    if narrowest > rivers.widest() {
        return None;
    }
    let sea = rivers.sea_level().unwrap_or(f64::NEG_INFINITY);
    let mut strips = Strips::default();
    for part in rivers.rivers(origin, origin.map(|x| x + layout.size(key.lod))) {
        if part.width[0].max(part.width[1]) >= narrowest && part.surface[0] > sea {
            strips.add(&part, origin);
        }
    }
    if strips.indices.is_empty() {
        return None;
    }
    let points = strips.positions.iter().map(|&p| Vec3::from(p));
    let aabb = Aabb::enclosing(points)?;
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, usages)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, strips.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, strips.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, strips.sections)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, strips.flows)
        .with_inserted_indices(Indices::U32(strips.indices));
    Some(Ribbons { mesh, aabb })
}
