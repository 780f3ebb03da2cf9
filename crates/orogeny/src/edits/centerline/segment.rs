//! Short parts of a centre line, proven bounds of what is near them, their heights, the closest
//! point on one, and a binary tree of their regions.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, hull};
use crate::edits::centerline::Fault;
use crate::edits::centerline::spline::{Cubic, cross, dot, length, minus, plane};
use crate::edits::falloff::Jet64;
use crate::real::Real;
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
struct Extremes {
    /// The smallest and the largest |P'|.
    pub speed: [f64; 2],
    /// The largest |P''|, and |P'''|.
    pub acceleration: f64,
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
        let [first, last] = [0.0, cubic.end].each(|t| plane(cubic.acceleration(t)));
        let (velocity, middle) = (plane(cubic.velocity(half)), plane(cubic.acceleration(half)));
        let (speed, jerk_length) = (length(velocity), length(jerk));
        let acceleration = length(first).max(length(last));
        let speed = [speed - half * acceleration, speed + half * acceleration];
        let cross_jerk = cross(velocity, jerk).abs() + half * acceleration * jerk_length;
        Self {
            speed,
            acceleration,
            jerk: jerk_length,
            // (P' x P'')' = P' x P'''.
            cross: cross(velocity, middle).abs() + half * cross_jerk,
            // (P' . P'')' = P' . P''' + P'' . P''.
            push: dot(velocity, middle).abs()
                + half * (speed[1] * jerk_length + acceleration * acceleration),
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
            let (end, most) = (cubic.end, all.acceleration);
            let first = slowest * slowest
                - reach * (all.cross + end * most * most) / slowest
                - end * fastest * most;
            let second = 3.0 * all.push
                + reach * (all.cross_jerk + end * most * all.jerk) / slowest
                + end * fastest * all.jerk;
            let turning = end * all.cross / (slowest * slowest);
            let deviation = most * end * end / 8.0;
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
        let ends = [0.0, cubic.end].each(|t| [plane(cubic.position(t)), plane(cubic.velocity(t))]);
        let chord = [0, 1].each(|k| hull(ends.each(|[position, _]| position[k])));
        // A little more, for rounding.
        let grown = reach + deviation + 1e-9 * (reach + max_abs(chord));
        let region = Region {
            min: chord.each(|[min, _]| min - grown),
            max: chord.each(|[_, max]| max + grown),
        };
        let along = minus(ends[1][0], ends[0][0]);
        let axis = along.each(|x| x / length(along));
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
        let accelerations =
            [0.0, self.cubic.end].each(|t| length(plane(self.cubic.acceleration(t))));
        let (speed, change) = (
            length(plane(self.cubic.velocity(half))),
            half * accelerations[0].max(accelerations[1]),
        );
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
    curvature: R,
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
    pub fn across(&self, [value, slope, second]: [R; 3]) -> Jet64<R> {
        let ([x, z], along) = (self.normal, slope * self.curvature);
        let second = [
            second * x * x + along * z * z,
            (second - along) * x * z,
            second * z * z + along * x * x,
        ];
        Jet64 { value, gradient: [slope * x, slope * z], second }
    }
}

impl Segment {
    /// The distance of any place from the segment. For places far beyond the reach it may be too
    /// large by as much as the segment deviates from its chord.
    pub fn distance(&self, p: [f64; 2]) -> f64 {
        let cubic = &self.cubic;
        let [start, end] = self.ends.each(|[position, velocity]| dot(minus(p, position), velocity));
        let mut u = (start / (start - end) * cubic.end).clamp(0.0, cubic.end);
        let distance = |u: f64| length(minus(p, plane(cubic.position(u))));
        let mut smallest = distance(u);
        for _ in 0..STEPS {
            let (velocity, acceleration) = (plane(cubic.velocity(u)), plane(cubic.acceleration(u)));
            let offset = minus(plane(cubic.position(u)), p);
            let slope = dot(velocity, velocity) + dot(offset, acceleration);
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
            let (velocity, acceleration) = (plane(cubic.velocity(u)), plane(cubic.acceleration(u)));
            let offset = minus(plane(cubic.position(u)), p);
            let slope = dot(velocity, velocity) + dot(offset, acceleration);
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
        let curvature = -cross(along, [a, b]) / (speed * first);
        Some((found, Closest { distance, normal, curvature, height, beyond }))
    }
}

/// The nodes in depth-first order, so that a search is a loop without a stack.
#[derive(Clone, Debug)]
pub(super) struct SegmentTree {
    nodes: Vec<TreeNode>,
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    /// Contains all regions below.
    region: Region,
    /// The first node that is not below this one.
    next: usize,
    /// The segment of a leaf.
    leaf: Option<usize>,
}

impl SegmentTree {
    /// The tree over neighbouring regions.
    pub fn new(regions: &[Region]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * regions.len()) };
        tree.add(0, regions);
        tree
    }

