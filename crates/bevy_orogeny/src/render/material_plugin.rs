//! Gives each terrain a material, and its chunks the terrain's material.
//!
//! The renderer compiles pipelines when it first draws with a material, which takes seconds on slow
//! devices, and leaves out the ground meanwhile. So chunks that are drawn keep the material that
//! they have until unseen ones can be drawn with the new one. New chunks get the old one, too.
//!
//! Terrains with a material that their chunks cannot use, because no `TerrainMaterialPlugin` was
//! added for its type, are reported.

use core::marker::PhantomData;
use core::time::Duration;

use bevy_app::{App, Plugin};
use bevy_asset::Assets;
use bevy_ecs::archetype::{Archetype, ArchetypeId};
use bevy_ecs::component::{ComponentId, Components};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_pbr::{Material, MeshMaterial3d, StandardMaterial};
use bevy_platform::collections::HashMap;
use bevy_platform::time::Instant;
use bevy_reflect::TypeRegistry;
use bevy_render::renderer::RenderDevice;

use super::pipelines::{Compiled, Ticket, Vertices, unseen};
use crate::base::derived::derived;
use crate::base::drawn_for::DrawnFor;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::chunk::key::Chunk;
use crate::chunk::seams::Seams;
use crate::streaming;
use crate::terrain::Terrain;

/// Draws terrains with a material of type `M`: put `MeshMaterial3d<M>` on the terrain. Its chunks
/// get the same material, now and whenever it changes. Any other type of material is removed.
/// [`TerrainPlugins`](crate::TerrainPlugins) adds this plugin for [`StandardMaterial`] and
/// [`TerrainMaterial`](crate::advanced::TerrainMaterial). `M` also needs Bevy's
/// `MaterialPlugin::<M>`.
pub struct TerrainMaterialPlugin<M> {
    seams: Seams,
    material: PhantomData<M>,
}

impl<M> Default for TerrainMaterialPlugin<M> {
    /// For a material that does not geomorph: chunks get skirts.
    fn default() -> Self {
        Self { seams: Seams::Skirts, material: PhantomData }
    }
}

impl<M> TerrainMaterialPlugin<M> {
    /// For a material that geomorphs, see [`geomorph`](crate::render::geomorph): chunks get the
    /// morph attributes, and neither skirts nor texture coordinates.
    pub fn geomorphing() -> Self {
        Self { seams: Seams::Morph, material: PhantomData }
    }
}

/// The types of `MeshMaterial3d` that terrains may have, with their seams.
#[derive(Resource, Default)]
pub(crate) struct MaterialKinds(pub Vec<(ComponentId, Seams)>);

/// On a terrain: the type of its material.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaterialType(ComponentId);

impl<M: Material> Plugin for TerrainMaterialPlugin<M> {
    fn build(&self, app: &mut App) {
        let kind = app.world_mut().register_component::<MeshMaterial3d<M>>();
        let seams = self.seams;
        app.world_mut().get_resource_or_init::<MaterialKinds>().0.push((kind, seams));
        app.add_systems(StreamTerrain, inherit::<M>.in_set(TerrainSystems::Follow))
            .add_observer(material_added::<M>)
            .add_observer(material_removed::<M>)
            .add_observer(assign_to_new_chunk::<M>);
    }
}

/// Adds what all materials share.
pub(super) fn build(app: &mut App) {
    app.add_plugins(TerrainMaterialPlugin::<StandardMaterial>::default()).add_systems(
        StreamTerrain,
        (
            assign.in_set(TerrainSystems::Adopt).before(streaming::adopt),
            report_unknown.in_set(TerrainSystems::Report).before(streaming::report),
        ),
    );
}

/// Stores the type of each new terrain's material.
pub(crate) fn assign(
    mut commands: Commands,
    terrains: Query<(Entity, &Archetype), (With<Terrain>, Without<MaterialType>)>,
    kinds: Res<MaterialKinds>,
) {
    for (entity, archetype) in &terrains {
        let known = kinds.0.iter().find(|&&(kind, _)| archetype.contains(kind));
        if let Some(&(kind, seams)) = known {
            commands.entity(entity).try_insert((MaterialType(kind), seams));
        }
    }
}

