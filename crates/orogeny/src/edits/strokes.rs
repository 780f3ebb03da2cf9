//! Strokes: raises of one area that follow each other count as one.
//!
//! Where raises of the same area follow each other, with no other edit of heights at that point in
//! between, their heights are summed first, and the sum is added to the ground once. Sums are whole
//! numbers of 2^-64 m, so they do not depend on how many raises are summed at a time. This is
//! decided for each point by itself: for the same bits in every chunk, and so that an edit changes
//! no bits outside its region.

use crate::derivative::chain_rule::Dual;
use crate::edits::operations::Effect;
use crate::edits::steps::{Step, Stroke};
use crate::edits::wavelength::Wavelength;

/// The ground at a point after steps that are visited in their order.
pub(super) struct Walk<'a, T, F> {
    ground: T,
    p: [f64; 2],
    /// Evaluates a smoothed base at the point.
    smoothed: F,
    /// The raises that were not yet added to the ground.
    open: Option<Stroke<'a>>,
}

impl<'a, T: Dual<2>, F: FnMut(Wavelength) -> Option<T>> Walk<'a, T, F> {
    pub fn new(ground: T, p: [f64; 2], smoothed: F) -> Self {
        Self { ground, p, smoothed, open: None }
    }

    #[inline]
    pub fn step(&mut self, step: Step<'a>) {
        let edit = step.first();
        if !edit.region.contains(self.p) || !edit.changes_heights() {
            return;
        }
        let Some(stroke) = step.stroke() else {
            // A hole leaves the ground around it as it is.
            if !edit.is_hole() {
                self.add();
            }
            self.ground = edit.apply(self.ground, self.p, &mut self.smoothed);
            return;
        };
        match &mut self.open {
            Some(open) if open.goes_on_with(&stroke) => *open = open.with(stroke),
            _ => {
                self.add();
                self.open = Some(stroke);
            }
        }
    }

    pub fn end(mut self) -> T {
        self.add();
        self.ground
    }

    /// Adds the open raises to the ground.
    #[inline]
    fn add(&mut self) {
        if let Some(stroke) = self.open.take()
            && !self.ground.value().is_nan()
            && let Some(weight) = stroke.raise.area.weight(self.p)
        {
            self.ground = stroke.effect().apply(self.ground, self.p, weight);
        }
    }
}
