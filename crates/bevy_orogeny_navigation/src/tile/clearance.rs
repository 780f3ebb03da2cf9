//! Keeps the agent's radius from what is blocked.

use super::grid::{Margins, Walkable};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::NavigationAgent;
    use proptest::prelude::*;

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
}
