//! Rapier.

use bevy_app::{App, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;
use bevy_rapier3d::prelude::*;
use bevy_transform::TransformSystems;

use super::engine::{PhysicsEngine, TerrainColliderSystems};
use super::tile::Tile;
use super::tri_mesh::tri_mesh;

/// The physics engine [Rapier](https://docs.rs/bevy_rapier3d). It steps in `PostUpdate`; where it
/// was told to step elsewhere, say so with
/// [`TerrainColliderPlugin::in_schedule`](crate::TerrainColliderPlugin::in_schedule).
///
/// Tiles are triangle meshes with fixed internal edges. Rapier sweeps bodies that move by more than
/// half of their thickness in a step, without being asked ([`Ccd`] is for other bodies), and stops
/// them short where they touch something: boxes that slide so fast lose some of their way.
/// `IntegrationParameters::max_ccd_substeps` = 0 ends that.
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

    fn collider(tile: &Tile) -> Collider {
        Collider::from(tri_mesh!(bevy_rapier3d, tile))
    }
}
