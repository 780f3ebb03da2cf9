//! The closest point on a segment.

use crate::edits::centerline::segment::Segment;
use crate::edits::centerline::spline::{cross, dot, length, minus, plane};
use crate::edits::falloff::Jet64;
use crate::real::Real;

/// Steps of Newton's method, see [`Segment::split`].
const STEPS: usize = 3;

/// The closest point on a curve, as seen from a place.
#[derive(Clone, Copy, Debug)]
pub(in crate::edits) struct Closest<R = f64> {
    /// The signed distance from the curve: positive on the left of its direction, where x is east
    /// and z north.
    pub distance: R,
    /// The gradient of the distance, the unit normal.
    normal: [R; 2],
    /// Its Hessian is this times the square of the unit tangent.
    turn: R,
    /// The height at the closest point.
    pub height: Jet64<R>,
    /// How far it is beyond an end of the path, if it is, and the gradient of that. Its Hessian is
    /// 0.
    pub beyond: Option<(R, [R; 2])>,
}

impl<R: Real> Closest<R> {
    /// m(d), given m and its derivatives at the signed distance d.
    ///
    /// With the unit normal N, the unit tangent T and the curvature k its gradient is m' N, and
    /// its Hessian m'' N N^T - m' k / (1 - k d) T T^T.
    #[inline(always)]
    pub fn across(&self, [value, slope, bend]: [R; 3]) -> Jet64<R> {
        let ([x, z], along) = (self.normal, slope * self.turn);
        let second =
            [bend * x * x + along * z * z, (bend - along) * x * z, bend * z * z + along * x * x];
        Jet64 { value, gradient: [slope * x, slope * z], second }
    }
}

impl Segment {
    /// The distance of any place from the segment. For places far beyond the reach it may be too
    /// large by as much as the segment deviates from its chord.
    pub fn distance(&self, p: [f64; 2]) -> f64 {
        let cubic = &self.cubic;
        let [start, end] = self.ends.map(|[position, velocity]| dot(minus(p, position), velocity));
        let mut u = (start / (start - end) * cubic.end).clamp(0.0, cubic.end);
        let distance = |u: f64| length(minus(p, plane(cubic.position(u))));
        let mut smallest = distance(u);
        for _ in 0..STEPS {
            let (velocity, bend) = (plane(cubic.velocity(u)), plane(cubic.acceleration(u)));
            let offset = minus(plane(cubic.position(u)), p);
            let slope = dot(velocity, velocity) + dot(offset, bend);
            u = (u - dot(offset, velocity) / slope).clamp(0.0, cubic.end);
            smallest = smallest.min(distance(u));
        }
        smallest.min(distance(0.0)).min(distance(cubic.end))
    }

    /// The closest point, if it is on this segment and less than `reach` away, and where that is
    /// so. `None` if it is so nowhere.
    ///
    /// With F(u) = (P(u) - p) . P'(u), it is on the segment if F <= 0 at its start and F > 0 at its
    /// end. Each place is so in one of two neighbours, as they share the numbers.
    #[inline(always)]
    pub fn closest<R: Real>(&self, p: [R; 2], reach: f64) -> Option<(R::Mask, Closest<R>)> {
        let [[first, velocity], [last, last_velocity]] = self.ends;
        // -F at both ends.
        let [start, end] = [dot(minus(p, first), velocity), dot(minus(p, last), last_velocity)];
        let is_between = R::and(start.is_at_least(0.0), end.is_below(0.0));
        let aside = cross(minus(p, first), self.axis).abs();
        let found = R::and(is_between, aside.is_below(self.corridor(reach)));
        if !R::any(found) {
            return None;
        }
        let cubic = &self.cubic;
        let mut u = start / (start - end) * cubic.end;
        for _ in 0..STEPS {
            let (velocity, bend) = (plane(cubic.velocity(u)), plane(cubic.acceleration(u)));
            let offset = minus(plane(cubic.position(u)), p);
            let slope = dot(velocity, velocity) + dot(offset, bend);
            u = (u - dot(offset, velocity) / slope).clamp(0.0, cubic.end);
        }
        let [position, velocity] = [cubic.position(u), cubic.velocity(u)];
        let (offset, along) = (minus(p, plane(position)), plane(velocity));
        let found = R::and(found, dot(offset, offset).is_below(reach * reach));
        if !R::any(found) {
            return None;
        }
        let [a, b, rise] = cubic.acceleration(u);
        let speed = length(along);
        let inverse = u.splat(1.0) / speed;
        let [x, z] = [along[0] * inverse, along[1] * inverse];
        let normal = [-z, x];
        // F' and F''. F' is |P'|^2 (1 - k d).
        let first = speed * speed - dot(offset, [a, b]);
        let second = dot(along, [a, b]) * 3.0 - dot(offset, plane(cubic.jerk()));
        let distance = dot(offset, normal);
        let beyond = (self.beyond != 0.0).then(|| {
            let rest = if self.beyond > 0.0 { u } else { -u + cubic.end };
            (speed * rest, [x * self.beyond, z * self.beyond])
        });
        // grad u = P' / F', and F' u_ij = P''_i u_j + P''_j u_i - F'' u_i u_j.
        let inverse = u.splat(1.0) / first;
        let [x, z] = [along[0] * inverse, along[1] * inverse];
        let slope = velocity[2] * inverse;
        let curve = rise - slope * second;
        let height = Jet64 {
            value: position[2],
            gradient: [velocity[2] * x, velocity[2] * z],
            second: [
                curve * x * x + slope * a * x * 2.0,
                curve * x * z + slope * (a * z + b * x),
                curve * z * z + slope * b * z * 2.0,
            ],
        };
        let turn = -cross(along, [a, b]) / (speed * first);
        Some((found, Closest { distance, normal, turn, height, beyond }))
    }
}
