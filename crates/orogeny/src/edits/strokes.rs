//! Strokes: raises of one area that follow each other count as one.
//!
//! Where raises of the same area follow each other, with no other edit of heights at that point in
//! between, their heights are summed first, and the sum is added to the ground once. Sums are whole
//! numbers of 2^-64 m, so they do not depend on how many raises are summed at a time. This is
//! decided for each point by itself: for the same bits in every chunk, and so that an edit changes
//! no bits outside its region.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use crate::derivative::chain_rule::Dual;
use crate::edits::indexed_edit::IndexedEdit;
use crate::edits::log::EditId;
use crate::edits::operations::{AreaEdit, Effect, PreparedEdit, Raise};
use crate::edits::wavelength::Wavelength;
use crate::region::Region;

/// Edits that follow each other in a node of the index: raises of the same area, or a single edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// One or more edits, in the order of their ids.
    edits: &'a [IndexedEdit],
    /// The sum of the heights of all raises of the node before each edit, and after the last;
    /// nothing for a single edit.
    sums: &'a [i128],
}

/// Which edits of a node form steps; nothing if each is one by itself.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// For each edit, the end of the step that it is in.
    ends: Vec<u32>,
    /// The sum of the heights of all raises before each edit, and after the last.
    sums: Vec<i128>,
}

impl Steps {
    pub const NONE: Self = Self { ends: Vec::new(), sums: Vec::new() };

    pub fn of(edits: &[IndexedEdit]) -> Self {
        let mut ends = vec![edits.len() as u32; edits.len()];
        for i in (1..edits.len()).rev() {
            let is_same = edits[i - 1].raise().zip(edits[i].raise());
            let is_same = is_same.is_some_and(|(a, b)| a.area == b.area);
            ends[i - 1] = if is_same { ends[i] } else { i as u32 };
        }
        if (1..).zip(&ends).all(|(next, end)| next == *end) {
            return Self::NONE;
        }
        let mut sums = vec![0];
        let mut sum = 0;
        sums.extend(edits.iter().map(|edit| {
            sum += edit.raise().map_or(0, |raise| units(raise.effect.height));
            sum
        }));
        Self { ends, sums }
    }

    /// The step that begins with edit `at` of the node, up to an edit with this id.
    #[inline]
    pub fn step<'a>(
        &'a self,
        edits: &'a [IndexedEdit],
        at: usize,
        before: Option<EditId>,
    ) -> Step<'a> {
        if self.ends.is_empty() {
            return Step { edits: &edits[at..=at], sums: &[] };
        }
        let end = self.ends[at] as usize;
        let step = Step { edits: &edits[at..end], sums: &self.sums[at..=end] };
        before.map_or(step, |id| step.split(id).0)
    }
}

