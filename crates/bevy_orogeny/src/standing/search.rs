//! The search for acceptable ground around a position: pure geometry.

use orogeny::Sample;

use super::spawn_on_ground::SpawnOnGround;
use crate::base::problems::SpawnOnGroundError;
use crate::base::query_error::QueryError;
use crate::chunk::height_field::normal;

/// The width of a ring, and the distance between the points in it, in metres.
const STEP: f64 = 2.0;

/// A position (x, z) and its ground.
pub(super) type Found = ([f64; 2], Sample<2>);

impl SpawnOnGround {
    /// The position itself, if its ground is acceptable. `depth` is the depth of water at a point.
    ///
    /// # Errors
    /// A position without an answer, unless that is a hole.
    pub(super) fn here(
        &self,
        surface: impl Fn([f64; 2]) -> Result<Sample<2>, QueryError>,
        depth: impl Fn([f64; 2]) -> f64,
    ) -> Result<Option<Found>, SpawnOnGroundError> {
        self.check()?;
        match surface(self.position) {
            Ok(here) => {
                Ok(self.accepts(self.position, &here, depth).then_some((self.position, here)))
            }
            Err(QueryError::NoGround { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The number of rings within the search.
    pub(super) fn rings(&self) -> u32 {
        (self.search / STEP) as u32
    }

    /// The nearest acceptable point of a ring, from 1 for the innermost. Points without an answer
    /// are not acceptable.
    pub(super) fn in_ring(
        &self,
        ring: u32,
        surface: impl Fn([f64; 2]) -> Result<Sample<2>, QueryError>,
        depth: impl Fn([f64; 2]) -> f64,
    ) -> Option<Found> {
        points(ring).into_iter().find_map(|offset| {
            let point = [0, 1].map(|k| self.position[k] + STEP * offset[k] as f64);
            let sample = surface(point).ok()?;
            self.accepts(point, &sample, &depth).then_some((point, sample))
        })
    }

    fn accepts(
        &self,
        point: [f64; 2],
        sample: &Sample<2>,
        depth: impl Fn([f64; 2]) -> f64,
    ) -> bool {
        self.lowest.is_none_or(|lowest| f64::from(sample.value) >= lowest)
            && normal(*sample).y >= self.steepest.cos()
            && self.deepest.is_none_or(|deepest| depth(point) <= deepest)
    }
}

/// The integer points in a ring: farther from 0 than `ring` - 1, and no farther than `ring`. The
/// nearest first.
fn points(ring: u32) -> Vec<[i64; 2]> {
    let outer = i64::from(ring);
    let inner = outer - 1;
    let mut points = Vec::new();
    for z in -outer..=outer {
        let end = (outer * outer - z * z).isqrt();
        // The first x that is farther than the inner circle.
        let beyond = inner * inner - z * z;
        let start = if beyond < 0 { 0 } else { beyond.isqrt() + 1 };
        points.extend((start..=end).map(|x| [x, z]));
        points.extend((start.max(1)..=end).map(|x| [-x, z]));
    }
    points.sort_by_key(|[x, z]| x * x + z * z);
    points
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Together the rings have every point of the disc once, and each ring is farther than the one
    /// before.
    #[test]
    fn rings_fill_the_disc() {
        let all: Vec<[i64; 2]> = (1..=30).flat_map(points).collect();
        let distance = |[x, z]: &[i64; 2]| x * x + z * z;
        assert!(all.is_sorted_by_key(distance));
        let set: HashSet<[i64; 2]> = all.iter().copied().collect();
        assert_eq!(set.len(), all.len());
        let square = (-30..=30).flat_map(|x| (-30..=30).map(move |z| [x, z]));
        let disc = square.filter(|p| (1..=900).contains(&distance(p))).count();
        assert_eq!(all.len(), disc);
    }

    /// A larger search finds the same ground.
    #[test]
    fn the_nearest_is_found_however_far_the_search() {
        // A steep slope with a level terrace at 7 to 11 m along x.
        let surface = |[x, _]: [f64; 2]| {
            let is_level = (7.0..11.0).contains(&x);
            Ok(Sample { value: 10.0, gradient: [if is_level { 0.0 } else { 1.0 }, 0.0] })
        };
        for search in [16.0, 300.0, 3000.0, 1e4] {
            let spawn = SpawnOnGround { search, steepest: 0.15, ..SpawnOnGround::default() };
            assert_eq!(spawn.here(surface, |_| 0.0), Ok(None));
            let found = (1..=spawn.rings()).find_map(|ring| spawn.in_ring(ring, surface, |_| 0.0));
            assert_eq!(found.unwrap().0, [8.0, 0.0]);
        }
    }

    #[test]
    fn water_is_refused_unless_asked_for() {
        let surface = |_| Ok(Sample::constant(-3.0));
        let depth = |_| 3.0;
        let found = |spawn: SpawnOnGround| spawn.here(surface, depth).unwrap().is_some();
        assert!(!found(SpawnOnGround::default()));
        assert!(!found(SpawnOnGround { deepest: Some(2.5), ..SpawnOnGround::default() }));
        assert!(found(SpawnOnGround { deepest: Some(3.0), ..SpawnOnGround::default() }));
        assert!(found(SpawnOnGround { deepest: None, ..SpawnOnGround::default() }));
    }
}
