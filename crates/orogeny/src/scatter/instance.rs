//! One thing on the ground.

use crate::edits::{Area, Clear, Disc, EditId};
use crate::kind_id::KindId;

/// Identifies an instance, in whatever region it was found. It stays the same as long as the seed
/// of the recipe, and the seed and the radius of the kind do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InstanceId {
    /// It grew there.
    Natural {
        /// Its kind.
        kind: KindId,
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
    /// Its kind.
    pub kind: KindId,
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

impl Instance {
    /// The edit that fells it, and nothing else of its kind.
    pub fn felling(&self) -> Clear {
        let disc = Disc { center: self.position, radius: 0.01, falloff: 0.01 };
        Clear { area: Area::Disc(disc), kind: Some(self.kind) }
    }
}
