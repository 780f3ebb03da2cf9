//! The default material, which draws the layers of cover with textures. Terrains that have no other
//! get one with the plugin's textures.

use std::sync::Arc;

use bevy_app::{App, Startup};
use bevy_asset::{Asset, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::{Mesh, MeshVertexBufferLayoutRef, VertexAttributeDescriptor};
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    MaterialPlugin, MeshMaterial3d, StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;
use orogeny::Appearance;

use super::arrays::{GroundArrays, Slot};
use super::follow::DefaultTextures;
use super::uniform::GroundUniform;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::chunk::climate::ATTRIBUTE_CLIMATE;
use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
use crate::chunk::seams::Seams;
use crate::lod::quality::TerrainQuality;
use crate::render::decals::{self, TerrainDecals};
use crate::render::material_plugin::{MaterialType, TerrainMaterialPlugin, assign};
use crate::render::pipelines::{Vertices, unseen};
use crate::render::{DrawnParts, geomorph};
use crate::streaming;
use crate::streaming::components::ShownAppearance;
use crate::terrain::Terrain;

/// The material of terrains that are spawned without one: [`StandardMaterial`] with the textures of
/// the cover. The base colour and the roughness of the [`StandardMaterial`] multiply those of the
/// textures; by default they are white and 1. Its own textures are not drawn.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, GroundCover>;

/// Draws each layer of the terrain's [`Cover`](orogeny::Cover) with its texture: the plugin's,
/// which is baked when the program starts, or a game's own, see
/// [`GroundTextures`](crate::GroundTextures). If the app draws plants, it adds the canopy of far
/// woods; if the app draws the sea, wet sand and foam at its level.
///
/// Each terrain needs a material of its own, even if you supply it, because the plugin writes the
/// terrain's cover, sea level and textures to it.
#[derive(Asset, AsBindGroup, Reflect, Debug, Default, Clone, PartialEq)]
#[uniform(100, GroundUniform)]
#[bind_group_data(GroundKey)]
pub struct GroundCover {
    /// The layers of cover and the sea level. The plugin copies them from the terrain.
    #[reflect(ignore)]
    pub appearance: Appearance,
    /// Colour and height of each slot.
    #[texture(101, dimension = "2d_array")]
    #[sampler(103)]
    colours: Option<Handle<Image>>,
    /// Normal, roughness and occlusion of each slot.
    #[texture(102, dimension = "2d_array")]
    surfaces: Option<Handle<Image>>,
    /// The noise of cover, and the larger forms of all kinds.
    #[texture(104, dimension = "2d_array")]
    #[sampler(105)]
    pub(super) edges: Option<Handle<Image>>,
    /// The layers that a pixel blends at most.
    pub(super) sampled_layers: u32,
    pub(super) has_decals: bool,
    /// What is drawn beside it.
    #[reflect(ignore)]
    pub(crate) drawn: DrawnParts,
    /// What the arrays have.
    #[reflect(ignore, default = "no_slots")]
    slots: Arc<[Slot]>,
}

fn no_slots() -> Arc<[Slot]> {
    Arc::new([])
}

impl GroundCover {
    /// The material with the plugin's own textures.
    fn with_default(textures: &DefaultTextures, decals: TerrainDecals) -> Self {
        let sampled_layers = TerrainQuality::default().layers;
        let edges = Some(textures.edges.clone());
        let mut cover = Self { edges, sampled_layers, has_decals: decals.0, ..Self::default() };
        cover.set_arrays(textures.arrays.clone());
        cover
    }

    pub(super) fn set_arrays(&mut self, arrays: GroundArrays) {
        self.colours = Some(arrays.colours);
        self.surfaces = Some(arrays.surfaces);
        self.slots = arrays.slots;
    }

    pub(super) fn has_arrays(&self, arrays: &GroundArrays) -> bool {
        self.colours.as_ref() == Some(&arrays.colours)
    }

    /// Both arrays.
    pub(super) fn images(&self) -> impl Iterator<Item = &Handle<Image>> {
        self.colours.iter().chain(&self.surfaces)
    }

    /// The memory of its textures on the graphics device, in bytes: for each slot 8 bytes a texel,
    /// and a third more for mip levels.
    pub fn texture_bytes(&self) -> u64 {
        let size = self.slots.iter().map(|slot| slot.texture.size).max().unwrap_or(0);
        let level = |side: u32| u64::from(side) * u64::from(side);
        let texels: u64 = (0..32).map(|k| size >> k).take_while(|&side| side > 0).map(level).sum();
        8 * texels * self.slots.len() as u64
    }
}

impl AsBindGroupShaderType<GroundUniform> for GroundCover {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> GroundUniform {
        GroundUniform::new(&self.appearance, &self.slots, self.sampled_layers, self.drawn)
    }
}

impl MaterialExtension for GroundCover {
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
        "embedded://bevy_orogeny/ground/ground.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        geomorph::specialize(descriptor, layout)?;
        if !key.bind_group_data.has_decals {
            decals::leave_out(descriptor);
        }
        let has = |name: &str| descriptor.vertex.shader_defs.contains(&name.into());
        let is_depth_only = has("PREPASS_PIPELINE") && !has("DEFERRED_PREPASS");
        if is_depth_only || !layout.0.contains(ATTRIBUTE_CURVATURE) {
            return Ok(());
        }
        let curvature = [ATTRIBUTE_CURVATURE.at_shader_location(11)];
        add(descriptor, layout, &curvature, "TERRAIN_LAYERS")?;
        if layout.0.contains(ATTRIBUTE_CLIMATE) {
            let climate = [ATTRIBUTE_CLIMATE.at_shader_location(14)];
            add(descriptor, layout, &climate, "TERRAIN_CLIMATE")?;
        }
        if layout.0.contains(ATTRIBUTE_PAINT) {
            let paint = [
                ATTRIBUTE_PAINT.at_shader_location(12),
                ATTRIBUTE_TARGET_PAINT.at_shader_location(13),
            ];
            add(descriptor, layout, &paint, "TERRAIN_PAINT")?;
        }
        Ok(())
    }
}

