//! What a physics engine and its terrain have to do with each other.

use bevy_app::App;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::InternedScheduleLabel;
use bevy_math::Vec3;

use super::tile::Tile;

/// What terrain needs from a physics engine. `bevy_orogeny_physics` implements it for Avian and
/// Rapier.
pub trait PhysicsEngine: Send + Sync + 'static {
    /// The component in which bodies have their velocities. Sources get it if they have none; that
    /// it was changed wakes a body.
    type Velocity: Component<Mutability = Mutable> + Default;

    /// What makes an entity the static collider of a tile.
    type Collider: Bundle;

    /// The schedule in which the engine steps unless told otherwise.
    fn schedule() -> InternedScheduleLabel;

    /// Lets [`TerrainColliderSystems::Prepare`] run before all of the engine's own work in its
    /// schedule, [`TerrainColliderSystems::Guard`] after it.
    fn order(app: &mut App, schedule: InternedScheduleLabel);

    /// The linear velocity in m/s.
    fn linear(velocity: &Self::Velocity) -> Vec3;

    /// Changes the linear velocity, in m/s.
    fn set_linear(velocity: &mut Self::Velocity, linear: Vec3);

    /// The collider of a tile. The entity's origin is that of the tile's vertices. Any thread may
    /// be asked for it.
    fn collider(tile: &Tile) -> Self::Collider;
}

/// When the ground of physics is worked on, in the engine's schedule.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainColliderSystems {
    /// Before the step: tiles are built and removed.
    Prepare,
    /// After the step: what was let through is put back.
    Guard,
}
