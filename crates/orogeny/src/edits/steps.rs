//! Steps: raises of one area that follow each other in a block of the index, or single edits; and
//! strokes: raises of one area that follow each other count as one.
//!
//! Where raises of the same area follow each other, with no other edit of heights at that point in
//! between, their heights are summed first, and the sum is added to the ground once. Sums are whole
//! numbers of 2^-64 m, so they do not depend on how many raises are summed at a time. This is
//! decided for each point by itself: for the same bits in every chunk, and so that an edit changes
//! no bits outside its region.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::derivative::chain_rule::Differentiated;
use crate::edits::block::IndexedEdit;
use crate::edits::change::EditId;
use crate::edits::operations::{AreaEdit, Effect, PreparedEdit, Raise};
use crate::edits::smoothed_bases::Wavelength;
use crate::region::Region;

/// Edits that follow each other in a block of the index: raises of the same area, or a single edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// One or more edits, in the order of their ids.
    edits: &'a [IndexedEdit],
    /// The sum of the heights of all raises of the block before each edit, and after the last;
    /// nothing for a single edit.
    sums: &'a [i128],
}

/// Which edits of a block form steps; nothing if each is one by itself.
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

    /// The step that begins with edit `at` of the block, up to an edit with this id.
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

    /// The stroke that it is, unless it is an edit of another kind.
    #[inline]
    pub(super) fn stroke(self) -> Option<Stroke<'a>> {
        let raise = self.first().raise()?;
        let sum = match self.sums {
            [first, .., last] => Some(last - first),
            _ => None,
        };
        Some(Stroke { raise, sum })
    }

    /// All of it as one operation.
    pub(super) fn operation(self) -> Cow<'a, PreparedEdit> {
        match self.stroke() {
            Some(stroke) if self.edits.len() > 1 => {
                let (area, effect) = (stroke.raise.area, stroke.effect());
                Cow::Owned(PreparedEdit::Raise(AreaEdit { area, effect }))
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

    /// Steps of several blocks in the order of their ids, each edit once.
    pub fn in_order(mut steps: Vec<Self>) -> Vec<Self> {
        // The next one is the last of the list. Of two that begin with the same edit, which is in
        // several cells, the shorter one comes first.
        let key = |step: &Self| core::cmp::Reverse((step.first().id, step.edits.len()));
        // The lists of a few cells, each in order: a stable sort merges them.
        steps.sort_by_key(key);
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

/// Raises of one area that count as one.
#[derive(Clone, Copy)]
pub(super) struct Stroke<'a> {
    /// The first one.
    pub raise: &'a AreaEdit<Raise>,
    /// The sum of the heights of all, in units; `None` for the first one alone.
    sum: Option<i128>,
}

impl Stroke<'_> {
    /// Whether raises of both that follow each other count as one.
    #[inline]
    pub fn goes_on_with(&self, other: &Stroke) -> bool {
        self.raise.area == other.raise.area
    }

    /// Both as one.
    pub fn with(self, other: Stroke) -> Self {
        Self { sum: Some(self.units() + other.units()), ..self }
    }

    fn units(&self) -> i128 {
        self.sum.unwrap_or_else(|| units(self.raise.effect.height))
    }

    /// The height of all.
    #[inline]
    pub fn height(self) -> f32 {
        self.sum.map_or(self.raise.effect.height, metres)
    }

    /// All of it as one raise.
    #[inline]
    pub fn effect(self) -> Raise {
        Raise { height: self.height(), ..self.raise.effect }
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

/// The ground at a point after steps that are visited in their order.
pub(super) struct Walk<'a, T, F> {
    ground: T,
    p: [f64; 2],
    /// Evaluates a smoothed base at the point.
    smoothed: F,
    /// The raises that were not yet added to the ground.
    open: Option<Stroke<'a>>,
}

impl<'a, T: Differentiated<2>, F: FnMut(Wavelength) -> Option<T>> Walk<'a, T, F> {
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
