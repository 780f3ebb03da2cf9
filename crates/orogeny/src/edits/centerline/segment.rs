//! Short parts of a centre line, and proven bounds of what is near them.

use alloc::vec::Vec;

use crate::derivative::bounds::{Bounds, hull};
use crate::edits::centerline::Fault;
use crate::edits::centerline::heights::{height_bounds, slopes};
use crate::edits::centerline::spline::{Cubic, cross, dot, length, minus, plane};
use crate::region::Region;

/// The largest curvature of a centre line, in units of 1 / reach.
pub(super) const SHARPEST: f64 = 0.9;

/// A little more than 1.
const ROUNDING: f64 = 1.000_001;

/// The largest angle by which a segment turns, in radians, and at most its cosine.
const TURNING: [f64; 2] = [0.25, 0.968];

/// The maximum number of halvings of a cubic. The parts are then so short that only one whose
/// curvature is within rounding of the limit is refused wrongly.
const DEPTH: u32 = 24;
/// After this many halvings a segment may deviate from its chord.
const STRAIGHT_DEPTH: u32 = 6;

/// A part of the centre line so short that the closest point on it is found by Newton's method.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub cubic: Cubic,
    /// Position and velocity at the start and at the end. Neighbours share their bits.
    pub ends: [[[f64; 2]; 2]; 2],
    /// All places up to the reach from the segment are in it.
    pub region: Region,
    /// The direction from the start to the end.
    pub axis: [f64; 2],
    /// How far it deviates from its chord at most.
    pub deviation: f64,
    /// The total angle by which it turns, either way, is at most this, in radians.
    pub turning: f64,
    /// The largest curvature is at most this.
    pub curvature: f64,
    /// The bounds of the height at the closest point, for all places up to the reach away.
    pub height: Bounds,
    /// 1 beyond the last control point, -1 before the first, 0 between.
    pub beyond: f64,
}

/// Bounds of the derivatives of a cubic in the plane, over its whole length.
///
/// Those of a function f over [0, e] are |f(e/2)| + (e/2) max|f'|.
pub(super) struct Extremes {
    /// The smallest and the largest |P'|.
    pub speed: [f64; 2],
    /// The largest |P''|, and |P'''|.
    pub bend: f64,
    pub jerk: f64,
    /// The largest |P' x P''|.
    pub cross: f64,
    /// The largest |P' . P''|, and |P' x P'''|.
    pub push: f64,
    pub cross_jerk: f64,
}

impl Extremes {
    pub fn of(cubic: &Cubic) -> Self {
        let half = 0.5 * cubic.end;
        let jerk = plane(cubic.jerk());
        let [first, last] = [0.0, cubic.end].map(|t| plane(cubic.acceleration(t)));
        let (velocity, middle) = (plane(cubic.velocity(half)), plane(cubic.acceleration(half)));
        let (speed, jerk_length) = (length(velocity), length(jerk));
        let bend = length(first).max(length(last));
        let speed = [speed - half * bend, speed + half * bend];
        let cross_jerk = cross(velocity, jerk).abs() + half * bend * jerk_length;
        Self {
            speed,
            bend,
            jerk: jerk_length,
            // (P' x P'')' = P' x P'''.
            cross: cross(velocity, middle).abs() + half * cross_jerk,
            // (P' . P'')' = P' . P''' + P'' . P''.
            push: dot(velocity, middle).abs() + half * (speed[1] * jerk_length + bend * bend),
            cross_jerk,
        }
    }

    /// The largest curvature |P' x P''| / |P'|^3.
    fn curvature(&self) -> f64 {
        self.cross / (self.speed[0] * self.speed[0] * self.speed[0])
    }
}

