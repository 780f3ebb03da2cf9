//! The edges between the nodes of a table.

use alloc::vec::Vec;

use crate::drainage::node::Node;
use crate::drainage::window::Table;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The six edges of each node of a table, in the order of
/// [`NEIGHBOURS`](super::lattice::NEIGHBOURS).
#[derive(Debug)]
pub(super) struct Edges {
    /// The places of its neighbours. One that is missing has the place after the last.
    pub to: Vec<[u32; 6]>,
    /// The lengths; infinite to neighbours that are missing.
    pub lengths: Vec<[f64; 6]>,
}

impl Edges {
    pub fn new(nodes: &Table<Node>) -> Self {
        let to = nodes.window.neighbours();
        let mut positions: Vec<[f64; 2]> = nodes.values.iter().map(|node| node.position).collect();
        positions.push([f64::INFINITY; 2]);
        let mut lengths = vec![[f64::INFINITY; 6]; nodes.values.len()];
        for ((lengths, to), own) in lengths.iter_mut().zip(&to).zip(&positions) {
            for (length, other) in lengths.iter_mut().zip(to) {
                let other = positions[*other as usize];
                let [dx, dz] = [own[0] - other[0], own[1] - other[1]];
                *length = (dx * dx + dz * dz).sqrt();
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