    /// Adds the regions of the segments from `first` on.
    fn add(&mut self, first: usize, regions: &[Region]) {
        let at = self.nodes.len();
        let region = regions.iter().fold(Region::EMPTY, |all, region| all.union(region));
        let leaf = (regions.len() == 1).then_some(first);
        self.nodes.push(TreeNode { region, next: 0, leaf });
        if regions.len() > 1 {
            let (left, right) = regions.split_at(regions.len() / 2);
            self.add(first, left);
            self.add(first + left.len(), right);
        }
        self.nodes[at].next = self.nodes.len();
    }

    /// The region that contains all others.
    pub fn region(&self) -> Region {
        self.nodes[0].region
    }

    /// The segments whose regions are met, in their order.
    #[inline]
    pub fn met(&self, is_met: impl Fn(&Region) -> bool) -> impl Iterator<Item = usize> {
        let mut at = 0;
        core::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(at) {
                let is_met = is_met(&node.region);
                at = if is_met { at + 1 } else { node.next };
                if let (true, Some(segment)) = (is_met, node.leaf) {
                    return Some(segment);
                }
            }
            None
        })
    }
}

/// The range of H', which is quadratic: within that of its control points.
pub(super) fn slopes(cubic: &Cubic) -> [f64; 2] {
    let [first, middle, last] = [0.0, 0.5 * cubic.end, cubic.end].each(|t| cubic.velocity(t)[2]);
    hull([first, last, 2.0 * middle - 0.5 * (first + last)])
}

/// The bounds of H(u(p)), with u(p) the parameter of the closest point, up to `reach` away.
///
/// F(u(p), p) = 0 gives, with D = F' = |P'|^2 (1 - k d),
///
/// grad u = P' / D,  D u_ij = P''_i u_j + P''_j u_i - F'' u_i u_j,
///
/// and those of H(u) are H' grad u and H'' u_i u_j + H' u_ij.
fn height_bounds(cubic: &Cubic, all: &Extremes, reach: f64) -> Bounds {
    let slowest = all.speed[0];
    let first = slowest * slowest - reach * all.cross / slowest;
    let second = 3.0 * all.push + reach * all.cross_jerk / slowest;
    let gradient = slowest / first;
    let hessian = (2.0 * all.acceleration * gradient + second * gradient * gradient) / first;
    let [min, max] = slopes(cubic);
    let slope = max.max(-min);
    let [start, end] = [0.0, cubic.end].each(|t| cubic.acceleration(t)[2].abs());
    let middle = cubic.position(0.5 * cubic.end)[2];
    let apart = 0.5 * cubic.end * slope;
    Bounds {
        min: middle - apart,
        max: middle + apart,
        lipschitz: slope * gradient,
        curvature: start.max(end) * gradient * gradient + slope * hessian,
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
                let second = (0.5 * (a + c)).abs() + (0.25 * (a - c) * (a - c) + b * b).sqrt();
                assert!((bounds.min - 1e-9..=bounds.max + 1e-9).contains(&closest.height.value));
                assert!(slope <= 1.000_001 && second <= bounds.curvature * 1.000_001 + 1e-9);
                tightest[0] = tightest[0].max(slope);
                tightest[1] = tightest[1].max(second / bounds.curvature);
            }
            println!("rise {rise}, bend {bend}: {tightest:?}");
            assert!(tightest[0] > 0.9 && tightest[1] > 0.3, "{tightest:?}");
        }
    }
}