impl Segment {
    /// Halves a cubic until Newton's method finds the closest point, and the curvature is proven to
    /// be at most [`SHARPEST`].
    ///
    /// Let F(u) = (P(u) - p) . P'(u), and p a place up to `reach` from its closest point P(v) on
    /// the segment, with F(v) = 0. With d = |p - P(v)| and the normal N at v,
    ///
    /// F'  = |P'|^2 - (p - P) . P''   >= |P'|^2 - d |N . P''| - |P(v) - P| |P''|,
    /// F'' = 3 P' . P'' - (p - P) . P''',
    ///
    /// where N . P'' = P'(v) x P'' / |P'(v)|. If e |F''| <= F' / 2 over the length e, the secant of
    /// F is off by at most e / 16, and Newton's method squares the error with a factor of 1 / (4
    /// e): after three steps it is 2^-46 e.
    pub fn split(cubic: &Cubic, reach: f64, depth: u32, out: &mut Vec<Self>) -> Result<(), Fault> {
        let middle = 0.5 * cubic.end;
        let (velocity, acceleration) =
            (plane(cubic.velocity(middle)), plane(cubic.acceleration(middle)));
        let speed = length(velocity);
        let curvature = cross(velocity, acceleration).abs() / (speed * speed * speed);
        let limit = SHARPEST / reach;
        let at = plane(cubic.position(middle));
        // A speed of 0 is a cusp.
        if curvature.is_nan() || curvature > limit {
            return Err(Fault::Sharp { at, radius: 1.0 / curvature });
        }
        let all = Extremes::of(cubic);
        let [slowest, fastest] = all.speed;
        if slowest > 0.0 {
            let (end, bend) = (cubic.end, all.bend);
            let first = slowest * slowest
                - reach * (all.cross + end * bend * bend) / slowest
                - end * fastest * bend;
            let second = 3.0 * all.push
                + reach * (all.cross_jerk + end * bend * all.jerk) / slowest
                + end * fastest * all.jerk;
            let turning = end * all.cross / (slowest * slowest);
            let deviation = bend * end * end / 8.0;
            let is_straight = deviation <= reach / 16.0 || depth >= STRAIGHT_DEPTH;
            if 2.0 * end * second <= first
                && turning <= TURNING[0]
                && is_straight
                && all.curvature() <= limit
            {
                out.push(Self::new(*cubic, reach, &all, [turning, deviation]));
                return Ok(());
            }
        }
        if depth == DEPTH {
            return Err(Fault::Sharp { at, radius: 1.0 / curvature });
        }
        for half in cubic.halves() {
            Self::split(&half, reach, depth + 1, out)?;
        }
        Ok(())
    }

    fn new(cubic: Cubic, reach: f64, all: &Extremes, [turning, deviation]: [f64; 2]) -> Self {
        let ends = [0.0, cubic.end].map(|t| [plane(cubic.position(t)), plane(cubic.velocity(t))]);
        let chord = [0, 1].map(|k| hull(ends.map(|[position, _]| position[k])));
        // A little more, for rounding.
        let grown = reach + deviation + 1e-9 * (reach + max_abs(chord));
        let region = Region {
            min: chord.map(|[min, _]| min - grown),
            max: chord.map(|[_, max]| max + grown),
        };
        let along = minus(ends[1][0], ends[0][0]);
        let axis = along.map(|x| x / length(along));
        let curvature = all.curvature();
        let height = height_bounds(&cubic, all, reach);
        Self { cubic, ends, region, axis, deviation, turning, curvature, height, beyond: 0.0 }
    }

    /// Places at least this far from the line through the ends are farther than `distance` from
    /// the segment.
    #[inline]
    pub fn corridor(&self, distance: f64) -> f64 {
        (distance + self.deviation) * ROUNDING
    }

    /// The range of the heights of those of its points that are up to `distance` from `p`.
    pub fn heights_near(&self, p: [f64; 2], distance: f64) -> Option<[f64; 2]> {
        if cross(self.axis, minus(p, self.ends[0][0])).abs() >= self.corridor(distance) {
            return None;
        }
        let half = 0.5 * self.cubic.end;
        let middle = dot(minus(p, plane(self.cubic.position(half))), self.axis);
        // Along the chord the segment moves by at least the cosine of its turning times its speed.
        let bend = [0.0, self.cubic.end].map(|t| length(plane(self.cubic.acceleration(t))));
        let (speed, change) =
            (length(plane(self.cubic.velocity(half))), half * bend[0].max(bend[1]));
        let (slowest, fastest) = (TURNING[1] * (speed - change), speed + change);
        // The parameter from the middle, of a point that far along the chord.
        let nearest = |x: f64| x / if x > 0.0 { fastest } else { slowest };
        let farthest = |x: f64| x / if x > 0.0 { slowest } else { fastest };
        let first = nearest(middle - distance).max(-half);
        let last = farthest(middle + distance).min(half);
        if first > last {
            return None;
        }
        let (at, apart) = (half + 0.5 * (first + last), 0.5 * (last - first));
        let height = self.cubic.position(at)[2];
        let [min, max] = slopes(&self.cubic);
        let apart = apart * max.max(-min);
        Some([height - apart, height + apart])
    }
}

fn max_abs(ranges: [[f64; 2]; 2]) -> f64 {
    ranges.as_flattened().iter().fold(0.0, |max, x| x.abs().max(max))
}
