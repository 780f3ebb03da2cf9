//! The ground on grids.

use alloc::vec::Vec;
use core::ops::Range;

use crate::arrays::Each;
use crate::drainage::ground::blocks::{Blocks, Finder, LARGEST_KEPT, Quad};
use crate::drainage::ground::survey::{Evaluation, Neighbourhood, Survey};
use crate::drainage::ground::valley::Sample64;
use crate::drainage::network::node::Catchment;
use crate::region::Region;
use crate::simd::Level;

/// The largest side of a part of a grid that is surveyed at once, in spacings of the finest rivers.
const LARGEST: f64 = 48.0;

/// Points farther apart than this, in spacings of the finest rivers, share little of what matters
/// to them.
const SPARSE: f64 = 0.06;

/// The largest side of a grid of such points for which kept blocks are used, in sides of blocks.
const SPARSE_KEPT: f64 = 2.0;

/// A part of a grid with at most so many points, or so few reaches, is not divided further.
const POINTS: usize = 72;
const REACHES: usize = 10;

/// The coordinates of a grid along both axes.
pub(in crate::drainage) type Axes<'a> = [&'a [f64]; 2];

/// A rectangle of a grid: the indices along both axes.
type Rectangle = [Range<usize>; 2];

/// What is wanted at the points of a grid.
#[derive(Clone, Copy)]
enum Wanted {
    Ground,
    /// The distances from banks that are at most so large.
    Banks {
        within: f64,
    },
}

impl Wanted {
    /// What matters in a region, of what matters around it.
    fn around(self, survey: &Survey, around: &Neighbourhood, region: Region) -> Neighbourhood {
        match self {
            Self::Ground => survey.around(around, region),
            Self::Banks { within } => survey.banks(around, region, within),
        }
    }
}

/// A grid to be filled.
pub(in crate::drainage) struct Fill<'a> {
    pub blocks: &'a Blocks,
    pub catchment: &'a Catchment<'a>,
    pub axes: Axes<'a>,
    pub level: Level,
    /// Whether gradients are wanted. Without them they are 0.
    pub has_gradients: bool,
}

