//! Ray casting against a height field. Proven bounds limit each step, so no hit is skipped; where a
//! field has none, slopes found by sampling do, and the result says so.
//!
//! [`raycast`] states the guarantee and proves it; `march.rs` steps along the ray. It uses only a
//! field's samples and local bounds, and has the sampled slopes. Start with [`raycast`].

mod march;

use crate::arrays::{self, Each};
use crate::derivative::sample::Sample;
use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{OutOfLimits, RAY_DIRECTION, RAY_DISTANCE, RAY_ORIGIN};
use march::March;

/// A ray in (x, height, z), in the field's unit of length: metres for terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its start, each coordinate within +-1e18.
    pub origin: [f64; 3],
    /// Its direction, of any length but zero.
    pub direction: [f64; 3],
    /// Its length, 0 to 1e18, in units of length. The length of the direction has no effect.
    pub max_distance: f64,
}

/// The result of a ray cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cast {
    /// The first point where the ray meets the ground.
    Hit(Hit),
    /// The ray meets no ground.
    Clear {
        /// See [`Cast::is_proven`].
        is_proven: bool,
    },
    /// No ground up to a distance at which the limit of work, [`MAX_EVALUATIONS`], was reached.
    /// Cast another ray from there to go on.
    Unfinished {
        /// How far the ray is known to be clear.
        distance: f64,
        /// See [`Cast::is_proven`].
        is_proven: bool,
    },
}

impl Cast {
    /// The hit, if there is one.
    pub fn hit(self) -> Option<Hit> {
        match self {
            Cast::Hit(hit) => Some(hit),
            Cast::Clear { .. } | Cast::Unfinished { .. } => None,
        }
    }

    /// Whether proven bounds of the field show that no ground was missed. If not, some of them were
    /// infinite or [loose](Field::has_loose_bounds), and slopes found by sampling took their place.
    /// A hit is on the ground to the tolerance either way, but there may be ground in front of it.
    pub fn is_proven(&self) -> bool {
        match *self {
            Cast::Hit(Hit { is_proven, .. })
            | Cast::Clear { is_proven }
            | Cast::Unfinished { is_proven, .. } => is_proven,
        }
    }
}

/// The point where a ray first meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The distance along the ray.
    pub distance: f64,
    /// The point of the ray: x, height, z.
    pub position: [f64; 3],
    /// The ground there: its height and slopes. The normal is (-gradient x, 1, -gradient z), not
    /// normalised.
    pub ground: Sample<2>,
    /// Whether it is proven to be the first, see [`Cast::is_proven`].
    pub is_proven: bool,
}

/// The maximum number of samples and local bounds that [`raycast`] takes from a field: a quarter of
/// a second for a field of twenty octaves. Rays over mountains take some dozens, at the 99th
/// percentile two hundred. Rays that need more run close to ground that has no finite bound on its
/// second derivative.
pub const MAX_EVALUATIONS: usize = 100_000;

impl Ray {
    /// The same ray with a direction of length 1.
    ///
    /// # Errors
    /// The first number that is outside its limits.
    pub fn checked(&self) -> Result<Self, OutOfLimits> {
        self.origin.into_iter().try_for_each(|x| RAY_ORIGIN.check(x))?;
        RAY_DISTANCE.check(self.max_distance)?;
        // Unlike f64::max, this keeps NaN.
        let longer = |max: f64, x: f64| if x.abs() > max || x.is_nan() { x.abs() } else { max };
        let largest = self.direction.into_iter().fold(0.0, longer);
        RAY_DIRECTION.check(largest)?;
        // Scaled first, so that no square overflows or vanishes.
        let scaled = self.direction.each(|x| x / largest);
        let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
        Ok(Self { direction: scaled.each(|x| x / length), ..*self })
    }

    /// The point at a distance along a [`checked`](Self::checked) ray.
    pub fn at(&self, distance: f64) -> [f64; 3] {
        arrays::from_fn(|k| self.origin[k] + distance * self.direction[k])
    }

    /// The interval of distances in which a [`checked`](Self::checked) ray is at or below a height:
    /// the part that can meet ground no higher than that.
    pub fn below(&self, height: f64) -> Option<[f64; 2]> {
        let (y, rise, end) = (self.origin[1], self.direction[1], self.max_distance);
        if y <= height || height.is_nan() {
            let end = if rise > 0.0 { end.min((height - y) / rise) } else { end };
            return Some([0.0, end]);
        }
        let start = (height - y) / rise;
        let start = start - self.resolution(start);
        (rise < 0.0 && start <= end).then_some([start.max(0.0), end])
    }

    /// The shortest segment at a distance that `f64` can resolve.
    fn resolution(&self, distance: f64) -> f64 {
        let farthest = self.origin.into_iter().fold(distance, |max, x| max.max(x.abs()));
        2.0 * f64::EPSILON * farthest
    }
}

