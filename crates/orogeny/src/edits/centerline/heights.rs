//! Heights along a centre line: their bounds, and the steepest grade.

use crate::derivative::bounds::{Bounds, hull};
use crate::edits::centerline::Fault;
use crate::edits::centerline::segment::Extremes;
use crate::edits::centerline::spline::{Cubic, length, plane};

/// The range of H', which is quadratic: within that of its control points.
pub(super) fn slopes(cubic: &Cubic) -> [f64; 2] {
    let [first, middle, last] = [0.0, 0.5 * cubic.end, cubic.end].map(|t| cubic.velocity(t)[2]);
    hull([first, last, 2.0 * middle - 0.5 * (first + last)])
}

/// The bounds of H(u(p)), with u(p) the parameter of the closest point, up to `reach` away.
///
/// F(u(p), p) = 0 gives, with D = F' = |P'|^2 (1 - k d),
///
/// grad u = P' / D,  D u_ij = P''_i u_j + P''_j u_i - F'' u_i u_j,
///
/// and those of H(u) are H' grad u and H'' u_i u_j + H' u_ij.
pub(super) fn height_bounds(cubic: &Cubic, all: &Extremes, reach: f64) -> Bounds {
    let slowest = all.speed[0];
    let first = slowest * slowest - reach * all.cross / slowest;
    let second = 3.0 * all.push + reach * all.cross_jerk / slowest;
    let gradient = slowest / first;
    let bend = (2.0 * all.bend * gradient + second * gradient * gradient) / first;
    let [min, max] = slopes(cubic);
    let slope = max.max(-min);
    let [start, end] = [0.0, cubic.end].map(|t| cubic.acceleration(t)[2].abs());
    let middle = cubic.position(0.5 * cubic.end)[2];
    let apart = 0.5 * cubic.end * slope;
    Bounds {
        min: middle - apart,
        max: middle + apart,
        lipschitz: slope * gradient,
        curvature: start.max(end) * gradient * gradient + slope * bend,
    }
}

/// Checks that the slope along a cubic is at most `max_grade`, to a thousandth.
pub(super) fn check_grade(cubic: &Cubic, max_grade: f64, depth: u32) -> Result<(), Fault> {
    let limit = max_grade * 1.000_001;
    for t in [0.0, 0.5 * cubic.end, cubic.end] {
        let velocity = cubic.velocity(t);
        let grade = velocity[2].abs() / length(plane(velocity));
        if grade > limit {
            return Err(Fault::TooSteep { at: plane(cubic.position(t)), grade });
        }
    }
    let slowest = Extremes::of(cubic).speed[0];
    let [min, max] = slopes(cubic);
    if depth == 10 || max.max(-min) <= limit * slowest {
        return Ok(());
    }
    cubic.halves().iter().try_for_each(|half| check_grade(half, max_grade, depth + 1))
}
