//! The nodes of one level: where they are, how high, and where they drain.
//!
//! Nodes of the coarsest level take the heights of the land. On finer levels, [`crossings`] are the
//! nodes on the rivers of the level above, and [`raise`] gives all others their heights.

use alloc::vec::Vec;

use crate::arrays::{self, Each};
use crate::drainage::network::lakes::{Profile, carve_outlets, inherited_lake, put_lakes};
use crate::drainage::network::lattice::{
    Index, JITTER, NEIGHBOURS, NodeLattice, Table, Window, neighbour, unit,
};
use crate::drainage::network::node::{Catchment, Edges, NetworkNode};
use crate::drainage::network::shape::{STEEPER, Shape};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
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
    pub fn coarsest(&self, region: Region, catchment: &Catchment) -> Table<NetworkNode> {
        let margin = FAR_UPSTREAM + 3;
        let within = |margin: i64| {
            let mut table =
                self.bare(region.grown(margin as f64 * self.lattice.spacing), catchment);
            let heights = catchment.heights(&positions(&table.values));
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
        let basins = carve_outlets(nodes, &edges, catchment.sea_level);
        let is_lowest: Vec<bool> = nodes.iter().map(|node| node.target.is_none()).collect();
        put_lakes(nodes, &edges, [catchment.sea_level, catchment.lakes], |place| {
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
        catchment: &Catchment,
        valleys: Option<&Shape>,
    ) -> Table<NetworkNode> {
        let margin = if valleys.is_some() { 0 } else { UPSTREAM };
        let inner = region.grown(margin as f64 * self.lattice.spacing);
        let region = region.grown(self.reach(valleys.is_some()));
        let mut table = self.bare(region, catchment);
        let crossings = crossings(rivers, coarse.cell(), &self.lattice, region, &table.window);
        let edges = Edges::new(&table);
        let points = table.window.indices().map(|index| self.lattice.point(index));
        let is_inner: Vec<bool> = points.map(|point| inner.contains(point)).collect();
        let nodes = &mut table.values;
        for (node, crossing) in nodes.iter_mut().zip(crossings) {
            if let Some(Crossing { height, target, area, is_lake }) = crossing {
                let lake = inherited_lake(is_lake);
                *node = NetworkNode { height, target, area, lake, is_on_river: true, ..*node };
            }
        }
        raise(nodes, &edges, self.slope, valleys);
        find_targets(nodes, &edges, |place| is_inner[place]);
        if let Some(shape) = valleys {
            self.add_areas(nodes, &edges, 0);
            fit_valleys(nodes, &edges, |place| is_inner[place], shape);
        } else {
            put_lakes(nodes, &edges, [catchment.sea_level, catchment.lakes], |_| false);
            self.add_areas(nodes, &edges, UPSTREAM);
        }
        table
    }

    /// The nodes of a region, without heights.
    fn bare(&self, region: Region, catchment: &Catchment) -> Table<NetworkNode> {
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
        if let Some(reliefs) = catchment.reliefs(|| positions(&values)) {
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

/// The points along a river that are looked at. Rivers are at most 4 (1 + 2 JITTER) = 6.24 finer
/// spacings long, and hexagons that do not touch are 0.577 apart, so neighbouring points lie in
/// the same hexagon or in neighbours.
const POINTS: usize = 16;

/// A river in a hexagon.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Its height where it leaves.
    pub height: f64,
    /// The neighbour that it enters; none where it ends.
    pub target: Option<u8>,
    /// The area upstream.
    pub area: f64,
    /// Whether it is a lake there.
    pub is_lake: bool,
}

/// The lowest river in each hexagon of the points of a window, in their order. Along a river,
/// heights fall; so the lowest one goes on to a hexagon in which the lowest is lower.
fn crossings(
    rivers: &Table<NetworkNode>,
    cell: f64,
    lattice: &NodeLattice,
    region: Region,
    window: &Window,
) -> Vec<Option<Crossing>> {
    let mut crossings = vec![None; window.len()];
    let mut cross = |hexagon: Index, crossing: Crossing| {
        if let Some(place) = window.place(hexagon) {
            let known = &mut crossings[place];
            // Another river may end in this one here.
            let area = known.map_or(crossing.area, |other: Crossing| other.area.max(crossing.area));
            if known.is_none_or(|other| crossing.height < other.height) {
                *known = Some(crossing);
            }
            if let Some(known) = known {
                known.area = area;
            }
        }
    };
    // A hexagon reaches 0.58 spacings from its centre.
    let Region { min, max } = region.grown(0.6 * lattice.spacing);
    // Beyond the land there are nodes without a height.
    for (index, node) in rivers.iter().filter(|(_, node)| node.height < f64::INFINITY) {
        let Some(target) = node.target else {
            let NetworkNode { height, area, lake, .. } = *node;
            let crossing = Crossing { height, target: None, area, is_lake: lake > 0.0 };
            cross(lattice.nearest(node.position), crossing);
            continue;
        };
        let Some(end) = rivers.get(neighbour(index, NEIGHBOURS[usize::from(target)])) else {
            continue;
        };
        let is_far = |k: usize| {
            let [a, b] = [node.position[k], end.position[k]];
            a.max(b) < min[k] || a.min(b) > max[k]
        };
        if is_far(0) || is_far(1) {
            continue;
        }
        let at = |a: f64, b: f64, i: usize| a + (b - a) * (i as f64 / POINTS as f64);
        let profile = Profile::new(node, end);
        let hexagons: [Index; POINTS + 1] = arrays::from_fn(|i| {
            lattice.nearest([0, 1].each(|k| at(node.position[k], end.position[k], i)))
        });
        let mut way = None;
        for i in (0..POINTS).rev() {
            if hexagons[i] != hexagons[i + 1] {
                let step = [0, 1].each(|k| hexagons[i + 1][k] - hexagons[i][k]);
                way = (0u8..).zip(NEIGHBOURS).find(|(_, to)| *to == step).map(|(way, _)| way);
            }
            let part = i as f64 / POINTS as f64;
            let crossing = Crossing {
                height: profile.at(part),
                is_lake: profile.is_lake(part),
                target: way,
                area: at(node.area - cell, node.area, i),
            };
            cross(hexagons[i], crossing);
        }
    }
    crossings
}

/// How many edges a node is away from a river of the next coarser level, at most.
///
/// A point is at most 1 / sqrt 3 spacings away from a lattice point, and that at most JITTER from
/// its node: 4 (0.577 + 0.28) = 3.43 finer spacings. The hexagon of that node is centred at most
/// 0.577 away. Paths of edges are at most 2 / sqrt 3 times as long as the distance: 4.63.
pub(in crate::drainage) const HOPS: i64 = 5;

/// A node away from rivers.
struct OffRiver {
    place: u32,
    /// Its neighbours.
    to: [u32; 6],
    /// How much higher than each of them it is at most.
    rises: [f64; 6],
}

/// Raises nodes away from rivers above their neighbours by what the slope of their level makes:
///
/// z_i = min over neighbours j of z_j + slope |p_i - p_j|,
///
/// so each has a lower neighbour. These are the shortest paths to rivers, of [`HOPS`] edges at
/// most. With `valleys`, no node beside a river is above the side of its valley.
fn raise(nodes: &mut [NetworkNode], edges: &Edges, slope: f64, valleys: Option<&Shape>) {
    let missing = nodes.len() as u32;
    let floors: Vec<f64> = valleys.map_or_else(Vec::new, |shape| {
        nodes.iter().map(|node| node.valley_floor(node.area, shape)).collect()
    });
    let away = nodes.iter().zip(0u32..).filter(|(node, _)| !node.is_on_river);
    let away: Vec<OffRiver> = away
        .map(|(node, place)| {
            let (to, lengths) = (edges.to[place as usize], &edges.lengths[place as usize]);
            let rises = arrays::from_fn(|way| {
                if to[way] == missing {
                    return f64::INFINITY;
                }
                let other = &nodes[to[way] as usize];
                let rise = rise(slope, [node, other], lengths[way]);
                match valleys {
                    Some(shape) if other.is_on_river => {
                        let floor = floors[to[way] as usize];
                        rise.min(valley_side([other, node], floor, lengths[way], shape))
                    }
                    _ => rise,
                }
            });
            OffRiver { place, to, rises }
        })
        .collect();
    let mut heights: Vec<f64> =
        nodes.iter().map(|node| node.height).chain([f64::INFINITY]).collect();
    let mut next = heights.clone();
    for _ in 0..HOPS {
        let mut is_done = true;
        for OffRiver { place, to, rises } in &away {
            let own = heights[*place as usize];
            let mut least = own;
            for (to, rise) in to.iter().zip(rises) {
                let height = heights[*to as usize] + rise;
                if height < least {
                    least = height;
                }
            }
            next[*place as usize] = least;
            is_done &= least == own;
        }
        core::mem::swap(&mut heights, &mut next);
        if is_done {
            break;
        }
    }
    for (node, height) in nodes.iter_mut().zip(heights) {
        node.height = height;
    }
}

/// How much higher than its neighbour at a distance a node of a level with a slope is at most.
pub(in crate::drainage) fn rise(slope: f64, [one, other]: [&NetworkNode; 2], length: f64) -> f64 {
    slope * (one.vary + other.vary) * (one.relief + other.relief) * length
}

/// How high a neighbour lies on the side of a valley, at most: rivers swing from their nodes.
const PART: f64 = 0.8;

/// How far a node away from rivers may be above a river with a radius of its valley floor, at a
/// distance: a part of the height of the side of its valley.
fn valley_side([river, node]: [&NetworkNode; 2], floor: f64, length: f64, shape: &Shape) -> f64 {
    let relief = 0.5 * (river.relief + node.relief);
    PART * shape.steepness * relief * ((length * length + floor * floor).sqrt() - floor)
}

/// Makes valleys fit their neighbours, so that none is cut away by the valley of a lower river. The
/// side of a valley is s (sqrt(d^2 + w^2) - w) above its river at a distance d, with the slope s of
/// its sides and the radius w of its floor. A neighbouring river that lies higher than this would
/// hang above the ground.
///
/// Makes the sides of valleys of some nodes steeper, and then their floors narrower, until the
/// rivers around lie on them. Other nodes do so anyway: their heights come from the slope of their
/// level.
fn fit_valleys(
    nodes: &mut [NetworkNode],
    edges: &Edges,
    is_in: impl Fn(usize) -> bool,
    shape: &Shape,
) {
    // The squares of the distances of rivers above a node, and by how much.
    let mut rivers: Vec<[f64; 2]> = Vec::new();
    let fitted: Vec<[f64; 2]> = nodes
        .iter()
        .enumerate()
        .map(|(place, node)| {
            let (mut relief, mut radius) = (node.relief, f64::INFINITY);
            if !is_in(place) {
                return [relief, radius];
            }
            let around = edges.around(place).map(|other| &nodes[other]);
            let above = around.filter(|other| other.is_on_river && other.height > node.height);
            rivers.clear();
            rivers.extend(above.map(|river| {
                let [x, z] = [0, 1].each(|k| river.position[k] - node.position[k]);
                [x * x + z * z, river.height - node.height]
            }));
            let w = node.valley_floor(node.area, shape);
            for [square, rise] in &rivers {
                let way = (square + w * w).sqrt() - w;
                relief = relief.max((rise / (PART * way * shape.steepness)).min(STEEPER));
            }
            for [square, rise] in &rivers {
                let r = rise / (PART * relief * shape.steepness);
                // Without any floor, the ground would have a crease at the water.
                let least = 0.05 * shape.floor;
                radius = radius.min(((square - r * r) / (2.0 * r)).max(least));
            }
            [relief, radius]
        })
        .collect();
    for (node, [relief, floor]) in nodes.iter_mut().zip(fitted) {
        (node.relief, node.floor) = (relief, floor);
    }
}
