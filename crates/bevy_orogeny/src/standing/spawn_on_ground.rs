//! The component that puts an entity on the ground, and the search for ground that suits it.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::Sample;
use orogeny::limits::{Limit, OutOfLimits};

#[cfg(doc)]
use crate::base::events::GroundReady;
use crate::base::events::WaitsForGround;
use crate::base::problems::SpawnOnGroundError;
use crate::base::query_error::QueryError;
use crate::chunk::height_field::normal;

/// Puts an entity on dry ground: immediately if there is a terrain, otherwise as soon as there is
/// one. Then this component is removed, and [`GroundReady`] is triggered.
///
/// It waits for what is pending: edits and settings that were changed in this frame, a preset that
/// is still being loaded, and ground that is not shown yet, if that has another height or other
/// water there. So nothing that is put on the ground hangs over what is drawn, or is buried. (A
/// [`TerrainColliderSource`](crate::TerrainColliderSource) is put on the newest ground at once, as
/// colliders are built.) A search of more than some metres takes several frames.
///
/// Listen to that event with `App::add_observer`. If there is a terrain, the event is triggered
/// while the entity is being spawned, before you could add an observer to the entity.
///
/// The ground is the surface of the triangles of level 0, like that of colliders. The entity must
/// not have a parent. Insert the component again to move an entity to other ground.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::SpawnOnGround;
///
/// fn plant(mut commands: Commands) {
///     commands.spawn(SpawnOnGround {
///         align: true,
///         // Above 12 m and off the cliffs: the nearest such ground within 200 m.
///         lowest: Some(12.0),
///         steepest: 0.5,
///         search: 200.0,
///         ..SpawnOnGround::at([1000.0, -250.0])
///     });
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform, WaitsForGround)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct SpawnOnGround {
    /// The position (x, z) in the world, in metres. Default: 0.
    pub position: [f64; 2],
    /// Height of the entity's origin above the ground in metres: straight up, or along the ground's
    /// normal if the entity is aligned. For a [`TerrainWalker`](crate::TerrainWalker), that of its
    /// feet. Default: 0.
    pub offset: f32,
    /// Tilts the entity so that its up axis, Y, is the ground's normal. Default: false.
    pub align: bool,
    /// The steepest acceptable slope, in radians from the horizontal. Default: any.
    pub steepest: f32,
    /// The lowest acceptable ground, in metres within 1e9. `None`, the default, for any.
    pub lowest: Option<f64>,
    /// The deepest acceptable water of sea, lakes and rivers over the ground, in metres, 0 to 1e9.
    /// With 0, the default, the ground is dry. `None` for any.
    pub deepest: Option<f64>,
    /// How far from the position to search for acceptable ground, in metres, at most 1e4. The
    /// nearest is taken, among points that are 2 m apart. With 0, the default, only the position is
    /// tried.
    pub search: f64,
    /// The terrain to stand on. `None` takes the highest ground at a position.
    #[entities]
    pub terrain: Option<Entity>,
}

impl SpawnOnGround {
    /// On the ground at (x, z), however steep or low it is, if it is dry.
    pub const fn at(position: [f64; 2]) -> Self {
        Self {
            position,
            offset: 0.0,
            align: false,
            steepest: std::f32::consts::FRAC_PI_2,
            lowest: None,
            deepest: Some(0.0),
            search: 0.0,
            terrain: None,
        }
    }

    /// Checks the numbers against their limits, except for the position, which the ground checks.
    pub(super) fn check(&self) -> Result<(), OutOfLimits> {
        OFFSET.check(self.offset.into())?;
        SEARCH.check(self.search)?;
        STEEPEST.check(self.steepest.into())?;
        self.lowest.map_or(Ok(()), |lowest| LOWEST.check(lowest))?;
        self.deepest.map_or(Ok(()), |deepest| DEEPEST.check(deepest))
    }
}

impl Default for SpawnOnGround {
    /// On dry ground at (0, 0).
    fn default() -> Self {
        Self::at([0.0; 2])
    }
}

/// A length in metres.
const LENGTH: Limit = Limit { name: "", unit: "m", min: 0.0, max: 1e9, default: 0.0, help: "" };
const OFFSET: Limit = Limit { name: "offset", min: -1e6, max: 1e6, ..LENGTH };
const SEARCH: Limit = Limit { name: "search", max: 1e4, ..LENGTH };
const LOWEST: Limit = Limit { name: "lowest", min: -1e9, ..LENGTH };
const DEEPEST: Limit = Limit { name: "deepest", ..LENGTH };
const STEEPEST: Limit = Limit {
    name: "steepest",
    unit: "rad",
    max: std::f32::consts::FRAC_PI_2 as f64,
    default: std::f32::consts::FRAC_PI_2 as f64,
    ..LENGTH
};

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
