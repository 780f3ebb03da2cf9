//! Strokes on a grid: raises of one area that follow each other count as one, at each point by
//! itself. They are added to the ground line by line.

use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::chain_rule::Differentiated;
use crate::edits::area::{Disc, PreparedArea, Section};
use crate::edits::block::IndexedEdit;
use crate::edits::falloff::Jet64;
use crate::edits::grids::indices_between;
use crate::edits::steps::{Step, Stroke};
use crate::kernel::{MAX_LANES, OutputSlices};
use crate::real::Lanes;
use crate::region::Region;
use crate::samples::Buffer;
use crate::samples::positions::Grid;
use crate::simd::{Level, dispatch};

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
    pub fn take<T: Differentiated<2>>(
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
    pub fn add<T: Differentiated<2>>(&mut self, region: &Region, out: &mut impl Buffer<2>) {
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
    fn put_off<T: Differentiated<2>>(
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
fn raise<T: Differentiated<2>>(
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

/// The points of a grid in lines: its rows, or its column if it has only one.
pub(super) struct Lines {
    /// The axis along which lines run.
    axis: usize,
    /// The number of points in a line.
    len: usize,
    /// The coordinates of points along a line, and as many of the last one as a vector has lanes.
    along: Vec<f64>,
    /// The coordinates of lines along the other axis.
    across: Vec<f64>,
}

impl Lines {
    pub fn of(grid: &Grid<2>) -> Self {
        let axis = usize::from(grid.size[0] == 1);
        let [mut along, across] = [axis, 1 - axis].map(|k| grid.coordinates(k).collect::<Vec<_>>());
        let (len, last) = (along.len(), along.last().copied());
        along.extend(last.into_iter().cycle().take(MAX_LANES));
        Self { axis, len, along, across }
    }

    /// The lines with points in a region.
    pub fn within(&self, region: &Region) -> Range<usize> {
        let k = 1 - self.axis;
        indices_between(self.across.len(), |i| self.across[i], [region.min[k], region.max[k]])
    }

    /// The indices in the grid of the points of a line that are in a region.
    pub fn points(&self, line: usize, region: &Region) -> Range<usize> {
        let k = self.axis;
        let within = self.between([region.min[k], region.max[k]]);
        line * self.len + within.start..line * self.len + within.end
    }

    /// The indices in a line of the points between two coordinates.
    fn between(&self, [min, max]: [f64; 2]) -> Range<usize> {
        let ends = [self.along[0], self.along[self.len - 1]];
        if ends.iter().all(|end| (min..=max).contains(end)) {
            return 0..self.len;
        }
        indices_between(self.len, |i| self.along[i], [min, max])
    }

    /// Raises the ground at all points in the region of an area.
    pub fn raise<T: Differentiated<2>>(
        &self,
        level: Level,
        raise: Raising,
        region: &Region,
        ground: &mut OutputSlices,
    ) {
        dispatch!(level, simd => simd.vectorize(
            #[inline(always)]
            || {
                for line in self.within(region) {
                    let section = raise.area.section(self.axis, self.across[line]);
                    let points = self.between(section.touched);
                    self.part(line, points, section).raise::<_, T>(simd, raise, ground);
                }
            }
        ));
    }

    /// Raises the ground at some points of a line, of which all are in the region of the area.
    pub fn raise_points<T: Differentiated<2>>(
        &self,
        level: Level,
        raise: Raising,
        (line, points): (usize, Range<usize>),
        ground: &mut OutputSlices,
    ) {
        let section = raise.area.section(self.axis, self.across[line]);
        let first = line * self.len;
        let part = self.part(line, points.start - first..points.end - first, section);
        dispatch!(level, simd => simd.vectorize(
            #[inline(always)]
            || part.raise::<_, T>(simd, raise, ground)
        ));
    }

    #[inline(always)]
    fn part(&self, line: usize, points: Range<usize>, section: Section) -> Points<'_> {
        Points {
            axis: self.axis,
            along: &self.along[points.start..],
            across: self.across[line],
            section,
            first: line * self.len + points.start,
            count: points.len(),
        }
    }
}

/// A raise by a height over an area.
#[derive(Clone, Copy)]
pub(super) struct Raising<'a> {
    pub area: &'a PreparedArea,
    pub height: f32,
}

/// Neighbouring points of a line.
struct Points<'a> {
    axis: usize,
    /// Their coordinates along the line, and more.
    along: &'a [f64],
    across: f64,
    /// Where the line meets the area.
    section: Section,
    /// The index of the first one in the grid.
    first: usize,
    count: usize,
}

/// The numbers of the lanes.
const LANES: [f32; MAX_LANES] =
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];

