//! A walker's movement over the ground in strides: pure geometry.

use bevy_math::DVec2;
use orogeny::Sample;

use super::walk::TerrainWalker;
use crate::chunk::height_field::normal;

/// The longest stride in metres: the ground is sampled once per stride.
const STRIDE: f64 = 0.25;
/// The maximum number of strides in a frame: a walker moves at most 64 m a frame.
const MAX_STRIDES: f64 = 256.0;

impl TerrainWalker {
    /// Walks some way from a point. Returns where the walker ends, with the height of the ground
    /// there. `None` if the ground has no answer at the start.
    pub(super) fn go(
        &mut self,
        ground: impl Fn(DVec2) -> Option<Sample<2>>,
        from: DVec2,
        way: DVec2,
    ) -> Option<(DVec2, f32)> {
        let mut feet = (from, ground(from)?);
        let length = way.length();
        if !length.is_finite() || length == 0.0 {
            return Some((feet.0, feet.1.value));
        }
        let way = way.clamp_length_max(STRIDE * MAX_STRIDES);
        let strides = (way.length() / STRIDE).ceil();
        let stride = way / strides;
        for _ in 0..strides as u32 {
            // If the slope ahead is too steep, walk along it.
            let next = self.step(&ground, feet, stride).or_else(|| {
                let contour = along_contour(&ground, feet, stride)?;
                self.step(&ground, feet, contour)
            });
            match next {
                Some(next) => feet = next,
                None => break,
            }
        }
        Some((feet.0, feet.1.value))
    }

    /// Makes one stride, if the slope and the step height allow it.
    fn step(
        &mut self,
        ground: &impl Fn(DVec2) -> Option<Sample<2>>,
        (from, below): (DVec2, Sample<2>),
        stride: DVec2,
    ) -> Option<(DVec2, Sample<2>)> {
        let at = from + stride;
        let next = ground(at)?;
        let rise = next.value - below.value;
        // The ground may rise more between the ends of a stride than the slopes there suggest.
        let easy = normal(next).y.acos() <= self.steepest
            && rise.atan2(stride.length() as f32) <= self.steepest;
        if easy {
            self.climbed = 0.0;
        } else if rise > 0.0 {
            let climbed = self.climbed + rise;
            if climbed <= self.step_height {
                self.climbed = climbed;
            } else {
                return None;
            }
        }
        Some((at, next))
    }
}

/// The component of a stride along the contour line of the slope ahead.
fn along_contour(
    ground: &impl Fn(DVec2) -> Option<Sample<2>>,
    (from, _): (DVec2, Sample<2>),
    stride: DVec2,
) -> Option<DVec2> {
    let [x, z] = ground(from + stride)?.gradient.map(f64::from);
    let contour = DVec2::new(-z, x).try_normalize()?;
    // A thousandth of the stride goes downhill, so that rounded heights do not count as a climb.
    let down = DVec2::new(-x, -z).normalize() * 1e-3 * stride.length();
    Some(contour * stride.dot(contour) + down)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ramp along x that starts at x = 0 and rises to the height `top`.
    fn ramp(slope: f32, top: f32) -> impl Fn(DVec2) -> Option<Sample<2>> {
        move |at| {
            let height = at.x as f32 * slope;
            let inside = height > 0.0 && height < top;
            let gradient = [if inside { slope } else { 0.0 }, 0.0];
            Some(Sample { value: height.clamp(0.0, top), gradient })
        }
    }

    fn end(
        ground: impl Fn(DVec2) -> Option<Sample<2>>,
        way: [f64; 2],
        frames: u32,
    ) -> (DVec2, f32) {
        let mut walker = TerrainWalker::default();
        let mut feet = DVec2::new(-1.0, 0.0);
        let mut height = 0.0;
        for _ in 0..frames {
            (feet, height) =
                walker.go(&ground, feet, DVec2::from(way) / f64::from(frames)).unwrap();
        }
        (feet, height)
    }

    /// The result is the same in one frame as in many.
    #[test]
    fn slopes_are_climbed_up_to_the_limit() {
        for frames in [1, 7, 240] {
            let (feet, height) = end(ramp(0.9, 5.0), [10.0, 0.0], frames);
            assert!((feet.x - 9.0).abs() < 1e-9 && height == 5.0, "{feet} {height}");
            let (feet, height) = end(ramp(1.2, 5.0), [10.0, 0.0], frames);
            assert!(feet.x < 0.4 && height <= 0.4, "{frames}: {feet} {height}");
        }
    }

    /// A limit of 90 degrees climbs everything; a limit of NaN only climbs steps.
    #[test]
    fn limits_may_be_extreme() {
        for (steepest, reached) in [(std::f32::consts::FRAC_PI_2, 9.0), (f32::NAN, 0.3)] {
            let mut walker = TerrainWalker { steepest, ..TerrainWalker::default() };
            let way = DVec2::new(10.0, 0.0);
            let (feet, _) = walker.go(ramp(50.0, 90.0), DVec2::new(-1.0, 0.0), way).unwrap();
            assert!((feet.x <= reached + 1e-9) && (feet.x > reached - 1.0), "{steepest}: {feet}");
        }
    }

    #[test]
    fn steps_are_climbed_up_to_their_height() {
        for frames in [1, 7, 240] {
            assert_eq!(end(ramp(50.0, 0.39), [2.0, 0.0], frames).1, 0.39);
            let (feet, height) = end(ramp(50.0, 0.6), [2.0, 0.0], frames);
            assert!(feet.x < 0.01 && height <= 0.4, "{frames}: {feet} {height}");
        }
    }

    #[test]
    fn down_is_always_possible_and_walls_are_walked_along() {
        let cliff = |at: DVec2| ramp(80.0, 100.0)(DVec2::new(-at.x, at.y));
        assert!((end(cliff, [5.0, 0.0], 30).0.x - 4.0).abs() < 1e-9);
        let (feet, _) = end(ramp(5.0, 100.0), [4.0, 4.0], 60);
        assert!(feet.x < 0.1 && feet.y > 3.5, "{feet}");
    }

    #[test]
    fn without_ground_a_walker_stays() {
        assert!(TerrainWalker::default().go(|_| None, DVec2::ZERO, DVec2::X).is_none());
        let (feet, _) = end(ramp(0.1, 9.0), [f64::NAN, 1.0], 1);
        assert_eq!(feet, DVec2::new(-1.0, 0.0));
    }
}
