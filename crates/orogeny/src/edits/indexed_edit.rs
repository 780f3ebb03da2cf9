//! An edit in the index.

use alloc::sync::Arc;

use crate::derivative::chain_rule::Dual;
use crate::edits::change::EditId;
use crate::edits::operations::{AreaEdit, PreparedEdit, Raise};
use crate::edits::wavelength::Wavelength;
use crate::region::Region;

/// An edit in a node of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexedEdit {
    pub id: EditId,
    pub region: Region,
    pub(super) operation: Arc<PreparedEdit>,
    /// What the operation changes, so that not every look at an edit is one at its operation.
    changes: Changes,
}

/// What an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    /// The heights, by a raise.
    Raise,
    /// The heights.
    Heights,
    /// It takes ground away.
    Hole,
    /// The cover or the water.
    Surface,
    /// What stands on the ground.
    Plants,
}

impl Changes {
    fn of(operation: &PreparedEdit) -> Self {
        match operation {
            PreparedEdit::Raise(_) => Self::Raise,
            PreparedEdit::Hole(_) => Self::Hole,
            PreparedEdit::Paint(_) | PreparedEdit::Flood(_) => Self::Surface,
            PreparedEdit::Clear(_) | PreparedEdit::Plant(_) => Self::Plants,
            PreparedEdit::Flatten(_)
            | PreparedEdit::Roughen(_)
            | PreparedEdit::Terrace(_)
            | PreparedEdit::Crater(_)
            | PreparedEdit::Path(_)
            | PreparedEdit::Stamp(_)
            | PreparedEdit::Smooth(_) => Self::Heights,
        }
    }
}

impl IndexedEdit {
    pub(super) fn new(id: EditId, operation: PreparedEdit) -> Self {
        let (region, changes) = (operation.region(), Changes::of(&operation));
        Self { id, region, operation: Arc::new(operation), changes }
    }

    /// Whether it changes the ground, rather than only what stands on it.
    pub(super) fn changes_ground(&self) -> bool {
        self.changes != Changes::Plants
    }

    /// Whether it changes the heights of the ground.
    pub(super) fn changes_heights(&self) -> bool {
        !matches!(self.changes, Changes::Surface | Changes::Plants)
    }

    /// Whether it takes ground away.
    pub(super) fn is_hole(&self) -> bool {
        self.changes == Changes::Hole
    }

    /// The operation, if it is a raise.
    #[inline]
    pub(super) fn raise(&self) -> Option<&AreaEdit<Raise>> {
        if self.changes != Changes::Raise {
            return None;
        }
        match &*self.operation {
            PreparedEdit::Raise(raise) => Some(raise),
            _ => None,
        }
    }

    /// Whether it flattens the ground, digs or builds on it: things may keep away from it.
    pub(super) fn disturbs_ground(&self) -> bool {
        self.operation.disturbed_distance(self.region.min, f64::INFINITY) < f64::INFINITY
    }

    /// The wavelength of the smoothed base that the edit uses.
    pub(super) fn wavelength(&self) -> Option<Wavelength> {
        self.operation.wavelength()
    }

    /// The ground after the edit, see [`PreparedEdit::apply`]. Ground without a value stays so.
    #[inline]
    pub(super) fn apply<T: Dual<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        let is_touched = self.region.contains(p) && !ground.value().is_nan();
        if is_touched { self.operation.apply(ground, p, smoothed) } else { ground }
    }
}
