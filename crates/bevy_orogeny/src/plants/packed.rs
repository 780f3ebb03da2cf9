//! What shaders read of plants, packed: the records of instances, of which a compute shader makes
//! what is drawn, and the vertices of models. Both have 16 bytes.

use bevy_asset::RenderAssetUsages;
use bevy_math::{Vec2, Vec3, Vec4};
use bevy_mesh::{
    Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat,
};
use half::f16;
use orogeny_models::ImpostorBounds;

/// Four words:
/// * its position in the box of its tile: x and height as 16 bits each, 0 to 1;
/// * z, and its rank, the same way;
/// * its size as a half-precision number; its turn and its shade as bytes, 0 to 1;
/// * its axis along x and z as signed bytes, -1 to 1; the number of its model.
pub type Record = [u32; 4];

/// The bytes of a record.
pub const BYTES: usize = size_of::<Record>();

/// What a record says of an instance.
pub struct Standing {
    /// x, height and z in the box of the tile.
    pub base: [f64; 3],
    pub rank: f32,
    /// Over that of its model.
    pub size: f32,
    pub turn: f32,
    /// Decides its shade, and the pattern of its surfaces.
    pub shade: f32,
    /// A unit vector that points upwards, so x and z suffice.
    pub axis: Vec3,
    /// The number of its model.
    pub model: u16,
}

impl Standing {
    pub fn record(&self) -> Record {
        let [x, y, z] = self.base.map(unorm);
        let rank = unorm(self.rank.into());
        let size = f16::from_f32(self.size).to_bits();
        // A whole turn is none.
        let turn = (self.turn * 256.0) as u32 as u8;
        let snorm = |x: f32| (x.clamp(-1.0, 1.0) * 127.0).round() as i8 as u8;
        let axis = u16::from_le_bytes([snorm(self.axis.x), snorm(self.axis.z)]);
        [
            pair(x, y),
            pair(z, rank),
            pair(size, u16::from_le_bytes([turn, byte(self.shade)])),
            pair(axis, self.model),
        ]
    }
}

/// The same record with another number of its model.
pub fn with_model([x, z, size, axis]: Record, model: u16) -> Record {
    [x, z, size, pair(axis as u16, model)]
}

