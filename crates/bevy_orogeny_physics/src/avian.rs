//! [`Avian`] as a [`PhysicsEngine`].

use avian3d::parry::math::Pose;
use avian3d::parry::shape::SharedShape;
use avian3d::prelude::*;
use bevy_app::{App, FixedPostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;

use crate::tri_mesh::tri_mesh;
use bevy_orogeny::advanced::{PhysicsEngine, Solid, TerrainColliderSystems, Tile};

/// The physics engine [Avian](https://docs.rs/avian3d). It steps in `FixedPostUpdate`.
///
/// Tiles are triangle meshes with fixed internal edges, trunks and rocks are cylinders. Small, fast
/// bodies do not need [`SweptCcd`]: Avian's speculative contacts catch them.
#[derive(Clone, Copy, Debug)]
pub struct Avian;

impl PhysicsEngine for Avian {
    type Velocity = LinearVelocity;
    type Collider = (RigidBody, Collider);

    fn schedule() -> InternedScheduleLabel {
        FixedPostUpdate.intern()
    }

    fn order(app: &mut App, schedule: InternedScheduleLabel) {
        app.configure_sets(
            schedule,
            (
                TerrainColliderSystems::Prepare.before(PhysicsSystems::First),
                TerrainColliderSystems::Guard.after(PhysicsSystems::Last),
            ),
        );
    }

    fn linear(velocity: &LinearVelocity) -> Vec3 {
        velocity.0
    }

    fn set_linear(velocity: &mut LinearVelocity, linear: Vec3) {
        velocity.0 = linear;
    }

    fn collider(tile: &Tile) -> Option<Self::Collider> {
        Some((RigidBody::Static, Collider::from(tri_mesh!(avian3d, tile)?)))
    }

    fn solids(tile: &Tile) -> Option<Self::Collider> {
        Some((RigidBody::Static, Collider::from(cylinders(tile)?)))
    }
}

/// The trunks and rocks on a tile. `None` if there are none.
fn cylinders(tile: &Tile) -> Option<SharedShape> {
    let cylinder = |solid: &Solid| {
        let [x, z] = solid.position;
        let half_height = 0.5 * (solid.top - solid.bottom);
        let middle = Pose::translation(x, solid.bottom + half_height, z);
        (middle, SharedShape::cylinder(half_height, solid.radius))
    };
    let cylinders: Vec<_> = tile.solids.iter().map(cylinder).collect();
    // Parry refuses an empty compound.
    (!cylinders.is_empty()).then(|| SharedShape::compound(cylinders))
}
