//! Marks what a terrain makes and can make again.

use std::borrow::Cow;

use bevy_ecs::bundle::Bundle;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::name::Name;
use bevy_ecs::query::{With, Without};
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::{Commands, Query};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// Marks the entities that a terrain makes and can make again: chunks, water, colliders, plants.
/// Leave them out of what you save: `Query<Entity, Without<DerivedEntity>>`.
///
/// If one comes back from a scene or a save game all the same, it is despawned in the next frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct DerivedEntity;

/// Tells what the plugin has spawned from copies of it: it is neither reflected nor saved.
#[derive(Component)]
#[require(DerivedEntity)]
pub(crate) struct Original;

/// The components of an entity that the plugin spawns.
pub(crate) fn derived(name: impl Into<Cow<'static, str>>) -> impl Bundle {
    (Original, Name::new(name))
}

/// Despawns entities that the plugin has not spawned. What brings them back may add more components
/// after the marker, so this waits until it is done.
pub(crate) fn despawn_copies(
    mut commands: Commands,
    copies: Query<Entity, (With<DerivedEntity>, Without<Original>)>,
) {
    copies.iter().for_each(|copy| commands.entity(copy).try_despawn());
}

#[cfg(test)]
mod tests {
    use bevy_ecs::system::RunSystemOnce as _;
    use bevy_ecs::world::World;

    use super::*;

    #[test]
    fn copies_are_despawned() {
        let mut world = World::new();
        let original = world.spawn(derived("a chunk")).id();
        assert!(world.get::<DerivedEntity>(original).is_some());
        assert_eq!(world.get::<Name>(original).unwrap().as_str(), "a chunk");
        let copy = world.spawn(DerivedEntity).id();
        world.flush();
        world.entity_mut(copy).insert(Name::new("added later"));
        world.run_system_once(despawn_copies).unwrap();
        assert!(world.get_entity(original).is_ok() && world.get_entity(copy).is_err());
    }
}
