//! Makes coarser levels of detail of the meshes of a game.
//!
//! What is solid is simplified by a port of meshoptimizer. Leaves are many small cards, of which
//! simplifying would leave nothing: some of them are taken away instead, and the others are
//! enlarged, so that the area stays the same. (Cook et al., "Stochastic simplification of aggregate
//! detail", 2007.)

use bevy_math::Vec3;
use bevy_platform::collections::HashMap;
use meshopt_rs::simplify::{simplify, simplify_sloppy};

use super::geometry::Geometry;

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
    use bevy_math::{Vec2, Vec4};

    use super::*;

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
