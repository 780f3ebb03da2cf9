//! The nodes of one level: where they are, how high, and where they drain.

use alloc::vec::Vec;

use crate::drainage::crossings::{Crossing, crossings};
use crate::drainage::fit;
use crate::drainage::lakes;
use crate::drainage::land::Land;
use crate::drainage::lattice::{Index, Lattice, NEIGHBOURS, unit};
use crate::drainage::outlets;
use crate::drainage::shape::Shape;
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
    /// The part of its edges along which the lake around it reaches; 0 for none.
    pub lake: f64,
    /// The largest radius of the valley floor: see `fit`. Infinite on all levels but the finest.
    pub floor: f64,
    /// Whether a river of a coarser level flows through it.
    pub is_on_river: bool,
    /// Whether it is not of the area that is looked at.
    pub is_outside: bool,
    /// Its part of the random factor of the slopes of its edges: 1/8 to 3/8.
    vary: f64,
    pub hash: u32,
}

impl Node {
    const OUTSIDE: Self = Self {
        position: [0.0; 2],
        height: f64::INFINITY,
        target: None,
        relief: 1.0,
        area: 0.0,
        lake: 0.0,
        floor: f64::INFINITY,
        is_on_river: false,
        is_outside: true,
        vary: 0.0,
        hash: 0,
    };
}