/// Removes the terrain's old material when it gets one of another type.
fn material_added<M: Material>(
    event: On<Add, MeshMaterial3d<M>>,
    mut commands: Commands,
    terrains: Query<Option<&MaterialType>, With<Terrain>>,
    components: &Components,
    kinds: Res<MaterialKinds>,
) {
    let Ok(assigned) = terrains.get(event.entity) else { return };
    let Some(kind) = components.component_id::<MeshMaterial3d<M>>() else { return };
    let Some(&(_, seams)) = kinds.0.iter().find(|(known, _)| *known == kind) else { return };
    let mut terrain = commands.entity(event.entity);
    terrain.insert((MaterialType(kind), seams));
    if let Some(&MaterialType(old)) = assigned
        && old != kind
    {
        terrain.remove_by_id(old);
    }
}

/// Runs when a material is removed from a terrain. Its chunks keep it until they get another one.
fn material_removed<M: Material>(
    event: On<Remove, MeshMaterial3d<M>>,
    mut commands: Commands,
    terrains: Query<&MaterialType, With<Terrain>>,
    components: &Components,
) {
    let Ok(&assigned) = terrains.get(event.entity) else { return };
    if components.component_id::<MeshMaterial3d<M>>() == Some(assigned.0) {
        commands.entity(event.entity).try_remove::<MaterialType>();
    }
}

/// On a chunk: the type of its material.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
struct ChunkMaterialType(ComponentId);

/// On a terrain with a new material that is being compiled.
#[derive(Component, Clone)]
struct Compiling {
    ticket: Ticket,
    begun: Instant,
    /// The chunks that nobody sees, with the new material.
    unseen: Vec<Entity>,
    /// A child of the terrain with the material that its chunks keep, and the type of that.
    keeper: Entity,
    kept: ChunkMaterialType,
}

/// A material that is still not ready then is used all the same: its shader may be missing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Gives a new chunk the material of its terrain's chunks. Tasks for chunks with other seams are
/// cancelled when the terrain gets a material that they do not fit.
fn assign_to_new_chunk<M: Material>(
    event: On<Add, Chunk>,
    mut commands: Commands,
    chunks: Query<&Chunk>,
    terrains: Query<(&MeshMaterial3d<M>, &MaterialType, Option<&Compiling>), With<Terrain>>,
    components: &Components,
) {
    let Ok(chunk) = chunks.get(event.entity) else { return };
    let Ok((material, assigned, compiling)) = terrains.get(chunk.terrain) else { return };
    if components.component_id::<MeshMaterial3d<M>>() != Some(assigned.0) {
        return;
    }
    match compiling {
        Some(Compiling { keeper, kept, .. }) => {
            copy_material(&mut commands, *keeper, event.entity, *kept);
        }
        None => assign_to_chunk(&mut commands, event.entity, material, *assigned),
    }
}

type Painted<M> = (
    Entity,
    &'static Terrain,
    Ref<'static, MeshMaterial3d<M>>,
    &'static MaterialType,
    Ref<'static, Seams>,
    &'static Children,
    Option<&'static Compiling>,
);

/// Passes the changed material of a terrain on to its chunks, when it can be drawn.
///
/// Chunks that were built for other seams keep the old material until they are replaced. With the
/// new one they would show cracks.
fn inherit<M: Material>(
    mut commands: Commands,
    terrains: Query<Painted<M>, With<Terrain>>,
    chunks: Query<(&Seams, Option<&ChunkMaterialType>, Option<&MeshMaterial3d<M>>), With<Chunk>>,
    components: &Components,
    compiled: Res<Compiled>,
    device: Option<Res<RenderDevice>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (entity, terrain, material, assigned, seams, children, compiling) in &terrains {
        if components.component_id::<MeshMaterial3d<M>>() != Some(assigned.0) {
            continue;
        }
        let is_changed = material.is_changed() || seams.is_changed();
        let fitting = || {
            children.iter().filter(|&child| chunks.get(child).is_ok_and(|(own, ..)| *own == *seams))
        };
        let is_ready = |compiling: &Compiling| {
            compiled.is_answered(compiling.ticket) || compiling.begun.elapsed() > PATIENCE
        };
        let is_ready = compiling.map(is_ready);
        // A material that changes in every frame waits for the first one only.
        if is_changed && device.is_some() && is_ready != Some(true) {
            // A chunk that has another material.
            let old = fitting().find_map(|chunk| {
                let (_, kept, own) = chunks.get(chunk).ok()?;
                let is_other = own.is_none_or(|own| own.0 != material.0);
                Some((chunk, *kept?)).filter(|_| is_other)
            });
            if let Some((chunk, kept)) = old {
                let mut spawn_child = |commands: &mut Commands, vertices| {
                    let unseen = unseen(&mut meshes, (*material).clone(), vertices);
                    commands.spawn((unseen, DrawnFor(entity), ChildOf(entity))).id()
                };
                let has_climate = terrain.ground.has_climates();
                let unseen = Vertices::of(*seams, terrain.keep_meshes, has_climate)
                    .map(|vertices| spawn_child(&mut commands, vertices))
                    .collect();
                let (keeper, kept) = match compiling {
                    // The chunks have not changed yet.
                    Some(compiling) => {
                        compiled.forget(compiling.ticket);
                        despawn_all(&mut commands, &compiling.unseen);
                        (compiling.keeper, compiling.kept)
                    }
                    None => {
                        let name = derived("Material of chunks");
                        let keeper = commands.spawn((name, ChildOf(entity))).id();
                        copy_material(&mut commands, chunk, keeper, kept);
                        (keeper, kept)
                    }
                };
                let ticket = compiled.ask(material.id().untyped());
                let begun = Instant::now();
                commands.entity(entity).try_insert(Compiling {
                    ticket,
                    begun,
                    unseen,
                    keeper,
                    kept,
                });
                continue;
            }
        }
        if !is_changed && is_ready != Some(true) {
            continue;
        }
        if let Some(Compiling { unseen, keeper, ticket, .. }) = compiling {
            compiled.forget(*ticket);
            despawn_all(&mut commands, unseen);
            despawn_all(&mut commands, &[*keeper]);
            commands.entity(entity).try_remove::<Compiling>();
        }
        for chunk in fitting() {
            assign_to_chunk(&mut commands, chunk, &material, *assigned);
        }
    }
}

