//! The water of floods on a chunk: the cells of the ground that are below it, and level.
//!
//! Each cell of the grid is split like the ground, so the water is as deep as the drawn ground is
//! low, and its depth is 0 exactly where the two meet.

use std::cell::RefCell;

use bevy_math::Vec3;
use orogeny::edits::Flooding;
use orogeny::{Grid, Landscape};

use crate::chunk::water_surface::{WaterParts, WaterVertex};

/// No vertex.
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