/// The lengths of the edges of each node to the first three of its [`NEIGHBOURS`]. The other three
/// edges are those of the neighbours. Infinite where a node is missing.
type Lengths = Table<[f64; 3]>;

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
        let heights = land.heights(&positions(&nodes));
        for (node, height) in inside_mut(&mut nodes).zip(heights) {
            node.height = height;
        }
        let lengths = lengths(&nodes);
        self.find_targets(&mut nodes, &lengths, grown(area, margin));
        let basins = outlets::carve(&mut nodes, land.sea_level);
        let is_lowest = nodes.window.map(|index| nodes[index].target.is_none());
        lakes::put(&mut nodes, [land.sea_level, land.lakes], |index| {
            is_lowest[index] || basins.binary_search(&index).is_ok()
        });
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
    /// so it has a lower neighbour. `valleys` is how valleys are shaped if the level is the finest.
    pub fn refined(
        &self,
        coarse: &Self,
        rivers: &Table<Node>,
        area: Area,
        land: &Land,
        valleys: Option<&Shape>,
    ) -> Table<Node> {
        let margin = if valleys.is_some() { 0 } else { UPSTREAM };
        let inner = grown(area, margin as f64 * self.lattice.spacing);
        let area = grown(area, self.reach(valleys.is_some()));
        let mut nodes = self.bare(area, land);
        let crossings = crossings(rivers, coarse.cell(), &self.lattice, area, nodes.window);
        for (node, crossing) in nodes.values.iter_mut().zip(&crossings.values) {
            if let (Some(crossing), false) = (*crossing, node.is_outside) {
                let Crossing { height, target, area, is_lake } = crossing;
                let lake = lakes::inherited(is_lake);
                *node = Node { height, target, area, lake, is_on_river: true, ..*node };
            }
        }
        let lengths = lengths(&nodes);
        self.raise(&mut nodes, &lengths, valleys);
        self.find_targets(&mut nodes, &lengths, inner);
        if let Some(shape) = valleys {
            self.add_areas(&mut nodes, 0);
            fit::fit(&mut nodes, |index| self.is_in(index, inner), shape);
        } else {
            lakes::put(&mut nodes, [land.sea_level, land.lakes], |_| false);
            self.add_areas(&mut nodes, UPSTREAM);
        }
        nodes
    }

    /// The nodes of an area, without heights. Others of its window are outside.
    fn bare(&self, area: Area, land: &Land) -> Table<Node> {
        let mut nodes = self.lattice.window(area).map(|index| {
            let point = self.lattice.point(index);
            if (0..2).any(|k| point[k] < area[0][k] || point[k] > area[1][k]) {
                return Node::OUTSIDE;
            }
            let hash = self.lattice.hash(index);
            let position = self.lattice.node(point, hash);
            let vary = 0.125 + 0.25 * unit(hash, 6);
            Node { position, is_outside: false, vary, hash, ..Node::OUTSIDE }
        });
        if let Some(reliefs) = land.reliefs(|| positions(&nodes)) {
            for (node, relief) in inside_mut(&mut nodes).zip(reliefs) {
                node.relief = relief;
            }
        }
        nodes
    }

    /// Whether a lattice point is in an area.
    fn is_in(&self, index: Index, [min, max]: Area) -> bool {
        let point = self.lattice.point(index);
        (0..2).all(|k| (min[k]..=max[k]).contains(&point[k]))
    }

    /// Lets nodes of an area that are away from rivers drain.
    fn find_targets(&self, nodes: &mut Table<Node>, lengths: &Lengths, area: Area) {
        let targets = nodes.window.map(|index| {
            let node = &nodes[index];
            if node.is_on_river {
                node.target
            } else if self.is_in(index, area) {
                lower(nodes, lengths, index)
            } else {
                None
            }
        });
        for (node, target) in nodes.values.iter_mut().zip(targets.values) {
            node.target = target;
        }
    }

    /// Heights away from rivers: the shortest paths to them, of [`HOPS`] edges at most. Beside a
    /// river with a wide valley floor nodes are not above the sides of its valley.
    fn raise(&self, nodes: &mut Table<Node>, lengths: &Lengths, valleys: Option<&Shape>) {
        let columns = nodes.window.size[0];
        let away: Vec<Away> = nodes
            .iter()
            .zip(0..)
            .filter(|((_, node), _)| !node.is_on_river && !node.is_outside)
            .map(|((index, node), place)| {
                // One that is missing is infinitely far away, so any place will do.
                let mut places = [place; 6];
                let mut rises = [f64::INFINITY; 6];
                for (way, [i, j]) in NEIGHBOURS.into_iter().enumerate() {
                    let length = length(lengths, index, way);
                    if length < f64::INFINITY {
                        places[way] = (place as i64 + i + j * columns as i64) as usize;
                        let other = &nodes.values[places[way]];
                        let rise = self.rise(node, other, length);
                        let side = valleys
                            .map_or(f64::INFINITY, |shape| fit::side([other, node], length, shape));
                        rises[way] = rise.min(side);
                    }
                }
                Away { place, places, rises }
            })
            .collect();
        let mut heights: Vec<f64> = nodes.values.iter().map(|node| node.height).collect();
        let mut next = heights.clone();
        for _ in 0..HOPS {
            for Away { place, places, rises } in &away {
                let mut least = heights[*place];
                for way in 0..6 {
                    least = least.min(heights[places[way]] + rises[way]);
                }
                next[*place] = least;
            }
            core::mem::swap(&mut heights, &mut next);
        }
        for (node, height) in nodes.values.iter_mut().zip(heights) {
            node.height = height;
        }
    }

    /// How much higher than its neighbour a node is at most, at a distance.
    pub fn rise(&self, one: &Node, other: &Node, length: f64) -> f64 {
        self.slope * (one.vary + other.vary) * (one.relief + other.relief) * length
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

/// A lower neighbour at random, the steeper the likelier; none for the lowest.
fn lower(nodes: &Table<Node>, lengths: &Lengths, index: Index) -> Option<u8> {
    let node = &nodes[index];
    // Far from the area that is looked at, nodes may have no height.
    if node.is_outside || node.height == f64::INFINITY {
        return None;
    }
    let mut best = (0.0, None);
    for (step, way) in NEIGHBOURS.into_iter().zip(0u8..) {
        let length = length(lengths, index, way.into());
        if length == f64::INFINITY {
            continue;
        }
        let drop = node.height - nodes[neighbour(index, step)].height;
        if drop > 0.0 {
            let score = drop / length * (0.25 + unit(node.hash, way.into()));
            if score > best.0 {
                best = (score, Some(way));
            }
        }
    }
    best.1
}

/// The nodes of an area, in the order of their table.
fn inside_mut(nodes: &mut Table<Node>) -> impl Iterator<Item = &mut Node> {
    nodes.values.iter_mut().filter(|node| !node.is_outside)
}

/// Their positions.
fn positions(nodes: &Table<Node>) -> Vec<[f64; 2]> {
    nodes.values.iter().filter(|node| !node.is_outside).map(|node| node.position).collect()
}

fn lengths(nodes: &Table<Node>) -> Lengths {
    nodes.window.map(|index| {
        let node = &nodes[index];
        let mut lengths = [f64::INFINITY; 3];
        if !node.is_outside {
            for (length, step) in lengths.iter_mut().zip(NEIGHBOURS) {
                if let Some(other) = nodes.get(neighbour(index, step))
                    && !other.is_outside
                {
                    *length = distance(node, other);
                }
            }
        }
        lengths
    })
}

/// The length of the edge of a node to one of its neighbours.
fn length(lengths: &Lengths, index: Index, way: usize) -> f64 {
    let (index, way) =
        if way < 3 { (index, way) } else { (neighbour(index, NEIGHBOURS[way]), way - 3) };
    lengths.get(index).map_or(f64::INFINITY, |lengths| lengths[way])
}

pub(super) fn neighbour(index: Index, step: Index) -> Index {
    [index[0] + step[0], index[1] + step[1]]
}

/// The distance between two nodes.
pub(super) fn distance(one: &Node, other: &Node) -> f64 {
    let [dx, dz] = [0, 1].map(|k| one.position[k] - other.position[k]);
    (dx * dx + dz * dz).sqrt()
}
