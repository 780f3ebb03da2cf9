//! Strokes: raises of one area that follow each other count as one.
//!
//! Where raises of the same area follow each other, with no other edit of heights at that point in
//! between, their heights are summed first, and the sum is added to the ground once. Sums are whole
//! numbers of 2^-64 m, so they do not depend on how many raises are summed at a time. This is
//! decided for each point by itself: for the same bits in every chunk, and so that an edit changes
//! no bits outside its region.

use crate::derivative::chain_rule::Dual;
use crate::edits::operations::{Effect, PreparedEdit};
use crate::edits::steps::{Step, Stroke};
use crate::edits::wavelength::Wavelength;

/// For each of N points, the raises that were not yet added to the ground.
pub(super) struct Strokes<'a, const N: usize> {
    open: [Option<Stroke<'a>>; N],
    /// Whether there is one.
    any: bool,
}

impl<'a, const N: usize> Strokes<'a, N> {
    pub const NONE: Self = Self { open: [None; N], any: false };

    /// Takes a step to the ground of point i, if it is a raise. If not, adds the raises that came
    /// before it: the step is then to be applied.
    #[inline]
    pub fn take<T: Dual<2>>(&mut self, i: usize, step: Step<'a>, p: [f64; 2], ground: &mut T) {
        if !(self.any || step.is_raise()) || !step.region().contains(p) {
            return;
        }
        let Some(stroke) = step.stroke() else {
            // A hole leaves the ground around it as it is.
            if self.any && !matches!(*step.first().operation, PreparedEdit::Hole(_)) {
                self.add(i, p, ground);
            }
            return;
        };
        match &mut self.open[i] {
            Some(open) if open.raise.area == stroke.raise.area => open.sum += stroke.sum,
            _ => {
                self.add(i, p, ground);
                self.open[i] = Some(stroke);
                self.any = true;
            }
        }
    }

    /// Adds the raises of point i to its ground.
    #[inline]
    pub fn add<T: Dual<2>>(&mut self, i: usize, p: [f64; 2], ground: &mut T) {
        if let Some(stroke) = self.open[i].take()
            && !ground.value().is_nan()
            && let Some(weight) = stroke.raise.area.weight(p)
        {
            *ground = stroke.effect().apply(*ground, p, weight);
        }
    }
}

/// The ground at a point after steps that are visited in their order.
pub(super) struct Walk<'a, T, F> {
    ground: T,
    p: [f64; 2],
    /// Evaluates a smoothed base at the point.
    smoothed: F,
    strokes: Strokes<'a, 1>,
}

impl<'a, T: Dual<2>, F: FnMut(Wavelength) -> Option<T>> Walk<'a, T, F> {
    pub fn new(ground: T, p: [f64; 2], smoothed: F) -> Self {
        Self { ground, p, smoothed, strokes: Strokes::NONE }
    }

    #[inline]
    pub fn step(&mut self, step: Step<'a>) {
        let edit = step.first();
        if edit.changes_heights() {
            self.strokes.take(0, step, self.p, &mut self.ground);
            if !step.is_raise() {
                self.ground = edit.apply(self.ground, self.p, &mut self.smoothed);
            }
        }
    }

    pub fn end(mut self) -> T {
        self.strokes.add(0, self.p, &mut self.ground);
        self.ground
    }
}