impl Fill<'_> {
    /// Calls `set` with the index of every point, its ground, and the part of detail that is left.
    pub fn fill(&self, set: &mut impl FnMut(usize, Sample64<f64>, Sample64<f64>)) {
        if self.is_sparse() {
            return self.surveys(&mut |survey, part| {
                let ends = self.blocks.end_in(self.region(part), self.catchment);
                self.evaluate(survey, None, ends, strips(part), set);
            });
        }
        self.visit(Wanted::Ground, &mut |survey, around, part| {
            let [columns, rows] = part.clone();
            let points = rows.flat_map(|row| columns.clone().map(move |column| [column, row]));
            self.evaluate(survey, Some(around), around.ends, points, set);
        });
    }

    /// Calls `set` for some points, given by their indices along both axes.
    fn evaluate(
        &self,
        survey: &Survey,
        around: Option<&Neighbourhood>,
        ends: bool,
        points: impl Iterator<Item = [usize; 2]>,
        set: &mut impl FnMut(usize, Sample64<f64>, Sample64<f64>),
    ) {
        let points = points.map(|[column, row]| {
            (self.index(column, row), [self.axes[0][column], self.axes[1][row]])
        });
        let evaluation = Evaluation { survey, around, has_gradients: self.has_gradients };
        evaluation.each(self.level, points, |i, p, ground, left| {
            let is_land = !(ends && self.blocks.ends_at(p, self.catchment));
            if is_land { set(i, ground, left) } else { set(i, Sample64::NONE, Sample64::NONE) }
        });
    }

    /// Whether few points share what matters to them.
    fn is_sparse(&self) -> bool {
        let apart = self.axes.map(|axis| match axis {
            [first, .., last] => (last - first).abs() / (axis.len() - 1) as f64,
            _ => f64::INFINITY,
        });
        apart[0].min(apart[1]) > SPARSE * self.blocks.network.shape.spacing
    }

    /// Visits parts with the surveys around them: kept ones if the grid is not much larger.
    fn surveys(&self, run: &mut impl FnMut(&Survey, &Rectangle)) {
        let whole = self.axes.map(|axis| 0..axis.len());
        if whole.iter().any(Range::is_empty) {
            return;
        }
        if longest(self.region(&whole)) > SPARSE_KEPT * self.blocks.side() {
            return self.new_surveys(whole, run);
        }
        let [columns, rows] =
            [0, 1].map(|axis| self.runs(axis, 0..self.axes[axis].len(), |x| self.blocks.block(x)));
        for (row, rows) in &rows {
            for (column, columns) in &columns {
                self.blocks.with_block([*column, *row], self.catchment, |survey| {
                    run(survey, &[columns.clone(), rows.clone()]);
                });
            }
        }
    }

    /// Divides a part until it is small enough for a survey.
    fn new_surveys(&self, part: Rectangle, run: &mut impl FnMut(&Survey, &Rectangle)) {
        let region = self.region(&part);
        let network = &self.blocks.network;
        let is_large = longest(region) > LARGEST * network.shape.spacing;
        if is_large && part[0].len() * part[1].len() > 1 {
            return quarters(&part).for_each(|quarter| self.new_surveys(quarter, run));
        }
        run(&Survey::new(network, region, None, self.catchment), &part);
    }

    fn index(&self, column: usize, row: usize) -> usize {
        row * self.axes[0].len() + column
    }

    /// Calls `set` with the index of every point that is so near a bank, and the distance.
    pub fn banks(&self, within: f64, set: &mut impl FnMut(usize, f64)) {
        self.visit(Wanted::Banks { within }, &mut |survey, around, part| {
            if around.wet.is_empty() {
                return;
            }
            for row in part[1].clone() {
                for column in part[0].clone() {
                    let p = [self.axes[0][column], self.axes[1][row]];
                    let distance = survey.bank_distance(&around.wet, p);
                    let is_near = distance < f64::INFINITY && distance <= within;
                    if is_near && !(around.ends && self.blocks.ends_at(p, self.catchment)) {
                        set(self.index(column, row), distance);
                    }
                }
            }
        });
    }

    /// Visits parts that are small, or have few reaches near them.
    fn visit(&self, wanted: Wanted, run: &mut impl FnMut(&Survey, &Neighbourhood, &Rectangle)) {
        let whole = self.axes.map(|axis| 0..axis.len());
        if whole.iter().any(Range::is_empty) {
            return;
        }
        if longest(self.region(&whole)) > LARGEST_KEPT * self.blocks.side() {
            return self.new_surveys(whole, &mut |survey, part| {
                let region = self.region(part);
                let ends = self.blocks.end_in(region, self.catchment);
                let all = Neighbourhood { ends, ..survey.in_range(region) };
                let around = wanted.around(survey, &all, region);
                self.divided(survey, &around, part.clone(), wanted, run);
            });
        }
        let [columns, rows] = [0, 1]
            .map(|axis| self.runs(axis, 0..self.axes[axis].len(), |x| self.blocks.section(x)));
        for (row, rows) in &rows {
            for (column, columns) in &columns {
                let part = [columns.clone(), rows.clone()];
                self.blocks.with_section([*column, *row], self.catchment, |survey, section| {
                    let (quad, finder) = match wanted {
                        Wanted::Ground => section.ground(survey),
                        Wanted::Banks { .. } => section.banks(survey),
                    };
                    self.quartered(quad, finder, part, wanted, run);
                });
            }
        }
    }

    /// Divides a part along the quarters of a square, until it is small enough or in one of the
    /// smallest squares.
    fn quartered(
        &self,
        quad: &Quad,
        finder: Finder,
        part: Rectangle,
        wanted: Wanted,
        run: &mut impl FnMut(&Survey, &Neighbourhood, &Rectangle),
    ) {
        if quad.count == 1 || is_small(&quad.around, &part) {
            return self.divided(finder.survey, &quad.around, part, wanted, run);
        }
        let middle = quad.middle();
        let [columns, rows] = [0, 1].map(|axis| {
            self.runs(axis, part[axis].clone(), |x| {
                i64::from(self.blocks.square(x) >= middle[axis])
            })
        });
        for (z, rows) in &rows {
            for (x, columns) in &columns {
                let quarter = quad.quarter(finder, [*x > 0, *z > 0]);
                self.quartered(quarter, finder, [columns.clone(), rows.clone()], wanted, run);
            }
        }
    }

    /// The box around a part.
    fn region(&self, part: &Rectangle) -> Region {
        let ends = [0, 1].each(|k| {
            let ends = [part[k].start, part[k].end - 1].each(|i| self.axes[k][i]);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        });
        Region { min: [ends[0][0], ends[1][0]], max: [ends[0][1], ends[1][1]] }
    }

    /// Divides a range of indices along an axis where an index of the coordinates changes.
    fn runs(
        &self,
        axis: usize,
        range: Range<usize>,
        of: impl Fn(f64) -> i64,
    ) -> Vec<(i64, Range<usize>)> {
        let mut runs: Vec<(i64, Range<usize>)> = Vec::new();
        for i in range {
            let index = of(self.axes[axis][i]);
            match runs.last_mut() {
                Some((last, range)) if *last == index => range.end = i + 1,
                _ => runs.push((index, i..i + 1)),
            }
        }
        runs
    }

    /// Divides a part until few reaches matter to it.
    fn divided(
        &self,
        survey: &Survey,
        around: &Neighbourhood,
        part: Rectangle,
        wanted: Wanted,
        run: &mut impl FnMut(&Survey, &Neighbourhood, &Rectangle),
    ) {
        if is_small(around, &part) {
            return run(survey, around, &part);
        }
        for quarter in quarters(&part) {
            let around = wanted.around(survey, around, self.region(&quarter));
            self.divided(survey, &around, quarter, wanted, run);
        }
    }
}

/// The indices of a part, to and fro along pairs of rows: those that follow each other are near
/// each other.
fn strips(part: &Rectangle) -> impl Iterator<Item = [usize; 2]> + use<> {
    let [columns, rows] = part.clone();
    rows.clone().step_by(2).flat_map(move |first| {
        let is_back = (first - rows.start) % 4 > 0;
        let (columns, pair) = (columns.clone(), first..rows.end.min(first + 2));
        (0..columns.len()).flat_map(move |i| {
            let column = if is_back { columns.end - 1 - i } else { columns.start + i };
            pair.clone().map(move |row| [column, row])
        })
    })
}

/// Whether a part has few points, or few reaches matter to it.
fn is_small(around: &Neighbourhood, part: &Rectangle) -> bool {
    let is_few = around.ground.len().max(around.wet.len()) <= REACHES;
    part[0].len() * part[1].len() <= POINTS || is_few
}

/// Both halves of a range; the range alone if it has one index.
fn halves(range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + Clone + use<> {
    let middle = range.start + range.len() / 2;
    [range.start..middle, middle..range.end].into_iter().filter(|half| !half.is_empty())
}

/// The quarters of a part.
fn quarters(part: &Rectangle) -> impl Iterator<Item = Rectangle> + use<> {
    let rows = halves(&part[1]);
    halves(&part[0]).flat_map(move |column| rows.clone().map(move |row| [column.clone(), row]))
}

/// The longer side of a region.
fn longest(Region { min, max }: Region) -> f64 {
    (max[0] - min[0]).max(max[1] - min[1])
}
