//! The ground on grids.

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::drainage::ground::blocks::{Blocks, FEW};
use crate::drainage::ground::survey::{Around, List, Survey};
use crate::drainage::ground::valley::{Parts, Slope};
use crate::drainage::network::land::Land;
use crate::real::{Lanes, Real};
use crate::region::Region;
use crate::simd::{Level, dispatch};

/// The largest side of a part of a grid that is surveyed at once, in spacings of the finest rivers.
const LARGEST: f64 = 48.0;

/// A part of a grid with at most so many points, or so few reaches, is not divided further.
const POINTS: usize = 72;
const REACHES: usize = 10;

/// The coordinates of a grid along both axes.
pub(in crate::drainage) type Axes<'a> = [&'a [f64]; 2];

/// A rectangle of a grid: the indices along both axes.
type Part = [Range<usize>; 2];

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
    /// What matters in an area, of what matters around it.
    fn around(self, survey: &Survey, around: &Around, region: Region) -> Around {
        let mut ground = List::new();
        let wet = match self {
            Self::Ground => {
                ground.reserve(around.ground.len());
                survey.near(&around.ground, region, &mut ground);
                survey.wet(&around.wet, region)
            }
            Self::Banks { within } => survey.banks(&around.wet, region, within),
        };
        Around { ground, wet, ends: around.ends }
    }
}

/// A grid to be filled.
pub(in crate::drainage) struct Fill<'a> {
    pub blocks: &'a Blocks,
    pub land: &'a Land<'a>,
    pub axes: Axes<'a>,
    pub level: Level,
    /// Whether gradients are wanted. Without them they are 0.
    pub has_gradients: bool,
}

impl Fill<'_> {
    /// Calls `set` with the index of every point, its ground, and the part of detail that is left.
    pub fn fill(&self, set: &mut impl FnMut(usize, Slope<f64>, Slope<f64>)) {
        self.visit(Wanted::Ground, &mut |survey, around, part| {
            dispatch!(self.level, simd => self.evaluate(simd, survey, around, part, set));
        });
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
                    if is_near && !(around.ends && self.blocks.ends_at(p, self.land)) {
                        set(row * self.axes[0].len() + column, distance);
                    }
                }
            }
        });
    }

    /// Visits parts that are small, or have few reaches near them.
    fn visit(&self, wanted: Wanted, run: &mut impl FnMut(&Survey, &Around, &Part)) {
        let whole = self.axes.map(|axis| 0..axis.len());
        if whole.iter().any(Range::is_empty) {
            return;
        }
        if longest(self.region(&whole)) > FEW * self.blocks.side() {
            return self.surveyed(whole, wanted, run);
        }
        let columns = self.runs(0);
        for (j, rows) in self.runs(1) {
            for (i, columns) in &columns {
                let block = self.blocks.get([*i, j], self.land);
                let part = [columns.clone(), rows.clone()];
                let around = match wanted {
                    Wanted::Ground => block.square([*i, j]),
                    Wanted::Banks { .. } => block.banks([*i, j]),
                };
                self.divided(&block.survey, around, part, wanted, run);
            }
        }
    }

    /// The box around a part.
    fn region(&self, part: &Part) -> Region {
        let ends = [0, 1].map(|k| {
            let ends = [part[k].start, part[k].end - 1].map(|i| self.axes[k][i]);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        });
        Region { min: [ends[0][0], ends[1][0]], max: [ends[0][1], ends[1][1]] }
    }

    /// The ranges of indices along an axis whose coordinates lie in the same square.
    fn runs(&self, axis: usize) -> Vec<(i64, Range<usize>)> {
        let mut runs: Vec<(i64, Range<usize>)> = Vec::new();
        for (i, &x) in self.axes[axis].iter().enumerate() {
            let square = self.blocks.square(x);
            match runs.last_mut() {
                Some((last, range)) if *last == square => range.end = i + 1,
                _ => runs.push((square, i..i + 1)),
            }
        }
        runs
    }

    /// Divides a part until it is small enough for a survey.
    fn surveyed(&self, part: Part, wanted: Wanted, run: &mut impl FnMut(&Survey, &Around, &Part)) {
        let region = self.region(&part);
        let network = &self.blocks.network;
        let is_large = longest(region) > LARGEST * network.shape.spacing;
        if is_large && part[0].len() * part[1].len() > 1 {
            return quarters(&part).for_each(|quarter| self.surveyed(quarter, wanted, run));
        }
        let survey = Survey::new(network, region, self.land);
        let all = survey.all();
        let ends = self.blocks.end_in(region, self.land);
        let all = Around { ground: all.clone(), wet: all, ends };
        let around = wanted.around(&survey, &all, region);
        self.divided(&survey, &around, part, wanted, run);
    }

    /// Divides a part until few reaches matter to it.
    fn divided(
        &self,
        survey: &Survey,
        around: &Around,
        part: Part,
        wanted: Wanted,
        run: &mut impl FnMut(&Survey, &Around, &Part),
    ) {
        let is_few = around.ground.len().max(around.wet.len()) <= REACHES;
        if part[0].len() * part[1].len() <= POINTS || is_few {
            return run(survey, around, &part);
        }
        for quarter in quarters(&part) {
            let around = wanted.around(survey, around, self.region(&quarter));
            self.divided(survey, &around, quarter, wanted, run);
        }
    }

    fn evaluate<S: Simd>(
        &self,
        simd: S,
        survey: &Survey,
        around: &Around,
        part: &Part,
        set: &mut impl FnMut(usize, Slope<f64>, Slope<f64>),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut parts = Parts::default();
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
                        (*x, *z) = (self.axes[0][column], self.axes[1][row]);
                    }
                    let zero = Lanes::<S>(S::f64s::splat(simd, 0.0));
                    let lanes = [zero.load(&p[0]), zero.load(&p[1])];
                    let mut lists = [[0.0; 8]; 6];
                    if self.has_gradients {
                        let (ground, left) = survey.ground(around, lanes, &mut parts);
                        ground.value.store(&mut lists[0]);
                        ground.gradient[0].store(&mut lists[1]);
                        ground.gradient[1].store(&mut lists[2]);
                        left.value.store(&mut lists[3]);
                        left.gradient[0].store(&mut lists[4]);
                        left.gradient[1].store(&mut lists[5]);
                    } else {
                        let (ground, left) = survey.height(around, lanes, &mut parts);
                        ground.store(&mut lists[0]);
                        left.store(&mut lists[3]);
                    }
                    (0..S::f64s::LEN.min(count - first)).for_each(|i| {
                        let [column, row] = place(first + i);
                        let p = [self.axes[0][column], self.axes[1][row]];
                        if around.ends && self.blocks.ends_at(p, self.land) {
                            let none = Slope { value: f64::NAN, gradient: [f64::NAN; 2] };
                            return set(row * self.axes[0].len() + column, none, none);
                        }
                        let slope = |k: usize| {
                            let gradient = [lists[k + 1][i], lists[k + 2][i]];
                            Slope { value: lists[k][i], gradient }
                        };
                        set(row * self.axes[0].len() + column, slope(0), slope(3));
                    });
                }
            },
        );
    }
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

/// The longer side of a region.
fn longest(Region { min, max }: Region) -> f64 {
    (max[0] - min[0]).max(max[1] - min[1])
}
