//! Reads the meshes of a game, and makes coarser levels of detail of them.
//!
//! What is solid is simplified by a port of meshoptimizer. Leaves are many small cards, of which
//! simplifying would leave nothing: some of them are taken away instead, and the others are
//! enlarged, so that the area stays the same. (Cook et al., "Stochastic simplification of aggregate
//! detail", 2007.)

use bevy_math::{Affine3A, Mat3A, Vec2, Vec3, Vec4};
use bevy_mesh::{
    Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, UvChannel, VertexAttributeValues,
};
use bevy_platform::collections::HashMap;
use meshopt_rs::simplify::{simplify, simplify_sloppy};

/// Triangles with what plants need of their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Geometry {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    /// Linear vertex colours; empty without colours.
    pub colours: Vec<Vec4>,
    pub indices: Vec<u32>,
}

impl Geometry {
    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// The triangles of a mesh, at a place, with texture coordinates of a channel.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(mesh: &Mesh, place: &Affine3A, channel: &UvChannel) -> Result<Self, String> {
        let topology = mesh.primitive_topology();
        let is_strip = topology == PrimitiveTopology::TriangleStrip;
        if topology != PrimitiveTopology::TriangleList && !is_strip {
            return Err(format!("has a mesh with the topology {topology:?}, not TriangleList"));
        }
        let gone = "has a mesh that is on the device alone: load it with the usage MAIN_WORLD";
        let get = |attribute| mesh.try_attribute_option(attribute).map_err(|_| gone.to_string());
        let Some(VertexAttributeValues::Float32x3(positions)) = get(Mesh::ATTRIBUTE_POSITION)?
        else {
            return Err("has a mesh without positions".into());
        };
        let count = positions.len();
        let restart = |index: u16| if index == u16::MAX { u32::MAX } else { index.into() };
        let indices: Vec<u32> = match mesh.try_indices_option().map_err(|_| gone.to_string())? {
            Some(Indices::U16(all)) if is_strip => all.iter().copied().map(restart).collect(),
            Some(Indices::U16(all)) => all.iter().copied().map(u32::from).collect(),
            Some(Indices::U32(all)) => all.clone(),
            None => (0..count as u32).collect(),
        };
        let indices = if is_strip { triangles_of_strips(&indices) } else { indices };
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
        let uvs = |attribute: MeshVertexAttribute| match get(attribute)? {
            Some(VertexAttributeValues::Float32x2(uvs)) if uvs.len() == count => {
                let finite = |uv: &[f32; 2]| Some(Vec2::from(*uv)).filter(|uv| uv.is_finite());
                Ok(Some(uvs.iter().map(|uv| finite(uv).unwrap_or_default()).collect()))
            }
            _ => Ok::<_, String>(None),
        };
        let first = || uvs(Mesh::ATTRIBUTE_UV_0);
        let uvs = match channel {
            UvChannel::Uv0 => first()?,
            // Without those, Bevy takes the first ones, too.
            UvChannel::Uv1 => match uvs(Mesh::ATTRIBUTE_UV_1)? {
                None => first()?,
                second => second,
            },
        };
        let uvs = uvs.unwrap_or_else(|| vec![Vec2::ZERO; count]);
        let colours: Vec<Vec4> = match get(Mesh::ATTRIBUTE_COLOR)? {
            Some(VertexAttributeValues::Float32x4(all)) => {
                all.iter().copied().map(colour).collect()
            }
            Some(VertexAttributeValues::Unorm8x4(all)) => {
                all.iter().map(|all| colour(all.map(|x| f32::from(x) / 255.0))).collect()
            }
            Some(VertexAttributeValues::Unorm16x4(all)) => {
                all.iter().map(|all| colour(all.map(|x| f32::from(x) / 65_535.0))).collect()
            }
            _ => Vec::new(),
        };
        let colours = if colours.len() == count { colours } else { Vec::new() };
        let mut geometry = Self { positions, normals, uvs, colours, indices };
        geometry.indices.truncate(3 * geometry.triangles());
        if place.matrix3.determinant() < 0.0 {
            geometry.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
        }
        if geometry.normals.is_empty() {
            geometry.normals = geometry.smooth_normals();
        }
        Ok(geometry)
    }

    /// Whether some triangle is more than a line.
    pub fn has_area(&self) -> bool {
        self.indices.chunks_exact(3).any(|corners| {
            let [a, b, c] = [0, 1, 2].map(|k| self.positions[corners[k] as usize]);
            (b - a).cross(c - a).length_squared() > 0.0
        })
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
                kept.colours.extend(self.colours.get(from));
            }
            kept.indices.push(numbers[from]);
        }
        kept
    }
}

