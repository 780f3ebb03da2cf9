//! Heights along a line.

use bevy_orogeny::orogeny::{Field, Samples};

/// The number of samples of a profile.
const POINTS: usize = 400;

/// A line over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// The start (x, z) in metres.
    pub from: [f64; 2],
    /// The direction, a unit vector.
    pub towards: [f64; 2],
    /// The length in metres.
    pub length: f64,
}

impl Section {
    /// The line, rounded to a fraction of its length, so that a slow flight requests few profiles.
    pub fn in_steps(self) -> Self {
        let step = self.length / 200.0;
        let angle = (self.towards[1].atan2(self.towards[0]) * 100.0).round() / 100.0;
        let (z, x) = angle.sin_cos();
        Self { from: self.from.map(|at| (at / step).round() * step), towards: [x, z], ..self }
    }
}

/// Heights over distances, in metres.
pub struct Profile(Vec<[f64; 2]>);

impl Profile {
    /// Samples a field along a line.
    pub fn draw(field: &dyn Field<2>, section: Section) -> Self {
        let Section { from, towards, length } = section;
        let distance = |i: usize| length * i as f64 / (POINTS - 1) as f64;
        let points: Vec<[f64; 2]> =
            (0..POINTS).map(|i| [0, 1].map(|k| from[k] + distance(i) * towards[k])).collect();
        let mut samples = Samples::values_only();
        field.sample_points(&points, &mut samples);
        let heights = samples.values().iter().map(|&height| f64::from(height));
        Self(heights.enumerate().map(|(i, height)| [distance(i), height]).collect())
    }

    /// The lines to plot: those between places without a height, which egui does not draw but
    /// panics with in dev builds.
    pub fn lines(&self) -> impl Iterator<Item = Vec<[f64; 2]>> {
        let pieces = self.0.split(|[_, height]| !height.is_finite());
        pieces.filter(|piece| piece.len() > 1).map(<[_]>::to_vec)
    }
}

#[cfg(test)]
mod tests {
    use bevy_orogeny::orogeny::Sample;

    use super::*;

    struct Ramp;

    impl Field<2> for Ramp {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            Sample { value: (x + 2.0 * z) as f32, gradient: [1.0, 2.0] }
        }
    }

    #[test]
    fn a_profile_goes_along_its_line() {
        let section = Section { from: [10.0, 20.0], towards: [0.0, 1.0], length: 100.0 };
        let Profile(points) = Profile::draw(&Ramp, section);
        assert_eq!((points[0], points[POINTS - 1]), ([0.0, 50.0], [100.0, 250.0]));
    }

    /// Ground with a hole in its middle.
    struct Ring;

    impl Field<2> for Ring {
        fn sample(&self, [_, z]: [f64; 2]) -> Sample<2> {
            let hole = (40.0..60.0).contains(&z);
            if hole { Sample::OUTSIDE } else { Sample { value: z as f32, gradient: [0.0, 1.0] } }
        }
    }

    #[test]
    fn a_profile_is_interrupted_by_holes() {
        let section = Section { from: [0.0; 2], towards: [0.0, 1.0], length: 100.0 };
        let lines: Vec<_> = Profile::draw(&Ring, section).lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().flatten().all(|[at, height]| (at - height).abs() < 1e-3));
        assert!(lines[0].last().unwrap()[0] < 40.0 && lines[1][0][0] >= 60.0);
    }
}
