//! The entities for the instances in a square, which come and go as one.

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_math::{Quat, Vec3};
use bevy_platform::collections::HashMap;
use bevy_transform::components::Transform;
use orogeny::Region;
use orogeny::scatter::{Instance, InstanceId, Placement};

use super::axis;
use super::spawn::{ScatterInstance, SpawnedKinds};
use crate::base::anchor::Anchor;
use crate::base::derived::derived;
use crate::base::origin::TerrainOrigin;
use crate::chunk::height_field::normal;
use crate::slices::Pace;

/// What stands in a square, each at x = z = 0.
pub type Found = Vec<(ScatterInstance, Transform)>;

/// The entities of a square.
#[derive(Default)]
pub struct Block {
    /// What a task has found, until the ground that it stands on is shown.
    pub found: Option<Found>,
    pub entities: HashMap<InstanceId, Kept>,
}

/// An entity, and what it was spawned for.
pub struct Kept {
    entity: Entity,
    instance: Instance,
    place: Transform,
}

impl Block {
    pub fn despawn(self, commands: &mut Commands) {
        self.entities.into_values().for_each(|kept| commands.entity(kept.entity).try_despawn());
    }

    /// Spawns what was found and is new, and despawns what is no more.
    pub fn update(&mut self, origin: &TerrainOrigin, terrain: Entity, commands: &mut Commands) {
        let Some(found) = self.found.take() else { return };
        let mut old = core::mem::take(&mut self.entities);
        for (part, place) in found {
            let instance = part.instance;
            let before = old.remove(&instance.id);
            let same = before.filter(|kept| {
                let is_same = kept.instance == instance;
                if !is_same {
                    commands.entity(kept.entity).try_despawn();
                }
                is_same
            });
            // The ground may have changed under it.
            let stays = same.as_ref().is_some_and(|kept| kept.place == place);
            let entity = same.map(|kept| kept.entity).unwrap_or_else(|| {
                let name = derived(format!("{:?}", part.model));
                let parts = (part, Visibility::Inherited, name, ChildOf(terrain));
                commands.spawn(parts).id()
            });
            if !stays {
                let (anchor, corner) = Anchor::new(origin, instance.position);
                let translation = place.translation + corner.translation;
                commands.entity(entity).try_insert((anchor, Transform { translation, ..place }));
            }
            self.entities.insert(instance.id, Kept { entity, instance, place });
        }
        old.into_values().for_each(|kept| commands.entity(kept.entity).try_despawn());
    }
}

/// Finds what stands in a square.
pub async fn place(placement: &Placement, square: Region, wanted: &SpawnedKinds) -> Found {
    Pace::InTurns.warm_up(placement, square, |kind| wanted.contain(kind)).await;
    let instances = placement.in_region(square, |kind| wanted.contain(kind));
    // Of a square with too many there are none, rather than entities without end.
    let instances = instances.unwrap_or_else(|error| {
        warn_once!("some squares have no ScatterInstance: {error}");
        Vec::new()
    });
    let standing = |instance: Instance| {
        let ground = placement.standing(&instance);
        let kind = placement.kind(instance.kind)?;
        let axis = axis(&instance, kind, normal(ground));
        let turn = Quat::from_rotation_y(-core::f32::consts::TAU * instance.turn);
        let place = Transform {
            translation: Vec3::new(0.0, ground.value, 0.0),
            rotation: Quat::from_rotation_arc(Vec3::Y, axis) * turn,
            scale: Vec3::splat(instance.size),
        };
        let part = ScatterInstance { instance, model: kind.model.clone() };
        ground.value.is_finite().then_some((part, place))
    };
    instances.into_iter().filter_map(standing).collect()
}
