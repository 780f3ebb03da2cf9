//! How valleys and channels are shaped.

#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// Cubic metres a second from a square metre when channels are full: 300 litres from a square
/// kilometre, ten times the mean of temperate mountains.
const RUNOFF: f64 = 3e-7;

/// The area in square metres above which springs begin to flow.
const SPRING: f64 = 2e5;

/// The area of the mean cross-section of a channel, over that of a rectangle around it: the
/// integral of (1 - x^2)^3 over 0 to 1.
const FULLNESS: f64 = 16.0 / 35.0;

/// The largest half width of water, and the largest radius of a valley floor, over the spacing of
/// the finest rivers.
const WIDEST: [f64; 2] = [0.3, 0.8];

/// How much steeper than others the sides of steep rivers are at most.
pub(in crate::drainage) const STEEPER: f64 = 1.5;

/// The most that a valley is lifted so that its lowest line is the surface of the water, in metres.
/// Steeper valleys have narrower floors.
pub(in crate::drainage) const LIFT: f64 = 0.3;

/// How softly valleys join at the channel, where they do not rise, in metres.
pub(in crate::drainage) const LEAST: f64 = 0.01;

/// How far a valley may be above another one and still blend with it, over its rise.
pub(in crate::drainage) const SOFTNESS: f64 = 0.3;

/// How valleys and channels are shaped.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Shape {
    /// The distance between the finest rivers.
    pub spacing: f64,
    /// The slope of valley sides, where the relief is 1.
    pub steepness: f64,
    /// The radius of the valley floors of brooks.
    pub floor: f64,
    /// By how many half widths of the water the floors of rivers are wider.
    pub plain: f64,
    /// How far rivers on flat land swing to either side, over the distance between nodes.
    pub meander: f64,
    /// The width of rivers over that of a temperate climate.
    pub runoff: f64,
}

impl Shape {
    /// The distance from a reach at which its valley ends.
    pub fn range(&self) -> f64 {
        2.0 * self.spacing
    }

    /// The largest distance from a bank: all reaches in [`range`](Self::range) of a point are known
    /// there, less half of the largest width.
    pub fn banks(&self) -> f64 {
        1.5 * self.spacing
    }

    /// Half the width of a river that drains an area: some 3 m of width for the root of a square
    /// kilometre. Springs of less than a fifth have none.
    ///
    /// The exponent 1/2 is that of Leopold and Maddock, "The hydraulic geometry of stream channels
    /// and some physiographic implications" (1953), for discharges in proportion to areas.
    pub fn half_width(&self, area: f64) -> f64 {
        let area = (area - SPRING).max(0.0) * 1e-6;
        (1.5 * self.runoff * area.sqrt()).min(WIDEST[0] * self.spacing)
    }

    /// The depth of a river of half a width: like its root for large ones.
    pub fn depth(&self, half_width: f64) -> f64 {
        0.35 * half_width / (1.0 + half_width).sqrt()
    }

    /// Half the width of a lake, given a random number from 0 to 1.
    pub fn lake_half_width(&self, random: f64) -> f64 {
        (0.4 + 0.6 * random) * WIDEST[0] * self.spacing
    }

    /// The depth of a lake of half a width.
    pub fn lake_depth(&self, half_width: f64) -> f64 {
        2.0 + 0.06 * half_width
    }

    /// How deep rivers and lakes can be.
    pub fn deepest(&self) -> f64 {
        let widest = WIDEST[0] * self.spacing;
        self.depth(widest).max(self.lake_depth(widest))
    }

    /// The radius of the valley floor of a river of half a width.
    pub fn floor(&self, half_width: f64) -> f64 {
        (self.floor + (1.0 + self.plain) * half_width).min(WIDEST[1] * self.spacing)
    }

    /// The same of a lake, whose shores are steep.
    pub fn lake_floor(&self, half_width: f64) -> f64 {
        (self.floor + 1.2 * half_width).min(WIDEST[1] * self.spacing)
    }

    /// The discharge of a river that drains an area, in cubic metres a second: like the square of
    /// its width.
    pub fn discharge(&self, area: f64) -> f64 {
        RUNOFF * self.runoff * self.runoff * (area - SPRING).max(0.0)
    }

    /// The largest width of water.
    pub fn widest(&self) -> f64 {
        2.0 * WIDEST[0] * self.spacing
    }

    /// The mean speed that carries a discharge through a channel.
    pub fn speed(&self, discharge: f64, half_width: f64, depth: f64) -> f64 {
        if half_width > 0.0 { discharge / (2.0 * half_width * depth * FULLNESS) } else { 0.0 }
    }
}
