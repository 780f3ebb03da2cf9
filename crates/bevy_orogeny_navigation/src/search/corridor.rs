//! The polygons that a path leads through, by A*.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use bevy_platform::collections::HashMap;

use super::vector::{Point, cross, distance, dot, mix, nearest_on, sub};
use super::view::{Gate, Node, View};

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
}