/// The number of the model of a record.
pub fn model(record: Record) -> u16 {
    (record[3] >> 16) as u16
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn unorm(x: f64) -> u16 {
    (x.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

/// Where a vertex is relative to the foot of its instance, along x, y and z, over [`EXTENT`]; and
/// how far wind moves it.
pub const ATTRIBUTE_PLANT_POSITION: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Position", 0x0590_6e20, VertexFormat::Snorm16x4);

/// Two words: the texture coordinates as half-precision numbers; then four bytes with the
/// octahedral coordinates of the normal, the layer of the texture and the tone.
pub const ATTRIBUTE_PLANT_SURFACE: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Surface", 0x0590_6e21, VertexFormat::Uint32x2);

/// Of meshes with vertex colours: the square roots of the linear channels, and the opacity.
pub const ATTRIBUTE_PLANT_COLOUR: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Colour", 0x0590_6e22, VertexFormat::Unorm8x4);

/// The largest position along an axis, in metres, at size 1.
pub const EXTENT: f32 = 32.0;

/// A position in metres at size 1, and how far wind moves it, packed.
pub fn position([x, y, z]: [f32; 3], sway: f32) -> [i16; 4] {
    [x / EXTENT, y / EXTENT, z / EXTENT, sway]
        .map(|x| (x.clamp(-1.0, 1.0) * 32_767.0).round() as i16)
}

/// The rest of a vertex, packed.
pub fn surface(uv: [f32; 2], normal: Vec3, layer: u8, tone: f32) -> [u32; 2] {
    let [u, v] = uv.map(|x| f16::from_f32(x).to_bits());
    let [nx, ny] = octahedral(normal).to_array().map(|x| byte(0.5 * x + 0.5));
    let second = [nx, ny, layer, byte(tone)];
    [u32::from(u) | u32::from(v) << 16, u32::from_le_bytes(second)]
}

/// A mesh of packed vertices.
pub fn packed(positions: Vec<[i16; 4]>, surfaces: Vec<[u32; 2]>, indices: Indices) -> Mesh {
    let positions = VertexAttributeValues::Snorm16x4(positions);
    let surfaces = VertexAttributeValues::Uint32x2(surfaces);
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(ATTRIBUTE_PLANT_POSITION, positions)
        .with_inserted_attribute(ATTRIBUTE_PLANT_SURFACE, surfaces)
        .with_inserted_indices(indices)
}

/// A linear colour, packed so that dark ones have as many steps as bright ones.
pub fn packed_colour(colour: &Vec4) -> [u8; 4] {
    let [red, green, blue, alpha] = colour.to_array();
    [red.sqrt(), green.sqrt(), blue.sqrt(), alpha].map(byte)
}

/// A mesh of packed vertices with colours.
pub fn with_colours(mesh: Mesh, colours: Vec<[u8; 4]>) -> Mesh {
    mesh.with_inserted_attribute(ATTRIBUTE_PLANT_COLOUR, VertexAttributeValues::Unorm8x4(colours))
}

pub fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The octahedral coordinates of a direction, each -1 to 1: the whole sphere, unlike those of the
/// ground's normals. (Cigolle et al., "A survey of efficient representations for independent unit
/// vectors", 2014.)
fn octahedral(normal: Vec3) -> Vec2 {
    let sum = normal.x.abs() + normal.y.abs() + normal.z.abs();
    let p = Vec2::new(normal.x, normal.z) / sum.max(1e-6);
    if normal.y >= 0.0 {
        return p;
    }
    let sign = |x: f32| if x >= 0.0 { 1.0 } else { -1.0 };
    Vec2::new((1.0 - p.y.abs()) * sign(p.x), (1.0 - p.x.abs()) * sign(p.y))
}

/// The quad of an impostor whose pictures are the layers 2 `number` and 2 `number` + 1.
/// `plants.wgsl` reads positions as half the width along x and half the height along z, with the
/// signs of the corner, and the height of the centre along y. Wind moves the upper edge by `sway`.
pub(super) fn quad(bounds: ImpostorBounds, number: usize, sway: f32) -> Mesh {
    let ImpostorBounds { centre, width, height } = bounds;
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let positions = corners.map(|[x, y]: [f32; 2]| {
        position([width * x, centre, height * y], if y > 0.0 { sway } else { 0.0 })
    });
    let seen = surface([0.0; 2], Vec3::Y, 2 * number as u8, 1.0);
    packed(positions.to_vec(), vec![seen; 4], Indices::U16(vec![0, 1, 2, 0, 2, 3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shader finds the third coordinate of the axis from the other two.
    #[test]
    fn axes_are_read_back() {
        for lean in [0.0, 0.3, 1.5, 2.5_f32] {
            let axis = Vec3::new(lean * 0.6, 1.0, lean * -0.8).normalize();
            let base = [0.5; 3];
            let standing =
                Standing { base, rank: 0.0, size: 1.0, turn: 0.0, shade: 0.5, axis, model: 9 };
            let record = with_model(standing.record(), 65_535);
            assert_eq!([model(standing.record()), model(record)], [9, 65_535]);
            let [x, z, ..] = record[3].to_le_bytes();
            let [x, z] = [x, z].map(|byte| f32::from(byte as i8) / 127.0);
            let found = Vec3::new(x, (1.0 - x * x - z * z).max(0.0).sqrt(), z);
            assert!(found.distance(axis) < 0.02, "{found} instead of {axis}");
        }
    }

    /// As `plants.wgsl` does.
    fn unfolded(p: Vec2) -> Vec3 {
        let mut n = Vec3::new(p.x, 1.0 - p.x.abs() - p.y.abs(), p.y);
        let fold = (-n.y).max(0.0);
        n.x += if n.x >= 0.0 { -fold } else { fold };
        n.z += if n.z >= 0.0 { -fold } else { fold };
        n.normalize()
    }

    #[test]
    fn normals_of_the_whole_sphere_come_back() {
        for i in 0..2000 {
            // A spiral over the sphere.
            let y = 1.0 - (i as f32 + 0.5) / 1000.0;
            let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
            let normal = Vec3::new(cos, 0.0, sin) * (1.0 - y * y).sqrt() + Vec3::Y * y;
            let bytes = octahedral(normal).to_array().map(|x| byte(0.5 * x + 0.5));
            let back = unfolded(Vec2::from(bytes.map(|b| f32::from(b) / 127.5 - 1.0)));
            assert!(back.dot(normal) > 0.9995, "{normal}: {back}");
        }
    }
}
