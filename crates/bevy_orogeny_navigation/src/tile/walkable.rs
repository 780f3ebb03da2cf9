//! Which cells of a tile can be walked on: those that are farther than the agent's radius from what
//! is blocked, and from trunks, rocks and obstacles of a game. They are cut into regions.
//!
//! Recast's own watershed leaves holes in regions around small obstacles, and `rerecast` does not
//! merge their contours, so a trunk would be paved over. Monotone regions have no holes: in each
//! row a region is one run of cells. They are cut at blocks, too, so that no polygon is much longer
//! than wide, which keeps the costs of paths honest.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::advanced::slices::Pace;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::scatter::{Instance, ScatterKind};

use super::{SIMPLIFICATION, TileError};
use crate::agent::NavigationAgent;
use crate::key::TileKey;
use crate::obstacle::Obstacle;

/// How many cells around a tile are looked at.
pub struct Margins {
    /// From what is blocked to the mesh, in cells.
    pub clearance: f64,
    /// Cells around the tile whose ground is sampled.
    pub sampled: usize,
}

impl Margins {
    /// One ring of cells around a tile says where it joins its neighbours. What blocks these may
    /// lie as far beyond them as the clearance.
    pub fn of(agent: &NavigationAgent) -> Self {
        let clearance = agent.radius / agent.cell_size + SIMPLIFICATION;
        Self { clearance, sampled: Walkable::RING + clearance.ceil() as usize }
    }

    /// Cells along each side of what is sampled.
    pub fn side(&self) -> usize {
        usize::from(TileKey::CELLS) + 2 * self.sampled
    }
}

/// Which cells of a tile, and of a ring around it, can be walked on by the middle of an agent.
pub struct Walkable {
    cells: Vec<bool>,
}

impl Walkable {
    /// Cells around the tile.
    pub const RING: usize = 1;
    /// Cells along each side.
    pub const SIDE: usize = TileKey::CELLS as usize + 2 * Self::RING;

    /// The cells for which a function is true. It takes (x, z), from the ring's first cell.
    pub fn new(is_walkable: impl Fn(usize, usize) -> bool) -> Self {
        let all = (0..Self::SIDE).flat_map(|z| (0..Self::SIDE).map(move |x| (x, z)));
        Self { cells: all.map(|(x, z)| is_walkable(x, z)).collect() }
    }

    /// Whether no cell is walkable.
    pub fn is_empty(&self) -> bool {
        !self.cells.contains(&true)
    }

    /// Whether a cell is walkable.
    pub fn get(&self, x: usize, z: usize) -> bool {
        self.cells[z * Self::SIDE + x]
    }

    /// Makes a cell unwalkable.
    pub fn block(&mut self, x: usize, z: usize) {
        self.cells[z * Self::SIDE + x] = false;
    }
}

/// The cells that lie nowhere nearer to a blocked one than the clearance, by the straight distance
/// of the two squares.
pub fn walkable(blocked: &[bool], margins: &Margins) -> Walkable {
    let side = margins.side();
    let mut near = blocked.to_vec();
    let stamp = stamp(margins.clearance);
    for z in 0..side {
        for x in 0..side {
            if !blocked[z * side + x] || is_inside(blocked, side, x, z) {
                continue;
            }
            for &(dz, from, to) in &stamp {
                let Some(row) = z.checked_add_signed(dz).filter(|row| *row < side) else {
                    continue;
                };
                let from = x.saturating_add_signed(from);
                let to = x.saturating_add_signed(to).min(side - 1);
                near[row * side + from..=row * side + to].fill(true);
            }
        }
    }
    let skipped = margins.sampled - Walkable::RING;
    Walkable::new(|x, z| !near[(z + skipped) * side + x + skipped])
}

/// Whether all eight neighbours are blocked, too: then its stamp adds nothing to theirs.
fn is_inside(blocked: &[bool], side: usize, x: usize, z: usize) -> bool {
    let inner = 1..side - 1;
    inner.contains(&x)
        && inner.contains(&z)
        && (z - 1..=z + 1).all(|z| (x - 1..=x + 1).all(|x| blocked[z * side + x]))
}

/// The rows of cells nearer than a clearance: the offset of each row, and of its first and its last
/// cell. In cells.
fn stamp(clearance: f64) -> Vec<(isize, isize, isize)> {
    let reach = clearance.ceil() as isize;
    let gap = |offset: isize| (offset.abs() - 1).max(0) as f64;
    let is_near = |dx: isize, dz: isize| gap(dx).hypot(gap(dz)) < clearance;
    let row = |dz: isize| {
        let last = (0..=reach).take_while(|&dx| is_near(dx, dz)).last()?;
        Some((dz, -last, last))
    };
    (-reach..=reach).filter_map(row).collect()
}

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
    let placement = ground.placement();
    let size = agent.cell_size;
    let clearance = margins.clearance * size;
    let ring = Walkable::RING as f64 * size;
    let half = 0.5 * TileKey::size(size) + ring;
    let corner = key.corner(size).map(|at| at - ring);
    let middle = corner.map(|at| at + half);
    let reach = core::f64::consts::SQRT_2 * half + clearance;
    let widest = placement.kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max);
    let region = Region::around(middle, [reach + widest; 2]);
    pace.warm_up(placement, region, ScatterKind::is_solid).await;
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

