//! Steps along a ray, in the notation of the proof at [`raycast`](super::raycast).

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::sample::Sample;
use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{OutOfLimits, RAY_TOLERANCE};
use crate::ray::{Cast, Hit, MAX_EVALUATIONS, Ray};

/// The fraction of the tolerance at which the search for a hit stops. Rounded heights need the
/// margin.
const AIM: f64 = 1.0 / 8.0;

/// By how much the steps through a hole grow, as a fraction of the way through it.
const HOLE_GROWTH: f64 = 1.0 / 64.0;

/// After so many evaluations, proven slopes count as loose: a ray that needs more is beside a wall
/// that the bounds know but cannot place.
const PATIENCE: usize = MAX_EVALUATIONS / 10;

/// The state of a ray cast.
pub(crate) struct March<'a> {
    field: &'a dyn Field<2>,
    ray: Ray,
    tolerance: f64,
    /// The length of the horizontal part of the direction, s.
    level: f64,
    /// The field's bounds over the whole domain.
    whole: Bounds,
    /// The field's bounds along the ray up to a distance.
    ahead: (Bounds, f64),
    /// The distance up to which the ray is clear, and an upper bound of the depth there, which is
    /// at most 0.
    clear: f64,
    depth: f64,
    /// The slopes of all samples, for ground whose proven ones are of no use, and whether none was
    /// needed so far.
    slopes: Slopes,
    is_proven: bool,
    pub evaluations: usize,
}

impl<'a> March<'a> {
    pub fn new(field: &'a dyn Field<2>, ray: &Ray, tolerance: f64) -> Result<Self, OutOfLimits> {
        let ray = ray.checked()?;
        RAY_TOLERANCE.check(tolerance)?;
        let whole = field.bounds();
        let [x, _, z] = ray.direction;
        Ok(Self {
            field,
            ray,
            tolerance,
            level: (x * x + z * z).sqrt(),
            whole,
            ahead: (whole, 0.0),
            clear: 0.0,
            depth: 0.0,
            slopes: Slopes::new(field.has_loose_bounds()),
            is_proven: true,
            evaluations: 0,
        })
    }

    pub fn run(&mut self) -> Cast {
        // Rounded samples can exceed the bounds.
        let top = self.whole.max + 1e-5 * self.whole.max_abs();
        let Some([start, end]) = self.ray.below(top) else { return self.clear() };
        let hit = match self.sample(start) {
            Some((ground, depth)) if depth > 0.0 => Some(self.hit(start, ground)),
            Some((_, depth)) => {
                (self.clear, self.depth) = (start, depth);
                None
            }
            None => self.cross_hole(start, end),
        };
        if let Some(hit) = hit {
            return Cast::Hit(hit);
        }
        let mut length = self.tolerance - self.depth;
        while self.clear < end {
            self.slopes.is_loose |= self.evaluations >= PATIENCE;
            if self.evaluations >= MAX_EVALUATIONS {
                return Cast::Unfinished { distance: self.clear, is_proven: self.is_proven };
            }
            let smooth = self.smooth_length();
            let hit = if smooth >= length {
                length *= 1.5;
                self.step_by_curvature(smooth, end)
            } else {
                self.step_by_bounds(&mut length, end)
            };
            if let Some(hit) = hit {
                return Cast::Hit(hit);
            }
        }
        self.clear()
    }

    fn clear(&self) -> Cast {
        Cast::Clear { is_proven: self.is_proven }
    }

    fn height(&self, distance: f64) -> f64 {
        self.ray.origin[1] + distance * self.ray.direction[1]
    }

    /// The ground and the depth at a distance; `None` in a hole.
    fn sample(&mut self, distance: f64) -> Option<(Sample<2>, f64)> {
        self.evaluations += 1;
        let [x, y, z] = self.ray.at(distance);
        let ground = self.field.sample([x, z]);
        self.slopes.add(ground.gradient);
        (!ground.value.is_nan()).then(|| (ground, f64::from(ground.value) - y))
    }

    /// The shortest segment that is cut before a hole at its end.
    fn shortest(&self, distance: f64) -> f64 {
        self.tolerance.max(self.ray.resolution(distance))
    }

