//! The water of floods on a chunk: the cells of the ground that are below it, and level.
//!
//! Each cell of the grid is split like the ground, so the water is as deep as the drawn ground is
//! low, and its depth is 0 exactly where the two meet.

use std::cell::RefCell;

use bevy_math::Vec3;
use orogeny::Grid;
use orogeny::edits::{Edits, Flooding};

use crate::chunk::water_surface::{WaterParts, WaterVertex};

/// No vertex.
const NONE: u32 = u32::MAX;

/// Adds the water of floods over ground with these heights at the points of a square grid.
pub(super) fn add_floods(edits: &Edits, grid: &Grid<2>, heights: &[f32], water: &mut WaterParts) {
    thread_local!(static FLOODING: RefCell<Vec<Option<Flooding>>> = RefCell::default());
    FLOODING.with_borrow_mut(|flooding| {
        edits.flooding_grid(grid, flooding);
        let mut levels: Vec<f64> =
            flooding.iter().flatten().map(|flooding| flooding.level).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        for level in levels {
            let is_in = |i: usize| flooding[i].is_some_and(|flooding| flooding.level == level);
            add_level(level, is_in, grid, heights, water);
        }
    });
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
