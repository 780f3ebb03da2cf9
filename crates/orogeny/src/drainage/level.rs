//! The nodes of one level: where they are, how high, and where they drain.

use alloc::vec::Vec;

use crate::drainage::crossings::{Crossing, crossings};
use crate::drainage::lattice::{Index, Lattice, NEIGHBOURS, unit};
use crate::drainage::outlets;
use crate::drainage::window::{Area, Table, grown};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// How many edges a node is away from a river of the next coarser level, at most.
///
/// A point is at most 1 / sqrt 3 spacings away from a lattice point, and that at most JITTER from
/// its node: 4 (0.577 + 0.28) = 3.43 finer spacings. The hexagon of that node is centred at most
/// 0.577 away. Paths of edges are at most 2 / sqrt 3 times as long as the distance: 4.63.
pub(super) const HOPS: i64 = 5;

/// How many edges upstream the area that drains to a node is counted. On the finest level, streams
/// are too small to be seen, so none.
const UPSTREAM: i64 = 3;

/// The same on the coarsest level.
const FAR_UPSTREAM: i64 = 6;

/// The ground that rivers are made for.
pub(super) struct Land<'a> {
    /// The height without rivers.
    pub height: &'a dyn Fn([f64; 2]) -> f64,
    /// The slope of valley sides over that of the steepest.
    pub relief: &'a dyn Fn([f64; 2]) -> f64,
    pub sea_level: f64,
}

/// A node of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub position: [f64; 2],
    pub height: f64,
    /// The neighbour that it drains to, as an index of [`NEIGHBOURS`]; none for lakes.
    pub target: Option<u8>,
    /// The slope of valley sides there over that of the steepest.
    pub relief: f64,
    /// The area upstream.
    pub area: f64,
    /// Whether a river of a coarser level flows through it.
    pub is_on_river: bool,
    /// Whether it is not of the area that is looked at.
    pub is_outside: bool,
    hash: u32,
}

/// A node away from rivers, in a table.
struct Away {
    place: usize,
    /// Its neighbours.
    places: [usize; 6],
    /// How much higher than each of them it is at most.
    rises: [f64; 6],
}

/// One level of a network.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub lattice: Lattice,
    /// The slope of its channels, where the relief is 1.
    pub slope: f64,
}

impl Level {
    /// The area that belongs to a node.
    pub fn cell(&self) -> f64 {
        self.lattice.spacing * self.lattice.spacing * (111.0 / 128.0)
    }

    /// The nodes of the coarsest level: their heights are those of the land.
    pub fn coarsest(&self, area: Area, land: &Land) -> Table<Node> {
        let margin = (FAR_UPSTREAM + 3) as f64 * self.lattice.spacing;
        let mut nodes = self.bare(grown(area, margin), land);
        for node in &mut nodes.values {
            if !node.is_outside {
                node.height = (land.height)(node.position);
            }
        }
        self.find_targets(&mut nodes);
        outlets::carve(&mut nodes, land.sea_level);
        self.add_areas(&mut nodes, FAR_UPSTREAM);
        nodes
    }

    /// How far around an area the rivers of the coarser level matter.
    pub fn reach(&self, is_finest: bool) -> f64 {
        let upstream = if is_finest { 0 } else { UPSTREAM };
        (HOPS + 1 + upstream) as f64 * self.lattice.spacing
    }

    /// The nodes of a finer level. Nodes that a coarser river crosses have its height there, and
    /// drain along it. Any other node lies above its lowest neighbour by what the slope makes:
    ///
    /// z_i = min over neighbours j of z_j + slope |p_i - p_j|,
    ///
    /// so it has a lower neighbour.
    pub fn refined(
        &self,
        coarse: &Self,
        rivers: &Table<Node>,
        area: Area,
        land: &Land,
        is_finest: bool,
    ) -> Table<Node> {
        let mut nodes = self.bare(grown(area, self.reach(is_finest)), land);
        let crossings = crossings(rivers, coarse.cell(), &self.lattice, nodes.window);
        for (node, crossing) in nodes.values.iter_mut().zip(&crossings.values) {
            if let (Some(crossing), false) = (*crossing, node.is_outside) {
                let Crossing { height, target, area } = crossing;
                *node = Node { height, target, area, is_on_river: true, ..*node };
            }
        }
        self.raise(&mut nodes);
        self.find_targets(&mut nodes);
        self.add_areas(&mut nodes, if is_finest { 0 } else { UPSTREAM });
        nodes
    }

