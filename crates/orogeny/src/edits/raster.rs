//! Rasters: the samples of stamps.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::sync::atomic::{self, AtomicBool};

use crate::error::DataError;
use crate::limits::Limit;
#[cfg(feature = "serde")]
use crate::limits::at_most;

/// The limits of the sides of a raster.
const SIDE: Limit = Limit {
    name: "side",
    unit: "samples",
    min: 4.0,
    max: 4097.0,
    default: 5.0,
    help: "The number of samples along a side of a raster",
};
/// The limits of a sample.
const SAMPLE: Limit = Limit {
    name: "sample",
    unit: "",
    min: -1.0,
    max: 1.0,
    default: 0.0,
    help: "A sample of a raster",
};
/// The maximum number of samples.
#[cfg(feature = "serde")]
const MAX_SAMPLES: usize = 4097 * 4097;

/// The samples of a stamp on a grid. A clone shares them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Raster {
    /// The number of samples in a row: 4 to 4097. There are 4 to 4097 rows.
    width: u32,
    /// Row by row, each from -1 to 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "write", deserialize_with = "read"))]
    samples: Arc<Samples>,
}

/// Samples, and whether they were found to be within their limits: a tool checks its stamp in each
/// frame, and there may be 17 million.
struct Samples {
    all: Vec<f32>,
    are_valid: AtomicBool,
}

impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all.fmt(f)
    }
}

impl From<Vec<f32>> for Samples {
    fn from(all: Vec<f32>) -> Self {
        Self { all, are_valid: AtomicBool::new(false) }
    }
}

impl PartialEq for Raster {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Raster {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // Millions of samples are compared only where they are not shared. A valid one is not NaN.
        match self.width.cmp(&other.width) {
            Ordering::Equal if Arc::ptr_eq(&self.samples, &other.samples) => Some(Ordering::Equal),
            Ordering::Equal => self.samples.all.partial_cmp(&other.samples.all),
            order => Some(order),
        }
    }
}

#[cfg(feature = "serde")]
fn write<S: serde::Serializer>(samples: &Samples, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(&samples.all)
}

#[cfg(feature = "serde")]
fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<Samples>, D::Error> {
    at_most::<MAX_SAMPLES, f32, D>(deserializer).map(|all| Arc::new(all.into()))
}

impl Default for Raster {
    /// A bump: 1 in the middle of 5 x 5 samples, 0 elsewhere.
    fn default() -> Self {
        let mut samples = vec![0.0; 25];
        samples[12] = 1.0;
        Self { width: 5, samples: Arc::new(samples.into()) }
    }
}

impl Raster {
    /// A raster of rows with `width` samples each.
    ///
    /// # Errors
    /// A side outside 4 to 4097, samples that do not fill the rows, and a sample outside -1 to 1.
    pub fn new(width: u32, samples: Vec<f32>) -> Result<Self, DataError> {
        let raster = Self { width, samples: Arc::new(samples.into()) };
        raster.check()?;
        Ok(raster)
    }

    /// A raster of the pixels of a grey image: 0 for black to 1 for white.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_gray(width: u32, pixels: &[u16]) -> Result<Self, DataError> {
        let white = f32::from(u16::MAX);
        Self::new(width, pixels.iter().map(|&pixel| f32::from(pixel) / white).collect())
    }

    /// The number of samples along a row, and that of rows.
    pub fn size(&self) -> [usize; 2] {
        let width = self.width.max(1) as usize;
        [width, self.samples().len() / width]
    }

    /// All samples, row by row.
    pub fn samples(&self) -> &[f32] {
        &self.samples.all
    }

    pub(super) fn check(&self) -> Result<(), DataError> {
        SIDE.check(self.width.into()).map_err(|e| DataError::at("width", e))?;
        let [width, rows] = self.size();
        if width * rows != self.samples().len() {
            let problem = format!(
                "there are {}, but must be a multiple of {width}, the width",
                self.samples().len()
            );
            return Err(DataError::at("samples", problem));
        }
        SIDE.check(rows as f64).map_err(|e| DataError::at("samples", format!("rows: {e}")))?;
        let are_valid = &self.samples.are_valid;
        if are_valid.load(atomic::Ordering::Relaxed) {
            return Ok(());
        }
        let checked = self.samples().iter().map(|&sample| SAMPLE.check(sample.into()));
        for (i, checked) in checked.enumerate() {
            checked.map_err(|e| DataError::at(format!("samples[{i}]"), e))?;
        }
        are_valid.store(true, atomic::Ordering::Relaxed);
        Ok(())
    }

    /// Makes every negative zero positive.
    pub(super) fn clear_signs_of_zeros(&mut self) {
        if self.samples().iter().any(|sample| sample.to_bits() == (-0.0f32).to_bits()) {
            let positive: Vec<f32> = self.samples().iter().map(|sample| sample + 0.0).collect();
            self.samples = Arc::new(positive.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_checked_once_for_all_clones() {
        let raster = Raster::new(4, vec![-0.0; 16]).unwrap();
        let mut clone = raster.clone();
        assert!(clone.samples.are_valid.load(atomic::Ordering::Relaxed));
        clone.clear_signs_of_zeros();
        assert!(clone == raster && clone.check().is_ok());
        let wrong = Raster { width: 4, samples: Arc::new(vec![1.5; 16].into()) };
        for _ in 0..2 {
            assert_eq!(wrong.check().unwrap_err().path, "samples[0]");
        }
    }

    #[test]
    fn rasters_are_ordered_by_their_width_and_samples() {
        let of = |width: u32, first: f32| {
            let mut samples = vec![0.0; 4 * width as usize];
            samples[0] = first;
            Raster::new(width, samples).unwrap()
        };
        assert!(of(4, 0.5) < of(4, 0.6) && of(4, 0.6) < of(5, 0.5));
        assert_eq!(of(4, 0.5), of(4, 0.5));
    }
}
