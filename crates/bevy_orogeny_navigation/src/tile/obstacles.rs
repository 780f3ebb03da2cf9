//! Trunks, rocks, and obstacles of a game.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::scatter::{Instance, ScatterKind};
use bevy_orogeny::slices::Pace;

use super::TileError;
use super::grid::{Margins, Walkable};
use crate::agent::NavigationAgent;
use crate::key::TileKey;
use crate::obstacle::Obstacle;

/// Carves the trunks and rocks out that are too high to step on, with the clearance around them.
pub async fn carve_plants(
    ground: &GroundQuery,
    agent: &NavigationAgent,
    key: TileKey,
    margins: &Margins,
    walkable: &mut Walkable,
    pace: Pace,
) -> Result<(), TileError> {
    if !ground.appearance().scatter.kinds.iter().any(ScatterKind::is_solid) {
        return Ok(());
    }
    let Some(placement) = ground.scatter() else { return Ok(()) };
    let size = agent.cell_size;
    let clearance = margins.clearance * size;
    let ring = Walkable::RING as f64 * size;
    let half = 0.5 * TileKey::size(size) + ring;
    let corner = key.corner(size).map(|at| at - ring);
    let middle = corner.map(|at| at + half);
    let reach = core::f64::consts::SQRT_2 * half + clearance;
    let widest = placement.kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max);
    let region = Region::around(middle, [reach + widest; 2]);
    pace.warm_up(&placement, region, ScatterKind::is_solid).await;
    let carve = |it: Instance| {
        let Some(kind) = placement.kind(it.kind) else { return };
        let [radius, height] =
            [kind.solid_radius, kind.solid_height].map(|part| f64::from(part * it.size));
        if height > agent.step_height {
            let [x, z] = [0, 1].map(|k| (it.position[k] - corner[k]) / size);
            block_disc(walkable, [x, z], (radius + clearance) / size);
        }
    };
    placement.each_solid_near(middle, reach, carve).map_err(TileError::Solids)
}

/// Carves an obstacle out, with the clearance around it, where an agent on the ground would touch
/// it: where its top is no step, and its bottom not above the agent's head. `heights` are those of
/// the [survey](super::survey).
pub fn carve(
    obstacle: &Obstacle,
    agent: &NavigationAgent,
    key: TileKey,
    margins: &Margins,
    heights: &[f32],
    walkable: &mut Walkable,
) {
    let size = agent.cell_size;
    let clearance = margins.clearance * size;
    let ring = Walkable::RING as f64 * size;
    let corner = key.corner(size).map(|at| at - ring);
    let side = Walkable::SIDE;
    let region = obstacle.region().grown(clearance);
    let range = |k: usize| {
        let [from, to] = [region.min[k], region.max[k]].map(|at| (at - corner[k]) / size);
        let [from, to] = [from.floor(), to.ceil()].map(|at| at.clamp(0.0, side as f64) as usize);
        from..to
    };
    let skipped = margins.sampled - Walkable::RING;
    let columns = margins.side() + 1;
    for row in range(1) {
        for column in range(0) {
            let i = (row + skipped) * columns + column + skipped;
            let ground = [i, i + 1, i + columns, i + columns + 1].map(|i| f64::from(heights[i]));
            let [low, high] = [f64::min, f64::max].map(|f| ground.into_iter().fold(ground[0], f));
            let is_beside =
                obstacle.top > low + agent.step_height && obstacle.bottom < high + agent.height;
            if !is_beside || !walkable.get(column, row) {
                continue;
            }
            let min = [corner[0] + column as f64 * size, corner[1] + row as f64 * size];
            let square = Region { min, max: min.map(|at| at + size) };
            if obstacle.distance(square) < clearance {
                walkable.block(column, row);
            }
        }
    }
}

/// Blocks the cells that come nearer to a point than a radius, both in cells.
fn block_disc(walkable: &mut Walkable, [x, z]: [f64; 2], radius: f64) {
    let side = Walkable::SIDE as f64;
    let range = |at: f64| {
        let [from, to] = [at - radius, (at + radius).ceil()].map(|at| at.clamp(0.0, side));
        from as usize..to as usize
    };
    // The distance along an axis of a point from a cell.
    let gap = |at: f64, cell: usize| (cell as f64 - at).max(at - cell as f64 - 1.0).max(0.0);
    for row in range(z) {
        for column in range(x) {
            if gap(x, column).hypot(gap(z, row)) < radius {
                walkable.block(column, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_blocks_what_it_touches() {
        let mut walkable = Walkable::new(|_, _| true);
        block_disc(&mut walkable, [10.5, 20.25], 2.0);
        block_disc(&mut walkable, [-1.0, 70.0], 1.5);
        for (x, z) in (0..Walkable::SIDE).flat_map(|z| (0..Walkable::SIDE).map(move |x| (x, z))) {
            // By many points of the cell instead of its nearest one.
            let points =
                (0..=40).flat_map(|i| (0..=40).map(move |j| [i, j].map(|k| f64::from(k) / 40.0)));
            let nearest = points.map(|[u, v]| (x as f64 + u - 10.5).hypot(z as f64 + v - 20.25));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            if (nearest - 2.0).abs() > 0.02 {
                assert_eq!(walkable.get(x, z), nearest > 2.0, "{x} {z}");
            }
        }
    }
}
