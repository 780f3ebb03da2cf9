//! The systems that put entities with [`SpawnOnGround`] on the ground.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryItem;
use bevy_ecs::system::SystemParam;
use bevy_math::{Quat, Vec3};
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use bevy_transform::components::Transform;

use super::spawn_on_ground::Found;
use crate::base::events::{GroundReady, WaitsForGround};
use crate::base::origin::TerrainOrigin;
use crate::base::problems::{SpawnOnGroundError, TerrainProblem, TerrainProblems};
use crate::base::query_error::QueryError;
use crate::base::world_position::WorldPosition;
use crate::chunk::height_field::normal;
use crate::colliders::source::{Grounded, HasColliders, TerrainColliderSource};
use crate::query::adopted_ground::AdoptedGround;
use crate::query::terrain_query::TerrainQuery;
use crate::query::terrains::Grounds;
use crate::slices;
use crate::standing::spawn_on_ground::SpawnOnGround;
use crate::standing::walk::{TerrainWalker, WalkerMotion};
use crate::terrain::preset::TerrainPreset;
use crate::terrain::{Terrain, TerrainEdits};

/// Marks an entity whose settings or ground were refused. It is not tried again until one of them
/// changes.
#[derive(Component)]
pub(crate) struct Refused;

/// The search beyond the nearest rings.
#[derive(Component)]
pub(crate) struct Searching {
    task: Task<Result<Found, SpawnOnGroundError>>,
    /// Whether the ground has changed since it began. Then what is found must suit the new ground,
    /// or the search begins anew.
    is_outdated: bool,
}

/// The rings that are searched at once: the 200 nearest points.
const AT_ONCE: u32 = 8;

/// An entity that waits for its ground.
type Waiting = (
    Entity,
    &'static SpawnOnGround,
    &'static mut Transform,
    Option<&'static mut WorldPosition>,
    Option<&'static mut TerrainWalker>,
    Has<TerrainColliderSource>,
);

/// A terrain, and what may be pending.
type Pending = (
    Entity,
    Ref<'static, Terrain>,
    Option<&'static TerrainEdits>,
    Option<&'static TerrainPreset>,
    &'static AdoptedGround,
);

/// The resources and queries of the systems.
#[derive(SystemParam)]
pub(crate) struct Grounding<'w, 's> {
    commands: Commands<'w, 's>,
    terrains: TerrainQuery<'w, 's>,
    pending: Query<'w, 's, Pending>,
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
        grounding.commands.entity(event.entity).try_remove::<(Refused, Searching)>();
        // What was changed in this frame is adopted after `Update`.
        if !grounding.is_outdated(entity.1.terrain) {
            grounding.put_on_ground(entity);
        }
    }
}

/// Clears the problem of an entity that no longer waits.
pub(crate) fn on_remove(event: On<Remove, SpawnOnGround>, mut grounding: Grounding) {
    grounding.commands.entity(event.entity).try_remove::<(Refused, Searching, WaitsForGround)>();
    let problem = |p: &TerrainProblem| matches!(p, TerrainProblem::SpawnOnGround(_));
    grounding.problems.clear(Some(event.entity), problem);
}

/// Tries entities that wait. Those that were refused are tried again only after a terrain, its
/// edits or what is shown of it have changed.
pub(crate) fn try_waiting(
    mut waiting: Query<(Waiting, Has<Refused>, Option<&mut Searching>)>,
    changed: Query<(), Or<(Changed<Terrain>, Changed<TerrainEdits>, Changed<AdoptedGround>)>>,
    mut removed: RemovedComponents<Terrain>,
    mut grounding: Grounding,
) {
    let changed = !changed.is_empty() | (removed.read().count() > 0);
    for (entity, refused, searching) in &mut waiting {
        if let Some(mut search) = searching {
            search.is_outdated |= changed;
            if let Some(found) = check_ready(&mut search.task) {
                grounding.commands.entity(entity.0).try_remove::<Searching>();
                if search.is_outdated {
                    grounding.put_there_if_suited(entity, found);
                } else {
                    grounding.finish(entity, found);
                }
            }
        } else if changed || !refused {
            grounding.put_on_ground(entity);
        }
    }
}

impl Grounding<'_, '_> {
    /// Whether a terrain under an entity has changes that are not adopted yet.
    fn is_outdated(&self, named: Option<Entity>) -> bool {
        self.pending.iter().any(|(entity, settings, edits, _, adopted)| {
            named.is_none_or(|named| named == entity) && adopted.is_outdated(&settings, edits)
        })
    }

    /// Whether a terrain under an entity waits for a preset.
    fn is_loading(&self, named: Option<Entity>) -> bool {
        self.pending.iter().any(|(entity, _, _, preset, adopted)| {
            named.is_none_or(|named| named == entity)
                && preset.is_some_and(|preset| adopted.waits_for(preset))
        })
    }

