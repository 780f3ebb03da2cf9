//! The corners of a path: the shortest way through the gates of a corridor.

use super::vector::{Point, cross, sub};
use super::view::{Gate, View};

/// The shortest way from `start` through all gates to `goal`, by the funnel algorithm.
pub fn pull(start: Point, goal: Point, gates: &[Gate]) -> Vec<Point> {
    let mut corners = vec![start];
    let mut apex = start;
    // The sides of the funnel, and the gates on which they lie.
    let (mut left, mut right) = (start, start);
    let (mut left_at, mut right_at) = (0, 0);
    let gate = |i: usize| gates.get(i).copied().unwrap_or([goal, goal]);
    let mut i = 0;
    while i <= gates.len() {
        let [r, l] = gate(i);
        let turn = |from: Point, to: Point| cross(sub(from, apex), sub(to, apex));
        if turn(right, r) >= 0.0 {
            if right == apex || turn(left, r) < 0.0 {
                (right, right_at) = (r, i);
            } else {
                // The right side crosses the left one, which is a corner.
                push(&mut corners, left);
                (apex, i) = (left, left_at);
                (right, left, right_at) = (apex, apex, i);
                i += 1;
                continue;
            }
        }
        if turn(left, l) <= 0.0 {
            if left == apex || turn(right, l) > 0.0 {
                (left, left_at) = (l, i);
            } else {
                push(&mut corners, right);
                (apex, i) = (right, right_at);
                (left, right, left_at) = (apex, apex, i);
                i += 1;
                continue;
            }
        }
        i += 1;
    }
    push(&mut corners, goal);
    corners
}

/// Leaves out corners that the straight way around them makes needless: another corridor may be
/// shorter than the one that was found.
pub fn straighten(view: &View, corners: &mut Vec<Point>) {
    let mut i = 1;
    while i + 1 < corners.len() {
        if view.is_clear(corners[i - 1], corners[i + 1]) {
            corners.remove(i);
            i = i.saturating_sub(1).max(1);
        } else {
            i += 1;
        }
    }
}

fn push(corners: &mut Vec<Point>, corner: Point) {
    if corners.last() != Some(&corner) {
        corners.push(corner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_where_the_corridor_bends() {
        // To the right, then up, around (2, 1). Gates run from x to z, seen from inside.
        let gates = [[[1.0, 0.0], [1.0, 1.0]], [[3.0, 1.0], [2.0, 1.0]], [[3.0, 2.0], [2.0, 2.0]]];
        assert_eq!(pull([0.0, 0.5], [2.5, 5.0], &gates[1..]).len(), 3);
        let path = pull([0.0, 0.5], [2.1, 5.0], &gates);
        assert_eq!(path, [[0.0, 0.5], [2.0, 1.0], [2.1, 5.0]]);
        assert_eq!(pull([2.5, 0.5], [2.5, 5.0], &gates[1..]), [[2.5, 0.5], [2.5, 5.0]]);
        assert_eq!(pull([1.0, 1.0], [1.0, 1.0], &[]), [[1.0, 1.0]]);
    }
}
