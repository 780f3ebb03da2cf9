//! Whether a centre line stays away from itself.
//!
//! Let no curvature be above 1 / r, with r > reach, and let two parts be closer than 2 reach only
//! if the curve between them turns by at most pi, either way. Then no place is up to the reach away
//! from two points P(u) and P(v) whose normals pass through it.
//!
//! Proof: by the second condition the total turning from u to v is at most pi. Between two minima
//! of the distance from a place p lies a maximum, at t, with P' . (P - p) = 0 and F' <= 0, so its
//! distance is at least r. One of u and v, say v, is at most a turning of pi / 2 from t. Let a be
//! the turning from t, n the outward normal at t, T the tangent there, and
//!
//! g(a) = (P - p) . (T sin a + n cos a) <= |P - p|.
//!
//! The tangent at a has the components >= cos a along T and >= -sin a along n, so g is at least
//! that of the convex curve with the same lengths, for which g + g'' = ds/da >= r, g(0) >= r and
//! g'(0) = 0. So g >= r up to a = pi / 2, and |P(v) - p| >= r > reach.
//!
//! (Compare Herbert Federer, "Curvature measures", 1959: the reach of a set; and Eddie Aamari et
//! al., "Estimating the reach of a manifold", 2019: it is the least of the radii of curvature and
//! half the widths of bottlenecks.)

use core::f64::consts::PI;

use crate::arrays::Each;
use crate::edits::centerline::Fault;
use crate::edits::centerline::segment::{Segment, SegmentTree};
use crate::edits::centerline::spline::{cross, dot, length, minus};

/// Checks that no place is up to `reach` away from two parts of the curve.
pub(super) fn check_gaps(
    segments: &[Segment],
    tree: &SegmentTree,
    reach: f64,
) -> Result<(), Fault> {
    // The turning before each segment.
    let mut turned = vec![0.0];
    turned.extend(segments.iter().scan(0.0, |sum, segment| {
        *sum += segment.turning;
        Some(*sum)
    }));
    for (i, segment) in segments.iter().enumerate() {
        let near = tree.met(|region| region.meets(&segment.region));
        for j in near.filter(|&j| j > i && turned[j + 1] - turned[i] > PI) {
            let other = &segments[j];
            let chords = [segment, other].each(|s| s.ends.each(|[position, _]| position));
            let gap = distance(chords[0], chords[1]) - segment.deviation - other.deviation;
            if gap <= 2.0 * reach {
                return Err(Fault::Near { at: segment.ends[1][0], gap: gap.max(0.0) });
            }
        }
    }
    Ok(())
}

/// The distance between two straight segments.
fn distance(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> f64 {
    let sides = |[start, end]: [[f64; 2]; 2], points: [[f64; 2]; 2]| {
        points.each(|p| cross(minus(end, start), minus(p, start)))
    };
    let crosses = |line, points| {
        let [one, other] = sides(line, points);
        one * other < 0.0
    };
    if crosses(a, b) && crosses(b, a) {
        return 0.0;
    }
    let ends = [from_segment(a[0], b), from_segment(a[1], b)];
    let others = [from_segment(b[0], a), from_segment(b[1], a)];
    ends.into_iter().chain(others).fold(f64::INFINITY, f64::min)
}

/// The distance of a point from a straight segment.
fn from_segment(p: [f64; 2], [start, end]: [[f64; 2]; 2]) -> f64 {
    let (chord, offset) = (minus(end, start), minus(p, start));
    let t = (dot(offset, chord) / dot(chord, chord)).clamp(0.0, 1.0);
    length([offset[0] - t * chord[0], offset[1] - t * chord[1]])
}
