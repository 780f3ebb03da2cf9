//! Where entities are, exactly, with their parents.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{DVec2, Vec3};
use bevy_transform::components::GlobalTransform;

use super::current_transforms::CurrentTransforms;
use super::origin::TerrainOrigin;
use super::world_position::WorldPosition;

/// Finds the place of an entity by the current `Transform`s and, far from the origin, by the
/// [`WorldPosition`] of the topmost entity above it.
#[derive(SystemParam)]
pub struct Places<'w, 's> {
    transforms: CurrentTransforms<'w, 's>,
    positions: Query<'w, 's, &'static WorldPosition>,
    origin: Option<Res<'w, TerrainOrigin>>,
}

/// The place of something upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The topmost entity above it.
    pub root: Entity,
    /// (x, height, z) in the world, in metres.
    pub position: [f64; 3],
    /// The direction (x, z) of its x axis, with length 1, as far as it is turned about the vertical
    /// axis.
    pub along: DVec2,
    /// At least 0.
    pub scale: Vec3,
}

impl Places<'_, '_> {
    /// `None` for an entity that has no `Transform`.
    pub fn get(&self, entity: Entity) -> Option<Place> {
        let origin = self.origin.as_deref().copied().unwrap_or_default();
        let (root, translation, below) = self.transforms.parts(entity)?;
        let [x, y, z] = match self.positions.get(root) {
            Ok(position) => position.current(translation, &origin),
            Err(_) => origin.position(translation),
        };
        let [dx, dy, dz] = below.translation().to_array().map(f64::from);
        Some(Place::new(root, [x + dx, y + dy, z + dz], &below))
    }
}

impl Place {
    /// A place with the turn and the scale of a transform.
    pub fn new(root: Entity, position: [f64; 3], to: &GlobalTransform) -> Self {
        let (scale, rotation, _) = to.to_scale_rotation_translation();
        // The part of the rotation about the vertical axis, by its half angle. The image of the x
        // axis would jump to and fro where something rolls over.
        let half = DVec2::new(rotation.w.into(), rotation.y.into());
        let half = half.try_normalize().unwrap_or(DVec2::X);
        // From z to x.
        let along = half.rotate(half) * DVec2::new(1.0, -1.0);
        Self { root, position, along, scale: scale.abs() }
    }
}

#[cfg(test)]
mod tests {
    use bevy_ecs::system::SystemState;
    use bevy_math::Quat;
    use bevy_transform::components::Transform;

    use super::*;

    fn along(rotation: Quat) -> DVec2 {
        let to = Transform::from_rotation(rotation).into();
        Place::new(Entity::PLACEHOLDER, [0.0; 3], &to).along
    }

    #[test]
    fn only_turns_about_the_vertical_axis_count() {
        for turn in [-3.0f32, -1.0, 0.0, 0.5, 2.0, 3.1] {
            let expected = DVec2::from_angle(f64::from(-turn));
            for k in -100..=100 {
                // Over and over, along and across.
                let rolled = 0.0311 * k as f32;
                let turned = Quat::from_rotation_y(turn);
                for roll in [Quat::from_rotation_x(rolled), Quat::from_rotation_z(rolled)] {
                    let error = along(turned * roll).distance(expected);
                    assert!(error < 1e-4, "{turn} {rolled}: {error}");
                }
            }
        }
        assert_eq!(along(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)), DVec2::X);
        assert_eq!(along(Quat::IDENTITY), DVec2::X);
    }

    /// What is far from the origin has the digits of its topmost entity.
    #[test]
    fn children_of_what_is_far_away_are_not_rounded() {
        let mut world = World::new();
        let ship = world.spawn(WorldPosition::at([1e9 + 0.25, 5.0, -1e9])).id();
        let deck = Transform::from_xyz(1.0, 2.0, 0.5).with_scale(Vec3::new(2.0, 1.0, -3.0));
        let deck = world.spawn((deck, ChildOf(ship))).id();
        let mut state = SystemState::<Places>::new(&mut world);
        let place = state.get(&world).unwrap().get(deck).unwrap();
        assert_eq!((place.root, place.position), (ship, [1e9 + 1.25, 7.0, -1e9 + 0.5]));
        assert_eq!(place.scale, Vec3::new(2.0, 1.0, 3.0));
    }
}