/// How many triangles a mesh has, without reading it.
pub(super) fn triangles_of(mesh: &Mesh) -> usize {
    let indices = mesh.try_indices_option().ok().flatten().map(Indices::len);
    let corners = indices.unwrap_or_else(|| {
        let positions = mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION);
        positions.ok().flatten().map_or(0, VertexAttributeValues::len)
    });
    match mesh.primitive_topology() {
        PrimitiveTopology::TriangleStrip => corners.saturating_sub(2),
        _ => corners / 3,
    }
}

/// The triangles of strips, which end where an index has all its bits set.
fn triangles_of_strips(indices: &[u32]) -> Vec<u32> {
    let strips = indices.split(|&index| index == u32::MAX);
    strips
        .flat_map(|strip| strip.windows(3).enumerate())
        // Every other one is turned around.
        .flat_map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
        .collect()
}

/// A colour without what is not finite, or below 0.
fn colour(channels: [f32; 4]) -> Vec4 {
    channels.map(|x| if x.is_finite() { x.max(0.0) } else { 1.0 }).into()
}

/// Transforms normals as a matrix does positions.
fn normals_by(matrix: Mat3A) -> impl Fn(Vec3) -> Vec3 {
    let inverse = matrix.inverse().transpose();
    // A flat model has no inverse.
    let matrix = if inverse.is_finite() { inverse } else { matrix };
    move |normal| Vec3::from(matrix * bevy_math::Vec3A::from(normal)).normalize_or(Vec3::Y)
}

/// By how much cards are enlarged at most.
const MOST_ENLARGED: f32 = 3.0;
/// Leaves that hang together in fewer pieces than this are not cards.
const FEWEST_CARDS: usize = 8;
/// How far vertices of what is solid may move, over the size of the mesh.
const ERROR: f32 = 0.1;

/// About `target` triangles of what is solid, at least one of those that there are.
pub(super) fn solid(geometry: &Geometry, target: usize) -> Geometry {
    let positions: Vec<[f32; 3]> = geometry.positions.iter().map(Vec3::to_array).collect();
    let (indices, count) = (&geometry.indices, 3 * target.max(1));
    if count >= indices.len() {
        return geometry.clone();
    }
    let mut kept = vec![0; indices.len()];
    let mut length = simplify(&mut kept, indices, &positions, count, ERROR);
    // Seams of texture coordinates may keep all of it.
    if length > 2 * count {
        length = simplify_sloppy(&mut kept, indices, &positions, count);
    }
    kept.truncate(length);
    if kept.is_empty() {
        kept = indices.iter().copied().take(3).collect();
    }
    geometry.with_indices(&kept)
}

/// About `target` triangles of leaves.
pub(super) fn leaves(geometry: &Geometry, target: usize) -> Geometry {
    let cards = cards(geometry);
    if cards.len() < FEWEST_CARDS {
        return solid(geometry, target);
    }
    let part = (target as f32 / geometry.triangles() as f32).clamp(0.0, 1.0);
    let count = ((part * cards.len() as f32).ceil() as usize).clamp(1, cards.len());
    // Evenly among all, by a number that has nothing to do with their order.
    let mut order: Vec<usize> = (0..cards.len()).collect();
    order.sort_by_key(|&card| (card as u32).wrapping_mul(0x9E37_79B1));
    let larger = (cards.len() as f32 / count as f32).sqrt().min(MOST_ENLARGED);
    let mut kept = Geometry::default();
    for &card in &order[..count] {
        let mut card = geometry.with_indices(&cards[card]);
        let middle = card.positions.iter().sum::<Vec3>() / card.positions.len() as f32;
        for position in &mut card.positions {
            *position = middle + larger * (*position - middle);
        }
        kept.append(card);
    }
    kept
}

