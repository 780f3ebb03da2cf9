//! The closest point on a segment.

use crate::edits::centerline::segment::Segment;
use crate::edits::centerline::spline::{cross, dot, length, minus, plane};
use crate::edits::falloff::Jet64;

/// Steps of Newton's method, see [`Segment::split`].
const STEPS: usize = 3;

/// The closest point on a curve, as seen from a place.
#[derive(Clone, Copy, Debug)]
pub(in crate::edits) struct Closest {
    /// The signed distance from the curve: positive on the left of its direction, where x is east
    /// and z north.
    pub distance: f64,
    /// The gradient of the distance, the unit normal.
    normal: [f64; 2],
    /// Its Hessian is this times the square of the unit tangent.
    turn: f64,
    /// The height at the closest point.
    pub height: Jet64,
    /// How far it is beyond an end of the path; 0 between the ends.
    pub beyond: f64,
    /// The gradient of `beyond`. Its Hessian is 0.
    pub outward: [f64; 2],
}

impl Closest {
    /// m(d), given m and its derivatives at the signed distance d.
    ///
    /// With the unit normal N, the unit tangent T and the curvature k its gradient is m' N, and
    /// its Hessian m'' N N^T - m' k / (1 - k d) T T^T.
    #[inline]
    pub fn across(&self, [value, slope, bend]: [f64; 3]) -> Jet64 {
        let ([x, z], along) = (self.normal, slope * self.turn);
        let second =
            [bend * x * x + along * z * z, (bend - along) * x * z, bend * z * z + along * x * x];
        Jet64 { value, gradient: [slope * x, slope * z], second }
    }
}

impl Segment {
    /// The closest point, if it is on this segment and less than `reach` away.
    ///
    /// With F(u) = (P(u) - p) . P'(u), it is on the segment if F <= 0 at its start and F > 0 at its
    /// end. Each place is so in one of two neighbours, as they share the numbers.
    #[inline]
    pub fn closest(&self, p: [f64; 2], reach: f64) -> Option<Closest> {
        let [start, end] = self.ends.map(|[at, velocity]| dot(minus(at, p), velocity));
        let is_between = start <= 0.0 && 0.0 < end;
        if !is_between || self.is_beside(p, reach) {
            return None;
        }
        let cubic = &self.cubic;
        let mut u = cubic.end * (start / (start - end));
        for _ in 0..STEPS {
            let (velocity, bend) = (plane(cubic.velocity(u)), plane(cubic.acceleration(u)));
            let offset = minus(plane(cubic.position(u)), p);
            let slope = dot(velocity, velocity) + dot(offset, bend);
            u = (u - dot(offset, velocity) / slope).clamp(0.0, cubic.end);
        }
        let [position, velocity] = [cubic.position(u), cubic.velocity(u)];
        let (offset, along) = (minus(p, plane(position)), plane(velocity));
        if dot(offset, offset) >= reach * reach {
            return None;
        }
        let [acceleration, jerk] = [cubic.acceleration(u), cubic.jerk()];
        let (bend, jolt) = (plane(acceleration), plane(jerk));
        let speed = length(along);
        let tangent = along.map(|x| x / speed);
        let normal = [-tangent[1], tangent[0]];
        // F' and F''. F' is |P'|^2 (1 - k d).
        let first = speed * speed - dot(offset, bend);
        let second = 3.0 * dot(along, bend) - dot(offset, jolt);
        // grad u = P' / F', and F' u_ij = P''_i u_j + P''_j u_i - F'' u_i u_j.
        let [x, z] = along.map(|part| part / first);
        let ([a, b], slope) = (bend, velocity[2] / first);
        let curve = acceleration[2] - slope * second;
        let height = Jet64 {
            value: position[2],
            gradient: [velocity[2] * x, velocity[2] * z],
            second: [
                curve * x * x + 2.0 * slope * a * x,
                curve * x * z + slope * (a * z + b * x),
                curve * z * z + 2.0 * slope * b * z,
            ],
        };
        let rest = if self.beyond > 0.0 { u } else { cubic.end - u };
        Some(Closest {
            distance: dot(offset, normal),
            normal,
            turn: -cross(along, bend) / (speed * first),
            height,
            beyond: self.beyond.abs() * speed * rest,
            outward: tangent.map(|part| self.beyond * part),
        })
    }
}
