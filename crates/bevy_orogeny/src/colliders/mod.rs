//! Ground to stand on: colliders that are the mesh's triangles, there before anything falls.
//!
//! Because the ground is a function, the collider of any place can be had at once, whether or not a chunk is drawn there. A
//! [`TerrainColliderSource`] has tiles of it around, wherever it goes, each of [`Tile::CELLS`] by [`Tile::CELLS`] cells of level 0. Before every step of the physics engine:
//!
//! * what the source may touch within that step is built at once, if it is not there: see [`TerrainColliderSource::radius`] for how much that can be;
//! * what lies ahead of it within [`TerrainColliderSource::AHEAD`] is built by tasks, under [`TerrainBudget::tiles_in_flight`](crate::TerrainBudget::tiles_in_flight);
//! * what it has left behind is despawned;
//! * if the ground itself has changed, every tile is replaced, and a source that the new ground would bury is raised by as much as the ground has risen under it.
//!
//! After the step, a source that the engine has let through is put back (see [`TerrainColliderSource::keep_above`]).
//!
//! The two engines are features, `avian` and `rapier`; [`PhysicsEngine`] is all that a third one needs.

#[cfg(feature = "avian")]
mod avian;
mod guard;
#[cfg(feature = "rapier")]
mod rapier;
mod reach;
mod stream;
mod tile;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod tri_mesh;

use std::marker::PhantomData;

use bevy_app::{App, Plugin};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

#[cfg(feature = "avian")]
pub use avian::Avian;
#[cfg(feature = "rapier")]
pub use rapier::Rapier;
pub use tile::Tile;

pub(crate) use stream::{Grounded, Standing};

use crate::chunk::ChunkKey;
use crate::origin::TerrainOrigin;

/// Put it on whatever must not fall through: players, vehicles, crates. The ground around it gets colliders; no camera is needed.
///
/// It belongs on the body itself, on an entity without a parent: a source with one has tiles, too, but is neither raised with a changed ground nor put back on it.
///
/// ```
/// use bevy_orogeny::TerrainColliderSource;
///
/// // A crate of 2 m: its corners are 1.73 m from its middle.
/// let crate_of_two_metres = TerrainColliderSource::new(1.75);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainColliderSource {
    /// The radius of a ball around the entity's origin that holds its shape, in metres: above 0, at most 64 cells of the terrain.
    ///
    /// Under the ball, [`REACH`](Self::REACH) beyond it, and along the way of the next step (128 cells of it at most), tiles are there before the step. With
    /// cells of 1 m, a crate's need is up to four tiles, and nothing's within the limits more than 750; `examples/physics_bench.rs` measures what a tile costs.
    pub radius: f32,
    /// Whether the entity is put back on the ground when its origin is found deeper under the surface than a tenth of its radius: however fast
    /// it was, and whatever was thrown at it. On by default; off for things with business under the ground. With several terrains,
    /// only what is under all of them counts.
    pub keep_above: bool,
}

impl TerrainColliderSource {
    /// How far beyond the ball tiles reach, in metres, up to the 64 cells of a radius: room for a push that nobody foresaw.
    pub const REACH: f32 = 2.0;

    /// How far ahead tiles are prepared by tasks, in seconds of the present velocity.
    pub const AHEAD: f32 = 1.0;

    /// A source whose shape lies in a ball of that radius.
    pub const fn new(radius: f32) -> Self {
        Self { radius, keep_above: true }
    }
}

impl Default for TerrainColliderSource {
    fn default() -> Self {
        Self::new(1.0)
    }
}

/// A collider of the ground: a child of its terrain, as long as a source is near.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct ColliderTile {
    /// The terrain that it belongs to.
    pub terrain: Entity,
    /// Which square it covers: a chunk of level 0, in a layout of [`Tile::CELLS`] cells.
    pub key: ChunkKey,
}

/// What a physics engine must do for terrain. `Avian` and `Rapier` are there with the features of their names.
pub trait PhysicsEngine: Send + Sync + 'static {
    /// The component in which bodies have their velocities. Sources get it if they have none; that it was changed wakes a body.
    type Velocity: Component<Mutability = Mutable> + Default;

    /// What makes an entity the static collider of a tile.
    type Collider: Bundle;

    /// The schedule in which the engine steps unless told otherwise.
    fn schedule() -> InternedScheduleLabel;

    /// Lets [`TerrainColliderSystems::Prepare`] run before all of the engine's own work in its schedule, [`TerrainColliderSystems::Guard`] after it.
    fn order(app: &mut App, schedule: InternedScheduleLabel);

    /// The linear velocity in m/s.
    fn linear(velocity: &Self::Velocity) -> Vec3;

    /// Changes the linear velocity, in m/s.
    fn set_linear(velocity: &mut Self::Velocity, linear: Vec3);

    /// The collider of a tile. The entity's origin is that of the tile's vertices. Any thread may be asked for it.
    fn collider(tile: &Tile) -> Self::Collider;
}

/// Builds colliders for a physics engine, one in an app. Add it beside [`TerrainPlugin`](crate::TerrainPlugin) and the engine's own plugin.
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

/// When the ground of physics is worked on, in the engine's schedule.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainColliderSystems {
    /// Before the step: tiles are built and removed.
    Prepare,
    /// After the step: what was let through is put back.
    Guard,
}

/// There are colliders to wait for.
#[derive(Resource, Default)]
pub(crate) struct HasColliders;

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
            // Without `AssetPlugin`, terrain is no more than a problem that is told.
            .configure_sets(
                self.schedule,
                (Prepare, Guard).run_if(resource_exists::<TerrainOrigin>),
            )
            .add_observer(stream::on_source_removed);
        // Sources that were there before have the velocity that their body has.
        let _ = app.try_register_required_components::<TerrainColliderSource, E::Velocity>();
    }
}
