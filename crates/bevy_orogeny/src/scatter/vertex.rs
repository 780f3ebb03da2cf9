//! The vertices of tiles: 24 bytes each.

use bevy_math::{Vec2, Vec3};
use bevy_mesh::{MeshVertexAttribute, VertexFormat};
use orogeny_models::Vertex;

/// Where the instance of a vertex stands: x, height and z in the box of its tile, and its rank.
pub const ATTRIBUTE_PLANT_BASE: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Base", 0x0590_6e1f, VertexFormat::Unorm16x4);

/// How far a vertex is from there along x, y and z, over [`OFFSET`]; and how far wind moves it.
pub const ATTRIBUTE_PLANT_OFFSET: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Offset", 0x0590_6e20, VertexFormat::Snorm16x4);

/// Two words of four bytes: the texture coordinates, the surface and the tone; the octahedral
/// coordinates of the normal, and the variant of the instance.
pub const ATTRIBUTE_PLANT_SURFACE: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Surface", 0x0590_6e21, VertexFormat::Uint32x2);

/// The largest offset in metres along an axis.
pub const OFFSET: f32 = 64.0;

/// The vertices of a tile.
#[derive(Default)]
pub struct Vertices {
    pub bases: Vec<[u16; 4]>,
    pub offsets: Vec<[i16; 4]>,
    pub surfaces: Vec<[u32; 2]>,
}

impl Vertices {
    /// Adds a vertex of an instance with a base and a variant, moved to an offset from it.
    pub fn push(&mut self, base: [u16; 4], vertex: &Vertex, offset: Vec3, normal: Vec3, tint: u8) {
        self.bases.push(base);
        let [x, y, z] = (offset / OFFSET).to_array();
        self.offsets.push([x, y, z, vertex.sway].map(snorm));
        let [u, v] = vertex.uv.map(byte);
        let [nx, ny] = octahedral(normal).to_array().map(|x| byte(0.5 * x + 0.5));
        let surface = [u, v, vertex.surface as u8, byte(vertex.tone)];
        self.surfaces.push([surface, [nx, ny, tint, 0]].map(u32::from_le_bytes));
    }
}

fn snorm(x: f32) -> i16 {
    (x.clamp(-1.0, 1.0) * 32_767.0).round() as i16
}

pub fn unorm(x: f64) -> u16 {
    (x.clamp(0.0, 1.0) * 65_535.0).round() as u16
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

    /// As `foliage.wgsl` does.
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