/// Finds the first point where a ray meets the ground, whose height is a field.
///
/// Let d(t) = f(x(t), z(t)) - y(t) be the depth of the ray below the ground at the distance t. Then
///
/// * [`Cast::Hit`]: |d| <= `tolerance` there, and d <= `tolerance` all the way to it;
/// * [`Cast::Clear`]: d <= `tolerance` all the way, or [`Cast::Unfinished`]: up to the distance
///   given.
///
/// So no ground that the ray enters deeper than the tolerance is missed, however thin it is. A ray
/// that only grazes the ground may hit it or not. A ray that starts below the ground (d > 0) hits
/// it at distance 0.
///
/// Where the field is NaN there is a hole, and the ray passes. If it leaves the hole below the
/// ground it hits the side, at most `tolerance` behind it along the ray. A hole is crossed in steps
/// of the tolerance, or of 1/64 of the way through it if that is longer: ground between two holes
/// that is narrower than a step may be missed.
///
/// # Proof
/// The ray is cut into segments [a, b] at whose start d(a) <= 0. Let D bound the rate of change of
/// d, with s the length of the direction's horizontal part, v its vertical part, and
/// [`Bounds`](crate::Bounds) of a ball that holds the segment's horizontal part: D = s L + |v|; and
/// B = C s^2 (b - a)^2 / 8. A segment is passed when one of these holds:
///
/// 1. The maximum height of the ball is at most `tolerance` above the lower end of the segment.
///    Then so is every height.
/// 2. d(b) is sampled, and (1 - x) d(a) + x d(b) + 4 x (1 - x) B <= `tolerance` for x from 0 to 1.
///    The left side is the largest value at a + x (b - a) of any function with these ends and a
///    second derivative of at least -8 B / (b - a)^2, and d is one.
/// 3. d(b) is sampled, and D (b - a) <= `tolerance`. Then d <= d(a) + D (b - a) <= `tolerance`.
///
/// In each case d <= `tolerance` on the segment. Where d(b) <= 0, by the ball's bounds or by the
/// sample, the next segment begins at b. Where d(b) > 0, the ray has met the ground within the
/// segment, and a bracketing search finds a point with |d| <= `tolerance`. It may end anywhere in
/// the segment without breaking the guarantee. If no case holds, the segment is cut. Below a length
/// of D^-1 `tolerance` case 3 holds, so cutting ends. The part of the ray above all heights of the
/// field is skipped at once.
///
/// Two kinds of rounding are added: heights are `f32`, accurate to some millionths of the field's
/// amplitude, and positions are `f64`. So segments are not cut below 4e-16 of the coordinates (a
/// tenth of a millimetre at 1e12), where case 3 counts as holding.
///
/// # Without proven slopes
/// A field may have no Lipschitz constant, or one so [loose](Field::has_loose_bounds) that a ray
/// would take millions of steps. Where the height bounds of such a field do not prove a segment
/// clear, its slope is taken to be at most twice that of the steepest sample along the ray so far,
/// and at least 2. The result then says that it is not [proven](Cast::is_proven): ground that is
/// steeper and narrower than a step may be missed. The same is done for any field after a tenth of
/// [`MAX_EVALUATIONS`], for instance close to a cliff whose slope bounds the ground around it too.
///
/// # Errors
/// A number outside its limits.
///
/// # Cost
/// On the recipe of high mountains in this repository, with a tolerance of a centimetre, rays down
/// to the ground (740 m long in the median) take 26 evaluations in the median and 92 at the 99th
/// percentile. Level rays close above it (1,270 m) take 61 and 196. Equal steps with the same
/// guarantee would take millions. It allocates nothing.
///
/// ```
/// use orogeny::{Fractal, GradientNoise, Node};
/// use orogeny::ray::{Cast, Ray, raycast};
///
/// let fbm = Fractal::fbm(8.0, GradientNoise::seeded(7));
/// let hills = Fractal { frequency: 1.0 / 500.0, amplitude: 80.0, ..fbm };
/// let hills = Node::<2>::from(hills).build()?;
/// let down = Ray { origin: [0.0, 200.0, 0.0], direction: [3.0, -1.0, 2.0], max_distance: 5000.0 };
/// let Cast::Hit(hit) = raycast(&hills, &down, 0.01)? else { panic!("no ground") };
/// assert!((hit.position[1] - f64::from(hit.ground.value)).abs() <= 0.01);
///
/// let up = Ray { direction: [1.0, 0.1, 0.0], ..down };
/// assert_eq!(raycast(&hills, &up, 0.01)?, Cast::Clear { is_proven: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn raycast(field: &dyn Field<2>, ray: &Ray, tolerance: f64) -> Result<Cast, OutOfLimits> {
    Ok(March::new(field, ray, tolerance)?.run())
}

/// [`raycast`], with the number of evaluations.
#[cfg(test)]
pub(crate) fn counted(
    field: &dyn Field<2>,
    ray: &Ray,
    tolerance: f64,
) -> Result<(Cast, usize), OutOfLimits> {
    let mut march = March::new(field, ray, tolerance)?;
    Ok((march.run(), march.evaluations))
}
