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
            return Err(Fault::Steep { at: plane(cubic.position(t)), grade });
        }
    }
    let slowest = Extremes::of(cubic).speed[0];
    let [min, max] = slopes(cubic);
    if depth == 10 || max.max(-min) <= limit * slowest {
        return Ok(());
    }
    cubic.halves().iter().try_for_each(|half| check_grade(half, max_grade, depth + 1))
}

#[cfg(test)]
mod tests {
    use crate::edits::centerline::Centerline;

    /// A search on both sides of steep, winding curves, up to 6 m from them.
    #[test]
    fn heights_stay_within_their_bounds() {
        for (rise, bend) in [(1.0, 0.0), (1.0, 6.0), (8.0, 9.0), (0.0, 10.0)] {
            let points: Vec<_> = (0..12)
                .map(|i| {
                    let t = f64::from(i);
                    [25.0 * t, bend * (1.9 * t).sin(), 7.0 * t + rise * (2.3 * t).cos()]
                })
                .collect();
            let line = Centerline::new(&points, 6.0, 5.0, None).expect("a valid curve");
            // Slope and second derivative, in units of their bounds.
            let mut tightest = [0.0f64; 2];
            for i in 0..200_000 {
                let t = f64::from(i) / 200_000.0;
                let p = [-5.0 + 285.0 * t, (bend + 6.0) * (1000.0 * t).sin()];
                let Some(closest) = line.closest(p) else { continue };
                let bounds = line.heights_near(p, 0.01).expect("a height");
                let [x, z] = closest.height.gradient;
                let [a, b, c] = closest.height.second;
                let slope = x.hypot(z) / bounds.lipschitz;
                let bent = (0.5 * (a + c)).abs() + (0.25 * (a - c) * (a - c) + b * b).sqrt();
                assert!((bounds.min - 1e-9..=bounds.max + 1e-9).contains(&closest.height.value));
                assert!(slope <= 1.000_001 && bent <= bounds.curvature * 1.000_001 + 1e-9);
                tightest[0] = tightest[0].max(slope);
                tightest[1] = tightest[1].max(bent / bounds.curvature);
            }
            println!("rise {rise}, bend {bend}: {tightest:?}");
            assert!(tightest[0] > 0.9 && tightest[1] > 0.3, "{tightest:?}");
        }
    }
}
