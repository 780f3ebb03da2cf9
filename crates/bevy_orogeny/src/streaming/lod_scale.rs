//! Scales the levels of detail so that the wanted chunks fit into the budget.

/// The ratio of consecutive scales.
const STEP: f64 = 0.85;

/// The minimum scale. Balance alone needs some hundred chunks, so levels do not get coarser
/// below this.
const LOWEST: f64 = 1e-3;

/// A finer selection must leave this fraction of the budget free. Otherwise the next movement of
/// a viewer would undo it.
const SPARE: f64 = 0.125;

/// The factor on [`View::errors_per_radian`](crate::lod::view::View::errors_per_radian) that the
/// budget of chunks allows: 1 if it sets no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LodScale {
    granted: f64,
    /// Whether the next larger scale is known not to fit.
    settled: bool,
}

impl Default for LodScale {
    fn default() -> Self {
        Self { granted: 1.0, settled: true }
    }
}

impl LodScale {
    /// Whether levels are coarser than the views request.
    pub fn is_limited(self) -> bool {
        self.granted < 1.0
    }

    /// Whether a finer selection may fit.
    pub fn may_recover(self) -> bool {
        self.is_limited() && !self.settled
    }

    /// Selects for new views or a new budget. `select` makes a selection with a given scale and
    /// returns its number of chunks, which may be at most `max`.
    pub fn fit(&mut self, max: usize, mut select: impl FnMut(f64) -> usize) {
        let mut len = select(self.granted);
        // While viewers move, only try a raise that is almost certain to fit, since a second
        // selection costs time.
        if self.is_limited() && len < max / 2 {
            self.granted = self.larger();
            len = select(self.granted);
        }
        while len > max && self.granted > LOWEST {
            self.granted *= STEP;
            len = select(self.granted);
        }
        self.settled = !self.is_limited();
    }

    /// Tries the next larger scale for views at rest. Returns whether the selection has changed.
    pub fn recover(&mut self, max: usize, mut select: impl FnMut(f64) -> usize) -> bool {
        if !self.may_recover() {
            return false;
        }
        let larger = self.larger();
        let limit = max as f64 * (1.0 - SPARE);
        if select(larger) as f64 <= limit {
            self.granted = larger;
            self.settled = !self.is_limited();
            return true;
        }
        select(self.granted);
        self.settled = true;
        false
    }

    fn larger(self) -> f64 {
        let larger = self.granted / STEP;
        // Products and quotients are rounded.
        if larger > 0.999 { 1.0 } else { larger }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::key::Layout;
    use crate::lod::chunk_errors::ChunkErrors;
    use crate::lod::selection::{Selection, View};

    /// The number of chunks of a selection with that scale.
    fn chunks(lod_scale: f64) -> usize {
        (100.0 + 4000.0 * lod_scale * lod_scale) as usize
    }

    #[test]
    fn it_is_as_large_as_the_budget_grants_and_recovers_at_rest() {
        let mut lod_scale = LodScale::default();
        lod_scale.fit(5000, chunks);
        assert!(!lod_scale.is_limited() && !lod_scale.may_recover());
        lod_scale.fit(1000, chunks);
        assert!(lod_scale.is_limited() && chunks(lod_scale.granted) <= 1000);
        // At rest the raises end, and the next scale would leave too small a margin.
        let mut steps = 0;
        while lod_scale.may_recover() {
            lod_scale.recover(1000, chunks);
            steps += 1;
        }
        assert!((1..20).contains(&steps));
        assert!(chunks(lod_scale.larger()) > 875);
        lod_scale.fit(5000, chunks);
        while lod_scale.may_recover() {
            lod_scale.recover(5000, chunks);
        }
        assert_eq!(lod_scale, LodScale::default());
    }

    /// Errors without a bound once could not be made coarser: 8,128 chunks of 4,096.
    #[test]
    fn errors_without_a_bound_keep_to_the_budget() {
        let layout = Layout { cells: 64, spacing: 1.0 };
        let errors = ChunkErrors::default();
        let view = View { guarantee: true, ..View::at([0.0; 2], 8000.0, 1000.0) };
        for view in [view, View { uniform: Some(0), ..view }, View { range: 100e3, ..view }] {
            let mut selection = Selection::default();
            let mut lod_scale = LodScale::default();
            lod_scale.fit(4096, |lod_scale| {
                selection.update(&layout, &errors, &[view], lod_scale);
                selection.len()
            });
            assert!(lod_scale.is_limited() && selection.len() <= 4096, "{}", selection.len());
            assert!(selection.len() > 1000, "{}", selection.len());
        }
    }

    #[test]
    fn a_budget_that_nothing_fits_into_ends() {
        let mut lod_scale = LodScale::default();
        lod_scale.fit(0, chunks);
        assert!(lod_scale.granted <= LOWEST);
        assert!(!lod_scale.recover(0, chunks) && !lod_scale.may_recover());
    }
}
