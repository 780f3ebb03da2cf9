//! The polygons that a path leads through, by A*.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use bevy_platform::collections::HashMap;

use super::{Gate, Node, Point, View, cross, distance, dot, mix, nearest_on, sub};

/// What the search has found.
pub enum Corridor {
    /// The gates between the start and the goal.
    Found(Vec<Gate>),
    /// All that can be reached was searched.
    Blocked {
        /// The point that is nearest to the goal.
        nearest: Point,
        /// Whether tiles are missing at what can be reached.
        is_open: bool,
    },
    /// As many polygons were visited as may be.
    TooFar,
}

/// A polygon that was reached.
struct Reached {
    /// The length of the way to its entry, in metres.
    cost: f64,
    entry: Point,
    /// Through which gate of which polygon it was entered.
    from: Option<(Node, Gate)>,
    is_done: bool,
}

/// A polygon to go on from: the one with the least estimate of the whole way first.
struct Open {
    estimate: f64,
    cost: f64,
    node: Node,
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equal ones the nearest to the goal. Whole ties have one order on every machine.
        let key = |open: &Self| (open.node.tile, open.node.polygon);
        let order = other.estimate.total_cmp(&self.estimate);
        order.then(self.cost.total_cmp(&other.cost)).then_with(|| key(self).cmp(&key(other)))
    }
}

/// Searches from a point to another one. Each comes with the polygons in which it is: several on an
/// edge.
pub fn search(
    view: &View,
    (start, first): (Point, &[Node]),
    (goal, last): (Point, &[Node]),
    max_visited: usize,
) -> Corridor {
    let mut reached: HashMap<Node, Reached> = HashMap::default();
    let mut open = BinaryHeap::new();
    for &node in first {
        reached.insert(node, Reached { cost: 0.0, entry: start, from: None, is_done: false });
        open.push(Open { estimate: distance(start, goal), cost: 0.0, node });
    }
    let (mut nearest, mut is_open, mut visited) = (start, false, 0);
    while let Some(Open { node, cost, .. }) = open.pop() {
        let Some(here) = reached.get_mut(&node) else { continue };
        if here.is_done || cost > here.cost {
            continue;
        }
        here.is_done = true;
        let (entry, came_from) = (here.entry, here.from.map(|(from, _)| from));
        if last.contains(&node) {
            return Corridor::Found(gates(&reached, node));
        }
        visited += 1;
        if visited > max_visited {
            return Corridor::TooFar;
        }
        is_open |= view.neighbours(node, |next, gate| {
            if came_from == Some(next) {
                return;
            }
            let through = crossing(entry, goal, gate);
            let cost = cost + distance(entry, through);
            let old = reached.get(&next);
            if old.is_some_and(|old| old.is_done || old.cost <= cost) {
                return;
            }
            let from = Some((node, gate));
            reached.insert(next, Reached { cost, entry: through, from, is_done: false });
            open.push(Open { estimate: cost + distance(through, goal), cost, node: next });
        });
        view.edges(node, |edge, _| {
            let on = nearest_on(edge, goal);
            if distance(on, goal) < distance(nearest, goal) {
                nearest = on;
            }
        });
    }
    Corridor::Blocked { nearest, is_open }
}

/// The point of a gate through which the way to the goal is shortest.
fn crossing(from: Point, goal: Point, [a, b]: Gate) -> Point {
    let along = sub(b, a);
    let [side, goal_side] = [from, goal].map(|p| cross(along, sub(p, a)));
    // If both are on the same side, the way is as long as one to the goal's mirror image.
    let goal = if side * goal_side > 0.0 {
        let foot = mix(a, b, dot(sub(goal, a), along) / dot(along, along));
        mix(goal, foot, 2.0)
    } else {
        goal
    };
    let way = sub(goal, from);
    let slant = cross(way, along);
    if slant == 0.0 {
        return nearest_on([a, b], from);
    }
    let part = cross(sub(a, from), way) / slant;
    mix(a, b, part.clamp(0.0, 1.0))
}

fn gates(reached: &HashMap<Node, Reached>, last: Node) -> Vec<Gate> {
    let mut gates = Vec::new();
    let mut node = last;
    while let Some((from, gate)) = reached.get(&node).and_then(|here| here.from) {
        gates.push(gate);
        node = from;
    }
    gates.reverse();
    gates
}

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
    use proptest::prelude::*;

    use super::*;

    fn length(from: Point, goal: Point, through: Point) -> f64 {
        distance(from, through) + distance(through, goal)
    }

    #[test]
    fn a_gate_beside_the_way_is_entered_at_its_near_end() {
        let (from, goal) = ([0.0, 0.0], [10.0, -0.1]);
        assert_eq!(crossing(from, goal, [[-4.0, 1.0], [4.0, 1.0]]), [4.0, 1.0]);
        assert_eq!(crossing(from, goal, [[4.0, 1.0], [-4.0, 1.0]]), [4.0, 1.0]);
        // Along its line.
        assert_eq!(crossing([0.0, 1.0], [9.0, 1.0], [[-4.0, 1.0], [4.0, 1.0]]), [0.0, 1.0]);
    }

    proptest! {
        /// Compared with many points of the gate.
        #[test]
        fn gates_are_entered_where_the_way_is_shortest(
            from in [-9.0..9.0, -9.0..9.0], goal in [-9.0..9.0, -9.0..9.0],
            a in [-9.0..9.0, -9.0..9.0], b in [-9.0..9.0, -9.0..9.0],
        ) {
            let found = length(from, goal, crossing(from, goal, [a, b]));
            let all = (0..=500).map(|i| length(from, goal, mix(a, b, f64::from(i) / 500.0)));
            let shortest = all.fold(f64::INFINITY, f64::min);
            prop_assert!((found - shortest).abs() < 0.05, "{} instead of {}", found, shortest);
            prop_assert!(found < shortest + 1e-9);
        }
    }

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
