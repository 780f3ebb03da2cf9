//! The edges between the nodes of a table.

use alloc::vec::Vec;

use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::window::Table;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The six edges of each node of a table, in the order of
/// [`NEIGHBOURS`](super::lattice::NEIGHBOURS).
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
                    let [dx, dz] = [0, 1].map(|k| positions[place][k] - positions[other][k]);
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