/// The number of no region.
pub const NONE: u16 = 0;
/// The width of a block in cells.
const BLOCK: usize = 16;

/// The region of each cell inside the ring, from 1, in rows of [`Walkable::SIDE`]; [`NONE`] for
/// cells that are not walkable, and in the ring.
pub fn regions(walkable: &Walkable) -> Vec<u16> {
    let side = Walkable::SIDE;
    let inner = Walkable::RING..side - Walkable::RING;
    let mut regions = vec![NONE; side * side];
    let mut count = NONE;
    let block = |at: usize| (at - Walkable::RING) / BLOCK;
    for z in inner.clone() {
        let mut x = inner.start;
        // The region above that a run of this row continues already.
        let mut continued = NONE;
        while x < inner.end {
            if !walkable.get(x, z) {
                x += 1;
                continue;
            }
            let start = x;
            while x < inner.end && walkable.get(x, z) && block(x) == block(start) {
                x += 1;
            }
            let begins = z == inner.start || block(z) != block(z - 1);
            let above = if begins { NONE } else { only(&regions[(z - 1) * side..], start..x) };
            let region = if above != NONE && above != continued {
                continued = above;
                above
            } else {
                count += 1;
                count
            };
            regions[z * side..][start..x].fill(region);
        }
    }
    regions
}

/// The region of the cells of a row that have one, if it is the same for all.
fn only(row: &[u16], cells: core::ops::Range<usize>) -> u16 {
    let mut found = NONE;
    for &region in row[cells].iter().filter(|region| **region != NONE) {
        if found != NONE && region != found {
            return NONE;
        }
        found = region;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_stamp_is_round() {
        assert_eq!(stamp(0.8), [(-1, -1, 1), (0, -1, 1), (1, -1, 1)]);
        let rows = stamp(4.0);
        assert_eq!((rows.len(), rows[0], rows[4]), (9, (-4, -3, 3), (0, -4, 4)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
        /// Compared with the distance of each cell from each blocked one.
        #[test]
        fn clearance_is_the_distance_of_squares(
            radius in 0.05f64..1.5, blocks in prop::collection::vec((0usize..60, 0usize..60), 1..9),
        ) {
            let agent = NavigationAgent { radius, ..NavigationAgent::default() };
            let margins = Margins::of(&agent);
            let side = margins.side();
            let mut blocked = vec![false; side * side];
            for &(x, z) in &blocks {
                blocked[z * side + x] = true;
            }
            let found = walkable(&blocked, &margins);
            let skipped = margins.sampled - Walkable::RING;
            let gap = |a: usize, b: usize| (a.abs_diff(b) as f64 - 1.0).max(0.0);
            for z in 0..Walkable::SIDE {
                for x in 0..Walkable::SIDE {
                    let away = |&(bx, bz): &(usize, usize)| {
                        gap(x + skipped, bx).hypot(gap(z + skipped, bz))
                    };
                    let nearest = blocks.iter().map(away).fold(f64::INFINITY, f64::min);
                    prop_assert_eq!(found.get(x, z), nearest >= margins.clearance);
                }
            }
        }
    }

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

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
        /// Each region is one run in each of its rows, and the runs of neighbouring rows touch.
        #[test]
        fn regions_have_no_holes(
            holes in prop::collection::vec((0usize..66, 0usize..66, 1usize..9), 0..40),
        ) {
            let walkable = Walkable::new(|x, z| {
                !holes.iter().any(|&(hx, hz, size)| {
                    (hx..hx + size).contains(&x) && (hz..hz + size).contains(&z)
                })
            });
            let found = regions(&walkable);
            let count = usize::from(*found.iter().max().unwrap());
            let mut rows = vec![Vec::new(); count + 1];
            for z in 1..65 {
                let mut x = 1;
                while x < 65 {
                    let region = found[z * Walkable::SIDE + x];
                    prop_assert_eq!(region != NONE, walkable.get(x, z));
                    let start = x;
                    while x < 65 && found[z * Walkable::SIDE + x] == region {
                        x += 1;
                    }
                    rows[usize::from(region)].push((z, start, x));
                }
            }
            for runs in &rows[1..] {
                for pair in runs.windows(2) {
                    let [(z, a, b), (next, c, d)] = [pair[0], pair[1]];
                    prop_assert_eq!(next, z + 1);
                    prop_assert!(a < d && c < b);
                }
            }
        }
    }
}
