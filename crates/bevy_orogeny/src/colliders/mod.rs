//! Colliders with exactly the triangles of the mesh, built before a body can fall through.
//!
//! Start with [`TerrainColliderSource`] (`source`) and [`TerrainColliderPlugin`] below, which lists
//! the systems in order. `reach` decides which tiles a source needs, `tiles` builds and removes
//! them, `solid` finds what is solid on them, `guard` keeps sources above the ground. This module
//! gets the ground from `query` and is independent of physics engines: they implement
//! [`PhysicsEngine`]. `bevy_orogeny_physics` does so for Avian and Rapier.
//!
//! Colliders do not need chunks, because the ground is a function. Each source has tiles of
//! [`Tile::CELLS`] by [`Tile::CELLS`] cells of level 0 around it. Before every step of the engine:
//!
//! * tiles that the source may touch within the step are built at once, see
//!   [`TerrainColliderSource::radius`];
//! * tiles that it may touch within [`TerrainColliderSource::AHEAD`] are built by tasks, limited by
//!   [`TerrainBudget::tasks`](crate::advanced::TerrainBudget::tasks);
//! * tiles that are no longer near any source are despawned;
//! * if the ground has changed, all tiles are replaced, and a source that the new ground would bury
//!   is raised by as much as the ground has risen under it.
//!
//! The trunks and rocks of scatter are upright cylinders. Each belongs to the tile on which it
//! stands, see [`Tile::solids`]. Felling and planting replace the tiles around, as a change of the
//! ground does. They raise no source: the engine pushes a body out of what is planted into it.
//!
//! After the step, a source that has fallen through the ground is put back on it, see
//! [`TerrainColliderSource::keep_above`].

mod guard;
mod reach;
mod solid;
pub(crate) mod source;
mod tile;
mod tiles;

use std::marker::PhantomData;

use bevy_app::{App, Plugin, Startup};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;

pub use solid::Solid;
pub use tile::Tile;

use crate::base::origin::TerrainOrigin;
use crate::base::problems::{TerrainProblems, report_missing};
use crate::colliders::source::{ColliderSolids, ColliderTile, HasColliders, TerrainColliderSource};

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

/// Builds colliders of terrain for a physics engine. Add it once, together with
/// [`TerrainPlugins`](crate::TerrainPlugins) and the engine's own plugin.
pub struct TerrainColliderPlugin<E> {
    schedule: InternedScheduleLabel,
    engine: PhantomData<E>,
}

impl<E: PhysicsEngine> TerrainColliderPlugin<E> {
    /// Colliders for an engine in its default schedule: `TerrainColliderPlugin::new(Avian)`.
    pub fn new(_engine: E) -> Self {
        Self { schedule: E::schedule(), engine: PhantomData }
    }

    /// For an engine that steps in another schedule than its default.
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }
}

impl<E: PhysicsEngine> Plugin for TerrainColliderPlugin<E> {
    fn build(&self, app: &mut App) {
        use TerrainColliderSystems::*;
        E::order(app, self.schedule);
        app.register_type::<TerrainColliderSource>()
            .register_type::<ColliderTile>()
            .register_type::<ColliderSolids>()
            .init_resource::<HasColliders>()
            .add_systems(
                self.schedule,
                (
                    (
                        tiles::follow_origin::<E>,
                        guard::raise::<E>,
                        tiles::adopt::<E>,
                        tiles::stream::<E>,
                    )
                        .chain()
                        .in_set(Prepare),
                    guard::put_back::<E>.in_set(Guard),
                ),
            )
            .configure_sets(
                self.schedule,
                (Prepare, Guard).run_if(resource_exists::<TerrainOrigin>),
            )
            .add_systems(Startup, require_terrain)
            .add_observer(tiles::on_source_removed)
            .add_observer(tiles::on_tile_added)
            .add_observer(tiles::on_tile_removed::<E>)
            .add_observer(tiles::on_terrain_removed::<E>);
        // It fails if there are sources already. Then their bodies have velocities.
        let _ = app.try_register_required_components::<TerrainColliderSource, E::Velocity>();
    }
}

/// Reports an app without `TerrainPlugins`.
fn require_terrain(world: &mut World) {
    if !world.contains_resource::<TerrainProblems>() {
        report_missing(world, "TerrainColliderPlugin");
    }
}