impl Geometry {
    /// Adds the triangles of another one.
    pub fn append(&mut self, other: Self) {
        let first = self.positions.len() as u32;
        self.indices.extend(other.indices.iter().map(|index| first + index));
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.uvs.extend(other.uvs);
        self.colours.extend(other.colours);
    }
}

/// The indices of triangles that hang together, card by card.
fn cards(geometry: &Geometry) -> Vec<Vec<u32>> {
    // Vertices at one place are one, whatever else differs.
    let mut places: HashMap<[u32; 3], u32> = HashMap::default();
    let mut parents: Vec<u32> = (0..geometry.positions.len() as u32).collect();
    let at = |position: &Vec3| position.to_array().map(f32::to_bits);
    for (number, position) in (0..).zip(&geometry.positions) {
        parents[number as usize] = *places.entry(at(position)).or_insert(number);
    }
    for corners in geometry.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| root(&mut parents, corners[k]));
        let first = a.min(b).min(c);
        [a, b, c].into_iter().for_each(|root| parents[root as usize] = first);
    }
    let mut numbers: HashMap<u32, usize> = HashMap::default();
    let mut cards: Vec<Vec<u32>> = Vec::new();
    for corners in geometry.indices.chunks_exact(3) {
        let root = root(&mut parents, corners[0]);
        let card = *numbers.entry(root).or_insert_with(|| {
            cards.push(Vec::new());
            cards.len() - 1
        });
        cards[card].extend(corners);
    }
    cards
}