/// What pipelines depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroundKey {
    has_decals: bool,
}

impl From<&GroundCover> for GroundKey {
    fn from(cover: &GroundCover) -> Self {
        Self { has_decals: cover.has_decals }
    }
}

/// Adds attributes to the vertices, and a definition to both shaders.
fn add(
    descriptor: &mut RenderPipelineDescriptor,
    layout: &MeshVertexBufferLayoutRef,
    attributes: &[VertexAttributeDescriptor],
    definition: &str,
) -> Result<(), SpecializedMeshPipelineError> {
    let added = layout.0.get_layout(attributes)?;
    for buffer in descriptor.vertex.buffers.iter_mut().take(1) {
        buffer.attributes.extend_from_slice(&added.attributes);
    }
    descriptor.vertex.shader_defs.push(definition.into());
    if let Some(fragment) = &mut descriptor.fragment {
        fragment.shader_defs.push(definition.into());
    }
    Ok(())
}

pub(super) fn build(app: &mut App) {
    app.add_plugins((
        MaterialPlugin::<TerrainMaterial>::default(),
        TerrainMaterialPlugin::<TerrainMaterial>::geomorphing(),
    ))
    .init_resource::<Spare>()
    .add_systems(Startup, prepare_for_paint)
    .add_systems(
        StreamTerrain,
        (
            give.in_set(TerrainSystems::Adopt).after(assign).before(streaming::adopt),
            (cover, prepare_for_climates).in_set(TerrainSystems::Follow),
        ),
    );
}

/// The material for the next terrain without one. It is created in advance, so that the renderer
/// has prepared it when the terrain's first chunks appear.
#[derive(Resource)]
struct Spare(Handle<TerrainMaterial>);

impl FromWorld for Spare {
    fn from_world(world: &mut World) -> Self {
        Self::new(world)
    }
}

impl Spare {
    fn new(world: &mut World) -> Self {
        let extension = GroundCover::with_default(
            world.resource::<DefaultTextures>(),
            *world.resource::<TerrainDecals>(),
        );
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

/// The vertices of most chunks.
const PLAIN: Vertices =
    Vertices { seams: Seams::Morph, is_kept: false, is_painted: false, has_climate: false };

/// Has the pipelines of painted chunks compiled.
fn prepare_for_paint(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, spare: Res<Spare>) {
    let painted = Vertices { is_painted: true, ..PLAIN };
    commands.spawn(unseen(&mut meshes, MeshMaterial3d(spare.0.clone()), painted));
}

/// The same for chunks with a climate, when a terrain has one: they are built meanwhile.
fn prepare_for_climates(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    spare: Res<Spare>,
    terrains: Query<&Terrain, Changed<Terrain>>,
    mut is_done: Local<bool>,
) {
    if !*is_done && terrains.iter().any(|terrain| terrain.ground.has_climates()) {
        *is_done = true;
        for is_painted in [false, true] {
            let vertices = Vertices { is_painted, has_climate: true, ..PLAIN };
            commands.spawn(unseen(&mut meshes, MeshMaterial3d(spare.0.clone()), vertices));
        }
    }
}

/// Gives each terrain without a material one of its own.
fn give(mut commands: Commands, terrains: Query<Entity, (With<Terrain>, Without<MaterialType>)>) {
    for entity in &terrains {
        commands.entity(entity).queue_silenced(|mut terrain: EntityWorldMut| {
            let material = terrain.world_scope(Spare::take);
            terrain.insert(MeshMaterial3d(material));
        });
    }
}

/// Tells the material of the displayed chunks their cover and sea level, and what is drawn beside
/// them.
fn cover(
    terrains: Query<(&ShownAppearance, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    drawn: Res<DrawnParts>,
) {
    for (shown, material) in &terrains {
        let Some(appearance) = &shown.0 else { continue };
        let differs = |TerrainMaterial { extension, .. }: &TerrainMaterial| {
            extension.appearance != *appearance || extension.drawn != *drawn
        };
        if materials.get(&material.0).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.extension.appearance = appearance.clone();
            material.extension.drawn = *drawn;
        }
    }
}
