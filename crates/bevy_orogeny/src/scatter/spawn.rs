//! Entities for instances near the viewers: models of the game's own, and things to interact with.
//! Those for the instances in a square come and go as one block.

use std::sync::Arc;

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_log::warn_once;
use bevy_math::{Quat, Vec3};
use bevy_platform::collections::HashMap;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use bevy_transform::components::Transform;
use orogeny::Region;
use orogeny::scatter::{Instance, InstanceId, KindId, Model, Placement, ScatterKind};
use serde::{Deserialize, Serialize};

use super::{axis, distance_to, square};
use crate::base::anchor::Anchor;
use crate::base::budget::TerrainBudget;
use crate::base::derived::derived;
use crate::base::origin::TerrainOrigin;
use crate::chunk::height_field::normal;
use crate::lod::view::View;
use crate::query::GroundQuery;
use crate::slices::{self, Pace};
use crate::stream::TileStream;
use crate::streaming::components::{ChunkSets, TerrainViews};

/// The width of the blocks in metres that come and go as one.
const BLOCK: f64 = 32.0;
/// Blocks go when they are this much farther away than where they come, in metres.
const KEPT: f64 = 16.0;

/// On a [`Terrain`](crate::Terrain): spawns an entity with a [`ScatterInstance`] for each instance
/// of some kinds near its viewers. An observer can give it what makes it more than a picture: a
/// light, a sound, a body that falls. It is for few instances near the viewers: thousands of trees
/// of the game's own are drawn from `PlantModels` instead.
///
/// Kinds with [`Model::Custom`] are drawn if there is such a model, and by what observers insert;
/// all others are drawn anyhow. Entities of instances that edits fell or change are despawned. One
/// that the game despawns itself does not come back as long as a viewer is near.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
/// use bevy_orogeny::prelude::*;
///
/// fn plant_lamps(mut commands: Commands) {
///     let model = Model::Custom("lamp".into());
///     let lamp = ScatterKind { model, radius: 30.0, grass: 0.5, ..ScatterKind::default() };
///     let scatter = Scatter { kinds: vec![lamp], ..Scatter::default() };
///     commands.spawn((Terrain::default().with_scatter(scatter), ScatterSpawner::custom(200.0)));
/// }
///
/// fn light(event: On<Add, ScatterInstance>, mut commands: Commands) {
///     commands.entity(event.entity).insert(PointLight::default());
/// }
///
/// App::new().add_systems(Startup, plant_lamps).add_observer(light);
/// ```
#[derive(Component, Clone, Debug, Reflect, Serialize, Deserialize)]
#[require(Spawned)]
#[reflect(opaque)]
#[reflect(Component, Debug, Clone, Serialize, Deserialize)]
pub struct ScatterSpawner {
    /// The distance from viewers in metres up to which all instances have entities, at most
    /// [`ScatterSpawner::FARTHEST`].
    pub distance: f64,
    /// Which kinds have them.
    pub kinds: SpawnedKinds,
}

/// The kinds whose instances have entities.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum SpawnedKinds {
    /// Those with [`Model::Custom`].
    #[default]
    Custom,
    /// All kinds.
    All,
    /// The kinds with these ids.
    #[serde(alias = "Seeds")]
    Ids(Vec<KindId>),
    /// Those for which a function returns true. It is code: saving a scene that contains one is an
    /// error.
    #[serde(skip)]
    Where(fn(&ScatterKind) -> bool),
}

impl SpawnedKinds {
    pub(super) fn contain(&self, kind: &ScatterKind) -> bool {
        match self {
            Self::Custom => matches!(kind.model, Model::Custom(_)),
            Self::All => true,
            Self::Ids(ids) => ids.contains(&kind.id()),
            Self::Where(function) => function(kind),
        }
    }
}

impl ScatterSpawner {
    /// The largest distance in metres.
    pub const FARTHEST: f64 = 1000.0;

    /// Entities for all kinds with [`Model::Custom`].
    pub fn custom(distance: f64) -> Self {
        Self { distance, kinds: SpawnedKinds::Custom }
    }
}

/// An entity that stands where an instance does, with its turn, lean and size: a child of its
/// terrain.
#[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[component(immutable)]
#[reflect(opaque)]
#[reflect(Component, Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScatterInstance {
    /// The instance. Felling it is an edit, see [`Instance::felling`].
    pub instance: Instance,
    /// The model of its kind.
    pub model: Model,
}

/// The entities of a terrain.
#[derive(Component, Default)]
pub(crate) struct Spawned {
    /// The ground on which blocks are found.
    ground: Option<GroundQuery>,
    blocks: TileStream<[i64; 2], Found, Block>,
    /// How often a set of chunks had replaced another one in the last frame.
    replaced: u32,
}

