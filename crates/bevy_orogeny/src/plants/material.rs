//! The material of plants and rocks.

use bevy_asset::{Asset, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_log::error;
use bevy_material::AlphaMode;
use bevy_math::Vec4;
use bevy_mesh::{MeshVertexBufferLayoutRef, VertexBufferLayout};
use bevy_pbr::{Material, MaterialPipeline, MaterialPipelineKey, MeshPipelineKey};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, ShaderType,
    SpecializedMeshPipelineError, VertexAttribute, VertexFormat, VertexStepMode,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;
use orogeny::scatter::Model;

use super::gpu::wind;
use super::grown::Part;
use super::packed::{ATTRIBUTE_PLANT_COLOUR, ATTRIBUTE_PLANT_POSITION, ATTRIBUTE_PLANT_SURFACE};
use super::textures::Textures;
use crate::render::decals::{self, TerrainDecals};

/// The vertex shader and the fragment shader of all passes.
pub(super) const SHADER: &str = "embedded://bevy_orogeny/plants/plants.wgsl";

/// Of how many bytes an instance consists: what `select.wgsl` writes.
pub(super) const INSTANCE: u64 = 32;

/// What plants are drawn with: layers of textures, and how light meets them.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(0, PlantUniform)]
#[bind_group_data(PlantKey)]
pub struct PlantMaterial {
    /// The colours and the coverage, of which a vertex has a layer.
    #[texture(1, dimension = "2d_array")]
    #[sampler(2)]
    layers: Handle<Image>,
    coverage: Coverage,
    roughness: f32,
    reflectance: f32,
    /// The part of light that shines through.
    transmission: f32,
    has_decals: bool,
}

/// What of its triangles a material covers.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coverage {
    /// All.
    Whole,
    /// One sees through where the coverage is low.
    Masked,
    /// As masked; the triangles face the eye.
    Impostor,
}

/// What pipelines depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlantKey {
    is_impostor: bool,
    has_decals: bool,
}

impl From<&PlantMaterial> for PlantKey {
    fn from(material: &PlantMaterial) -> Self {
        let is_impostor = material.coverage == Coverage::Impostor;
        Self { is_impostor, has_decals: material.has_decals }
    }
}

/// [`PlantMaterial`] in the format of `plants.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct PlantUniform {
    /// Roughness, reflectance and transmission.
    surface: Vec4,
}

impl AsBindGroupShaderType<PlantUniform> for PlantMaterial {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> PlantUniform {
        let Self { roughness, reflectance, transmission, .. } = *self;
        PlantUniform { surface: Vec4::new(roughness, reflectance, transmission, 0.0) }
    }
}

impl PlantMaterial {
    /// A material with layers, and its roughness, its reflectance and its transmission.
    pub(super) fn new(
        layers: Handle<Image>,
        coverage: Coverage,
        [roughness, reflectance, transmission]: [f32; 3],
    ) -> Self {
        let TerrainDecals(has_decals) = TerrainDecals::default();
        Self { layers, coverage, roughness, reflectance, transmission, has_decals }
    }
}

impl Material for PlantMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        match self.coverage {
            Coverage::Whole => AlphaMode::Opaque,
            Coverage::Masked | Coverage::Impostor => AlphaMode::Mask(0.5),
        }
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let mut attributes = vec![
            ATTRIBUTE_PLANT_POSITION.at_shader_location(0),
            ATTRIBUTE_PLANT_SURFACE.at_shader_location(1),
        ];
        if layout.0.contains(ATTRIBUTE_PLANT_COLOUR) {
            attributes.push(ATTRIBUTE_PLANT_COLOUR.at_shader_location(4));
            descriptor.vertex.shader_defs.push("PLANT_COLOURS".into());
            descriptor.fragment.iter_mut().for_each(|f| f.shader_defs.push("PLANT_COLOURS".into()));
        }
        let mesh = layout.0.get_layout(&attributes)?;
        let format = VertexFormat::Uint32x4;
        let instance = VertexBufferLayout {
            array_stride: INSTANCE,
            step_mode: VertexStepMode::Instance,
            attributes: vec![
                VertexAttribute { format, offset: 0, shader_location: 2 },
                VertexAttribute { format, offset: INSTANCE / 2, shader_location: 3 },
            ],
        };
        descriptor.vertex.buffers = vec![mesh, instance];
        // In the place of Bevy's meshes.
        descriptor.layout[2] = wind::layout();
        if !key.bind_group_data.has_decals {
            decals::leave_out(descriptor);
        }
        descriptor.primitive.cull_mode = None;
        if key.bind_group_data.is_impostor {
            descriptor.vertex.shader_defs.push("IMPOSTOR".into());
            descriptor.fragment.iter_mut().for_each(|f| f.shader_defs.push("IMPOSTOR".into()));
            if key.mesh_key.contains(MeshPipelineKey::UNCLIPPED_DEPTH_ORTHO) {
                descriptor.vertex.shader_defs.push("SUN_SHADOW".into());
            }
        }
        // Edges of leaves are smooth where there are several samples a pixel. A depth prepass has
        // decided already which of them are covered.
        let prepasses = MeshPipelineKey::ALL_PREPASS_BITS;
        let is_smooth = key.mesh_key.contains(MeshPipelineKey::MAY_DISCARD)
            && key.mesh_key.msaa_samples() > 1
            && !key.mesh_key.intersects(prepasses);
        if is_smooth && let Some(fragment) = descriptor.fragment.as_mut() {
            descriptor.multisample.alpha_to_coverage_enabled = !fragment.targets.is_empty();
            fragment.shader_defs.push("ALPHA_TO_COVERAGE".into());
        }
        Ok(())
    }
}

