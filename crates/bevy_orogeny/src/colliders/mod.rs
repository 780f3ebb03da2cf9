//! Ground to stand on: colliders that are the mesh's triangles, there before anything falls.
//!
//! Because the ground is a function, the collider of any place can be had at once, whether or not a
//! chunk is drawn there. A [`TerrainColliderSource`] has tiles of it around, wherever it goes, each
//! of [`Tile::CELLS`] by [`Tile::CELLS`] cells of level 0. Before every step of the physics engine:
//!
//! * what the source may touch within that step is built at once, if it is not there: see
//!   [`TerrainColliderSource::radius`] for how much that can be;
//! * what lies ahead of it within [`TerrainColliderSource::AHEAD`] is built by tasks, under
//!   [`TerrainBudget::tiles_in_flight`](crate::TerrainBudget::tiles_in_flight);
//! * what it has left behind is despawned;
//! * if the ground itself has changed, every tile is replaced, and a source that the new ground
//!   would bury is raised by as much as the ground has risen under it.
//!
//! After the step, a source that the engine has let through is put back (see
//! [`TerrainColliderSource::keep_above`]).
//!
//! `bevy_orogeny_physics` implements [`PhysicsEngine`] for Avian and Rapier; another engine needs
//! nothing more than that.

mod engine;
mod guard;
mod reach;
pub(crate) mod source;
mod stream;
mod tile;

use std::marker::PhantomData;

use bevy_app::{App, Plugin, Startup};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};

pub use engine::{PhysicsEngine, TerrainColliderSystems};
pub use tile::Tile;

use crate::colliders::source::{ColliderTile, HasColliders, TerrainColliderSource};
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};

/// Builds colliders for a physics engine, one in an app. Add it beside
/// [`TerrainPlugin`](crate::TerrainPlugin) and the engine's own plugin.
pub struct TerrainColliderPlugin<E> {
    schedule: InternedScheduleLabel,
    engine: PhantomData<E>,
}

impl<E: PhysicsEngine> TerrainColliderPlugin<E> {
    /// Colliders for an engine in its usual schedule: `TerrainColliderPlugin::new(Avian)`.
    pub fn new(_engine: E) -> Self {
        Self { schedule: E::schedule(), engine: PhantomData }
    }

    /// For an engine that was told to step in another schedule.
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
            .init_resource::<HasColliders>()
            .add_systems(
                self.schedule,
                (
                    (stream::follow, guard::raise::<E>, stream::stream::<E>)
                        .chain()
                        .in_set(Prepare),
                    guard::put_back::<E>.in_set(Guard),
                ),
            )
            .configure_sets(
                self.schedule,
                (Prepare, Guard).run_if(resource_exists::<TerrainOrigin>),
            )
            .add_systems(Startup, require_terrain_plugin)
            .add_observer(stream::on_source_removed)
            .add_observer(stream::on_terrain_removed);
        // Sources that were there before have the velocity that their body has.
        let _ = app.try_register_required_components::<TerrainColliderSource, E::Velocity>();
    }
}

/// Reports an app without `TerrainPlugin`.
fn require_terrain_plugin(world: &mut World) {
    if !world.contains_resource::<TerrainProblems>() {
        let mut problems = TerrainProblems::default();
        problems.report(None, TerrainProblem::CollidersWithoutTerrain);
        world.insert_resource(problems);
    }
}
