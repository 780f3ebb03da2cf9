//! An edit in the index.

use alloc::sync::Arc;

use crate::derivative::chain_rule::Dual;
use crate::edits::change::EditId;
use crate::edits::operations::PreparedEdit;
use crate::edits::wavelength::Wavelength;
use crate::region::Region;

/// An edit in a node of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexedEdit {
    pub id: EditId,
    pub region: Region,
    pub(super) operation: Arc<PreparedEdit>,
}

impl IndexedEdit {
    pub(super) fn new(id: EditId, operation: PreparedEdit) -> Self {
        Self { id, region: operation.region(), operation: Arc::new(operation) }
    }

    /// Whether it changes the ground, rather than only what stands on it.
    pub(super) fn changes_ground(&self) -> bool {
        !matches!(*self.operation, PreparedEdit::Clear(_) | PreparedEdit::Plant(_))
    }

    /// Whether it changes the heights of the ground.
    pub(super) fn changes_heights(&self) -> bool {
        self.changes_ground()
            && !matches!(*self.operation, PreparedEdit::Paint(_) | PreparedEdit::Flood(_))
    }

    /// Whether it takes ground away.
    pub(super) fn is_hole(&self) -> bool {
        matches!(*self.operation, PreparedEdit::Hole(_))
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
