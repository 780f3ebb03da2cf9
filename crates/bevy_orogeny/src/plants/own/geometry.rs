//! Reads the meshes of a game.

use bevy_math::{Affine3A, Mat3A, Vec2, Vec3};
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};

/// Triangles with what plants need of their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Geometry {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    /// The red channel of vertex colours; empty without colours.
    pub red: Vec<f32>,
    pub indices: Vec<u32>,
}

impl Geometry {
    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// The triangles of a mesh, at a place.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(mesh: &Mesh, place: &Affine3A) -> Result<Self, String> {
        if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
            let topology = mesh.primitive_topology();
            return Err(format!("has a mesh with the topology {topology:?}, not TriangleList"));
        }
        let gone = "has a mesh that is on the device alone: load it with the usage MAIN_WORLD";
        let get = |attribute| mesh.try_attribute_option(attribute).map_err(|_| gone.to_string());
        let Some(VertexAttributeValues::Float32x3(positions)) = get(Mesh::ATTRIBUTE_POSITION)?
        else {
            return Err("has a mesh without positions".into());
        };
        let count = positions.len();
        let indices: Vec<u32> = match mesh.try_indices_option().map_err(|_| gone.to_string())? {
            Some(Indices::U16(indices)) => indices.iter().copied().map(u32::from).collect(),
            Some(Indices::U32(indices)) => indices.clone(),
            None => (0..count as u32).collect(),
        };
        if indices.iter().any(|&index| index as usize >= count) {
            return Err(format!("has a mesh with an index beyond its {count} vertices"));
        }
        let at = |position: &[f32; 3]| place.transform_point3(Vec3::from(*position));
        let positions: Vec<Vec3> = positions.iter().map(at).collect();
        if !positions.iter().all(|position| position.is_finite()) {
            return Err("has a mesh with positions that are not finite".into());
        }
        let turned = normals_by(place.matrix3);
        let normals = match get(Mesh::ATTRIBUTE_NORMAL)? {
            Some(VertexAttributeValues::Float32x3(normals)) if normals.len() == count => {
                normals.iter().map(|&normal| turned(normal.into())).collect()
            }
            _ => Vec::new(),
        };
        let uvs = match get(Mesh::ATTRIBUTE_UV_0)? {
            Some(VertexAttributeValues::Float32x2(uvs)) if uvs.len() == count => {
                uvs.iter().map(|&uv| Vec2::from(uv)).collect()
            }
            _ => vec![Vec2::ZERO; count],
        };
        let red = match get(Mesh::ATTRIBUTE_COLOR)? {
            Some(VertexAttributeValues::Float32x4(colours)) => {
                colours.iter().map(|colour| colour[0]).collect()
            }
            Some(VertexAttributeValues::Unorm8x4(colours)) => {
                colours.iter().map(|colour| f32::from(colour[0]) / 255.0).collect()
            }
            Some(VertexAttributeValues::Unorm16x4(colours)) => {
                colours.iter().map(|colour| f32::from(colour[0]) / 65_535.0).collect()
            }
            _ => Vec::new(),
        };
        let red = if red.len() == count { red } else { Vec::new() };
        let mut geometry = Self { positions, normals, uvs, red, indices };
        geometry.indices.truncate(3 * geometry.triangles());
        if place.matrix3.determinant() < 0.0 {
            geometry.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
        }
        if geometry.normals.is_empty() {
            geometry.normals = geometry.smooth_normals();
        }
        Ok(geometry)
    }

    /// The normals of vertices, weighted by the areas of their triangles.
    fn smooth_normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for corners in self.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| self.positions[corners[k] as usize]);
            let normal = (b - a).cross(c - a);
            corners.iter().for_each(|&corner| normals[corner as usize] += normal);
        }
        normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
    }

    /// The same with some of the triangles, and without vertices that none of them has.
    pub fn with_indices(&self, indices: &[u32]) -> Self {
        let mut numbers = vec![u32::MAX; self.positions.len()];
        let mut kept = Self::default();
        for &index in indices {
            let from = index as usize;
            if numbers[from] == u32::MAX {
                numbers[from] = kept.positions.len() as u32;
                kept.positions.push(self.positions[from]);
                kept.normals.push(self.normals[from]);
                kept.uvs.push(self.uvs[from]);
                kept.red.extend(self.red.get(from));
            }
            kept.indices.push(numbers[from]);
        }
        kept
    }
}

/// Transforms normals as a matrix does positions.
fn normals_by(matrix: Mat3A) -> impl Fn(Vec3) -> Vec3 {
    let inverse = matrix.inverse().transpose();
    // A flat model has no inverse.
    let matrix = if inverse.is_finite() { inverse } else { matrix };
    move |normal| Vec3::from(matrix * bevy_math::Vec3A::from(normal)).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use bevy_asset::RenderAssetUsages;
    use bevy_math::Quat;

    use super::*;

    fn triangle() -> Mesh {
        let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    }

    #[test]
    fn what_is_missing_is_made_up_and_mirrored_triangles_face_outwards() {
        let plain = Geometry::read(&triangle(), &Affine3A::IDENTITY).unwrap();
        assert_eq!((plain.indices.as_slice(), plain.normals[0]), (&[0, 1, 2][..], Vec3::Z));
        let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let mirrored = Geometry::read(&triangle(), &mirror).unwrap();
        assert_eq!((mirrored.indices.as_slice(), mirrored.normals[0]), (&[0, 2, 1][..], Vec3::Z));
        let turn = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 3.0, 1.0),
            Quat::from_rotation_y(core::f32::consts::FRAC_PI_2),
            Vec3::Y,
        );
        let with_normals =
            triangle().with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 0.0, 1.0]; 3]);
        let turned = Geometry::read(&with_normals, &turn).unwrap();
        assert!(turned.normals[2].distance(Vec3::X) < 1e-6);
        assert!(turned.positions[2].distance(Vec3::new(0.0, 4.0, 0.0)) < 1e-6);
    }

    #[test]
    fn wrong_meshes_are_refused() {
        let read = |mesh: &Mesh| Geometry::read(mesh, &Affine3A::IDENTITY).map(|_| ());
        let lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default());
        assert!(read(&lines).unwrap_err().contains("LineList"));
        let empty = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
        assert!(read(&empty).unwrap_err().contains("without positions"));
        let beyond = triangle().with_inserted_indices(Indices::U16(vec![0, 1, 3]));
        assert!(read(&beyond).unwrap_err().contains("beyond its 3"));
        let mut nan = triangle();
        nan.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[f32::NAN; 3]; 3]);
        assert!(read(&nan).unwrap_err().contains("not finite"));
    }
}
