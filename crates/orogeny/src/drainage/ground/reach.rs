//! Reaches: short straight parts of rivers.

use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::shape::{LEAST, LIFT, SOFTNESS, STEEPER, Shape};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The largest slope of a river over that of its sides.
const FALLS: f64 = 0.95;

/// How far from the middle of a river detail is weaker: over the radius of the valley floor, and at
/// least, over half the width of the water.
const FADING: [f64; 2] = [2.0, 2.5];

/// A point of a river.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Stage {
    pub position: [f64; 2],
    pub height: f64,
    pub relief: f64,
    /// The area upstream.
    pub area: f64,
    /// How much of it is a lake, 0 to 1.
    pub lake: f64,
    /// Half the width of the water, and its depth.
    pub half_width: f64,
    pub depth: f64,
    /// The radius of the valley floor.
    pub floor: f64,
}

impl Stage {
    /// A river that drains an area through a node.
    pub fn new(node: &NetworkNode, area: f64, shape: &Shape) -> Self {
        let NetworkNode { position, height, relief, .. } = *node;
        let lake = if node.lake > 0.0 { 1.0 } else { 0.0 };
        let half_width = node.half_width(area, shape);
        let depth =
            if node.lake > 0.0 { shape.lake_depth(half_width) } else { shape.depth(half_width) };
        let floor = node.valley_floor(area, shape).min(node.floor);
        Self { position, height, relief, area, lake, half_width, depth, floor }
    }

    pub fn between(&self, other: &Self, t: f64) -> Self {
        // Exact at both ends, where reaches meet.
        let at = |a: f64, b: f64| a * (1.0 - t) + b * t;
        Self {
            position: [0, 1].map(|k| at(self.position[k], other.position[k])),
            height: at(self.height, other.height),
            relief: at(self.relief, other.relief),
            area: at(self.area, other.area),
            lake: at(self.lake, other.lake),
            half_width: at(self.half_width, other.half_width),
            depth: at(self.depth, other.depth),
            floor: at(self.floor, other.floor),
        }
    }
}

/// A straight part of a river between two points.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Reach {
    pub start: [f64; 2],
    pub end: [f64; 2],
    /// The direction downstream.
    pub along: [f64; 2],
    pub length: f64,
    /// The height of the water at the end.
    pub height: f64,
    /// The height of the water at the start.
    pub start_height: f64,
    /// By how much the start is higher, and that over the length.
    pub fall: f64,
    pub slope: f64,
    /// The slope of valley sides.
    pub steepness: f64,
    /// The radius of the valley floor.
    pub floor: f64,
    /// How far from its middle it affects the ground beside the valley itself: by its banks, its
    /// channel, and the fading of detail.
    pub fading: f64,
    /// Added to the valley, so that its lowest line is the surface of the water.
    pub lift: f64,
    /// A height below the valley, and 1 over how fast it rises at least: see `may_be_below`.
    pub base: f64,
    pub inverse_rise: f64,
    /// Half the width of the water, and 1 over its square.
    pub half_width: f64,
    pub inverse_width: f64,
    /// The depth of the water in the middle.
    pub depth: f64,
    /// How far downstream the lowest way to a point begins, for each metre away from the channel.
    pub shift: f64,
    /// Half the width, the depth and the mean speed of the water at both ends. The depth is 0 where
    /// a river begins, or ends in a larger one.
    pub half_widths: [f64; 2],
    pub depths: [f64; 2],
    pub speeds: [f64; 2],
    /// Its discharge in cubic metres a second.
    pub discharge: f64,
    /// How much of it is a lake, 0 to 1.
    pub lake: f64,
    /// The directions of the river at both ends, as vectors of any length.
    pub directions: [[f64; 2]; 2],
}

impl Reach {
    /// From one stage to another, with the directions of the river there. `fades` are the ends at
    /// which it begins, or ends in a larger river.
    pub fn new(
        start: &Stage,
        end: &Stage,
        directions: [[f64; 2]; 2],
        fades: [bool; 2],
        shape: &Shape,
    ) -> Self {
        let [x, z] = [0, 1].map(|k| end.position[k] - start.position[k]);
        let exact = (x * x + z * z).sqrt();
        let length = exact.max(1e-3);
        let sides = shape.steepness * 0.5 * (start.relief + end.relief);
        let half_width = 0.5 * (start.half_width + end.half_width);
        // The water falls less steeply than the sides rise. Steep rivers have steeper sides, and
        // still steeper ones fall over the rest.
        let steepest = STEEPER * sides.min(shape.steepness);
        let steepness = sides.max(((start.height - end.height) / length / FALLS).min(steepest));
        let start_height = start.height.min(end.height + FALLS * steepness * length);
        let fall = start_height - end.height;
        let slope = fall / length;
        let rest = steepness - (steepness * steepness - slope * slope).sqrt();
        let widest = 0.5 * (start.floor + end.floor);
        let floor = widest.min(LIFT / rest.max(1e-9));
        let [floors, widths] = FADING;
        let fading = (floors * floor).max(widths * half_width).max(half_width + widest);
        Self {
            start: start.position,
            end: end.position,
            // A river that ends where it begins has any direction.
            along: if exact > 0.0 { [x / exact, z / exact] } else { [1.0, 0.0] },
            length,
            height: end.height,
            start_height,
            fall,
            slope,
            steepness,
            floor,
            fading,
            lift: floor * rest,
            // Lower by more than rounding errors.
            base: end.height - LEAST - steepness * floor - 1e-6 * (1.0 + end.height.abs()),
            inverse_rise: 1.0 / (steepness * (1.0 - SOFTNESS)),
            half_width,
            inverse_width: if half_width > 0.0 { 1.0 / (half_width * half_width) } else { 0.0 },
            depth: 0.5 * (start.depth + end.depth),
            shift: slope / (steepness * steepness - slope * slope).sqrt(),
            half_widths: [start.half_width, end.half_width],
            depths: [0, 1].map(|k| if fades[k] { 0.0 } else { [start, end][k].depth }),
            speeds: [start, end].map(|stage| {
                shape.speed(shape.discharge(stage.area), stage.half_width, stage.depth)
            }),
            discharge: 0.5 * (shape.discharge(start.area) + shape.discharge(end.area)),
            lake: 0.5 * (start.lake + end.lake),
            directions,
        }
    }
    /// The distance of a point from the bank, negative in the bed.
    pub fn bank_distance(&self, p: [f64; 2]) -> f64 {
        self.offset(p).square.sqrt() - self.half_width
    }
}
