//! The surfaces of rivers, lakes and floods on a chunk, as one mesh.
//!
//! Rivers and lakes are ribbons along their middle lines. A ribbon is as wide as the water. Its
//! edges lie at the height of the water in the bank, so the ground hides them. A part of a river
//! belongs to the chunk in which it begins, and shares its ends with the next, so ribbons that both
//! chunks draw meet exactly, whatever their levels, with the same depth and speed. At steep falls
//! the next part may begin lower. Where a river begins, or ends in a larger one, its depth is 0, so
//! that it fades out.
//!
//! Floods are the cells of the ground that are below their level. Each cell of the grid is split
//! like the ground, so the water is as deep as the drawn ground is low, and its depth is 0 exactly
//! where the two meet.

use std::cell::RefCell;

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use orogeny::drainage::RiverReach;
use orogeny::edits::Flooding;
use orogeny::{Grid, Landscape};

use crate::chunk::height_field::sparse;
use crate::chunk::key::{ChunkKey, Layout};

/// The surfaces of the water on a chunk, without the sea.
#[derive(Debug)]
pub struct WaterSurface {
    /// Positions in metres, x and z from the chunk's origin and the height from the terrain's; the
    /// normals of the surface at rest; texture coordinates: across a river, -1 at one edge and 1 at
    /// the other, and the depth in the middle in metres, or 0 and the depth there in a flood, which
    /// is negative over dry ground; second texture coordinates: the mean velocity along x and z in
    /// m/s.
    pub mesh: Mesh,
    /// The box around all vertices.
    pub aabb: Aabb,
}

/// A vertex of a surface.
struct WaterVertex {
    position: [f32; 3],
    normal: Vec3,
    /// Across the river, and the depth.
    section: [f32; 2],
    flow: [f32; 2],
}

/// Vertices and triangles, while they are made.
#[derive(Default)]
pub(super) struct WaterParts {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    sections: Vec<[f32; 2]>,
    flows: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl WaterParts {
    /// Adds a vertex, and returns its number.
    fn vertex(&mut self, vertex: WaterVertex) -> u32 {
        let WaterVertex { position, normal, section, flow } = vertex;
        self.positions.push(position);
        self.normals.push(normal.into());
        self.sections.push(section);
        self.flows.push(flow);
        self.positions.len() as u32 - 1
    }

    /// Adds a triangle between vertices.
    fn triangle(&mut self, corners: [u32; 3]) {
        self.indices.extend(corners);
    }

    /// The mesh; `None` without triangles.
    pub fn surface(self, usages: RenderAssetUsages) -> Option<WaterSurface> {
        if self.indices.is_empty() {
            return None;
        }
        let aabb = Aabb::enclosing(self.positions.iter().map(|&p| Vec3::from(p)))?;
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, usages)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.sections)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, self.flows)
            .with_inserted_indices(Indices::U32(self.indices));
        Some(WaterSurface { mesh, aabb })
    }
}

/// The narrowest rivers that are drawn: in metres, and over the spacing of the chunk's vertices.
/// Narrower ones cannot be seen at the distances at which a level is drawn.
const NARROWEST: [f64; 2] = [0.5, 0.25];

/// Adds the ribbons of the rivers that begin in a chunk. Parts below the water of a flood are left
/// out, and all at levels whose ground leaves out rivers.
pub(super) fn add_ribbons(
    ground: &Landscape,
    layout: &Layout,
    key: ChunkKey,
    water: &mut WaterParts,
) {
    let Some(rivers) = ground.rivers() else { return };
    let origin = layout.origin(key);
    let [least, part] = NARROWEST;
    let narrowest = least.max(part * layout.spacing(key.lod));
    // The sparse ground is built to know it, so this comes last.
    if narrowest > rivers.widest() || sparse(rivers, layout, key.lod).is_some() {
        return;
    }
    let sea = rivers.sea_level().unwrap_or(f64::NEG_INFINITY);
    let is_flooded = |part: &RiverReach| {
        let is_below = |k: usize| {
            let flood = ground.edits().flooding(part.ends[k]);
            flood.is_some_and(|flood| !flood.joins(part.surface[k]))
        };
        (0..2).all(is_below)
    };
    // Beyond their domain there are no rivers, nor ground.
    let _ = rivers.each_reach(layout.square(key), |reach| {
        let is_wide = reach.width[0].max(reach.width[1]) >= narrowest;
        if is_wide && reach.surface[0] > sea && !is_flooded(&reach) {
            add_reach(&reach, origin, water);
        }
    });
}

