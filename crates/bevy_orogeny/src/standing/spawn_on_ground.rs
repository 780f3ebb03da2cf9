//! The component that puts an entity on the ground, and its errors.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::limits::{Limit, OutOfLimits};

#[cfg(doc)]
use crate::base::events::GroundReady;
use crate::base::events::WaitsForGround;

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
    max: 1e4,
    default: 0.0,
    help: "Maximum distance of the ground that an entity is spawned on",
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
    min: -1e9,
    max: 1e9,
    default: -1e9,
    help: "Lowest ground that an entity is spawned on",
};

const DEEPEST: Limit = Limit {
    name: "deepest",
    unit: "m",
    min: 0.0,
    max: 1e9,
    default: 0.0,
    help: "Deepest water over the ground that an entity is spawned on",
};
