//! Which kind of plants or rocks.

use core::fmt;

/// Identifies a kind of plants or rocks: the seed of its
/// [`ScatterKind`](crate::scatter::ScatterKind). Instances and edits refer to kinds by it, so they
/// keep their kind when others are added, removed or moved. Files have the number alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct KindId(pub u64);

impl fmt::Display for KindId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
