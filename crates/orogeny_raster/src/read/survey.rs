//! What is seen of the samples of a file: ranges, counts, and what looks wrong. Samples may come in
//! any order, so a file that is read in tiles has the same survey as one that is read whole.

use std::sync::{Mutex, PoisonError};

use crate::bits::Bits;
use crate::error::RasterError;
use crate::raster::{MAX_HEIGHT, checked_size};
use crate::read::units::Conversion;
use crate::report::Warning;

/// Values that commonly mark missing data; -10000 is a black pixel of Terrain-RGB. No land is that
/// low.
const SUSPICIOUS: [f64; 6] = [-32768.0, -32767.0, -99999.0, -9999.0, -999.0, -10_000.0];
/// The most distinct values that make terraces: those of 8 bits.
const FEW: usize = 256;
/// The fewest samples of which that many distinct values are few.
const MANY_SAMPLES: usize = 4096;
/// A mean slope that real ground does not have.
const STEEP: f64 = 2.0;
/// Lower than the deepest trench, and higher than the highest summit, in metres.
const ON_EARTH: [f64; 2] = [-12_000.0, 9_500.0];
/// Differences are summed as multiples of 2^-20 m: sums of integers do not depend on their order.
const UNIT: f64 = (1u64 << 20) as f64;
/// How much smoother heights are with swapped bytes, if those are right.
const SMOOTHER: f64 = 4.0;

/// What is seen so far.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    /// The samples with data.
    count: u64,
    range: [f64; 2],
    /// The distinct values, sorted: at most one more than [`FEW`].
    distinct: Vec<f64>,
    suspicious: [usize; SUSPICIOUS.len()],
    beyond_limit: Strange,
    beyond_earth: Strange,
    /// The sums of differences of neighbours in a row and in a column, and the number of pairs.
    steps: [u128; 2],
    pairs: u64,
    /// The sums of differences of 16-bit numbers in a row: as they are, and with swapped bytes.
    swaps: [u64; 2],
    has_swaps: bool,
}

/// Samples that look wrong: how many, and the index and the number of the first.
#[derive(Clone, Copy, Debug, Default)]
struct Strange {
    count: usize,
    first: (u64, f64),
}

impl Strange {
    fn add(&mut self, index: u64, number: f64) {
        self.merge(Self { count: 1, first: (index, number) });
    }

    fn merge(&mut self, other: Self) {
        if other.count > 0 && (self.count == 0 || other.first.0 < self.first.0) {
            self.first = other.first;
        }
        self.count += other.count;
    }
}

/// A part of a row of samples.
pub(crate) struct Row<'a> {
    /// The index of its first sample in the file.
    pub index: u64,
    /// The heights above it, if it is not the first of its block.
    pub above: Option<&'a [f32]>,
    /// Whether each sample has data, by a mask.
    pub mask: Option<&'a [bool]>,
}

impl Survey {
    /// `has_swaps`: of 16-bit integers whose byte order may be wrong.
    pub fn new(has_swaps: bool) -> Self {
        Self {
            count: 0,
            range: [f64::INFINITY, f64::NEG_INFINITY],
            distinct: Vec::new(),
            suspicious: [0; _],
            beyond_limit: Strange::default(),
            beyond_earth: Strange::default(),
            steps: [0; 2],
            pairs: 0,
            swaps: [0; 2],
            has_swaps,
        }
    }

    /// Converts a part of a row to heights, NaN without data, and takes it in.
    pub fn row(
        &mut self,
        conversion: &Conversion,
        row: &Row,
        values: impl Iterator<Item = f64>,
        out: &mut [f32],
    ) {
        let mut before = None;
        for (i, (value, height)) in values.zip(out.iter_mut()).enumerate() {
            let is_masked = row.mask.is_some_and(|mask| !mask[i]);
            *height = if is_masked || conversion.is_missing(value) {
                f32::NAN
            } else {
                self.seen(conversion, row.index + i as u64, value)
            };
            if self.has_swaps {
                let number = value as u16;
                if let Some(before) = before.replace(number) {
                    let swapped = number.swap_bytes().abs_diff(u16::swap_bytes(before));
                    self.swaps[0] += u64::from(number.abs_diff(before));
                    self.swaps[1] += u64::from(swapped);
                }
            }
        }
        out.windows(2).for_each(|pair| self.step(0, pair[0], pair[1]));
        if let Some(above) = row.above {
            above.iter().zip(&*out).for_each(|(&a, &b)| self.step(1, a, b));
        }
    }

    #[inline]
    fn step(&mut self, axis: usize, a: f32, b: f32) {
        let step = (f64::from(a) - f64::from(b)).abs();
        if step.is_finite() {
            // Heights are finite, but may be those of a wrong type.
            self.steps[axis] += (step.min(1e9) * UNIT) as u128;
            self.pairs += 1;
        }
    }

    #[inline]
    fn seen(&mut self, conversion: &Conversion, index: u64, value: f64) -> f32 {
        self.count += 1;
        self.range = [self.range[0].min(value), self.range[1].max(value)];
        if self.distinct.len() <= FEW {
            let place = self.distinct.binary_search_by(|known| known.total_cmp(&value));
            if let Err(place) = place {
                self.distinct.insert(place, value);
            }
        }
        if value <= -999.0 {
            for (count, known) in self.suspicious.iter_mut().zip(SUSPICIOUS) {
                *count += usize::from(value == known);
            }
        }
        let height = conversion.height(value);
        // A value that is not NaN has no such height: the unit is finite and not 0.
        if height.abs() > f64::from(MAX_HEIGHT) {
            self.beyond_limit.add(index, value);
        } else if !(ON_EARTH[0]..=ON_EARTH[1]).contains(&height) && conversion.unit.is_some() {
            self.beyond_earth.add(index, height);
        }
        height as f32
    }