    /// The ground on which an entity is put: the one that is shown, or for a source of colliders
    /// the newest one, which is that of its colliders.
    fn grounds(
        &self,
        (_, spawn, .., is_source): &QueryItem<Waiting>,
    ) -> Result<Grounds<'_>, QueryError> {
        let named = spawn.terrain;
        if *is_source { self.terrains.grounds(named) } else { self.terrains.shown().grounds(named) }
    }

    /// Whether another ground will be shown at a position. What was put there would hang in the
    /// air then, or be buried.
    fn is_pending(&self, named: Option<Entity>, grounds: &Grounds, at: [f64; 2]) -> bool {
        self.terrains.grounds(named).is_ok_and(|newest| !grounds.agrees(&newest, at))
    }

    /// Puts an entity on what was found on an earlier ground, if the ground there suits it now.
    fn put_there_if_suited(
        &mut self,
        waiting: QueryItem<Waiting>,
        found: Result<Found, SpawnOnGroundError>,
    ) {
        let spawn = waiting.1;
        let grounds = self.grounds(&waiting);
        let now = found.ok().zip(grounds.ok()).and_then(|((position, _), grounds)| {
            let there = SpawnOnGround { position, ..*spawn };
            there.here(|at| grounds.surface(at), |at| grounds.depth(at)).ok().flatten()
        });
        match now {
            Some(found) => self.finish(waiting, Ok(found)),
            None => self.put_on_ground(waiting),
        }
    }

    fn put_on_ground(&mut self, waiting: QueryItem<Waiting>) {
        let (entity, &spawn, ..) = waiting;
        // A terrain may be spawned later.
        if self.terrains.is_empty() || self.is_loading(spawn.terrain) {
            return;
        }
        let grounds = match self.grounds(&waiting) {
            Err(QueryError::Loading) => return,
            Err(error) => return self.finish(waiting, Err(error.into())),
            Ok(grounds) if self.is_pending(spawn.terrain, &grounds, spawn.position) => return,
            Ok(grounds) => grounds,
        };
        let surface = |position| grounds.surface(position);
        let depth = |position| grounds.depth(position);
        let near = spawn.here(surface, depth).map(|here| {
            here.or_else(|| {
                let rings = 1..=spawn.rings().min(AT_ONCE);
                rings.into_iter().find_map(|ring| spawn.in_ring(ring, surface, depth))
            })
        });
        let found = match near {
            Ok(None) if spawn.rings() > AT_ONCE => {
                let search = search(spawn, grounds.into_owned());
                let task = slices::spawn(search);
                let search = Searching { task, is_outdated: false };
                self.commands.entity(entity).try_insert(search);
                return;
            }
            near => near.and_then(|found| found.ok_or(SpawnOnGroundError::Unsuited)),
        };
        self.finish(waiting, found);
    }

    /// Puts an entity on the ground that was found, or reports why there is none.
    fn finish(&mut self, waiting: QueryItem<Waiting>, found: Result<Found, SpawnOnGroundError>) {
        let is_pending = |at| {
            let grounds = self.grounds(&waiting);
            grounds.is_ok_and(|grounds| self.is_pending(waiting.1.terrain, &grounds, at))
        };
        if found.as_ref().is_ok_and(|(at, _)| is_pending(*at)) {
            return;
        }
        let (entity, spawn, mut transform, position, walker, is_source) = waiting;
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
        let mut offset = spawn.offset;
        if let Some(mut walker) = walker {
            // Its feet stand there, wherever it was and whatever it did before.
            walker.motion = WalkerMotion::Placed;
            offset += walker.height;
        }
        let [dx, dy, dz] = (offset * up).to_array().map(f64::from);
        let at = [x + dx, f64::from(sample.value) + dy, z + dz];
        transform.translation = self.origin.translation(at);
        if let Some(mut position) = position {
            position.set(at);
        }
        commands.try_remove::<SpawnOnGround>();
        // A collider source is ready once its colliders exist.
        if is_source && self.colliders.is_some() {
            commands.try_remove::<Grounded>();
        } else {
            self.commands.trigger(GroundReady { entity });
        }
    }
}

/// Searches all rings but the nearest. Other tasks of the thread run between two rings.
async fn search(
    spawn: SpawnOnGround,
    grounds: Grounds<'static>,
) -> Result<Found, SpawnOnGroundError> {
    for ring in AT_ONCE + 1..=spawn.rings() {
        let found = spawn.in_ring(ring, |at| grounds.surface(at), |at| grounds.depth(at));
        if let Some(found) = found {
            return Ok(found);
        }
        slices::let_others_work().await;
    }
    Err(SpawnOnGroundError::Unsuited)
}
