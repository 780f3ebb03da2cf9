//! One thing on the ground.

use crate::edits::EditId;

/// Identifies an instance, whatever box it was found with. It stays the same as long as the seed of
/// the recipe, and the seed and the radius of the kind do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InstanceId {
    /// It grew there.
    Natural {
        /// The seed of its kind.
        kind: u64,
        /// Its cell: its position divided by the radius of its kind, rounded down.
        cell: [i64; 2],
    },
    /// An edit planted it.
    Planted(EditId),
}

/// A thing on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instance {
    /// Its id.
    pub id: InstanceId,
    /// The index of its kind in the scatter.
    pub kind: usize,
    /// Its position (x, z) in metres.
    pub position: [f64; 2],
    /// Its size over that of the model.
    pub size: f32,
    /// Its turn about the vertical axis as a part of a whole one, 0 to 1, from x to z.
    pub turn: f32,
    /// How far its axis leans along x and z, as slopes.
    pub lean: [f32; 2],
    /// Its shade among those of its kind, 0 to 1. Also which one of several models it has.
    pub tint: f32,
    /// A number from 0 to 1, evenly distributed. All instances with a rank below t are a fraction t
    /// of them, spread evenly: to draw fewer far away, leave out those of high rank.
    pub rank: f32,
}
