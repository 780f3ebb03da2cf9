//! The search for acceptable ground around a position: pure geometry.

use std::f64::consts::TAU;

use orogeny::Sample;

use super::spawn_on_ground::{SpawnOnGround, SpawnOnGroundError};
use crate::chunk::height_field::normal;
use crate::query::QueryError;

/// How many points a search tries, in addition to the position itself.
const POINTS: u32 = 256;

impl SpawnOnGround {
    /// The position and its ground if that is acceptable; otherwise the nearest of [`POINTS`]
    /// points within the search that is. `depth` is the depth of water at a point.
    pub(super) fn find(
        &self,
        surface: impl Fn([f64; 2]) -> Result<Sample<2>, QueryError>,
        depth: impl Fn([f64; 2]) -> f64,
    ) -> Result<([f64; 2], Sample<2>), SpawnOnGroundError> {
        self.check()?;
        let acceptable = |point: [f64; 2], sample: &Sample<2>| {
            f64::from(sample.value) >= self.lowest
                && normal(*sample).y >= self.steepest.cos()
                && (self.deepest == f64::INFINITY || depth(point) <= self.deepest)
        };
        // An error at the position is one of the search, except for a hole. At other points it only
        // rules out that point.
        match surface(self.position) {
            Ok(here) if acceptable(self.position, &here) => return Ok((self.position, here)),
            Err(error) if !matches!(error, QueryError::NoGround { .. }) => return Err(error.into()),
            _ => {}
        }
        let points = if self.search > 0.0 { POINTS } else { 0 };
        (1..=points)
            .find_map(|k| {
                let [x, z] = spiral(k, self.search);
                let point = [self.position[0] + x, self.position[1] + z];
                let sample = surface(point).ok()?;
                acceptable(point, &sample).then_some((point, sample))
            })
            .ok_or(SpawnOnGroundError::Unsuited)
    }
}

/// The k-th of [`POINTS`] points spread evenly over a disc, the nearest first: Vogel's spiral, with
/// steps of the golden angle.
fn spiral(k: u32, radius: f64) -> [f64; 2] {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (sin, cos) = (TAU * GOLDEN * f64::from(k)).sin_cos();
    let distance = radius * (f64::from(k) / f64::from(POINTS)).sqrt();
    [distance * cos, distance * sin]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No point of the disc is farther than 11 % of the radius from a point of the search.
    #[test]
    fn points_are_spread_over_the_disc() {
        let points: Vec<_> = (1..=POINTS).map(|k| spiral(k, 100.0)).collect();
        for p in &points {
            assert!(p[0].hypot(p[1]) < 100.0 + 1e-9);
        }
        for i in 0..40 {
            for j in 0..40 {
                let at = [f64::from(i) * 5.0 - 97.5, f64::from(j) * 5.0 - 97.5];
                if at[0].hypot(at[1]) < 100.0 {
                    let near = points.iter().map(|p| (p[0] - at[0]).hypot(p[1] - at[1]));
                    assert!(near.fold(f64::INFINITY, f64::min) < 11.0, "{at:?}");
                }
            }
        }
    }
}