    /// Passes the hole at a distance. A ray that leaves it under the ground hits its side.
    fn cross_hole(&mut self, start: f64, end: f64) -> Option<Hit> {
        let mut inside = start;
        loop {
            // Beyond a hole nothing is known about the depth.
            (self.clear, self.depth) = (inside, 0.0);
            if inside >= end || self.evaluations >= MAX_EVALUATIONS {
                return None;
            }
            let step = self.shortest(inside).max(HOLE_GROWTH * (inside - start));
            let mut outside = (inside + step).min(end);
            let Some((mut ground, mut depth)) = self.sample(outside) else {
                inside = outside;
                continue;
            };
            while outside - inside > self.shortest(outside) {
                let middle = 0.5 * (inside + outside);
                match self.sample(middle) {
                    Some(found) => (outside, (ground, depth)) = (middle, found),
                    None => inside = middle,
                }
            }
            if depth > 0.0 {
                return Some(self.hit(outside, ground));
            }
            (self.clear, self.depth) = (outside, depth);
            return None;
        }
    }

    fn hit(&self, distance: f64, ground: Sample<2>) -> Hit {
        let (position, is_proven) = (self.ray.at(distance), self.is_proven);
        Hit { distance, position, ground, is_proven }
    }

    /// An upper bound of the second derivative of d ahead, and the distance up to which it holds.
    fn second(&self) -> (f64, f64) {
        let (bounds, up_to) = self.ahead;
        let known = self.clear < up_to;
        let (bounds, up_to) = if known { (bounds, up_to) } else { (self.whole, f64::INFINITY) };
        (times(bounds.curvature, self.level * self.level), up_to)
    }

    /// The length of a segment that passes by case 2 unless it ends deeper than half the tolerance,
    /// e / 2: with d(a) = -c, d(b) <= e / 2 and B = e / 2 + c / 4, the formula there is at most -c
    /// (1 - x)^2 + e (x / 2 + 2 x (1 - x)) < e.
    fn smooth_length(&self) -> f64 {
        let (second, up_to) = self.second();
        let highest = 0.5 * self.tolerance - 0.25 * self.depth;
        (8.0 * highest / second).sqrt().min(up_to - self.clear)
    }

    /// Passes a segment of at most `length`, by case 2 of the proof.
    fn step_by_curvature(&mut self, length: f64, end: f64) -> Option<Hit> {
        let (a, (second, _)) = (self.clear, self.second());
        let mut b = (a + length).min(end);
        loop {
            let length = b - a;
            let Some((ground, depth)) = self.sample(b) else {
                if length <= self.shortest(b) {
                    return self.cross_hole(b, end);
                }
                b = a + 0.5 * length;
                continue;
            };
            let deepest = peak(self.depth, depth, times(second, length * length) / 8.0);
            if deepest <= self.tolerance || length <= self.ray.resolution(b) {
                return self.pass(b, ground, depth);
            }
            // Aim at half the tolerance on the chord.
            let part = (0.5 * self.tolerance - self.depth) / (depth - self.depth);
            b = a + length * part.clamp(0.01, 0.9);
        }
    }

    /// Passes a segment of at most `length`, by case 1 or 3 of the proof, or none if neither holds.
    /// In either case it replaces `length` by a better one.
    fn step_by_bounds(&mut self, length: &mut f64, end: f64) -> Option<Hit> {
        let (a, resolution) = (self.clear, self.ray.resolution(self.clear));
        let b = (a + length.max(resolution)).min(end);
        let half = 0.5 * (b - a);
        let [x, _, z] = self.ray.at(a + half);
        self.evaluations += 1;
        let radius = self.level * half + resolution;
        let proven = self.field.local_bounds([x, z], radius);
        let low = self.height(a).min(self.height(b));
        let is_loose = self.slopes.replace(proven, b - a <= self.tolerance);
        let near = if is_loose { self.estimated(proven, a + half, radius) } else { proven };
        let is_estimated = is_loose && proven.max > low;
        let passes = near.max <= low + self.tolerance;
        let steepest = times(near.lipschitz, self.level) + self.ray.direction[1].abs();
        let is_short = steepest * (b - a) <= self.tolerance || b - a <= resolution;
        // A segment that is short enough need not get shorter, however high its bounds are.
        let better = self.better_length(b - a, near, passes);
        *length = if is_short { better.max(b - a) } else { better };
        if near.max <= low {
            self.is_proven &= !is_estimated;
            (self.clear, self.depth) = (b, near.max - self.height(b));
            return None;
        }
        if passes || is_short {
            self.is_proven &= !is_estimated;
            return match self.sample(b) {
                Some((ground, depth)) => self.pass(b, ground, depth),
                None if b - a <= self.shortest(b) => self.cross_hole(b, end),
                None => {
                    *length = 0.5 * (b - a);
                    None
                }
            };
        }
        self.ahead = (near, b);
        None
    }