impl Points<'_> {
    /// h' = h + w height, rounded as at a point alone.
    #[inline(always)]
    fn raise<S: Simd, T: Differentiated<2>>(
        &self,
        simd: S,
        Raising { area, height }: Raising,
        ground: &mut OutputSlices,
    ) {
        let Section { middle, core, .. } = self.section;
        let number = S::f32s::from_slice(simd, &LANES[..S::f32s::LEN]);
        let zero = S::f32s::splat(simd, 0.0);
        let mut start = 0;
        while start < self.count {
            let count = S::f32s::LEN.min(self.count - start);
            let at = self.first + start;
            let value = load(simd, ground.value, at);
            // Ground without a value stays so.
            let is_left = number.simd_lt(count as f32) & value.simd_eq(value);
            let ends = [self.along[start] - middle, self.along[start + count - 1] - middle];
            let (mask, weight) = if ends[0].abs().max(ends[1].abs()) <= core {
                (is_left, Weight::<S>::one(simd))
            } else {
                let low = self.weights(simd, start, area);
                let has_high = count > S::f64s::LEN;
                let high =
                    if has_high { self.weights(simd, start + S::f64s::LEN, area) } else { low };
                let is_in = low.0.narrow(high.0).simd_gt(zero);
                (is_left & is_in, Weight::rounded(&low.1, &high.1))
            };
            store(ground.value, at, mask.select(value + weight.value * height, value));
            if T::HAS_GRADIENT
                && let Some([x, z, ..]) = &mut ground.slopes
            {
                add(simd, x, at, mask, weight.gradient[0] * height);
                add(simd, z, at, mask, weight.gradient[1] * height);
            }
            if T::HAS_HESSIAN
                && let Some([xx, xz, zz]) = &mut ground.second
            {
                add(simd, xx, at, mask, weight.second[0] * height);
                add(simd, xz, at, mask, weight.second[1] * height);
                add(simd, zz, at, mask, weight.second[2] * height);
            }
            start += S::f32s::LEN;
        }
    }

    /// The weights of an area from point `start` on, and 1 where they are above 0.
    #[inline(always)]
    fn weights<S: Simd>(
        &self,
        simd: S,
        start: usize,
        area: &PreparedArea,
    ) -> (S::f64s, Jet64<Lanes<S>>) {
        let along = S::f64s::from_slice(simd, &self.along[start..start + S::f64s::LEN]);
        let across = S::f64s::splat(simd, self.across);
        let [x, z] = if self.axis == 0 { [along, across] } else { [across, along] };
        let (is_in, weight): (S::mask64s, Jet64<Lanes<S>>) = area.weights([Lanes(x), Lanes(z)]);
        (is_in.select(S::f64s::splat(simd, 1.0), S::f64s::splat(simd, 0.0)), weight)
    }
}

/// Weights with their derivatives, rounded.
struct Weight<S: Simd> {
    value: S::f32s,
    gradient: [S::f32s; 2],
    second: [S::f32s; 3],
}

impl<S: Simd> Weight<S> {
    #[inline(always)]
    fn one(simd: S) -> Self {
        let zero = S::f32s::splat(simd, 0.0);
        Self { value: S::f32s::splat(simd, 1.0), gradient: [zero; 2], second: [zero; 3] }
    }

    #[inline(always)]
    fn rounded(low: &Jet64<Lanes<S>>, high: &Jet64<Lanes<S>>) -> Self {
        Self {
            value: low.value.0.narrow(high.value.0),
            gradient: [
                low.gradient[0].0.narrow(high.gradient[0].0),
                low.gradient[1].0.narrow(high.gradient[1].0),
            ],
            second: [
                low.second[0].0.narrow(high.second[0].0),
                low.second[1].0.narrow(high.second[1].0),
                low.second[2].0.narrow(high.second[2].0),
            ],
        }
    }
}

/// Adds to the numbers from index `at` on where the mask is set.
#[inline(always)]
fn add<S: Simd>(simd: S, list: &mut [f32], at: usize, mask: S::mask32s, part: S::f32s) {
    let own: S::f32s = load(simd, list, at);
    store(list, at, mask.select(own + part, own));
}

/// The numbers from index `at` on. Beyond the end of the list they are 0.
#[inline(always)]
fn load<S: Simd>(simd: S, list: &[f32], at: usize) -> S::f32s {
    match list.get(at..at + S::f32s::LEN) {
        Some(part) => S::f32s::from_slice(simd, part),
        None => {
            let (mut part, rest) = ([0.0; MAX_LANES], &list[at..]);
            part[..rest.len()].copy_from_slice(rest);
            S::f32s::from_slice(simd, &part[..S::f32s::LEN])
        }
    }
}

/// Writes the numbers from index `at` on, as far as the list goes.
#[inline(always)]
fn store<S: Simd, V: SimdBase<S, Element = f32>>(list: &mut [f32], at: usize, lanes: V) {
    match list.get_mut(at..at + V::LEN) {
        Some(part) => lanes.store_slice(part),
        None => {
            let (mut part, rest) = ([0.0; MAX_LANES], &mut list[at..]);
            lanes.store_slice(&mut part[..V::LEN]);
            let len = rest.len();
            rest.copy_from_slice(&part[..len]);
        }
    }
}