impl Spawned {
    /// Follows the ground of the newest chunks: blocks that differ on it are stale.
    fn follow(&mut self, ground: &GroundQuery, is_new: bool) {
        let Self { ground: old, blocks, .. } = self;
        if !is_new && old.as_ref().is_some_and(|old| old.has_scatter_of(ground)) {
            return;
        }
        let changed = old.as_ref().and_then(|old| ground.scatter_since(old));
        let changed = changed.filter(|_| !is_new);
        let has_changed = |&block: &[i64; 2]| {
            let square = square(block, BLOCK);
            changed.as_ref().is_none_or(|all| all.iter().any(|at| at.meets(&square)))
        };
        let stale: Vec<_> = blocks.begun().filter(has_changed).collect();
        // What was found on other ground, or is being found there, is of no use.
        stale.iter().for_each(|&block| blocks.restart(block, ()));
        let of_stale = blocks.ready_mut().filter(|(block, _)| has_changed(block));
        of_stale.for_each(|(_, block)| block.found = None);
        *old = Some(ground.clone());
    }

    /// Keeps the blocks that viewers want, and despawns all others.
    fn select(&mut self, views: &[View], distance: f64, commands: &mut Commands) {
        let ends = |x: f64| [-1.0, 1.0].map(|sign| ((x + sign * distance) / BLOCK).floor() as i64);
        let wanted = views.iter().flat_map(|view| {
            let [xs, zs] = view.position.map(ends);
            let all = (zs[0]..=zs[1]).flat_map(move |z| (xs[0]..=xs[1]).map(move |x| [x, z]));
            all.map(move |block| (block, nearest(block, &[*view])))
        });
        let wanted = wanted.filter(|(_, nearest)| *nearest <= distance);
        let stays = |block, _: Option<&_>, _| nearest(block, views) <= distance + KEPT;
        for (_, block) in self.blocks.want(wanted, stays) {
            block.despawn(commands);
        }
    }
}

/// Finds what stands near the viewers, on the ground of the newest chunks. These wait for it, so
/// that entities change with the ground under them.
pub(crate) fn find(
    mut commands: Commands,
    mut terrains: Query<(Ref<ScatterSpawner>, &mut Spawned, &mut ChunkSets, &TerrainViews)>,
    budget: Res<TerrainBudget>,
) {
    for (spawner, mut spawned, mut sets, views) in &mut terrains {
        let next = sets.next_ground();
        let Some(ground) = next.or(sets.shown_ground()).cloned() else { continue };
        spawned.follow(&ground, spawner.is_changed());
        let distance = spawner.distance.clamp(0.0, ScatterSpawner::FARTHEST);
        spawned.select(&views.now, distance, &mut commands);
        let blocks = &mut spawned.blocks;
        let placement = ground.placement();
        while blocks.building().len() < budget.max_plant_tasks()
            && let Some((.., block)) = blocks.next()
        {
            let (placement, kinds) = (Arc::clone(placement), spawner.kinds.clone());
            let find = async move { place(&placement, square(block, BLOCK), &kinds).await };
            blocks.begin(block, slices::spawn(find));
        }
        for block in blocks.finished() {
            let with =
                |found, old: Option<Block>| Block { found: Some(found), ..old.unwrap_or_default() };
            blocks.receive(block, with);
        }
        let mut shown = blocks.ready().filter(|(_, block)| !block.entities.is_empty());
        let waits = shown.any(|(key, _)| blocks.is_stale(key));
        sets.wait_for_entities(waits);
    }
}

/// Spawns and despawns the entities of what was found on the ground that is shown, the nearest
/// first. All that was found changes in the frame in which the ground does.
pub(crate) fn spawn(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Spawned, &ChunkSets, &TerrainViews)>,
    budget: Res<TerrainBudget>,
    origin: Res<TerrainOrigin>,
) {
    for (terrain, mut spawned, sets, views) in &mut terrains {
        let Spawned { ground, blocks, replaced } = &mut *spawned;
        let is_shown = ground.as_ref().zip(sets.shown_ground());
        if !is_shown.is_some_and(|(own, shown)| own.has_scatter_of(shown)) {
            continue;
        }
        let is_new = core::mem::replace(replaced, sets.replaced) != sets.replaced;
        let max = if is_new { usize::MAX } else { budget.max_plants_per_frame() };
        let found = blocks.ready_mut().filter(|(_, block)| block.found.is_some());
        let mut found: Vec<_> =
            found.map(|(key, block)| (nearest(key, &views.now), block)).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, block) in found.into_iter().take(max) {
            block.update(&origin, terrain, &mut commands);
        }
    }
}

/// The distance of a block from the nearest viewer.
fn nearest(block: [i64; 2], views: &[View]) -> f64 {
    let all = views.iter().map(|view| distance_to(square(block, BLOCK), view.position));
    all.fold(f64::INFINITY, f64::min)
}

/// Despawns the entities of a terrain that has no spawner any more, or is none.
pub(crate) fn on_removed<C: Component>(
    event: On<Remove, C>,
    mut commands: Commands,
    mut terrains: Query<(&mut Spawned, Option<&mut ChunkSets>)>,
) {
    let Ok((mut spawned, sets)) = terrains.get_mut(event.entity) else { return };
    for (_, block) in core::mem::take(&mut *spawned).blocks.want([], |_, _, _| false) {
        block.despawn(&mut commands);
    }
    if let Some(mut sets) = sets {
        sets.forget_entities();
    }
}

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
