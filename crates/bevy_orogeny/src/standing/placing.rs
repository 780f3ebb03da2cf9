//! Entities are put on the ground as they are spawned, or as soon as there is one.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

use crate::chunk::mesh::normal;
use crate::colliders::source::{Grounded, HasColliders, TerrainColliderSource};
use crate::query::QueryError;
use crate::query::terrain_query::TerrainQuery;
use crate::standing::spawn_on_ground::{NoPlace, SpawnOnGround};
use crate::streaming::events::GroundReady;
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;

/// Its numbers or the ground were such that it has no place, until either changes.
#[derive(Component)]
pub(crate) struct Refused;

/// What places entities, beside their own components.
type Waiting = (Entity, &'static SpawnOnGround, &'static mut Transform, Has<TerrainColliderSource>);

/// The world, as far as it has a say in places.
#[derive(SystemParam)]
pub(crate) struct Placing<'w, 's> {
    commands: Commands<'w, 's>,
    terrains: TerrainQuery<'w, 's>,
    origin: Res<'w, TerrainOrigin>,
    problems: ResMut<'w, TerrainProblems>,
    colliders: Option<Res<'w, HasColliders>>,
}

/// Puts an entity on the ground as soon as it carries [`SpawnOnGround`].
pub(crate) fn on_insert(
    event: On<Insert, SpawnOnGround>,
    mut waiting: Query<Waiting>,
    mut placing: Placing,
) {
    if let Ok(entity) = waiting.get_mut(event.entity) {
        placing.place(entity);
    }
}

/// What is on the ground, or no longer wants to be, has no problem with that.
pub(crate) fn on_remove(event: On<Remove, SpawnOnGround>, mut placing: Placing) {
    placing.commands.entity(event.entity).try_remove::<Refused>();
    placing.problems.clear(Some(event.entity), |p| matches!(p, TerrainProblem::NoPlace(_)));
}

/// Puts those on the ground that found none before: those that were refused only when a terrain has
/// changed.
pub(crate) fn place_waiting(
    mut waiting: Query<(Waiting, Has<Refused>)>,
    changed: Query<(), Changed<Terrain>>,
    mut removed: RemovedComponents<Terrain>,
    mut placing: Placing,
) {
    let changed = !changed.is_empty() | (removed.read().count() > 0);
    for (entity, refused) in &mut waiting {
        if changed || !refused {
            placing.place(entity);
        }
    }
}

impl Placing<'_, '_> {
    fn place(
        &mut self,
        (entity, spawn, mut transform, is_source): (Entity, &SpawnOnGround, Mut<Transform>, bool),
    ) {
        if self.terrains.is_empty() {
            // Perhaps there will be one.
            return;
        }
        let found = match self.terrains.grounds(spawn.terrain) {
            // It will come.
            Err(QueryError::Loading) => return,
            grounds => grounds.map_err(NoPlace::from),
        };
        let found = found.and_then(|grounds| spawn.find(|position| grounds.surface(position)));
        let mut commands = self.commands.entity(entity);
        let ([x, z], sample) = match found {
            Ok(found) => found,
            Err(error) => {
                if !matches!(error, NoPlace::Query(_)) {
                    commands.try_insert(Refused);
                }
                self.problems.report(Some(entity), TerrainProblem::NoPlace(error));
                return;
            }
        };
        let mut up = Vec3::Y;
        if spawn.align {
            up = normal(sample);
            let upright = transform.rotation * Vec3::Y;
            transform.rotation = Quat::from_rotation_arc(upright, up) * transform.rotation;
        }
        transform.translation = self.origin.place([x, sample.value.into(), z]) + spawn.offset * up;
        commands.try_remove::<SpawnOnGround>();
        // Sources are told when their colliders are there.
        if is_source && self.colliders.is_some() {
            commands.try_remove::<Grounded>();
        } else {
            self.commands.trigger(GroundReady { entity });
        }
    }
}
