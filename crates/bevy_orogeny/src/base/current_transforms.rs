//! `GlobalTransform`s by the current `Transform`s, before they are propagated.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_transform::components::{GlobalTransform, Transform};

/// Computes `GlobalTransform`s as Bevy's `TransformHelper` does, but an ancestor without a
/// `Transform` counts as the identity. The root of a hierarchy that a game propagates itself, such
/// as a `BigSpace`, has none.
#[derive(SystemParam)]
pub struct CurrentTransforms<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: Query<'w, 's, &'static Transform>,
}

impl CurrentTransforms<'_, '_> {
    /// `None` for an entity that has no `Transform` of its own.
    pub fn global(&self, entity: Entity) -> Option<GlobalTransform> {
        let own = GlobalTransform::from(*self.transforms.get(entity).ok()?);
        let ancestors = self.transforms.iter_many(self.parents.iter_ancestors(entity));
        Some(ancestors.fold(own, |global, ancestor| *ancestor * global))
    }

    /// The same in parts: the topmost entity above it, the translation of the topmost one that has
    /// a `Transform`, and the transform that remains without that translation. Far from the origin
    /// the sum would be rounded.
    pub fn parts(&self, entity: Entity) -> Option<(Entity, Vec3, GlobalTransform)> {
        let mut below = GlobalTransform::IDENTITY;
        let mut top = *self.transforms.get(entity).ok()?;
        let mut root = entity;
        for ancestor in self.parents.iter_ancestors(entity) {
            root = ancestor;
            if let Ok(next) = self.transforms.get(ancestor) {
                below = core::mem::replace(&mut top, *next) * below;
            }
        }
        let translation = core::mem::take(&mut top.translation);
        Some((root, translation, top * below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ecs::system::SystemState;

    #[test]
    fn an_ancestor_without_a_transform_counts_as_the_identity() {
        let mut world = World::new();
        let root = world.spawn_empty().id();
        let ship = world.spawn((Transform::from_xyz(1.0, 2.0, 3.0), ChildOf(root))).id();
        let camera = world.spawn((Transform::from_xyz(0.0, 0.5, 0.0), ChildOf(ship))).id();
        let mut state = SystemState::<CurrentTransforms>::new(&mut world);
        let transforms = state.get(&world).unwrap();
        let global = transforms.global(camera);
        assert_eq!(global, Some(GlobalTransform::from_xyz(1.0, 2.5, 3.0)));
        assert_eq!(transforms.global(root), None);
        let parts = transforms.parts(camera);
        let offset = GlobalTransform::from_xyz(0.0, 0.5, 0.0);
        assert_eq!(parts, Some((root, Vec3::new(1.0, 2.0, 3.0), offset)));
        assert_eq!(transforms.parts(root), None);
    }
}
