//! What the ground looks like, and how chunks come by it.

use core::marker::PhantomData;

use bevy_app::{App, Plugin};
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_color::{Color, ColorToComponents, LinearRgba};
use bevy_ecs::component::{ComponentId, Components};
use bevy_ecs::prelude::*;
use bevy_math::Vec4;
use bevy_mesh::{Mesh3d, MeshVertexBufferLayoutRef};
use bevy_pbr::{
    ExtendedMaterial, Material, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    MaterialPlugin, MeshMaterial3d, StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, ShaderType,
    SpecializedMeshPipelineError,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;

use crate::chunk::Chunk;
use crate::geomorph;
use crate::seams::Seams;
use crate::streaming;
use crate::systems::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;

/// The material that a terrain gets when it is spawned without one: [`StandardMaterial`] coloured by height and slope.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, GroundBands>;

/// Colours the ground: sand at the shore, grass, rock where it is steep, snow where it is high and not too steep. The borders
/// between them are frayed by a little noise, which fades out where it would be finer than the pixels.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, GroundUniform)]
pub struct GroundBands {
    /// The colour below the shore.
    pub sand: Color,
    /// The colour of gentle slopes.
    pub grass: Color,
    /// The colour of gentle slopes just below the snow.
    pub scrub: Color,
    /// The colour of steep slopes.
    pub rock: Color,
    /// The colour above the snow line.
    pub snow: Color,
    /// The height of the shore above the terrain's origin, in metres.
    pub shore: f32,
    /// The height of the snow line above the terrain's origin, in metres.
    pub snow_line: f32,
    /// The slope from which on there is rock, in metres of height per metre.
    pub rock_slope: f32,
}

impl Default for GroundBands {
    fn default() -> Self {
        Self {
            sand: Color::srgb(0.66, 0.60, 0.46),
            grass: Color::srgb(0.29, 0.33, 0.17),
            scrub: Color::srgb(0.41, 0.38, 0.26),
            rock: Color::srgb(0.42, 0.40, 0.38),
            snow: Color::srgb(0.93, 0.95, 0.98),
            shore: -200.0,
            snow_line: 750.0,
            rock_slope: 0.75,
        }
    }
}

/// [`GroundBands`] as `ground.wgsl` reads it.
#[derive(ShaderType, Clone, Default)]
struct GroundUniform {
    sand: Vec4,
    grass: Vec4,
    scrub: Vec4,
    rock: Vec4,
    snow: Vec4,
    /// Shore, snow line, rock slope, nothing.
    levels: Vec4,
}

impl AsBindGroupShaderType<GroundUniform> for GroundBands {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> GroundUniform {
        let linear = |color: Color| LinearRgba::from(color).to_vec4();
        GroundUniform {
            sand: linear(self.sand),
            grass: linear(self.grass),
            scrub: linear(self.scrub),
            rock: linear(self.rock),
            snow: linear(self.snow),
            levels: Vec4::new(self.shore, self.snow_line, self.rock_slope, 0.0),
        }
    }
}

impl MaterialExtension for GroundBands {
    fn vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_orogeny/ground.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        geomorph::specialize(descriptor, layout)
    }
}

/// Lets terrains wear a material of type `M`: put `MeshMaterial3d<M>` on the terrain, and its chunks take it over, now and
/// whenever it changes. A material of another kind is taken off. `TerrainPlugin` adds it for [`StandardMaterial`]
/// and [`TerrainMaterial`]; `M` needs Bevy's `MaterialPlugin::<M>` as well.
pub struct TerrainMaterialPlugin<M> {
    seams: Seams,
    material: PhantomData<M>,
}

impl<M> Default for TerrainMaterialPlugin<M> {
    /// For a material that knows nothing of chunks: they get skirts.
    fn default() -> Self {
        Self { seams: Seams::Skirts, material: PhantomData }
    }
}

impl<M> TerrainMaterialPlugin<M> {
    /// For a material whose vertices geomorph, see [`geomorph`](crate::geomorph): chunks get what those need, and neither skirts nor texture coordinates.
    pub fn geomorphing() -> Self {
        Self { seams: Seams::Morph, material: PhantomData }
    }
}

/// Every kind of `MeshMaterial3d` that terrains may wear, and the seams that it wants.
#[derive(Resource, Default)]
struct MaterialKinds(Vec<(ComponentId, Seams)>);

/// The material of terrains that have none of their own.
#[derive(Resource)]
struct DefaultMaterial(Handle<TerrainMaterial>);

