//! The kinds that a query wants, and those that they depend on.

use alloc::vec::Vec;

use crate::scatter::kind::ScatterKind;
use crate::scatter::prepared_kind::PreparedKind;

/// The kinds that a query wants.
pub(super) struct Wanted {
    /// For each kind, whether it is one.
    pub is_wanted: Vec<bool>,
    /// How far around a region each kind must be known, in metres, so that the wanted ones are
    /// known in it. `None` for kinds that no wanted one depends on.
    pub margins: Vec<Option<f64>>,
    /// The largest margin.
    pub widest: f64,
}

impl Wanted {
    /// The kinds that a function accepts; `None` if it accepts none.
    pub fn new(kinds: &[PreparedKind], is_wanted: impl Fn(&ScatterKind) -> bool) -> Option<Self> {
        let is_wanted: Vec<bool> = kinds.iter().map(|kind| is_wanted(&kind.kind)).collect();
        let mut margins: Vec<Option<f64>> = vec![None; kinds.len()];
        for i in (0..kinds.len()).rev() {
            let radius = kinds[i].cells.width;
            let own = is_wanted[i].then_some(0.0);
            let later = kinds[i + 1..].iter().zip(&margins[i + 1..]);
            let needed = later.filter_map(|(later, margin)| {
                let margin = (*margin)?;
                Some(margin + radius.min(later.cells.width))
            });
            margins[i] = own.into_iter().chain(needed).reduce(f64::max);
        }
        let widest = margins.iter().copied().flatten().reduce(f64::max)?;
        Some(Self { is_wanted, margins, widest })
    }
}
