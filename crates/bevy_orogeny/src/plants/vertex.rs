//! The vertices of models: 16 bytes each.

use bevy_asset::RenderAssetUsages;
use bevy_math::{Vec2, Vec3, Vec4};
use bevy_mesh::{
    Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat,
};
use half::f16;

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

#[cfg(test)]
mod tests {
    use super::*;

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