/// On a terrain: the kind of material that it wears.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
struct Wears(ComponentId);

impl<M: Material> Plugin for TerrainMaterialPlugin<M> {
    fn build(&self, app: &mut App) {
        let kind = app.world_mut().register_component::<MeshMaterial3d<M>>();
        let seams = self.seams;
        app.world_mut().get_resource_or_init::<MaterialKinds>().0.push((kind, seams));
        app.add_systems(
            StreamTerrain,
            inherit::<M>.after(TerrainSystems::Show).before(TerrainSystems::Dispatch),
        )
        .add_observer(put_on::<M>)
        .add_observer(take_off::<M>);
    }
}

/// Adds the default material, where there are materials at all.
pub(crate) fn build(app: &mut App) {
    if !app.world().contains_resource::<Assets<StandardMaterial>>() {
        return;
    }
    embedded_asset!(app, "ground.wgsl");
    geomorph::build(app);
    app.add_plugins(MaterialPlugin::<TerrainMaterial>::default());
    let base =
        StandardMaterial { perceptual_roughness: 0.95, reflectance: 0.2, ..Default::default() };
    let default = TerrainMaterial { base, extension: GroundBands::default() };
    let default = app.world_mut().resource_mut::<Assets<TerrainMaterial>>().add(default);
    app.insert_resource(DefaultMaterial(default))
        .add_plugins(TerrainMaterialPlugin::<StandardMaterial>::default())
        .add_plugins(TerrainMaterialPlugin::<TerrainMaterial>::geomorphing())
        .add_systems(StreamTerrain, dress.in_set(TerrainSystems::Adopt).before(streaming::adopt));
}

/// Finds out what each new terrain wears, and gives the default to one that wears nothing.
fn dress(
    mut commands: Commands,
    terrains: Query<Entity, (With<Terrain>, Without<Wears>)>,
    default: Res<DefaultMaterial>,
) {
    for entity in &terrains {
        let default = MeshMaterial3d(default.0.clone());
        commands.entity(entity).queue_silenced(move |mut terrain: EntityWorldMut| {
            let kinds = &terrain.world().resource::<MaterialKinds>().0;
            match kinds.iter().copied().find(|&(kind, _)| terrain.contains_id(kind)) {
                Some((kind, seams)) => terrain.insert((Wears(kind), seams)),
                None => terrain.insert(default),
            };
        });
    }
}

/// A terrain was given a material: what it wore before is taken off.
fn put_on<M: Material>(
    event: On<Add, MeshMaterial3d<M>>,
    mut commands: Commands,
    terrains: Query<Option<&Wears>, With<Terrain>>,
    components: &Components,
    kinds: Res<MaterialKinds>,
) {
    let Ok(worn) = terrains.get(event.entity) else { return };
    let Some(kind) = components.component_id::<MeshMaterial3d<M>>() else { return };
    let Some(&(_, seams)) = kinds.0.iter().find(|(known, _)| *known == kind) else { return };
    let mut terrain = commands.entity(event.entity);
    terrain.insert((Wears(kind), seams));
    if let Some(&Wears(old)) = worn
        && old != kind
    {
        terrain.remove_by_id(old);
    }
}

/// A terrain was stripped of a material: so are its chunks.
fn take_off<M: Material>(
    event: On<Remove, MeshMaterial3d<M>>,
    mut commands: Commands,
    terrains: Query<(&Wears, Option<&Children>), With<Terrain>>,
    chunks: Query<(), With<Chunk>>,
    components: &Components,
) {
    let Ok((&worn, children)) = terrains.get(event.entity) else { return };
    for &child in children.into_iter().flatten().filter(|&&child| chunks.contains(child)) {
        commands.entity(child).try_remove::<MeshMaterial3d<M>>();
    }
    if components.component_id::<MeshMaterial3d<M>>() == Some(worn.0) {
        commands.entity(event.entity).try_remove::<Wears>();
    }
}

/// Hands a terrain's material to its chunks.
fn inherit<M: Material>(
    mut commands: Commands,
    terrains: Query<Ref<MeshMaterial3d<M>>, With<Terrain>>,
    chunks: Query<(Entity, &Chunk, Ref<Mesh3d>)>,
) {
    if terrains.is_empty() {
        return;
    }
    for (entity, chunk, mesh) in &chunks {
        let Ok(material) = terrains.get(chunk.terrain) else { continue };
        if mesh.is_added() || material.is_changed() {
            commands.entity(entity).try_insert(MeshMaterial3d(material.0.clone()));
        }
    }
}
