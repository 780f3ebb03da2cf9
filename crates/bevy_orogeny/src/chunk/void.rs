//! What is seen in the holes that edits have cut into the ground: nothing, in the dark.
//!
//! A hole is closed by walls and a floor below the ground around it. They are drawn only where
//! nothing else is, so a game's cave in the hole is seen, but not the sky below the horizon. The
//! walls stand one cell beyond the hole, under the ground: at its edge they would leave gaps, since
//! the ground there morphs.

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use orogeny::{Field, Grid, Samples};

use crate::chunk::height_field::is_ground;

/// How far the floor is below the ground, in metres.
const DEPTH: f32 = 50.0;

/// Walls and a floor below the holes of a chunk.
#[derive(Debug)]
pub struct VoidSurface {
    /// Positions in metres, x and z from the chunk's origin and the height from the terrain's.
    /// Front faces are those that are seen from within the hole. The renderer alone has the data.
    pub mesh: Mesh,
    /// The box around all vertices.
    pub aabb: Aabb,
}

/// Cells of the grid of a chunk and of one row more on each side.
struct Cells {
    /// Along each side.
    count: usize,
    /// Whether each has a corner in a hole.
    holes: Vec<bool>,
    /// Whether each is in the void: beside a hole of the chunk, with ground at all corners.
    void: Vec<bool>,
}

impl Cells {
    /// The value of a cell in a list; `None` outside of the grid.
    fn get(&self, list: &[bool], [x, z]: [isize; 2]) -> Option<bool> {
        let range = 0..self.count as isize;
        let is_in = range.contains(&x) && range.contains(&z);
        is_in.then(|| list[z as usize * self.count + x as usize])
    }

    fn new(side: usize, ground: &[f32], edited: &[f32]) -> Option<Self> {
        let count = side - 1;
        let all = (0..count).flat_map(|z| (0..count).map(move |x| [x, z]));
        let corners = |[x, z]: [usize; 2]| {
            let first = z * side + x;
            [first, first + 1, first + side, first + side + 1]
        };
        let is_hole = |i: usize| is_ground(ground[i]) && !is_ground(edited[i]);
        let holes = all.clone().map(|cell| corners(cell).into_iter().any(is_hole)).collect();
        let mut cells = Self { count, holes, void: Vec::new() };
        // The cells of the neighbours belong to them.
        let is_own = |[x, z]: [isize; 2]| {
            let own = 1..count as isize - 1;
            own.contains(&x) && own.contains(&z) && cells.get(&cells.holes, [x, z]) == Some(true)
        };
        let is_beside_own = |[x, z]: [usize; 2]| {
            let near = || -1..=1;
            near().any(|i| near().any(|j| is_own([x as isize + i, z as isize + j])))
        };
        let has_ground = |cell| corners(cell).into_iter().all(|i| is_ground(ground[i]));
        let void: Vec<bool> = all.map(|cell| is_beside_own(cell) && has_ground(cell)).collect();
        cells.void = void;
        cells.void.contains(&true).then_some(cells)
    }

    /// Whether there is a wall between a cell of the void and another one.
    fn has_wall(&self, own: [isize; 2], other: [isize; 2]) -> bool {
        match (self.get(&self.void, other), self.get(&self.holes, other)) {
            (Some(is_void), Some(is_hole)) => !is_void && !is_hole,
            // Beyond the grid. A hole goes on in the void of a neighbour.
            _ => self.get(&self.holes, own) == Some(false),
        }
    }
}

/// The void in the holes of a chunk with this grid: where there is `ground`, but not after all
/// edits.
pub(super) fn surface(
    ground: &(impl Field<2> + ?Sized),
    edited: &(impl Field<2> + ?Sized),
    grid: &Grid<2>,
) -> Option<VoidSurface> {
    let [step, side] = [grid.spacing[0], grid.size[0] as f64 + 2.0];
    let origin = grid.origin.map(|x| x - step);
    let outer = Grid::new(origin, step, [side as usize; 2]);
    let [mut whole, mut left] = [Samples::values_only(), Samples::values_only()];
    ground.sample_grid(&outer, &mut whole);
    edited.sample_grid(&outer, &mut left);
    let (side, heights) = (side as usize, whole.values());
    let cells = Cells::new(side, heights, left.values())?;

    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut quad = |corners: [([usize; 2], f32); 4]| {
        positions.extend(corners.map(|([x, z], down)| {
            let along = |k: usize| ((k as f64 - 1.0) * step) as f32;
            [along(x), heights[z * side + x] - down, along(z)]
        }));
    };
    for (z, x) in (0..cells.count).flat_map(|z| (0..cells.count).map(move |x| (z, x))) {
        let own = [x as isize, z as isize];
        if cells.get(&cells.void, own) != Some(true) {
            continue;
        }
        let [a, b, c, d] = [[x, z], [x, z + 1], [x + 1, z + 1], [x + 1, z]];
        quad([a, b, c, d].map(|corner| (corner, DEPTH)));
        // Seen from above, the cell is to the left of each of its sides.
        for (from, to, beside) in [(a, b, [-1, 0]), (b, c, [0, 1]), (c, d, [1, 0]), (d, a, [0, -1])]
        {
            if cells.has_wall(own, [own[0] + beside[0], own[1] + beside[1]]) {
                quad([(from, DEPTH), (from, 0.0), (to, 0.0), (to, DEPTH)]);
            }
        }
    }
    let quads = positions.len() as u32 / 4;
    let indices = (0..quads).flat_map(|i| [0, 1, 2, 0, 2, 3].map(|k| 4 * i + k)).collect();
    let aabb = Aabb::enclosing(positions.iter().map(|&p| Vec3::from(p)))?;
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices));
    Some(VoidSurface { mesh, aabb })
}