/// Adds a part of a river, for a chunk with this origin.
fn add_reach(part: &RiverReach, origin: [f64; 2], water: &mut WaterParts) {
    let [start, end] = part.ends;
    let [x, z] = [0, 1].map(|k| end[k] - start[k]);
    let length = (x * x + z * z).sqrt().max(1e-3);
    let [x, z] = [x / length, z / length];
    let slope = ((part.surface[0] - part.surface[1]) / length) as f32;
    let normal = Vec3::new(slope * x as f32, 1.0, slope * z as f32).normalize();
    let [a, b, c, d] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)].map(|(k, side): (usize, f64)| {
        let [dx, dz] = part.directions[k];
        let aside = 0.5 * side * part.width[k];
        let place = [part.ends[k][0] - aside * dz, part.ends[k][1] + aside * dx];
        let [px, pz] = [0, 1].map(|k| (place[k] - origin[k]) as f32);
        water.vertex(WaterVertex {
            position: [px, part.surface[k] as f32, pz],
            normal,
            section: [side as f32, part.depth[k] as f32],
            flow: [dx, dz].map(|d| (part.speed[k] * d) as f32),
        })
    });
    water.triangle([a, b, c]);
    water.triangle([c, b, d]);
}

/// No vertex of a flood.
const NONE: u32 = u32::MAX;

/// Adds the water of floods over ground with these heights at the points of a square grid. Where
/// a flood is a part of the sea or of a river, theirs is the surface.
pub(super) fn add_floods(
    ground: &Landscape,
    grid: &Grid<2>,
    heights: &[f32],
    water: &mut WaterParts,
) {
    thread_local!(static FLOODING: RefCell<Vec<Option<Flooding>>> = RefCell::default());
    FLOODING.with_borrow_mut(|flooding| {
        ground.edits().flooding_grid(grid, flooding);
        if flooding.is_empty() {
            return;
        }
        join_others(ground, grid, flooding);
        let mut floods: Vec<Flooding> = flooding.iter().flatten().copied().collect();
        floods.sort_by(|a, b| a.level.total_cmp(&b.level));
        floods.dedup_by(|next, flood| next.is_level_with(flood));
        for flood in floods {
            let is_in = |i: usize| flooding[i].is_some_and(|other| other.is_level_with(&flood));
            add_level(flood.level, is_in, grid, heights, water);
        }
    });
}

/// The largest distance from a bank in the bed of a river, in metres: more than rounding moves it.
const IN_BED: f64 = 1e-3;

/// Takes out floods that are a part of other water.
fn join_others(ground: &Landscape, grid: &Grid<2>, flooding: &mut [Option<Flooding>]) {
    if let Some(sea) = ground.appearance().sea_level.map(f64::from) {
        flooding.iter_mut().for_each(|flood| *flood = flood.filter(|flood| !flood.joins(sea)));
    }
    if let Some(rivers) = ground.rivers()
        && flooding.iter().any(Option::is_some)
    {
        let side = grid.size[0];
        rivers.bank_distances(grid, IN_BED, |i, _| {
            let position = [grid.coordinate(0, i % side), grid.coordinate(1, i / side)];
            flooding[i] = flooding[i].filter(|flood| {
                let river = rivers.water(position);
                !river.is_some_and(|river| flood.joins(river.surface))
            });
        });
    }
}

/// Adds the water of one level.
fn add_level(
    level: f64,
    is_in: impl Fn(usize) -> bool,
    grid: &Grid<2>,
    heights: &[f32],
    water: &mut WaterParts,
) {
    let side = grid.size[0];
    let mut vertices = vec![NONE; heights.len()];
    for z in 0..side - 1 {
        for x in 0..side - 1 {
            let first = z * side + x;
            let corners = [first, first + 1, first + side, first + side + 1];
            let is_wet = |&i: &usize| is_in(i) && f64::from(heights[i]) < level;
            // Where there is a hole there is no water.
            if !corners.iter().any(is_wet) || corners.iter().any(|&i| heights[i].is_nan()) {
                continue;
            }
            let [a, b, c, d] = corners.map(|i| {
                if vertices[i] == NONE {
                    let [x, z] = [i % side, i / side].map(|k| (k as f64 * grid.spacing[0]) as f32);
                    vertices[i] = water.vertex(WaterVertex {
                        position: [x, level as f32, z],
                        normal: Vec3::Y,
                        section: [0.0, (level - f64::from(heights[i])) as f32],
                        flow: [0.0; 2],
                    });
                }
                vertices[i]
            });
            water.triangle([a, c, d]);
            water.triangle([a, d, b]);
        }
    }
}