/// The first vertex of all that hang together with one.
fn root(parents: &mut [u32], mut vertex: u32) -> u32 {
    while parents[vertex as usize] != vertex {
        let parent = parents[vertex as usize];
        parents[vertex as usize] = parents[parent as usize];
        vertex = parent;
    }
    vertex
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

    fn read(mesh: &Mesh) -> Result<Geometry, String> {
        Geometry::read(mesh, &Affine3A::IDENTITY, &UvChannel::Uv0)
    }

    #[test]
    fn what_is_missing_is_made_up_and_mirrored_triangles_face_outwards() {
        let plain = read(&triangle()).unwrap();
        assert_eq!((plain.indices.as_slice(), plain.normals[0]), (&[0, 1, 2][..], Vec3::Z));
        let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let mirrored = Geometry::read(&triangle(), &mirror, &UvChannel::Uv0).unwrap();
        assert_eq!((mirrored.indices.as_slice(), mirrored.normals[0]), (&[0, 2, 1][..], Vec3::Z));
        let turn = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 3.0, 1.0),
            Quat::from_rotation_y(core::f32::consts::FRAC_PI_2),
            Vec3::Y,
        );
        let with_normals =
            triangle().with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 0.0, 1.0]; 3]);
        let turned = Geometry::read(&with_normals, &turn, &UvChannel::Uv0).unwrap();
        assert!(turned.normals[2].distance(Vec3::X) < 1e-6);
        assert!(turned.positions[2].distance(Vec3::new(0.0, 4.0, 0.0)) < 1e-6);
    }

    #[test]
    fn wrong_meshes_are_refused() {
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

    /// Bevy draws them as `TriangleList` of the same winding.
    #[test]
    fn strips_are_triangles() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let corners = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
        let strip = Mesh::new(PrimitiveTopology::TriangleStrip, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
        let expected = [0, 1, 2, 2, 1, 3];
        let plain = read(&strip).unwrap();
        assert_eq!((plain.indices.as_slice(), plain.normals[3]), (&expected[..], Vec3::Z));
        let indices = Indices::U16(vec![0, 1, 2, 3, u16::MAX, 3, 2, u16::MAX, 0, 1, 2]);
        let several = read(&strip.with_inserted_indices(indices)).unwrap();
        assert_eq!(several.indices, [&expected[..], &[0, 1, 2]].concat());
    }

    #[test]
    fn coordinates_are_those_of_the_channel_and_colours_are_linear() {
        let mesh = triangle()
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.25, f32::NAN]; 3])
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, vec![[0.5, -1.0, f32::NAN, 2.0]; 3]);
        let of = |mesh: &Mesh, channel| Geometry::read(mesh, &Affine3A::IDENTITY, &channel);
        let first = of(&mesh, UvChannel::Uv1).unwrap();
        assert_eq!((first.uvs[1], first.colours[1]), (Vec2::ZERO, Vec4::new(0.5, 0.0, 1.0, 2.0)));
        let mesh = mesh.with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, vec![[0.5, 0.75]; 3]);
        assert_eq!(of(&mesh, UvChannel::Uv1).unwrap().uvs[2], Vec2::new(0.5, 0.75));
        assert_eq!(of(&mesh, UvChannel::Uv0).unwrap().uvs[2], Vec2::ZERO);
        assert!(read(&triangle()).unwrap().colours.is_empty());
    }

    /// A grid of squares of a size, each a card.
    fn crown(count: u32, size: f32) -> Geometry {
        let mut all = Geometry::default();
        for k in 0..count {
            let middle = Vec3::new((k % 10) as f32, (k / 10) as f32, 0.0);
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vec2::from);
            all.append(Geometry {
                positions: corners.map(|c| middle + 0.5 * size * c.extend(0.0)).to_vec(),
                normals: vec![Vec3::Z; 4],
                uvs: corners.to_vec(),
                colours: vec![Vec4::splat(0.5); 4],
                indices: vec![0, 1, 2, 0, 2, 3],
            });
        }
        all
    }

    fn area(geometry: &Geometry) -> f32 {
        let triangles = geometry.indices.chunks_exact(3);
        let areas = triangles.map(|corners| {
            let [a, b, c] = [0, 1, 2].map(|k| geometry.positions[corners[k] as usize]);
            0.5 * (b - a).cross(c - a).length()
        });
        areas.sum()
    }

    #[test]
    fn fewer_cards_have_the_same_area() {
        let crown = crown(100, 0.4);
        assert_eq!(cards(&crown).len(), 100);
        for target in [100, 40, 24] {
            let fewer = leaves(&crown, target);
            assert!(fewer.triangles() <= target && fewer.triangles() + 2 > target);
            assert!((area(&fewer) / area(&crown) - 1.0).abs() < 0.03, "{target}");
            assert_eq!(fewer.colours.len(), fewer.positions.len());
        }
    }

    #[test]
    fn what_is_solid_keeps_its_shape() {
        // A column of many rings.
        let mut column = Geometry::default();
        let (rings, sides) = (40u32, 24u32);
        for ring in 0..rings {
            for side in 0..sides {
                let (sin, cos) = (side as f32 / sides as f32 * core::f32::consts::TAU).sin_cos();
                column.positions.push(Vec3::new(cos, 0.2 * ring as f32, sin));
                column.normals.push(Vec3::new(cos, 0.0, sin));
                column.uvs.push(Vec2::ZERO);
                let next = (side + 1) % sides;
                if ring > 0 {
                    let [a, b] = [side, next].map(|side| (ring - 1) * sides + side);
                    column.indices.extend([a, a + sides, b, b, a + sides, b + sides]);
                }
            }
        }
        let fewer = solid(&column, 200);
        assert!((100..=400).contains(&fewer.triangles()), "{}", fewer.triangles());
        let top = fewer.positions.iter().map(|position| position.y).fold(0.0, f32::max);
        assert!((top - 7.8).abs() < 0.1, "{top}");
        assert!((area(&fewer) / area(&column) - 1.0).abs() < 0.15);
        assert!(solid(&column, 0).triangles() >= 1);
    }
}
