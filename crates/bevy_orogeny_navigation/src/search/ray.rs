//! Straight ways on the mesh.

use super::vector::{Point, cross, dot, mix, sub};
use super::view::{Gate, Node, View};
use crate::tile::Link;

/// Where a straight way ends.
pub struct Ray {
    /// The last point on the mesh, and its polygon.
    pub end: Point,
    pub node: Node,
    /// The edge that stopped it before its target.
    pub wall: Option<Gate>,
}

/// The most polygons that a ray crosses. It stops there.
const MAX_CROSSED: usize = 65_536;

impl View<'_> {
    /// Goes straight from a point of a polygon towards another point, up to the edge of the mesh.
    pub fn ray(&self, start: Point, first: Node, target: Point) -> Ray {
        let (mut node, mut before, mut passed) = (first, None, 0.0);
        for _ in 0..MAX_CROSSED {
            let exits = self.exits(start, node, target);
            let Some(&(part, wall, _)) = exits.first() else {
                return Ray { end: target, node, wall: None };
            };
            // At a corner there are two ways out.
            let at_once = exits.iter().take_while(|exit| exit.0 <= part + 1e-12);
            let next = at_once.clone().find_map(|&(part, gate, link)| {
                let at = mix(start, target, part);
                self.beyond(node, gate, link, at).filter(|next| Some(*next) != before)
            });
            passed = f64::max(passed, part);
            let Some(next) = next else {
                return Ray { end: mix(start, target, passed), node, wall: Some(wall) };
            };
            before = Some(node);
            node = next;
        }
        Ray { end: mix(start, target, passed), node, wall: Some([start, target]) }
    }

    /// Whether the straight way between two points of the mesh stays on it.
    pub fn is_clear(&self, start: Point, target: Point) -> bool {
        // A corner of the mesh is in several polygons.
        self.all_at(start).into_iter().any(|node| self.ray(start, node, target).wall.is_none())
    }

    /// Goes towards a point, and along the walls on the way. Returns where it ends.
    pub fn slide(&self, start: Point, first: Node, target: Point) -> Point {
        let (mut at, mut node, mut target) = (start, first, target);
        // Two walls make a corner, in which it stays.
        for _ in 0..3 {
            let ray = self.ray(at, node, target);
            (at, node) = (ray.end, ray.node);
            let Some([a, b]) = ray.wall else { break };
            let along = sub(b, a);
            let part = dot(sub(target, at), along) / dot(along, along);
            if !part.is_finite() {
                break;
            }
            target = [0, 1].map(|k| at[k] + part * along[k]);
        }
        at
    }

    /// The edges of a polygon through which the way to a target leaves it, and at which part of the
    /// way, the first one first.
    fn exits(&self, start: Point, node: Node, target: Point) -> Vec<(f64, Gate, Link)> {
        let mut exits = Vec::with_capacity(4);
        self.edges(node, |[a, b], link| {
            let along = sub(b, a);
            let length = along[0].hypot(along[1]);
            let [from, to] = [start, target].map(|p| cross(along, sub(p, a)) / length);
            if to < -Self::TOLERANCE && to < from {
                exits.push(((from / (from - to)).clamp(0.0, 1.0), [a, b], link));
            }
        });
        exits.sort_by(|a, b| a.0.total_cmp(&b.0));
        exits
    }

    /// The polygon behind a point of an edge.
    fn beyond(&self, node: Node, gate: Gate, link: Link, at: Point) -> Option<Node> {
        match link {
            Link::Wall => None,
            Link::Polygon(polygon) => Some(Node { polygon, ..node }),
            Link::Side(side) => {
                let axis = if side < 2 { 1 } else { 0 };
                let mut found = None;
                self.across(node.tile, gate, side, &mut |next, [a, b]| {
                    let (from, to) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
                    if (from - Self::TOLERANCE..=to + Self::TOLERANCE).contains(&at[axis]) {
                        found.get_or_insert(next);
                    }
                });
                found
            }
        }
    }
}
