//! The ground on grids.

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::drainage::blocks::Blocks;
use crate::drainage::level::Land;
use crate::drainage::network::Network;
use crate::drainage::survey::{List, Survey};
use crate::drainage::valley::Slope;
use crate::drainage::window::Area;
use crate::real::{Lanes, Real};
use crate::samples::grid::Grid;
use crate::simd::{Level, dispatch};

/// The largest side of a part of a grid that is surveyed at once, in spacings of the finest rivers.
const LARGEST: f64 = 48.0;

/// The largest side of a grid for which kept blocks are used, in sides of blocks.
const FEW: f64 = 3.0;

/// A part of a grid with at most so many points, or so few reaches, is not divided further.
const POINTS: usize = 72;
const REACHES: usize = 10;

/// A rectangle of a grid: the indices along both axes.
type Part = [Range<usize>; 2];

/// The box around a part of a grid.
fn area(grid: &Grid<2>, part: &Part) -> Area {
    let ends = [0, 1].map(|k| {
        let ends = [part[k].start, part[k].end - 1].map(|i| grid.coordinate(k, i));
        [ends[0].min(ends[1]), ends[0].max(ends[1])]
    });
    [[ends[0][0], ends[1][0]], [ends[0][1], ends[1][1]]]
}

/// Both halves of a range; the range alone if it has one index.
fn halves(range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + Clone + use<> {
    let middle = range.start + range.len() / 2;
    [range.start..middle, middle..range.end].into_iter().filter(|half| !half.is_empty())
}

/// The quarters of a part.
fn quarters(part: &Part) -> impl Iterator<Item = Part> + use<> {
    let rows = halves(&part[1]);
    halves(&part[0]).flat_map(move |column| rows.clone().map(move |row| [column.clone(), row]))
}

/// The ranges of indices along an axis whose coordinates lie in the same square.
fn runs(grid: &Grid<2>, axis: usize, blocks: &Blocks) -> Vec<(i64, Range<usize>)> {
    let mut runs: Vec<(i64, Range<usize>)> = Vec::new();
    for i in 0..grid.size[axis] {
        let square = blocks.square(grid.coordinate(axis, i));
        match runs.last_mut() {
            Some((last, range)) if *last == square => range.end = i + 1,
            _ => runs.push((square, i..i + 1)),
        }
    }
    runs
}

/// Calls `set` with the index and the ground of every point of a grid.
pub(super) fn fill(
    (network, blocks): &(Network, Blocks),
    land: &Land,
    grid: &Grid<2>,
    level: Level,
    set: &mut impl FnMut(usize, Slope<f64>),
) {
    if grid.is_empty() {
        return;
    }
    let whole = [0..grid.size[0], 0..grid.size[1]];
    let fill = Fill { network, land, grid, level };
    if longest(area(grid, &whole)) > FEW * blocks.side() {
        return fill.surveyed(whole, set);
    }
    let columns = runs(grid, 0, blocks);
    for (j, rows) in runs(grid, 1, blocks) {
        for (i, columns) in &columns {
            let block = blocks.get(network, [*i, j], land);
            let part = [columns.clone(), rows.clone()];
            fill.divided(&block.survey, block.list([*i, j]), part, set);
        }
    }
}

/// The longer side of an area.
fn longest([min, max]: Area) -> f64 {
    (max[0] - min[0]).max(max[1] - min[1])
}

struct Fill<'a> {
    network: &'a Network,
    land: &'a Land<'a>,
    grid: &'a Grid<2>,
    level: Level,
}

impl Fill<'_> {
    /// Divides a part until it is small enough for a survey.
    fn surveyed(&self, part: Part, set: &mut impl FnMut(usize, Slope<f64>)) {
        let area = area(self.grid, &part);
        let is_large = longest(area) > LARGEST * self.network.shape.spacing;
        if is_large && part[0].len() * part[1].len() > 1 {
            return quarters(&part).for_each(|quarter| self.surveyed(quarter, set));
        }
        let survey = Survey::new(self.network, area, self.land);
        let mut list = List::new();
        survey.near(&survey.all(), area, &mut list);
        self.divided(&survey, &list, part, set);
    }

    /// Divides a part until few reaches matter to it.
    fn divided(
        &self,
        survey: &Survey,
        list: &[u32],
        part: Part,
        set: &mut impl FnMut(usize, Slope<f64>),
    ) {
        if part[0].len() * part[1].len() > POINTS && list.len() > REACHES {
            let mut near = List::with_capacity(list.len());
            for quarter in quarters(&part) {
                survey.near(list, area(self.grid, &quarter), &mut near);
                self.divided(survey, &near, quarter, set);
            }
            return;
        }
        dispatch!(self.level, simd => self.evaluate(simd, survey, list, &part, set));
    }

    fn evaluate<S: Simd>(
        &self,
        simd: S,
        survey: &Survey,
        list: &[u32],
        part: &Part,
        set: &mut impl FnMut(usize, Slope<f64>),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut scratch = Vec::new();
                let columns = part[0].len();
                let count = columns * part[1].len();
                let place = |i: usize| {
                    let i = i.min(count - 1);
                    [part[0].start + i % columns, part[1].start + i / columns]
                };
                for first in (0..count).step_by(S::f64s::LEN) {
                    let mut p = [[0.0; 8]; 2];
                    let [xs, zs] = &mut p;
                    for (i, (x, z)) in xs.iter_mut().zip(zs).enumerate() {
                        let [column, row] = place(first + i);
                        (*x, *z) = (self.grid.coordinate(0, column), self.grid.coordinate(1, row));
                    }
                    let zero = Lanes::<S>(S::f64s::splat(simd, 0.0));
                    let p = [zero.load(&p[0]), zero.load(&p[1])];
                    let ground = survey.ground(list, p, &mut scratch);
                    let mut value = [0.0; 8];
                    let mut gradient = [[0.0; 8]; 2];
                    ground.value.store(&mut value);
                    ground.gradient[0].store(&mut gradient[0]);
                    ground.gradient[1].store(&mut gradient[1]);
                    for i in 0..S::f64s::LEN.min(count - first) {
                        let [column, row] = place(first + i);
                        let gradient = [gradient[0][i], gradient[1][i]];
                        let slope = Slope { value: value[i], gradient };
                        set(row * self.grid.size[0] + column, slope);
                    }
                }
            },
        );
    }
}