fn despawn_all(commands: &mut Commands, entities: &[Entity]) {
    entities.iter().for_each(|&entity| commands.entity(entity).try_despawn());
}

/// Copies a material of any type to a chunk, or to what keeps it.
fn copy_material(commands: &mut Commands, from: Entity, to: Entity, kind: ChunkMaterialType) {
    commands.entity(from).queue_silenced(move |mut from: EntityWorldMut| {
        if from.world().get_entity(to).is_ok() {
            from.clone_with_opt_in(to, move |builder| {
                builder.allow_by_ids([kind.0]);
            });
            from.world_scope(|world| {
                if let Ok(mut to) = world.get_entity_mut(to) {
                    to.insert(kind);
                }
            });
        }
    });
}

fn assign_to_chunk<M: Material>(
    commands: &mut Commands,
    chunk: Entity,
    material: &MeshMaterial3d<M>,
    assigned: MaterialType,
) {
    let material = material.clone();
    commands.entity(chunk).queue_silenced(move |mut chunk: EntityWorldMut| {
        if let Some(&ChunkMaterialType(old)) = chunk.get::<ChunkMaterialType>()
            && old != assigned.0
        {
            chunk.remove_by_id(old);
        }
        chunk.insert((material, ChunkMaterialType(assigned.0)));
    });
}

/// Checks the components of a terrain whenever one is added or removed.
fn report_unknown(
    terrains: Query<(Entity, &Archetype), With<Terrain>>,
    components: &Components,
    kinds: Res<MaterialKinds>,
    registry: Res<AppTypeRegistry>,
    mut problems: ResMut<TerrainProblems>,
    mut seen: Local<HashMap<Entity, ArchetypeId>>,
) {
    seen.retain(|&terrain, _| terrains.contains(terrain));
    for (terrain, archetype) in &terrains {
        if seen.insert(terrain, archetype.id()) == Some(archetype.id()) {
            continue;
        }
        let known = |id: &ComponentId| kinds.0.iter().any(|(kind, _)| kind == id);
        let registry = registry.read();
        let mut others = archetype.iter_components().filter(|id| !known(id));
        match others.find_map(|id| material(id, components, &registry)) {
            Some(material) => {
                problems.report(Some(terrain), TerrainProblem::UnknownMaterial { material });
            }
            None => problems
                .clear(Some(terrain), |p| matches!(p, TerrainProblem::UnknownMaterial { .. })),
        }
    }
}

/// The short type name of a component, if it is a `MeshMaterial3d`. Bevy's `MaterialPlugin`
/// registers these types.
fn material(id: ComponentId, components: &Components, registry: &TypeRegistry) -> Option<String> {
    let info = registry.get_type_info(components.get_info(id)?.type_id()?)?;
    let path = info.type_path_table();
    let is_material =
        path.crate_name() == Some("bevy_pbr") && path.ident() == Some("MeshMaterial3d");
    is_material.then(|| path.short_path().into())
}
