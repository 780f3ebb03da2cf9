//! [`Rapier`] as a [`PhysicsEngine`].

use bevy_app::{App, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;
use bevy_rapier3d::prelude::*;
use bevy_transform::TransformSystems;

use crate::cylinders::cylinders;
use crate::tri_mesh::tri_mesh;
use bevy_orogeny::{PhysicsEngine, TerrainColliderSystems, Tile};

/// The physics engine [Rapier](https://docs.rs/bevy_rapier3d). It steps in `PostUpdate`. If you run
/// it in another schedule, call [`TerrainColliderPlugin::in_schedule`].
///
/// [`TerrainColliderPlugin::in_schedule`]: bevy_orogeny::TerrainColliderPlugin::in_schedule
///
/// Tiles are triangle meshes with fixed internal edges. Rapier sweeps every body that moves by more
/// than half its thickness in a step, even without [`Ccd`], and stops it at the first contact. A
/// cuboid that slides that fast loses part of its motion. Setting
/// `IntegrationParameters::max_ccd_substeps` to 0 turns the sweep off.
#[derive(Clone, Copy, Debug)]
pub struct Rapier;

impl PhysicsEngine for Rapier {
    type Velocity = Velocity;
    type Collider = Collider;

    fn schedule() -> InternedScheduleLabel {
        PostUpdate.intern()
    }

    fn order(app: &mut App, schedule: InternedScheduleLabel) {
        app.configure_sets(
            schedule,
            (
                TerrainColliderSystems::Prepare.before(PhysicsSet::SyncBackend),
                TerrainColliderSystems::Guard
                    .after(PhysicsSet::Writeback)
                    .before(TransformSystems::Propagate),
            ),
        );
    }

    fn linear(velocity: &Velocity) -> Vec3 {
        velocity.linear
    }

    fn set_linear(velocity: &mut Velocity, linear: Vec3) {
        velocity.linear = linear;
    }

    fn collider(tile: &Tile) -> Option<Collider> {
        Some(Collider::from(tri_mesh!(bevy_rapier3d, tile)?))
    }

    fn solids(tile: &Tile) -> Option<Collider> {
        Some(Collider::from(cylinders!(bevy_rapier3d, tile)?))
    }
}
