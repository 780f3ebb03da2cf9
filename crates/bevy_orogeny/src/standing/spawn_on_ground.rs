//! Where an entity is to be put on the ground: a component, and the search for a place.

use std::f64::consts::TAU;

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::Sample;
use orogeny::limits::{Limit, OutOfLimits};

use crate::chunk::mesh::normal;
use crate::query::QueryError;
#[cfg(doc)]
use crate::streaming::events::GroundReady;

/// Puts an entity on the ground: at once where there is a terrain, otherwise as soon as there is
/// one. Then this component is removed, and [`GroundReady`] is triggered.
///
/// The ground is that of the triangles of level 0, as colliders have it. The entity must have no
/// parent.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::SpawnOnGround;
///
/// fn plant(mut commands: Commands) {
///     commands.spawn(SpawnOnGround {
///         align: true,
///         // Not in the lake, and on no cliff: the nearest such place within 200 m.
///         lowest: 12.0,
///         steepest: 0.5,
///         search: 200.0,
///         ..SpawnOnGround::at([1000.0, -250.0])
///     });
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct SpawnOnGround {
    /// Where: (x, z) in the world, in metres.
    pub position: [f64; 2],
    /// How far above the ground the entity's origin comes to lie, in metres: straight up, or along
    /// the ground's normal where it is aligned.
    pub offset: f32,
    /// Whether the entity is tilted so that its up, Y, is the ground's normal.
    pub align: bool,
    /// The steepest slope that will do, in radians from the horizontal.
    pub steepest: f32,
    /// The lowest ground that will do, in metres: the level of the water.
    pub lowest: f64,
    /// How far off the nearest place that will do may be, in metres. 0 takes the position or none.
    pub search: f64,
    /// The terrain to stand on. With none named, the highest ground at a position counts.
    #[entities]
    pub terrain: Option<Entity>,
}

impl SpawnOnGround {
    /// On the ground at (x, z), however it is there.
    pub const fn at(position: [f64; 2]) -> Self {
        Self {
            position,
            offset: 0.0,
            align: false,
            steepest: std::f32::consts::FRAC_PI_2,
            lowest: f64::NEG_INFINITY,
            search: 0.0,
            terrain: None,
        }
    }

    /// Where to stand: the position itself, or the nearest place that will do of [`PLACES`] within
    /// the search.
    pub(crate) fn find(
        &self,
        surface: impl Fn([f64; 2]) -> Result<Sample<2>, QueryError>,
    ) -> Result<([f64; 2], Sample<2>), NoPlace> {
        OFFSET.check(self.offset.into())?;
        SEARCH.check(self.search)?;
        STEEPEST.check(self.steepest.into())?;
        // Anything else is a height, however low.
        if self.lowest.is_nan() {
            LOWEST.check(self.lowest)?;
        }
        let will_do = |sample: &Sample<2>| {
            f64::from(sample.value) >= self.lowest && normal(*sample).y >= self.steepest.cos()
        };
        // One query that cannot be answered is an error; in a search it is one place less.
        let here = surface(self.position)?;
        if will_do(&here) {
            return Ok((self.position, here));
        }
        let places = if self.search > 0.0 { PLACES } else { 0 };
        (1..=places)
            .find_map(|k| {
                let [x, z] = spiral(k, self.search);
                let place = [self.position[0] + x, self.position[1] + z];
                let sample = surface(place).ok()?;
                will_do(&sample).then_some((place, sample))
            })
            .ok_or(NoPlace::Unsuited)
    }
}

impl Default for SpawnOnGround {
    fn default() -> Self {
        Self::at([0.0; 2])
    }
}

/// How many places a search looks at.
const PLACES: u32 = 256;

const OFFSET: Limit = Limit {
    name: "offset",
    unit: "m",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "Height of an entity's origin above the ground that it is spawned on",
};

const SEARCH: Limit = Limit {
    name: "search",
    unit: "m",
    min: 0.0,
    max: 1e6,
    default: 0.0,
    help: "Greatest distance of the ground that an entity is spawned on",
};

const STEEPEST: Limit = Limit {
    name: "steepest",
    unit: "rad",
    min: 0.0,
    max: std::f32::consts::FRAC_PI_2 as f64,
    default: std::f32::consts::FRAC_PI_2 as f64,
    help: "Steepest slope of the ground that an entity is spawned on",
};

const LOWEST: Limit = Limit {
    name: "lowest",
    unit: "m",
    min: f64::NEG_INFINITY,
    max: f64::INFINITY,
    default: f64::NEG_INFINITY,
    help: "Lowest ground that an entity is spawned on",
};

/// Why an entity cannot be put on the ground.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoPlace {
    /// A number is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    /// The ground is not known there.
    #[error("{0}")]
    Query(#[from] QueryError),
    /// All ground within the search is too steep or too low.
    #[error("no ground within its search is high and level enough")]
    Unsuited,
}

/// The k-th of [`PLACES`] points spread evenly over a disc, the nearest first: Vogel's spiral, of
/// golden angles.
fn spiral(k: u32, radius: f64) -> [f64; 2] {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (sin, cos) = (TAU * GOLDEN * f64::from(k)).sin_cos();
    let distance = radius * (f64::from(k) / f64::from(PLACES)).sqrt();
    [distance * cos, distance * sin]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_spread_over_the_disc() {
        let points: Vec<_> = (1..=PLACES).map(|k| spiral(k, 100.0)).collect();
        for p in &points {
            assert!(p[0].hypot(p[1]) < 100.0 + 1e-9);
        }
        // No hole: every point of the disc has one nearby.
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
