//! Nodes of a network, the edges between them, and the land that they are made for.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::drainage::network::lattice::{Table, unit};
use crate::drainage::network::shape::Shape;
use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// A node of a network.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct NetworkNode {
    pub position: [f64; 2],
    pub height: f64,
    /// The neighbour that it drains to, as an index of
    /// [`NEIGHBOURS`](crate::drainage::network::lattice::NEIGHBOURS); none for lakes.
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
    /// Its part of the random factor of the slopes of its edges: 1/8 to 3/8.
    pub vary: f64,
    pub hash: u32,
}

impl NetworkNode {
    /// The radius of the valley floor of a river that drains an area through it.
    pub fn valley_floor(&self, area: f64, shape: &Shape) -> f64 {
        let half_width = self.half_width(area, shape);
        if self.lake > 0.0 { shape.lake_floor(half_width) } else { shape.floor(half_width) }
    }

    /// Half the width of the water that drains an area through it.
    pub fn half_width(&self, area: f64, shape: &Shape) -> f64 {
        let is_lake = self.lake > 0.0;
        if is_lake { shape.lake_half_width(unit(self.hash, 8)) } else { shape.half_width(area) }
    }
}

/// The distance between two nodes.
pub(in crate::drainage) fn distance(one: &NetworkNode, other: &NetworkNode) -> f64 {
    let [dx, dz] = [0, 1].each(|k| one.position[k] - other.position[k]);
    (dx * dx + dz * dz).sqrt()
}

/// The six edges of each node of a table, in the order of
/// [`NEIGHBOURS`](crate::drainage::network::lattice::NEIGHBOURS).
#[derive(Debug)]
pub(in crate::drainage) struct Edges {
    /// The places of its neighbours. One that is missing has the place after the last.
    pub to: Vec<[u32; 6]>,
    /// The lengths; infinite to neighbours that are missing.
    pub lengths: Vec<[f64; 6]>,
}

impl Edges {
    pub fn new(nodes: &Table<NetworkNode>) -> Self {
        let to = nodes.window.neighbours();
        let positions: Vec<[f64; 2]> = nodes.values.iter().map(|node| node.position).collect();
        let mut lengths = vec![[f64::INFINITY; 6]; nodes.values.len()];
        for place in 0..lengths.len() {
            // The edge to the opposite neighbour is that of a node before it.
            for way in 0..3 {
                let other = to[place][way] as usize;
                if other < lengths.len() {
                    let [dx, dz] = [0, 1].each(|k| positions[place][k] - positions[other][k]);
                    let length = (dx * dx + dz * dz).sqrt();
                    lengths[place][way] = length;
                    lengths[other][way + 3] = length;
                }
            }
        }
        Self { to, lengths }
    }

    /// The place of a neighbour, if it is in the table.
    pub fn neighbour(&self, place: usize, way: usize) -> Option<usize> {
        let other = self.to[place][way] as usize;
        (other < self.lengths.len()).then_some(other)
    }

    /// The neighbours of a node that are in the table, with their ways.
    pub fn of(&self, place: usize) -> impl Iterator<Item = (u8, usize)> {
        let all = self.to[place].into_iter().map(|other| other as usize);
        (0u8..).zip(all).filter(|(_, other)| *other < self.lengths.len())
    }

    /// The 18 nodes around a node that is far from the ends of the table: its neighbours, and
    /// theirs.
    pub fn around(&self, place: usize) -> impl Iterator<Item = usize> {
        let near = self.to[place];
        let far = (0..6).flat_map(move |way| {
            let beyond = self.to[near[way] as usize];
            [beyond[way], beyond[(way + 1) % 6]]
        });
        let all = near.into_iter().chain(far).map(|other| other as usize);
        all.filter(|other| *other < self.lengths.len())
    }
}

/// The smallest factor of slopes: a network needs some slope.
const LEAST_RELIEF: f64 = 0.02;

/// The ground that rivers are made for, without them.
pub(in crate::drainage) struct Catchment<'a> {
    /// The height without rivers.
    pub height: &'a dyn Field<2>,
    /// The slope of valley sides over that of the steepest, limited to [`LEAST_RELIEF`] to 1; 1
    /// everywhere without it.
    pub relief: Option<&'a dyn Field<2>>,
    pub sea_level: f64,
    /// The probability of a lake where one can be.
    pub lakes: f64,
}

impl Catchment<'_> {
    /// The heights at some points: NaN where the land has none.
    pub fn heights(&self, points: &[[f64; 2]]) -> Vec<f64> {
        values(self.height, points)
    }

    /// Whether the land ends at some of these points.
    pub fn ends_at(&self, points: &[[f64; 2]]) -> bool {
        self.heights(points).iter().any(|height| height.is_nan())
    }

    /// The relief at some points, 1 where the field has no value; `None` where it is 1 everywhere.
    pub fn reliefs(&self, points: impl FnOnce() -> Vec<[f64; 2]>) -> Option<Vec<f64>> {
        let mut reliefs = values(self.relief?, &points());
        for relief in &mut reliefs {
            *relief = if relief.is_nan() { 1.0 } else { relief.clamp(LEAST_RELIEF, 1.0) };
        }
        Some(reliefs)
    }
}

fn values(field: &dyn Field<2>, points: &[[f64; 2]]) -> Vec<f64> {
    let mut values = vec![0.0; points.len()];
    field.value_points(points, &mut values);
    values.into_iter().map(f64::from).collect()
}