    /// Bounds with those that sampled slopes make likely.
    fn estimated(&mut self, proven: Bounds, distance: f64, radius: f64) -> Bounds {
        match self.sample(distance) {
            Some((ground, _)) => {
                self.slopes.is_loose = true;
                proven.and(self.slopes.bounds(ground.value.into(), radius))
            }
            None => proven,
        }
    }

    /// A length at which a segment should pass, from the bounds of the last one. It assumes that
    /// the ground's range has the same middle and grows in proportion to the length.
    fn better_length(&self, length: f64, near: Bounds, passed: bool) -> f64 {
        let middle = 0.5 * (near.min + near.max);
        let from = if passed { self.clear + length } else { self.clear };
        let clearance = self.height(from) + self.tolerance - middle;
        let rise = (near.max - middle) / length + (-self.ray.direction[1]).max(0.0);
        let (min, max) = if passed { (0.5, 4.0) } else { (0.125, 0.5) };
        (0.8 * clearance / rise).max(min * length).min(max * length)
    }

    /// Ends a segment that passed: the next one starts there, or the ray has a hit within it.
    fn pass(&mut self, b: f64, ground: Sample<2>, depth: f64) -> Option<Hit> {
        if depth > 0.0 {
            return Some(self.meet(b, ground, depth));
        }
        (self.clear, self.depth) = (b, depth);
        None
    }

    /// Finds the hit within a segment that passed and ends below the ground: by false position,
    /// with a bisection every third step.
    fn meet(&mut self, b: f64, ground: Sample<2>, depth: f64) -> Hit {
        let aim = AIM * self.tolerance;
        let (mut above, mut below) = ((self.clear, self.depth), (b, depth));
        let mut found = ground;
        for tries in 1.. {
            let ((a, over), (b, under)) = (above, below);
            if under <= aim || b - a <= self.ray.resolution(b) {
                break;
            }
            let part = if tries % 3 == 0 { 0.5 } else { (0.5 * aim - over) / (under - over) };
            let t = a + part * (b - a);
            match self.sample(t) {
                Some((ground, depth)) if depth > 0.0 => (below, found) = ((t, depth), ground),
                Some((_, depth)) => above = (t, depth),
                None => above = (t, -aim),
            }
        }
        self.hit(below.0, found)
    }
}

/// The maximum of (1 - x) d0 + x d1 + 4 x (1 - x) b for x from 0 to 1.
fn peak(d0: f64, d1: f64, b: f64) -> f64 {
    let x = if b > 0.0 { (0.5 + (d1 - d0) / (8.0 * b)).clamp(0.0, 1.0) } else { 0.0 };
    let inner = (1.0 - x) * d0 + x * d1 + 4.0 * b * x * (1.0 - x);
    inner.max(d0).max(d1)
}

/// How much steeper than all samples of a ray the ground may be.
const MARGIN: f64 = 2.0;

/// The slope that ground may have even where all samples are level.
const LEAST: f64 = 2.0;

/// The slopes of the samples of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// Whether proven slopes are far above real ones, see
    /// [`Field::has_loose_bounds`](crate::Field::has_loose_bounds), or have turned out to be
    /// infinite even in the smallest discs.
    pub is_loose: bool,
    /// The square of the steepest one.
    square: f64,
}

impl Slopes {
    pub fn new(is_loose: bool) -> Self {
        Self { is_loose, square: 0.0 }
    }

    pub fn add(&mut self, gradient: [f32; 2]) {
        let [x, z] = gradient.each(f64::from);
        let square = x * x + z * z;
        if square.is_finite() {
            self.square = self.square.max(square);
        }
    }

    /// Whether to use these slopes instead of a proven one, in a disc that is as small as needed or
    /// not.
    pub fn replace(&self, proven: Bounds, is_small: bool) -> bool {
        let is_useless = self.is_loose || is_small && !proven.lipschitz.is_finite();
        is_useless && self.steepest() < proven.lipschitz
    }

    /// The bounds that a value in the middle of a disc makes likely.
    pub fn bounds(&self, value: f64, radius: f64) -> Bounds {
        let lipschitz = self.steepest();
        let reach = lipschitz * radius + 1e-6 * value.abs();
        let (min, max) = (value - reach, value + reach);
        Bounds { min, max, lipschitz, ..Bounds::UNKNOWN }
    }

    /// The slope that the ground is likely to have at most.
    fn steepest(&self) -> f64 {
        (MARGIN * self.square.sqrt()).max(LEAST)
    }
}
