//! The systems that put entities with [`SpawnOnGround`] on the ground.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

use crate::chunk::height_field::normal;
use crate::colliders::source::{Grounded, HasColliders, TerrainColliderSource};
use crate::query::QueryError;
use crate::query::terrain_query::TerrainQuery;
use crate::standing::spawn_on_ground::{SpawnOnGround, SpawnOnGroundError};
use crate::streaming::events::GroundReady;
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;
use crate::terrain::edits::TerrainEdits;

/// Marks an entity whose settings or ground were refused. It is not tried again until one of them
/// changes.
#[derive(Component)]
pub(crate) struct Refused;

/// An entity that waits for its ground.
type Waiting = (Entity, &'static SpawnOnGround, &'static mut Transform, Has<TerrainColliderSource>);

/// The resources and queries of the systems.
#[derive(SystemParam)]
pub(crate) struct Grounding<'w, 's> {
    commands: Commands<'w, 's>,
    terrains: TerrainQuery<'w, 's>,
    origin: Res<'w, TerrainOrigin>,
    problems: ResMut<'w, TerrainProblems>,
    colliders: Option<Res<'w, HasColliders>>,
}

/// Tries an entity as soon as [`SpawnOnGround`] is inserted.
pub(crate) fn on_insert(
    event: On<Insert, SpawnOnGround>,
    mut waiting: Query<Waiting>,
    mut grounding: Grounding,
) {
    if let Ok(entity) = waiting.get_mut(event.entity) {
        grounding.put_on_ground(entity);
    }
}

/// Clears the problem of an entity that no longer waits.
pub(crate) fn on_remove(event: On<Remove, SpawnOnGround>, mut grounding: Grounding) {
    grounding.commands.entity(event.entity).try_remove::<Refused>();
    let problem = |p: &TerrainProblem| matches!(p, TerrainProblem::SpawnOnGround(_));
    grounding.problems.clear(Some(event.entity), problem);
}

/// Tries entities that wait. Those that were refused are tried again only after a terrain or its
/// edits have changed.
pub(crate) fn try_waiting(
    mut waiting: Query<(Waiting, Has<Refused>)>,
    changed: Query<(), Or<(Changed<Terrain>, Changed<TerrainEdits>)>>,
    mut removed: RemovedComponents<Terrain>,
    mut grounding: Grounding,
) {
    let changed = !changed.is_empty() | (removed.read().count() > 0);
    for (entity, refused) in &mut waiting {
        if changed || !refused {
            grounding.put_on_ground(entity);
        }
    }
}

impl Grounding<'_, '_> {
    fn put_on_ground(
        &mut self,
        (entity, spawn, mut transform, is_source): (Entity, &SpawnOnGround, Mut<Transform>, bool),
    ) {
        if self.terrains.is_empty() {
            // A terrain may be spawned later.
            return;
        }
        let found = match self.terrains.grounds(spawn.terrain) {
            Err(QueryError::Loading) => return,
            grounds => grounds.map_err(SpawnOnGroundError::from),
        };
        let found = found.and_then(|grounds| {
            spawn.find(|position| grounds.surface(position), |position| grounds.depth(position))
        });
        let mut commands = self.commands.entity(entity);
        let ([x, z], sample) = match found {
            Ok(found) => found,
            Err(error) => {
                if !matches!(error, SpawnOnGroundError::Query(_)) {
                    commands.try_insert(Refused);
                }
                self.problems.report(Some(entity), TerrainProblem::SpawnOnGround(error));
                return;
            }
        };
        let mut up = Vec3::Y;
        if spawn.align {
            up = normal(sample);
            let upright = transform.rotation * Vec3::Y;
            transform.rotation = Quat::from_rotation_arc(upright, up) * transform.rotation;
        }
        let ground = self.origin.translation([x, sample.value.into(), z]);
        transform.translation = ground + spawn.offset * up;
        commands.try_remove::<SpawnOnGround>();
        // A collider source is ready once its colliders exist.
        if is_source && self.colliders.is_some() {
            commands.try_remove::<Grounded>();
        } else {
            self.commands.trigger(GroundReady { entity });
        }
    }
}
