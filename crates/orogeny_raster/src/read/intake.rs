//! Takes in the values of a file one after the other: converts them to metres, and counts what
//! looks wrong.

use crate::error::RasterError;
use crate::raster::{MAX_HEIGHT, checked_size};
use crate::read::conversion::Conversion;
use crate::read::source::Unit;
use crate::reading::Reading;
use crate::warning::Warning;

/// Values that commonly mark missing data. No land is that low.
const SUSPICIOUS: [f64; 5] = [-32768.0, -32767.0, -99999.0, -9999.0, -999.0];
/// The most distinct values that make terraces: those of 8 bits.
const FEW: usize = 256;
/// The fewest samples of which that many distinct values are few.
const MANY_SAMPLES: usize = 4096;
/// A mean slope that real ground does not have.
const STEEP: f64 = 2.0;

/// The heights so far, and what was seen.
pub(super) struct Intake {
    /// NaN where there is no data.
    pub heights: Vec<f32>,
    pub conversion: Conversion,
    pub no_data_count: usize,
    range: [f64; 2],
    /// The distinct values, sorted: at most one more than [`FEW`].
    distinct: Vec<f64>,
    suspicious: [usize; SUSPICIOUS.len()],
    /// How many heights are beyond the limit, and the value of the first.
    beyond: (usize, f64),
}

impl Intake {
    /// Room for all samples. `unit` and `no_data` are those of the file.
    pub fn new(
        size: [usize; 2],
        unit: Option<Unit>,
        no_data: Option<f64>,
        reading: &Reading,
    ) -> Result<Self, RasterError> {
        let samples = checked_size(size)?;
        let mut heights = Vec::new();
        heights
            .try_reserve_exact(samples)
            .map_err(|_| RasterError::limit(format!("there is no memory for {samples} samples")))?;
        heights.resize(samples, f32::NAN);
        Ok(Self {
            heights,
            conversion: Conversion::new(unit, no_data, reading),
            no_data_count: samples,
            range: [f64::INFINITY, f64::NEG_INFINITY],
            distinct: Vec::new(),
            suspicious: [0; _],
            beyond: (0, 0.0),
        })
    }

    /// Takes in values from `start` on, in units of the file. Values beyond the end are ignored.
    pub fn take(&mut self, start: usize, values: impl Iterator<Item = f64>) {
        let end = self.heights.len();
        for (index, value) in (start..end).zip(values) {
            if !self.conversion.is_missing(value) {
                self.heights[index] = self.seen(value);
                self.no_data_count -= 1;
            }
        }
    }

    fn seen(&mut self, value: f64) -> f32 {
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
        let height = self.conversion.height(value);
        // A value that is not NaN has no such height: the unit is finite and not 0.
        if height.abs() > f64::from(MAX_HEIGHT) {
            if self.beyond.0 == 0 {
                self.beyond.1 = value;
            }
            self.beyond.0 += 1;
        }
        height as f32
    }

    /// The range of values, if there are any.
    pub fn values(&self) -> Option<[f64; 2]> {
        (self.range[0] <= self.range[1]).then_some(self.range)
    }

    /// What looks wrong.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (distinct, samples) = (self.distinct.len(), self.heights.len());
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
        let unit = self.conversion.unit.as_ref();
        let is_metre = unit.is_none_or(|unit| unit.scale == 1.0);
        if min >= 0.0 && max <= 1.0 && distinct > 1 && is_metre {
            warnings.push(Warning::Normalised);
        }
        if let (count @ 1.., value) = self.beyond {
            warnings.push(Warning::BeyondLimit { value, count });
        }
        warnings
    }

    /// A warning if the ground is steeper than any on Earth.
    pub fn steepness(&self, [columns, rows]: [usize; 2], spacing: [f64; 2]) -> Option<Warning> {
        self.conversion.unit.as_ref()?;
        let (mut sum, mut count) = (0.0, 0.0);
        let mut add = |a: f32, b: f32, spacing: f64| {
            if !a.is_nan() && !b.is_nan() {
                sum += (f64::from(a) - f64::from(b)).abs() / spacing;
                count += 1.0;
            }
        };
        for j in 0..rows {
            let row = &self.heights[j * columns..];
            (1..columns).for_each(|i| add(row[i - 1], row[i], spacing[0]));
            if j + 1 < rows {
                (0..columns).for_each(|i| add(row[i], row[i + columns], spacing[1]));
            }
        }
        let slope = sum / count;
        (slope > STEEP).then_some(Warning::Steep { slope })
    }
}
