//! The errors of the levels of detail: the distances of the field from their triangles.

use bevy_tasks::futures::now_or_never;

use crate::chunk::height_field::HeightField;
use crate::chunk::key::{Layout, MAX_LOD};
use crate::lod::measure::{self, LAST};
use crate::slices::Pace;

/// The errors of the levels: the distance in metres of the field from triangles whose vertices lie
/// on it, or on the ground without fine rivers that far levels draw.
///
/// Measured errors are distances along the normal of the triangle: that is how far a silhouette is
/// off, seen from any direction. Proven errors are vertical distances, which are never smaller.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelErrors {
    measured: Vec<f64>,
    proven: Vec<f64>,
    /// For each level, the variance along each axis of the slopes that its normals leave out.
    slope_variance: Vec<f64>,
    /// The minimum and maximum of the sampled heights.
    sampled: Option<[f64; 2]>,
    /// The proven maximum of the heights, if there is one.
    bound: Option<f64>,
}

impl LevelErrors {
    /// Measures a field.
    ///
    /// Each level up to 16 is sampled at 6 or 24 tiles, near the origin and far from it, at two or
    /// four times the density of its vertices; the coarsest without features smaller than a 32nd of
    /// their spacing. This evaluates the field at some 200,000 points, so it is best done in a
    /// task.
    ///
    /// A level is used from the distance D at which its error is as large on the screen as allowed,
    /// up to about 2 D, where the next level takes over. Over these distances, the measured error
    /// holds for 99 of 100 points. It is at most the proven one.
    pub fn measure(field: &dyn HeightField, layout: &Layout) -> Self {
        let measured = Self::measure_with(field, layout, Pace::AtOnce);
        now_or_never(measured).expect("it awaits no turns")
    }

    /// Measures a field in a task that was begun with [`spawn`](crate::slices::spawn), as
    /// [`measure`](Self::measure).
    pub async fn measure_in_turns(field: &dyn HeightField, layout: &Layout) -> Self {
        Self::measure_with(field, layout, Pace::InTurns).await
    }

    async fn measure_with(field: &dyn HeightField, layout: &Layout, pace: Pace) -> Self {
        let proven: Vec<f64> =
            (0..=MAX_LOD).map(|lod| field.interpolation_error(layout.spacing(lod))).collect();
        let (mut measured, sampled) = measure::errors(field, layout, pace).await;
        for (error, proven) in measured.iter_mut().zip(&proven) {
            *error = error.min(*proven);
        }
        Self {
            measured,
            proven,
            slope_variance: measure::slope_variances(field, layout, pace).await,
            sampled,
            bound: Some(field.bounds().max).filter(|max| max.is_finite()),
        }
    }

    /// Errors that start with `finest` and double from level to level.
    #[cfg(test)]
    pub(crate) fn growing(finest: f64) -> Self {
        let measured: Vec<f64> = (0..=LAST).map(|lod| finest * f64::from(lod).exp2()).collect();
        let proven = (0..=MAX_LOD).map(|lod| 2.0 * finest * f64::from(lod).exp2()).collect();
        let slope_variance = Vec::new();
        Self { measured, proven, slope_variance, sampled: Some([0.0; 2]), bound: Some(0.0) }
    }

    /// The error of a level in metres, along the normal, that holds for 99 of 100 points over the
    /// distances at which the level is used: of the points seen from 2^u D, with u evenly
    /// distributed over 0 to 1, 99 of 100 are at most 2^u times this far from the triangles.
    ///
    /// 0 until the field is measured. Above the last measured level, errors double from level to
    /// level, as on a slope.
    pub fn measured(&self, lod: u8) -> f64 {
        let beyond = f64::from(lod.saturating_sub(LAST));
        let error = self.measured.get(usize::from(lod.min(LAST))).copied().unwrap_or(0.0);
        (error * beyond.exp2()).min(self.proven(lod))
    }

