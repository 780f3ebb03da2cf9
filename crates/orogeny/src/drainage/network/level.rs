//! The nodes of one level: where they are, how high, and where they drain.

use alloc::vec::Vec;

use crate::drainage::network::crossings::{Crossing, crossings};
use crate::drainage::network::edges::Edges;
use crate::drainage::network::fit;
use crate::drainage::network::lakes;
use crate::drainage::network::land::Land;
use crate::drainage::network::lattice::{JITTER, NodeLattice, unit};
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::outlets;
use crate::drainage::network::paths::{HOPS, raise};
use crate::drainage::network::shape::Shape;
use crate::drainage::network::window::Table;
use crate::region::Region;

/// How many edges upstream the area that drains to a node is counted. On the finest level, streams
/// are too small to be seen, so none.
const UPSTREAM: i64 = 3;

/// The same on the coarsest level.
const FAR_UPSTREAM: i64 = 6;

/// How many edges beyond the end of the land its nodes have heights, so that there are rivers at
/// its end, and how much lower than their lowest neighbour they are, over the spacing: rivers leave
/// the land.
const BEYOND: i64 = 2;
pub(in crate::drainage) const LOWER: f64 = 1e-6;

/// The score of another stream, over that of a river of a coarser level, where a stream could join
/// both; squared. So streams meet before they join a river, and fewer of them do: in nature there
/// are 3 to 5 times as many streams of an order as of the next higher one (Horton 1945).
const JOIN: f64 = 100.0;

/// One level of a network.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct NetworkLevel {
    pub lattice: NodeLattice,
    /// The slope of its channels, where the relief is 1.
    pub slope: f64,
}

impl NetworkLevel {
    /// The area that belongs to a node.
    pub fn cell(&self) -> f64 {
        self.lattice.spacing * self.lattice.spacing * (111.0 / 128.0)
    }

    /// The nodes of the coarsest level: their heights are those of the land.
    pub fn coarsest(&self, region: Region, land: &Land) -> Table<NetworkNode> {
        let margin = FAR_UPSTREAM + 3;
        let within = |margin: i64| {
            let mut table = self.bare(region.grown(margin as f64 * self.lattice.spacing), land);
            let heights = land.heights(&positions(&table.values));
            for (node, height) in table.values.iter_mut().zip(heights) {
                node.height = height;
            }
            table
        };
        let mut table = within(margin);
        let ends = table.values.iter().any(|node| node.height.is_nan());
        if ends {
            table = within(margin + BEYOND);
        }
        let edges = Edges::new(&table);
        let nodes = &mut table.values;
        if ends {
            extend(nodes, &edges, self.lattice.spacing);
        }
        find_targets(nodes, &edges, |_| true);
        let basins = outlets::carve(nodes, &edges, land.sea_level);
        let is_lowest: Vec<bool> = nodes.iter().map(|node| node.target.is_none()).collect();
        lakes::put(nodes, &edges, [land.sea_level, land.lakes], |place| {
            is_lowest[place] || basins.binary_search(&place).is_ok()
        });
        self.add_areas(nodes, &edges, FAR_UPSTREAM);
        table
    }

    /// How far around a region the rivers of the coarser level matter.
    pub fn reach(&self, is_finest: bool) -> f64 {
        let upstream = if is_finest { 0 } else { UPSTREAM };
        (HOPS + 1 + upstream) as f64 * self.lattice.spacing
    }

    /// How far around a region nodes of the coarser level are needed: rivers that cross the
    /// hexagons there begin, and end, at most an edge away.
    pub fn reach_of_rivers(&self, coarse: &Self, is_finest: bool) -> f64 {
        let edge = (1.0 + 3.0 * JITTER) * coarse.lattice.spacing;
        self.reach(is_finest) + 0.6 * self.lattice.spacing + edge
    }

    /// The nodes of a finer level. Nodes that a coarser river crosses have its height there, and
    /// drain along it. Any other node lies above its lowest neighbour: see [`raise`]. `valleys` is
    /// how valleys are shaped if the level is the finest.
    pub fn refined(
        &self,
        coarse: &Self,
        rivers: &Table<NetworkNode>,
        region: Region,
        land: &Land,
        valleys: Option<&Shape>,
    ) -> Table<NetworkNode> {
        let margin = if valleys.is_some() { 0 } else { UPSTREAM };
        let inner = region.grown(margin as f64 * self.lattice.spacing);
        let region = region.grown(self.reach(valleys.is_some()));
        let mut table = self.bare(region, land);
        let crossings = crossings(rivers, coarse.cell(), &self.lattice, region, &table.window);
        let edges = Edges::new(&table);
        let points = table.window.indices().map(|index| self.lattice.point(index));
        let is_inner: Vec<bool> = points.map(|point| inner.contains(point)).collect();
        let nodes = &mut table.values;
        for (node, crossing) in nodes.iter_mut().zip(crossings) {
            if let Some(Crossing { height, target, area, is_lake }) = crossing {
                let lake = lakes::inherited(is_lake);
                *node = NetworkNode { height, target, area, lake, is_on_river: true, ..*node };
            }
        }
        raise(nodes, &edges, self.slope, valleys);
        find_targets(nodes, &edges, |place| is_inner[place]);
        if let Some(shape) = valleys {
            self.add_areas(nodes, &edges, 0);
            fit::fit(nodes, &edges, |place| is_inner[place], shape);
        } else {
            lakes::put(nodes, &edges, [land.sea_level, land.lakes], |_| false);
            self.add_areas(nodes, &edges, UPSTREAM);
        }
        table
    }

