//! Strokes on a grid: raises of one area that follow each other count as one, at each point by
//! itself. They are added to the ground line by line.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Disc, PreparedArea};
use crate::edits::indexed_edit::IndexedEdit;
use crate::edits::lines::{Lines, Raising};
use crate::edits::steps::{Step, Stroke};
use crate::region::Region;
use crate::samples::Buffer;
use crate::samples::grid::Grid;

/// The raises that were not yet added to the ground of a grid. Only those whose area returns later
/// have to wait: no other one becomes part of a sum.
pub(super) struct GridStrokes<'a> {
    lines: Lines,
    /// For each point the number of the stroke that waits there, or 0. Empty until one does.
    waiting: Vec<u32>,
    /// All that wait or have waited, from number 1 on.
    strokes: Vec<Stroke<'a>>,
}

impl<'a> GridStrokes<'a> {
    pub fn new(grid: &Grid<2>) -> Self {
        Self { lines: Lines::of(grid), waiting: Vec::new(), strokes: Vec::new() }
    }

    /// Takes a stroke. It waits if its area `returns`; raises that waited where it is are added to
    /// the ground.
    pub fn take<T: Dual<2>>(
        &mut self,
        stroke: Stroke<'a>,
        region: &Region,
        returns: bool,
        out: &mut impl Buffer<2>,
    ) {
        if returns {
            return self.put_off::<T>(stroke, region, out);
        }
        self.add::<T>(region, out);
        let level = out.level();
        if let Some((_, mut ground)) = out.target() {
            self.lines.raise::<T>(level, raising(&stroke), region, &mut ground);
        }
    }

    /// Adds the raises that wait in a region to the ground.
    pub fn add<T: Dual<2>>(&mut self, region: &Region, out: &mut impl Buffer<2>) {
        if self.waiting.is_empty() {
            return;
        }
        for line in self.lines.within(region) {
            let points = self.lines.points(line, region);
            for (points, number) in runs(&self.waiting, points.clone()) {
                if let Some(at) = number.checked_sub(1) {
                    raise::<T>(&self.lines, (line, points), self.strokes[at as usize], out);
                }
            }
            self.waiting[points].fill(0);
        }
    }

    /// Makes a stroke wait, or what waits already if that has the same area.
    fn put_off<T: Dual<2>>(
        &mut self,
        stroke: Stroke<'a>,
        region: &Region,
        out: &mut impl Buffer<2>,
    ) {
        self.waiting.resize(out.values().len(), 0);
        let Self { lines, waiting, strokes } = self;
        // For the number of a sum that goes on, or 0, the number of what waits then.
        let mut numbers = Vec::<(u32, u32)>::new();
        for line in lines.within(region) {
            let points = lines.points(line, region);
            let mut start = points.start;
            for run in waiting[points].chunk_by_mut(|a, b| a == b) {
                let points = start..start + run.len();
                start = points.end;
                let before = run[0].checked_sub(1).map(|at| strokes[at as usize]);
                let sum = before.filter(|own| own.goes_on_with(&stroke));
                if let (Some(before), None) = (before, sum) {
                    raise::<T>(lines, (line, points), before, out);
                }
                let key = sum.map_or(0, |_| run[0]);
                let known = numbers.iter().find(|(own, _)| *own == key);
                let number = known.map(|(_, number)| *number).unwrap_or_else(|| {
                    strokes.push(sum.map_or(stroke, |sum| sum.with(stroke)));
                    let number = strokes.len() as u32;
                    numbers.push((key, number));
                    number
                });
                run.fill(number);
            }
        }
    }
}

/// Raises the ground at points of a line by a stroke.
fn raise<T: Dual<2>>(
    lines: &Lines,
    points: (usize, Range<usize>),
    stroke: Stroke,
    out: &mut impl Buffer<2>,
) {
    let level = out.level();
    if let Some((_, mut ground)) = out.target() {
        lines.raise_points::<T>(level, raising(&stroke), points, &mut ground);
    }
}

fn raising<'a>(stroke: &Stroke<'a>) -> Raising<'a> {
    Raising { area: &stroke.raise.area, height: stroke.height() }
}

/// The runs of equal numbers.
fn runs(numbers: &[u32], within: Range<usize>) -> impl Iterator<Item = (Range<usize>, u32)> {
    let mut start = within.start;
    numbers[within].chunk_by(|a, b| a == b).map(move |run| {
        let points = start..start + run.len();
        start = points.end;
        (points, run[0])
    })
}

/// What is done to the ground of a grid at a time.
pub(super) enum Action<'a> {
    /// Raises of one area. It may return, if another action raises the same one.
    Raise { stroke: Stroke<'a>, region: &'a Region, returns: bool },
    /// Any other edit.
    Edit(&'a IndexedEdit),
}

impl<'a> Action<'a> {
    /// The edit, unless it is a raise.
    pub fn edit(&self) -> Option<&'a IndexedEdit> {
        match self {
            Self::Raise { .. } => None,
            Self::Edit(edit) => Some(edit),
        }
    }
}

/// The actions of steps that follow each other on a grid.
pub(super) fn actions<'a>(steps: &[Step<'a>]) -> Vec<Action<'a>> {
    let mut actions = Vec::with_capacity(steps.len());
    for step in steps {
        match (step.stroke(), actions.last_mut()) {
            (Some(stroke), Some(Action::Raise { stroke: last, .. }))
                if last.goes_on_with(&stroke) =>
            {
                *last = last.with(stroke);
            }
            (Some(stroke), _) => {
                actions.push(Action::Raise { stroke, region: step.region(), returns: false });
            }
            (None, _) => actions.push(Action::Edit(step.first())),
        }
    }
    find_returning(&mut actions);
    actions
}

/// Finds the raises whose area is that of another one.
fn find_returning(actions: &mut [Action]) {
    // An open hash table of the first raise of each area, at most half full.
    let bits = usize::BITS - actions.len().leading_zeros() + 1;
    let mut first = vec![None::<NonZeroU32>; 1 << bits];
    for i in 0..actions.len() {
        let (before, rest) = actions.split_at_mut(i);
        let Some(Action::Raise { stroke, returns, .. }) = rest.first_mut() else { continue };
        let mut slot = (hash(&stroke.raise.area) >> (u64::BITS - bits)) as usize;
        while let Some(known) = first[slot] {
            if let Some(Action::Raise { stroke: other, returns: other_returns, .. }) =
                before.get_mut(known.get() as usize - 1)
                && other.goes_on_with(stroke)
            {
                (*returns, *other_returns) = (true, true);
                break;
            }
            slot = (slot + 1) % first.len();
        }
        if !*returns {
            first[slot] = NonZeroU32::new(i as u32 + 1);
        }
    }
}

/// A hash, the same for equal areas. The highest bits are best.
fn hash(area: &PreparedArea) -> u64 {
    let numbers = match *area {
        PreparedArea::Disc(Disc { center: [x, z], radius, falloff }) => [x, z, radius, falloff],
        PreparedArea::Rectangle { center: [x, z], half: [length, width], .. } => {
            [x, z, length, width]
        }
    };
    numbers.into_iter().fold(0, |hash, number| {
        // 0 and -0 are equal.
        let bits = (number + 0.0).to_bits();
        (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}
