//! What a physics engine must provide.

use bevy_app::App;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::InternedScheduleLabel;
use bevy_math::Vec3;

use super::tile::Tile;

/// What terrain needs from a physics engine. `bevy_orogeny_physics` implements it for Avian and
/// Rapier.
pub trait PhysicsEngine: Send + Sync + 'static {
    /// The component with a body's velocity. Sources get one if they have none. Marking it as
    /// changed must wake the body.
    type Velocity: Component<Mutability = Mutable> + Default;

    /// The components that make an entity a static collider.
    type Collider: Bundle;

    /// The schedule in which the engine steps by default.
    fn schedule() -> InternedScheduleLabel;

    /// Orders [`TerrainColliderSystems::Prepare`] before all of the engine's own work in its
    /// schedule, and [`TerrainColliderSystems::Guard`] after it.
    fn order(app: &mut App, schedule: InternedScheduleLabel);

    /// The linear velocity in m/s.
    fn linear(velocity: &Self::Velocity) -> Vec3;

    /// Changes the linear velocity, in m/s.
    fn set_linear(velocity: &mut Self::Velocity, linear: Vec3);

    /// The collider of a tile's ground; `None` if the tile has no triangles. The tile's vertices
    /// are relative to the entity's origin. Called on any thread.
    fn collider(tile: &Tile) -> Option<Self::Collider>;

    /// One collider of all [`Tile::solids`]; `None` if there are none. They are relative to the
    /// entity's origin, too. Called on any thread.
    fn solids(tile: &Tile) -> Option<Self::Collider>;
}

/// When colliders are updated, in the engine's schedule.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainColliderSystems {
    /// Before the step: tiles are built and removed.
    Prepare,
    /// After the step: sources that fell through the ground are put back.
    Guard,
}