impl<'a> Step<'a> {
    /// The first edit.
    #[inline]
    pub fn first(self) -> &'a IndexedEdit {
        &self.edits[0]
    }

    pub fn edits(self) -> &'a [IndexedEdit] {
        self.edits
    }

    /// Where its edits are.
    #[inline]
    pub fn region(self) -> &'a Region {
        &self.first().region
    }

    #[inline]
    pub fn is_raise(self) -> bool {
        matches!(*self.first().operation, PreparedEdit::Raise(_))
    }

    /// The raise that it is, and by how much, in units of height.
    #[inline]
    fn raise(self) -> Option<(&'a AreaEdit<Raise>, i128)> {
        let raise = self.first().raise()?;
        let sum = match self.sums {
            [first, .., last] => last - first,
            _ => units(raise.effect.height),
        };
        Some((raise, sum))
    }

    /// All of it as one operation.
    pub(super) fn operation(self) -> Cow<'a, PreparedEdit> {
        match self.raise() {
            Some((raise, sum)) if self.edits.len() > 1 => {
                let effect = Raise { height: metres(sum), ..raise.effect };
                Cow::Owned(PreparedEdit::Raise(AreaEdit { effect, area: raise.area }))
            }
            _ => Cow::Borrowed(&*self.first().operation),
        }
    }

    /// Its edits before this id, and those from it on, if there are any. It has the first one at
    /// least.
    #[inline]
    fn split(self, id: EditId) -> (Self, Option<Self>) {
        let last = self.edits.len() - 1;
        if last == 0 || self.edits[last].id < id {
            return (self, None);
        }
        let count = self.edits.partition_point(|edit| edit.id < id).max(1);
        self.split_at(count)
    }

    fn split_at(self, count: usize) -> (Self, Option<Self>) {
        let len = self.edits.len();
        if count == len {
            return (self, None);
        }
        let part = |from: usize, to: usize| Self {
            edits: &self.edits[from..to],
            sums: &self.sums[from..=to],
        };
        (part(0, count), Some(part(count, len)))
    }

    /// Steps of several nodes in the order of their ids, each edit once.
    pub fn in_order(mut steps: Vec<Self>) -> Vec<Self> {
        // The next one is the last of the list. Of two that begin with the same edit, which is in
        // several nodes, the shorter one comes first.
        let key = |step: &Self| core::cmp::Reverse((step.first().id, step.edits.len()));
        steps.sort_unstable_by_key(key);
        let mut ordered = Vec::with_capacity(steps.len());
        // Rests of steps that were split, which are few.
        let put_back = |steps: &mut Vec<Self>, rest: Option<Self>| {
            if let Some(rest) = rest {
                let at = steps.partition_point(|step| key(step) < key(&rest));
                steps.insert(at, rest);
            }
        };
        while let Some(step) = steps.pop() {
            while let Some(same) = steps.pop_if(|other| other.first().id == step.first().id) {
                put_back(&mut steps, same.split_at(step.edits.len()).1);
            }
            let (step, rest) = match steps.last() {
                Some(next) => step.split(next.first().id),
                None => (step, None),
            };
            put_back(&mut steps, rest);
            ordered.push(step);
        }
        ordered
    }
}

/// The number of units of height in a metre.
const UNITS: f64 = (1u128 << 64) as f64;

/// A height in units. Those of 1e14 raises can be summed.
pub(super) fn units(height: f32) -> i128 {
    (f64::from(height) * UNITS) as i128
}

/// A sum of heights in metres.
pub(super) fn metres(sum: i128) -> f32 {
    (sum as f64 / UNITS) as f32
}

/// For each of N points, the raises that were not yet added to the ground.
pub(super) struct Strokes<'a, const N: usize> {
    open: [Option<(&'a AreaEdit<Raise>, i128)>; N],
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
        let Some((raise, sum)) = step.raise() else {
            // A hole leaves the ground around it as it is.
            if self.any && !matches!(*step.first().operation, PreparedEdit::Hole(_)) {
                self.add(i, p, ground);
            }
            return;
        };
        match &mut self.open[i] {
            Some((open, height)) if open.area == raise.area => *height += sum,
            _ => {
                self.add(i, p, ground);
                self.open[i] = Some((raise, sum));
                self.any = true;
            }
        }
    }

    /// Adds the raises of point i to its ground.
    #[inline]
    pub fn add<T: Dual<2>>(&mut self, i: usize, p: [f64; 2], ground: &mut T) {
        if let Some((raise, sum)) = self.open[i].take()
            && !ground.value().is_nan()
            && let Some(weight) = raise.area.weight(p)
        {
            let effect = Raise { height: metres(sum), ..raise.effect };
            *ground = effect.apply(*ground, p, weight);
        }
    }
}

impl IndexedEdit {
    /// The operation, if it is a raise.
    #[inline]
    fn raise(&self) -> Option<&AreaEdit<Raise>> {
        match &*self.operation {
            PreparedEdit::Raise(raise) => Some(raise),
            _ => None,
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
