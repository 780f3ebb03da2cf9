//! Gives each terrain a material, and its chunks the terrain's material.

use core::marker::PhantomData;

use bevy_app::{App, Plugin};
use bevy_ecs::archetype::Archetype;
use bevy_ecs::component::{ComponentId, Components};
use bevy_ecs::prelude::*;
use bevy_pbr::{Material, MeshMaterial3d, StandardMaterial};

use crate::chunk::key::Chunk;
use crate::chunk::seams::Seams;
use crate::render::unknown_material;
use crate::streaming;
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;

/// Draws terrains with a material of type `M`: put `MeshMaterial3d<M>` on the terrain. Its chunks
/// get the same material, now and whenever it changes. Any other type of material is removed.
/// [`TerrainPlugins`](crate::TerrainPlugins) adds this plugin for [`StandardMaterial`] and
/// [`TerrainMaterial`](crate::TerrainMaterial). `M` also needs Bevy's `MaterialPlugin::<M>`.
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
            unknown_material::report.in_set(TerrainSystems::Report).before(streaming::report),
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

/// Gives a new chunk the material of its terrain. The chunk keeps it even if the terrain has a
/// material with other seams by the time the mesh is ready.
fn assign_to_new_chunk<M: Material>(
    event: On<Add, Chunk>,
    mut commands: Commands,
    chunks: Query<&Chunk>,
    terrains: Query<(&MeshMaterial3d<M>, &MaterialType), With<Terrain>>,
    components: &Components,
) {
    let Ok(chunk) = chunks.get(event.entity) else { return };
    let Ok((material, assigned)) = terrains.get(chunk.terrain) else { return };
    if components.component_id::<MeshMaterial3d<M>>() == Some(assigned.0) {
        assign_to_chunk(&mut commands, event.entity, material, *assigned);
    }
}

/// Passes the changed material of a terrain on to its chunks.
///
/// Chunks that were built for other seams keep the old material until they are replaced. With the
/// new one they would show cracks.
fn inherit<M: Material>(
    mut commands: Commands,
    terrains: Query<
        (&MeshMaterial3d<M>, &MaterialType, &Seams, &Children),
        (With<Terrain>, Or<(Changed<MeshMaterial3d<M>>, Changed<Seams>)>),
    >,
    chunks: Query<&Seams, With<Chunk>>,
    components: &Components,
) {
    for (material, assigned, seams, children) in &terrains {
        if components.component_id::<MeshMaterial3d<M>>() != Some(assigned.0) {
            continue;
        }
        for chunk in children.iter() {
            if chunks.get(chunk).is_ok_and(|own| own == seams) {
                assign_to_chunk(&mut commands, chunk, material, *assigned);
            }
        }
    }
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