    /// The nodes of a region, without heights.
    fn bare(&self, region: Region, land: &Land) -> Table<NetworkNode> {
        let window = self.lattice.window(region);
        let node = |index| {
            let hash = self.lattice.hash(index);
            NetworkNode {
                position: self.lattice.node(self.lattice.point(index), hash),
                height: f64::INFINITY,
                target: None,
                relief: 1.0,
                area: 0.0,
                lake: 0.0,
                floor: f64::INFINITY,
                is_on_river: false,
                vary: 0.125 + 0.25 * unit(hash, 6),
                hash,
            }
        };
        let mut values: Vec<NetworkNode> = window.indices().map(node).collect();
        if let Some(reliefs) = land.reliefs(|| positions(&values)) {
            for (node, relief) in values.iter_mut().zip(reliefs) {
                node.relief = relief;
            }
        }
        Table { window, values }
    }

    /// The areas upstream, over `count` edges at most.
    fn add_areas(&self, nodes: &mut [NetworkNode], edges: &Edges, count: i64) {
        let missing = nodes.len();
        let mut areas = vec![self.cell(); missing];
        if count > 0 {
            // Rivers of coarser levels bring areas of their own.
            let to = nodes.iter().zip(&edges.to).map(|(node, to)| match node.target {
                Some(way) if !node.is_on_river => to[usize::from(way)] as usize,
                _ => missing,
            });
            let to: Vec<usize> = to.collect();
            for _ in 0..count {
                let mut sums = vec![self.cell(); missing + 1];
                for (&to, area) in to.iter().zip(&areas) {
                    sums[to] += area;
                }
                areas = sums;
            }
        }
        for (node, area) in nodes.iter_mut().zip(areas) {
            node.area = area.max(node.area);
        }
    }
}

/// Gives heights to nodes near the land that are not on it, and takes those of all others.
fn extend(nodes: &mut [NetworkNode], edges: &Edges, spacing: f64) {
    for _ in 0..BEYOND {
        let known: Vec<f64> = nodes.iter().map(|node| node.height).collect();
        for (place, node) in nodes.iter_mut().enumerate().filter(|(_, node)| node.height.is_nan()) {
            let near = edges.of(place).map(|(_, other)| known[other]);
            // The lesser of a number and NaN is the number.
            node.height = near.fold(f64::NAN, f64::min) - LOWER * spacing;
        }
    }
    for node in nodes.iter_mut().filter(|node| node.height.is_nan()) {
        node.height = f64::INFINITY;
    }
}

fn positions(nodes: &[NetworkNode]) -> Vec<[f64; 2]> {
    nodes.iter().map(|node| node.position).collect()
}

/// Lets nodes that are away from rivers drain.
fn find_targets(nodes: &mut [NetworkNode], edges: &Edges, is_wanted: impl Fn(usize) -> bool) {
    let way_down = |node: &NetworkNode| (node.height, if node.is_on_river { 1.0 } else { JOIN });
    let nothing = (f64::INFINITY, 1.0);
    let ways_down: Vec<(f64, f64)> = nodes.iter().map(way_down).chain([nothing]).collect();
    for (place, node) in nodes.iter_mut().enumerate() {
        // Far from the area that is looked at, nodes may have no height.
        if !node.is_on_river && node.height < f64::INFINITY && is_wanted(place) {
            node.target = lower(node, place, &ways_down, edges);
        }
    }
}

/// A lower neighbour at random; none for the lowest. The highest score wins: the root of the slope
/// times a random factor, and more for streams than for rivers. `ways_down` has the height of each
/// node, and the square of its own factor: 1 or [`JOIN`].
fn lower(node: &NetworkNode, place: usize, ways_down: &[(f64, f64)], edges: &Edges) -> Option<u8> {
    let (to, lengths) = (&edges.to[place], &edges.lengths[place]);
    let mut best = (0.0, None);
    for way in 0..6 {
        let (height, join) = ways_down[to[usize::from(way)] as usize];
        let drop = node.height - height;
        if drop > 0.0 {
            let random = 0.25 + unit(node.hash, way.into());
            // Squared, so that no root is needed.
            let score = join * random * random * drop / lengths[usize::from(way)];
            if score > best.0 {
                best = (score, Some(way));
            }
        }
    }
    best.1
}
