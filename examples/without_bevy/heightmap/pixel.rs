//! Converts samples to pixels.

use std::ops;

use orogeny::drainage::Water;
use orogeny::{Sample, Samples};

use crate::kind::Kind;
use crate::water;

/// The heights that become 0 and 65535, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// Becomes 0.
    pub lo: f64,
    /// Becomes 65535.
    pub hi: f64,
}

impl Range {
    /// The nearest step. If both ends are equal, as on flat ground, it is 0.
    fn quantise(self, height: f32) -> u16 {
        let extent = self.hi - self.lo;
        let part = if extent > 0.0 { (f64::from(height) - self.lo) / extent } else { 0.0 };
        (part.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16
    }

    fn contains(self, height: f32) -> bool {
        (self.lo..=self.hi).contains(&f64::from(height))
    }
}

/// Statistics of the heights.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// The lowest, in metres.
    pub min: f32,
    /// The highest, in metres.
    pub max: f32,
    /// The number of heights outside the range.
    pub clamped: u64,
    /// The number of positions without a height.
    pub missing: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, clamped: 0, missing: 0 }
    }
}

impl Tally {
    /// The statistics of heights. Without a range none counts as clamped.
    pub fn of(heights: &[f32], range: Option<Range>) -> Self {
        let mut tally = Self::default();
        for &height in heights {
            tally.min = tally.min.min(height);
            tally.max = tally.max.max(height);
            tally.missing += u64::from(height.is_nan());
            tally.clamped += u64::from(range.is_some_and(|range| !range.contains(height)));
        }
        tally
    }

    /// Combines the statistics of two parts.
    pub fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            clamped: self.clamped + other.clamped,
            missing: self.missing + other.missing,
        }
    }

    /// The extremes as a range.
    pub fn range(&self) -> Option<Range> {
        (self.min <= self.max).then(|| Range { lo: self.min.into(), hi: self.max.into() })
    }
}

/// Writes the samples of a row as pixels. `water` is the water at an index.
pub fn encode(
    kind: Kind,
    range: Range,
    samples: &Samples<2>,
    water: impl Fn(usize) -> Option<Water>,
    row: ops::Range<usize>,
    out: &mut [u8],
) {
    for (index, pixel) in row.zip(out.chunks_exact_mut(kind.bytes())) {
        let sample = samples.get(index);
        match kind {
            // PNG stores the high byte first.
            Kind::Png16 => pixel.copy_from_slice(&range.quantise(sample.value).to_be_bytes()),
            Kind::R16 => pixel.copy_from_slice(&range.quantise(sample.value).to_le_bytes()),
            Kind::F32 => pixel.copy_from_slice(&sample.value.to_le_bytes()),
            Kind::Normal => pixel.copy_from_slice(&colour(normal(&sample))),
            Kind::Hillshade => pixel[0] = shade(normal(&sample)),
            Kind::Water => pixel[0] = water::mask(water(index)),
            Kind::Flow => pixel.copy_from_slice(&water::flow(water(index))),
            Kind::Discharge => {
                pixel.copy_from_slice(&water::discharge(water(index)).to_be_bytes());
            }
        }
    }
}

/// The normal in the axes of the picture: to the right (+x), to its top (-z), and up.
fn normal(sample: &Sample<2>) -> [f64; 3] {
    // The normal leans against the gradient. The top of the picture is towards smaller z.
    let [x, z] = sample.gradient.map(f64::from);
    let length = (x * x + z * z + 1.0).sqrt();
    [-x / length, z / length, 1.0 / length]
}

fn colour(normal: [f64; 3]) -> [u8; 3] {
    normal.map(|component| byte((component + 1.0) / 2.0))
}

/// Lambert's law with light from the top left, 45 degrees high: flat ground gets 180.
fn shade([right, top, up]: [f64; 3]) -> u8 {
    byte((top - right) * 0.5 + up * std::f64::consts::FRAC_1_SQRT_2)
}

fn byte(part: f64) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}