/// Has all materials draw decals, or none.
pub(super) fn follow_decals(
    decals: Res<TerrainDecals>,
    mut materials: ResMut<Assets<PlantMaterial>>,
) {
    let differs = |material: &PlantMaterial| material.has_decals != decals.0;
    let differing: Vec<_> =
        materials.iter().filter(|(_, material)| differs(material)).map(|(id, _)| id).collect();
    for id in differing {
        if let Some(mut material) = materials.get_mut(id) {
            material.has_decals = decals.0;
        }
    }
}

/// The materials of the plugin's own plants. What they show is baked when it is first drawn.
#[derive(Resource)]
pub(crate) struct PlantMaterials {
    patterns: Handle<Image>,
    solid: Handle<PlantMaterial>,
    leaves: Handle<PlantMaterial>,
    /// For each of [`Model::GROWN`], its pictures and what draws them.
    impostors: Vec<(Handle<Image>, Handle<PlantMaterial>)>,
}

impl PlantMaterials {
    /// Shows textures that have been baked.
    pub(super) fn show(
        &self,
        textures: Textures,
        image: Image,
        images: &mut Assets<Image>,
        materials: &mut Assets<PlantMaterial>,
    ) {
        let whole = (Coverage::Whole, [0.9, 0.12, 0.0]);
        let leaves = |coverage| (coverage, [0.9, 0.12, 0.3]);
        let (layers, drawn) = match textures {
            Textures::Patterns => {
                let leaves = (&self.leaves, leaves(Coverage::Masked));
                (&self.patterns, vec![(&self.solid, whole), leaves])
            }
            Textures::Impostors(model) => {
                let (pictures, material) = &self.impostors[usize::from(model)];
                (pictures, vec![(material, leaves(Coverage::Impostor))])
            }
        };
        let shown = images.insert(layers, image).and_then(|()| {
            drawn.into_iter().try_for_each(|(handle, (coverage, surface))| {
                materials.insert(handle, PlantMaterial::new(layers.clone(), coverage, surface))
            })
        });
        if let Err(error) = shown {
            error!("plants have no textures: {error}");
        }
    }

    /// Forgets all that is on the device alone.
    pub fn forget(&self, images: &mut Assets<Image>) {
        images.remove(&self.patterns);
        self.impostors.iter().for_each(|(pictures, _)| drop(images.remove(pictures)));
    }

    /// The material of a part. It is added with its textures.
    pub(super) fn of(&self, part: Part) -> Handle<PlantMaterial> {
        match part {
            Part::Solid => self.solid.clone(),
            Part::Leaves => self.leaves.clone(),
            Part::Impostor(model) => self.impostors[usize::from(model)].1.clone(),
        }
    }
}

impl FromWorld for PlantMaterials {
    fn from_world(world: &mut World) -> Self {
        let images = world.resource::<Assets<Image>>();
        let materials = world.resource::<Assets<PlantMaterial>>();
        let pair = |_| (images.reserve_handle(), materials.reserve_handle());
        Self {
            patterns: images.reserve_handle(),
            solid: materials.reserve_handle(),
            leaves: materials.reserve_handle(),
            impostors: Model::GROWN.iter().map(pair).collect(),
        }
    }
}