    /// The upper bound of a level's vertical error in metres. Infinite if the field has no proven
    /// bounds.
    pub fn proven(&self, lod: u8) -> f64 {
        self.proven.get(usize::from(lod)).copied().unwrap_or(f64::INFINITY)
    }

    /// The error of a level in metres: the proven one with `guarantee`, else the measured one.
    pub fn of(&self, lod: u8, guarantee: bool) -> f64 {
        if guarantee { self.proven(lod) } else { self.measured(lod) }
    }

    /// The variance, along each axis, of the slopes that the normals of a level leave out, in
    /// (m/m)^2.
    pub fn slope_variance(&self, lod: u8) -> f64 {
        let level = usize::from(lod.min(LAST));
        self.slope_variance.get(level).copied().unwrap_or(0.0)
    }

    /// A height that the ground rarely exceeds: the highest sample, plus a quarter of the range of
    /// all samples. With `guarantee`, the proven maximum. Infinite if nothing is known.
    pub fn highest(&self, guarantee: bool) -> f64 {
        let bound = self.bound.unwrap_or(f64::INFINITY);
        match self.sampled {
            Some([low, high]) if !guarantee => bound.min(high + 0.25 * (high - low)),
            _ => bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orogeny::{Field, Sample};

    #[test]
    fn measured_errors_grow_with_the_spacing_and_stay_below_the_proven_ones() {
        let layout = Layout { cells: 64, spacing: 1.0 };
        let field = crate::Terrain::default().build().unwrap();
        let errors = LevelErrors::measure(&field, &layout);
        for lod in 0..LAST {
            let [this, next] = [lod, lod + 1].map(|lod| errors.measured(lod));
            println!("{lod:>2}: measured {this:.3} m, proven {:.3} m", errors.proven(lod));
            assert!(this <= errors.proven(lod) && this > 0.0);
            assert!(next > this || this > 500.0, "{this} {next}");
        }
        assert_eq!(
            errors.measured(LAST + 1),
            (2.0 * errors.measured(LAST)).min(errors.proven(LAST + 1))
        );
        assert_eq!(LevelErrors::default().measured(3), 0.0);
    }

    /// The variance of a sum of octaves is the sum of the variances of octaves that are left out:
    /// all of them at a coarse level, none at the finest.
    #[test]
    fn slopes_that_normals_leave_out_are_known() {
        use orogeny::{Fractal, GradientNoise, Node};
        let layout = Layout { cells: 64, spacing: 1.0 };
        let octaves = |octaves, frequency, seed| {
            let fbm = Fractal { gain: 0.5, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) };
            let fbm = Fractal { frequency, amplitude: (0.3 / frequency) as f32, ..fbm };
            LevelErrors::measure(&Node::<2>::from(fbm).build().unwrap(), &layout)
        };
        let one = octaves(1.0, 0.01, 1).slope_variance(10);
        let four = octaves(4.0, 0.01, 2);
        assert!(
            (four.slope_variance(10) / (4.0 * one) - 1.0).abs() < 0.15,
            "{} {one}",
            four.slope_variance(10)
        );
        assert_eq!(four.slope_variance(0), 0.0);
        // The octaves have wavelengths of 100, 50, 25 and 12.5 m. Vertices 16 m apart resolve the
        // first fully, and the last not at all.
        let part = four.slope_variance(4) / one;
        assert!((1.0..2.0).contains(&part), "{part}");
    }

    #[test]
    fn a_field_without_bounds_is_only_measured() {
        struct Stairs;
        impl Field<2> for Stairs {
            fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
                Sample::constant(if x.fract() == 0.0 { f32::NAN } else { x.floor() as f32 })
            }
        }
        let errors = LevelErrors::measure(&Stairs, &Layout { cells: 8, spacing: 0.5 });
        assert_eq!(errors.proven(0), f64::INFINITY);
        assert!(errors.measured(4).is_finite());
    }
}