    /// The nodes of an area, without heights. Others of its window are outside.
    fn bare(&self, area: Area, land: &Land) -> Table<Node> {
        self.lattice.window(area).map(|index| {
            let point = self.lattice.point(index);
            let is_outside = (0..2).any(|k| point[k] < area[0][k] || point[k] > area[1][k]);
            let hash = self.lattice.hash(index);
            let position = self.lattice.node(index, hash);
            Node {
                position,
                height: f64::INFINITY,
                target: None,
                relief: if is_outside { 1.0 } else { (land.relief)(position) },
                area: 0.0,
                is_on_river: false,
                is_outside,
                hash,
            }
        })
    }

    /// Lets nodes away from rivers drain.
    fn find_targets(&self, nodes: &mut Table<Node>) {
        let targets = nodes.window.map(|index| {
            let node = &nodes[index];
            if node.is_on_river { node.target } else { self.lower(nodes, index) }
        });
        for (node, target) in nodes.values.iter_mut().zip(targets.values) {
            node.target = target;
        }
    }

    /// Heights away from rivers: the shortest paths to them, of [`HOPS`] edges at most.
    fn raise(&self, nodes: &mut Table<Node>) {
        let columns = nodes.window.size[0];
        let away: Vec<Away> = nodes
            .iter()
            .zip(0..)
            .filter(|((_, node), _)| !node.is_on_river && !node.is_outside)
            .map(|((index, node), place)| {
                let rises = NEIGHBOURS.map(|step| {
                    let other = nodes.get(neighbour(index, step)).filter(|n| !n.is_outside);
                    other.map_or(f64::INFINITY, |other| self.rise(node, other))
                });
                // One that is missing is infinitely far away, so any place will do.
                let places = core::array::from_fn(|way| {
                    let [i, j] = NEIGHBOURS[way];
                    let other = place as i64 + i + j * columns as i64;
                    if rises[way] < f64::INFINITY { other as usize } else { place }
                });
                Away { place, places, rises }
            })
            .collect();
        let mut heights: Vec<f64> = nodes.values.iter().map(|node| node.height).collect();
        let mut next = heights.clone();
        for _ in 0..HOPS {
            for Away { place, places, rises } in &away {
                let ways = places.iter().zip(rises);
                next[*place] = ways.fold(heights[*place], |least, (other, rise)| {
                    least.min(heights[*other] + rise)
                });
            }
            core::mem::swap(&mut heights, &mut next);
        }
        for (node, height) in nodes.values.iter_mut().zip(heights) {
            node.height = height;
        }
    }

    /// How much higher than its neighbour a node is at most.
    pub fn rise(&self, one: &Node, other: &Node) -> f64 {
        let vary = unit(one.hash, 6) + unit(other.hash, 6);
        self.slope * (0.5 + 0.5 * vary) * 0.5 * (one.relief + other.relief) * distance(one, other)
    }

    /// A lower neighbour at random, the steeper the likelier; none for the lowest.
    fn lower(&self, nodes: &Table<Node>, index: Index) -> Option<u8> {
        let node = &nodes[index];
        // Far from the area that is looked at, nodes may have no height.
        if node.is_outside || node.height == f64::INFINITY {
            return None;
        }
        let mut best = (0.0, None);
        for (step, stream) in NEIGHBOURS.into_iter().zip(0u8..) {
            let Some(other) = nodes.get(neighbour(index, step)) else { continue };
            if other.height >= node.height || other.is_outside {
                continue;
            }
            let slope = (node.height - other.height) / distance(node, other);
            let score = slope * (0.25 + unit(node.hash, stream.into()));
            if score > best.0 {
                best = (score, Some(stream));
            }
        }
        best.1
    }

    /// The areas upstream, over `edges` edges at most.
    fn add_areas(&self, nodes: &mut Table<Node>, edges: i64) {
        let rivers: Vec<f64> = nodes.values.iter().map(|node| node.area).collect();
        let window = nodes.window;
        let to: Vec<Option<usize>> = nodes
            .iter()
            .map(|(index, node)| {
                window.place(neighbour(index, NEIGHBOURS[usize::from(node.target?)]))
            })
            .collect();
        let mut areas = vec![self.cell(); window.len()];
        for _ in 0..edges {
            let mut sums = vec![self.cell(); window.len()];
            for (from, to) in to.iter().enumerate() {
                if let (Some(to), false) = (*to, nodes.values[from].is_on_river) {
                    sums[to] += areas[from];
                }
            }
            areas = sums;
        }
        for ((node, area), river) in nodes.values.iter_mut().zip(areas).zip(rivers) {
            node.area = area.max(river);
        }
    }
}

pub(super) fn neighbour(index: Index, step: Index) -> Index {
    [index[0] + step[0], index[1] + step[1]]
}

/// The distance between two nodes.
pub(super) fn distance(one: &Node, other: &Node) -> f64 {
    let [dx, dz] = [0, 1].map(|k| one.position[k] - other.position[k]);
    (dx * dx + dz * dz).sqrt()
}