    /// Takes in what was seen of other samples.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.range = [self.range[0].min(other.range[0]), self.range[1].max(other.range[1])];
        for value in &other.distinct {
            if self.distinct.len() > FEW {
                break;
            }
            let place = self.distinct.binary_search_by(|known| known.total_cmp(value));
            if let Err(place) = place {
                self.distinct.insert(place, *value);
            }
        }
        self.suspicious.iter_mut().zip(other.suspicious).for_each(|(a, b)| *a += b);
        self.beyond_limit.merge(other.beyond_limit);
        self.beyond_earth.merge(other.beyond_earth);
        (0..2).for_each(|k| self.steps[k] += other.steps[k]);
        (0..2).for_each(|k| self.swaps[k] += other.swaps[k]);
        self.pairs += other.pairs;
    }

    /// The samples with data.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The range of values, if there are any.
    pub fn values(&self) -> Option<[f64; 2]> {
        (self.range[0] <= self.range[1]).then_some(self.range)
    }

    /// What looks wrong in a raster of `samples` with a known spacing or not.
    pub fn warnings(
        &self,
        conversion: &Conversion,
        samples: usize,
        spacing: Option<[f64; 2]>,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let [own, swapped] = self.swaps.map(|sum| sum as f64);
        if own > SMOOTHER * swapped {
            warnings.push(Warning::ByteOrder);
        }
        let distinct = self.distinct.len();
        if distinct == 1 {
            warnings.push(Warning::AllEqual { value: self.distinct[0] });
        } else if distinct <= FEW && distinct > 0 && samples >= MANY_SAMPLES {
            warnings.push(Warning::FewDistinctValues { count: distinct });
        }
        for (&count, value) in self.suspicious.iter().zip(SUSPICIOUS) {
            if count > 0 {
                warnings.push(Warning::UndeclaredNoData { value, count });
            }
        }
        let [min, max] = self.range;
        let is_metre = conversion.unit.as_ref().is_none_or(|unit| unit.scale == 1.0);
        if min >= 0.0 && max <= 1.0 && distinct > 1 && is_metre {
            warnings.push(Warning::Normalised);
        }
        if let Strange { count: count @ 1.., first: (_, value) } = self.beyond_limit {
            warnings.push(Warning::BeyondLimit { value, count });
        }
        if let Strange { count: count @ 1.., first: (_, height) } = self.beyond_earth {
            warnings.push(Warning::BeyondEarth { height, count });
        }
        if let Some(spacing) = spacing.filter(|_| conversion.unit.is_some() && self.pairs > 0) {
            let sum = |k: usize| self.steps[k] as f64 / UNIT / spacing[k];
            let slope = (sum(0) + sum(1)) / self.pairs as f64;
            if slope > STEEP {
                warnings.push(Warning::Steep { slope });
            }
        }
        warnings
    }
}

/// The survey of a file whose blocks many threads read, in any order and as often as they like.
pub(crate) struct Surveyed(Mutex<Option<State>>);

struct State {
    survey: Survey,
    /// The blocks that are taken in.
    done: Bits,
}

impl Surveyed {
    pub fn new(blocks: usize, has_swaps: bool) -> Self {
        let state = State { survey: Survey::new(has_swaps), done: Bits::new(blocks) };
        Self(Mutex::new(Some(state)))
    }

    /// An empty survey for a block, which the caller takes in and [`add`](Self::add)s; `None` if
    /// the block was taken in before, or the survey is over.
    pub fn claim(&self, block: usize) -> Option<Survey> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State { survey, done } = state.as_mut()?;
        done.add(block).then(|| Survey::new(survey.has_swaps))
    }

    /// Whether the survey is not over.
    pub fn is_open(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub fn add(&self, part: &Survey) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(State { survey, .. }) = state.as_mut() {
            survey.merge(part);
        }
    }

    /// What was seen. Nothing is taken in any more.
    pub fn finish(&self) -> Option<Survey> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.take().map(|state| state.survey)
    }
}

/// The heights so far, and what was seen.
pub(super) struct Intake {
    columns: usize,
    /// NaN where there is no data.
    pub heights: Vec<f32>,
    pub conversion: Conversion,
    pub survey: Survey,
}

impl Intake {
    /// Room for all samples.
    pub fn new(
        size: [usize; 2],
        conversion: Conversion,
        survey: Survey,
    ) -> Result<Self, RasterError> {
        let samples = checked_size(size)?;
        let mut heights = Vec::new();
        heights
            .try_reserve_exact(samples)
            .map_err(|_| RasterError::limit(format!("there is no memory for {samples} samples")))?;
        heights.resize(samples, f32::NAN);
        Ok(Self { columns: size[0], heights, conversion, survey })
    }

    /// Takes in `count` values of a row from a column on. `has_above`: the row above belongs to the
    /// same block. What is beyond the end is ignored.
    pub fn row(
        &mut self,
        [column, row]: [usize; 2],
        count: usize,
        has_above: bool,
        values: impl Iterator<Item = f64>,
    ) {
        let start = row * self.columns + column;
        let end = (start + count).min(self.heights.len());
        if start >= end {
            return;
        }
        let (before, own) = self.heights[..end].split_at_mut(start);
        let above = (has_above && start >= self.columns)
            .then(|| &before[start - self.columns..])
            .map(|above| &above[..count.min(above.len())]);
        let row = Row { index: start as u64, above, mask: None };
        self.survey.row(&self.conversion, &row, values, own);
    }
}
