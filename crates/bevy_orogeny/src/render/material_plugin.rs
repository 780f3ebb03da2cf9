//! Gives each terrain a material, and its chunks the terrain's material.

use core::marker::PhantomData;

use bevy_app::{App, Plugin, Startup};
use bevy_asset::{Assets, Handle};
use bevy_ecs::component::{ComponentId, Components};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_pbr::{Material, MaterialPlugin, MeshMaterial3d, StandardMaterial};
use bevy_shader::load_shader_library;

use crate::chunk::key::Chunk;
use crate::chunk::seams::Seams;
use crate::ground;
use crate::ground::follow::DefaultTextures;
use crate::ground::ground_cover::TerrainMaterial;
use crate::render::geomorph;
use crate::render::{cascade_casters, currents, device, painted_chunks, sea, unknown_material};
use crate::streaming;
use crate::streaming::components::ShownAppearance;
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;
use crate::{plants, scatter};

/// Draws terrains with a material of type `M`: put `MeshMaterial3d<M>` on the terrain. Its chunks
/// get the same material, now and whenever it changes. Any other type of material is removed.
/// `TerrainPlugin` adds this plugin for [`StandardMaterial`] and [`TerrainMaterial`]. `M` also
/// needs Bevy's `MaterialPlugin::<M>`.
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
pub(super) struct MaterialKinds(pub Vec<(ComponentId, Seams)>);

/// On a terrain: the type of its material.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
struct MaterialType(ComponentId);

impl<M: Material> Plugin for TerrainMaterialPlugin<M> {
    fn build(&self, app: &mut App) {
        let kind = app.world_mut().register_component::<MeshMaterial3d<M>>();
        let seams = self.seams;
        app.world_mut().get_resource_or_init::<MaterialKinds>().0.push((kind, seams));
        app.add_systems(
            StreamTerrain,
            inherit::<M>.after(TerrainSystems::Show).before(TerrainSystems::Dispatch),
        )
        .add_observer(material_added::<M>)
        .add_observer(material_removed::<M>)
        .add_observer(assign_to_new_chunk::<M>);
    }
}

/// Adds the default material if the app has materials.
pub(crate) fn build(app: &mut App) {
    if !app.world().contains_resource::<Assets<StandardMaterial>>() {
        return;
    }
    load_shader_library!(app, "noise.wgsl");
    load_shader_library!(app, "reflection.wgsl");
    ground::build(app);
    geomorph::build(app);
    sea::build(app);
    currents::build(app);
    plants::build(app);
    scatter::build(app);
    device::build(app);
    cascade_casters::build(app);
    app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
        .init_resource::<Spare>()
        .add_systems(Startup, prepare_for_paint)
        .add_plugins(TerrainMaterialPlugin::<StandardMaterial>::default())
        .add_plugins(TerrainMaterialPlugin::<TerrainMaterial>::geomorphing())
        .add_systems(
            StreamTerrain,
            (
                assign_default.in_set(TerrainSystems::Adopt).before(streaming::adopt),
                unknown_material::report.in_set(TerrainSystems::Report).before(streaming::report),
                cover.after(TerrainSystems::Show).before(TerrainSystems::Dispatch),
            ),
        );
}

/// The default material for the next terrain without one. It is created in advance, so that the
/// renderer has prepared it when the terrain's first chunks appear.
#[derive(Resource)]
struct Spare(Handle<TerrainMaterial>);

impl FromWorld for Spare {
    fn from_world(world: &mut World) -> Self {
        Self::new(world)
    }
}

impl Spare {
    fn new(world: &mut World) -> Self {
        let extension = world.resource::<DefaultTextures>().ground_cover();
        // The textures have the roughness.
        let base =
            StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.2, ..Default::default() };
        let mut materials = world.resource_mut::<Assets<TerrainMaterial>>();
        Self(materials.add(TerrainMaterial { base, extension }))
    }

    /// Takes the material and creates the next one.
    fn take(world: &mut World) -> Handle<TerrainMaterial> {
        let next = Self::new(world);
        core::mem::replace(&mut *world.resource_mut::<Self>(), next).0
    }
}

/// Has the pipelines of painted chunks compiled.
fn prepare_for_paint(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, spare: Res<Spare>) {
    commands.spawn(painted_chunks::unseen(&mut meshes, spare.0.clone()));
}

/// Stores the type of each new terrain's material. A terrain without a material gets a default
/// material of its own.
fn assign_default(
    mut commands: Commands,
    terrains: Query<Entity, (With<Terrain>, Without<MaterialType>)>,
) {
    for entity in &terrains {
        commands.entity(entity).queue_silenced(move |mut terrain: EntityWorldMut| {
            let kinds = &terrain.world().resource::<MaterialKinds>().0;
            match kinds.iter().copied().find(|&(kind, _)| terrain.contains_id(kind)) {
                Some((kind, seams)) => terrain.insert((MaterialType(kind), seams)),
                None => {
                    let default = terrain.world_scope(Spare::take);
                    terrain.insert(MeshMaterial3d(default))
                }
            };
        });
    }
}

/// Copies the cover and the sea level of the displayed chunks to their material.
fn cover(
    terrains: Query<(&ShownAppearance, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
) {
    for (shown, material) in &terrains {
        let Some(appearance) = &shown.0 else { continue };
        let differs = |material: &TerrainMaterial| material.extension.appearance != *appearance;
        if materials.get(&material.0).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.extension.appearance = appearance.clone();
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