#[cfg(test)]
mod tests {
    use orogeny::edits::{Area, Disc, EditLog, EditedField, Hole};
    use orogeny::{Node, Sample};

    use super::*;

    fn flat() -> impl Field<2> + Clone {
        Node::Constant(7.0).build().unwrap()
    }

    fn hole(center: [f64; 2], radius: f64) -> EditLog {
        let mut log = EditLog::new();
        let area = Area::Disc(Disc { center, radius, falloff: 1.0 });
        log.add(1, Hole { area }).unwrap();
        log
    }

    fn triangles(surface: &VoidSurface) -> Vec<[Vec3; 3]> {
        let positions = surface.mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap();
        let positions = positions.as_float3().unwrap();
        let indices: Vec<usize> = surface.mesh.indices().unwrap().iter().collect();
        indices.chunks(3).map(|t| [0, 1, 2].map(|k| Vec3::from(positions[t[k]]))).collect()
    }

    /// Each ray into a hole, however flat, meets a front face of the void below the ground, in the
    /// chunk or in that beside it.
    #[test]
    fn holes_are_closed() {
        let edits = hole([31.0, 20.0], 6.0).edits();
        let ground = flat();
        let edited = EditedField::new(ground.clone(), edits);
        let chunks = [0.0, 32.0].map(|x| {
            let grid = Grid::new([x, 0.0], 1.0, [33, 33]);
            let void = surface(&ground, &edited, &grid).expect("a hole");
            let corner = Vec3::new(x as f32, 0.0, 0.0);
            triangles(&void).into_iter().map(move |t| t.map(|p| p + corner)).collect::<Vec<_>>()
        });
        let all = chunks.concat();
        assert!(all.iter().flatten().all(|p| p.y <= 7.0 && p.y >= 7.0 - DEPTH));
        let mut count = 0;
        for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
            let start = Vec3::new(25.4 + i as f32, 7.0, 14.4 + j as f32);
            if (start.x - 31.0).hypot(start.z - 20.0) > 5.5 {
                continue;
            }
            for turn in 0..16 {
                let angle = 0.4 * turn as f32 + 0.05;
                for down in [0.02, 0.3, 2.0, 50.0] {
                    let ray = Vec3::new(angle.cos(), -down, angle.sin());
                    let is_hit = all.iter().any(|&[a, b, c]| {
                        let normal = (b - a).cross(c - a);
                        let facing = normal.dot(ray);
                        let t = normal.dot(a - start) / facing;
                        let p = start + t * ray;
                        let inside = |a: Vec3, b: Vec3| (b - a).cross(p - a).dot(normal) >= -1e-3;
                        facing < 0.0 && t > 0.0 && inside(a, b) && inside(b, c) && inside(c, a)
                    });
                    assert!(is_hit, "{start} along {ray}");
                    count += 1;
                }
            }
        }
        assert!(count > 2000);
    }

    /// What is no edit, such as the end of a raster, has no void, and neither has what is beside a
    /// hole of another chunk.
    #[test]
    fn only_holes_of_edits_have_one() {
        #[derive(Clone)]
        struct Raster;
        impl Field<2> for Raster {
            fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
                Sample { value: if x < 16.0 { 3.0 } else { f32::NAN }, gradient: [0.0; 2] }
            }
        }
        let grid = Grid::new([0.0; 2], 1.0, [33, 33]);
        assert!(surface(&Raster, &Raster, &grid).is_none());
        let beyond = EditedField::new(Raster, hole([24.0, 8.0], 3.0).edits());
        assert!(surface(&Raster, &beyond, &grid).is_none());
        let beside = EditedField::new(flat(), hole([40.0, 8.0], 3.0).edits());
        assert!(surface(&flat(), &beside, &grid).is_none());
        // A chunk that is a hole altogether.
        let all = EditedField::new(flat(), hole([16.0, 16.0], 90.0).edits());
        let void = surface(&flat(), &all, &grid).unwrap();
        assert!(triangles(&void).iter().flatten().all(|p| p.y == 7.0 - DEPTH), "walls in mid-hole");
    }
}
