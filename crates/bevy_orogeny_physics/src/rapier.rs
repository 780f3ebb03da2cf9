//! [`Rapier`] as a [`PhysicsEngine`].

use bevy_app::{App, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_math::Vec3;
use bevy_rapier3d::parry::math::Vector;
use bevy_rapier3d::parry::shape::{Cylinder, SharedShape, TriMeshFlags};
use bevy_rapier3d::prelude::*;
use bevy_transform::TransformSystems;

use crate::tri_mesh::tri_mesh;
use bevy_orogeny::advanced::{PhysicsEngine, TerrainColliderSystems, Tile};

/// The physics engine [Rapier](https://docs.rs/bevy_rapier3d). It steps in `PostUpdate`. If you run
/// it in another schedule, call
/// [`TerrainColliderPlugin::in_schedule`](bevy_orogeny::advanced::TerrainColliderPlugin).
///
/// Tiles are triangle meshes with fixed internal edges, trunks and rocks are prisms of 48 sides.
/// Rapier sweeps every body that moves by more than half its thickness in a step, even without
/// [`Ccd`], and stops it at the first contact. A cuboid that slides that fast loses part of its
/// motion. Setting `IntegrationParameters::max_ccd_substeps` to 0 turns the sweep off.
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
        // Triangles, because the sweep of fast bodies misses the cylinders of a compound.
        Some(Collider::from(prisms(tile)?))
    }
}

/// The sides of a prism that stands for a cylinder. Its faces are 0.2 % of the radius inside it.
const SIDES: u32 = 48;

/// The trunks and rocks on a tile as prisms. `None` if there are none.
fn prisms(tile: &Tile) -> Option<SharedShape> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for solid in &tile.solids {
        let half_height = 0.5 * (solid.top - solid.bottom);
        let [x, z] = solid.position;
        let middle = Vector::new(x, solid.bottom + half_height, z);
        let (corners, faces) = Cylinder::new(half_height, solid.radius).to_trimesh(SIDES);
        let first = vertices.len() as u32;
        vertices.extend(corners.into_iter().map(|corner| corner + middle));
        triangles.extend(faces.into_iter().map(|face| face.map(|index| first + index)));
    }
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    SharedShape::trimesh_with_flags(vertices, triangles, flags).ok()
}
