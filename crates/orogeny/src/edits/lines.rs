//! Raises on the lines of a grid, several points at a time.

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::chain_rule::Dual;
use crate::edits::area::{PreparedArea, Section};
use crate::edits::falloff::Jet64;
use crate::edits::grids::indices_between;
use crate::kernel::{MAX_LANES, OutputSlices};
use crate::real::Lanes;
use crate::region::Region;
use crate::samples::grid::Grid;
use crate::simd::{Level, dispatch};

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
    pub fn raise<T: Dual<2>>(
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
    pub fn raise_points<T: Dual<2>>(
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
    fn raise<S: Simd, T: Dual<2>>(
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
                && let Some([xx, xz, zz]) = &mut ground.bends
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
