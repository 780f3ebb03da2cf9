//! `GlobalTransform`s by the current `Transform`s, before they are propagated.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
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
    }
}
