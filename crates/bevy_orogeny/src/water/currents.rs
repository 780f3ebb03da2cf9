//! The material of rivers and lakes.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{IVec4, Vec4};
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
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

use super::optics::{ByColour, OpticsUniform, WaterOptics, blend, surface};
use super::scene::{FitScene, Scene, reads_scene};
use crate::base::drawn_for::NeverCasts;
use crate::base::origin::{ORIGIN_STEP, TerrainOrigin};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming::chunk_entity::ChunkWater;

/// The material of rivers and lakes: reflections and the colour of the water, drawn over the bed.
pub type RiverMaterial = ExtendedMaterial<StandardMaterial, Currents>;

/// Ripples that drift with the flow, white water where it is steep, and water that darkens its bed.
/// Bevy's shader time wraps every hour; the ripples jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, CurrentsUniform)]
#[bind_group_data(ByColour)]
pub struct Currents {
    /// How the water colours what is below it.
    pub optics: WaterOptics,
    /// The steepness of ripples, 0 to 4; 1 is usual.
    pub steepness: f32,
    /// The origin of the world in steps of [`ORIGIN_STEP`]. The plugin writes it, so that ripples
    /// stay in place when the origin moves.
    pub origin: [i64; 2],
    /// The depth of what is drawn before the water. The plugin writes it.
    #[texture(101, sample_type = "float", filterable = false)]
    pub scene_depth: Option<Handle<Image>>,
    /// The haze of the atmosphere. The plugin writes it.
    #[texture(102)]
    #[sampler(103)]
    pub haze: Option<Handle<Image>>,
    /// Whether the device blends with a factor for each colour. The plugin writes it.
    pub by_colour: bool,
}

reads_scene!(Currents);

impl From<&Currents> for ByColour {
    fn from(currents: &Currents) -> Self {
        Self(currents.by_colour)
    }
}

impl Default for Currents {
    fn default() -> Self {
        Self {
            optics: WaterOptics::RIVER,
            steepness: 1.0,
            origin: [0; 2],
            scene_depth: None,
            haze: None,
            by_colour: false,
        }
    }
}

/// [`Currents`] in the format of `currents.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct CurrentsUniform {
    optics: OpticsUniform,
    settings: Vec4,
    origin: IVec4,
}

impl AsBindGroupShaderType<CurrentsUniform> for Currents {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> CurrentsUniform {
        // The shader only hashes products of these, so overflow does no harm.
        let [x, z] = self.origin.map(|steps| steps as i32);
        CurrentsUniform {
            optics: self.optics.uniform(),
            settings: Vec4::new(self.steepness.clamp(0.0, 4.0), 0.0, 0.0, 0.0),
            origin: IVec4::new(x, z, 0, 0),
        }
    }
}

const SHADER: &str = "embedded://bevy_orogeny/water/currents.wgsl";

impl MaterialExtension for Currents {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        blend(descriptor, key.bind_group_data);
        Ok(())
    }
}

/// The material of all rivers and lakes. Change the asset to change how they look.
#[derive(Resource, Clone, Debug)]
pub struct RiverLook(pub Handle<RiverMaterial>);

impl FromWorld for RiverLook {
    fn from_world(world: &mut World) -> Self {
        let material = RiverMaterial { base: surface(), extension: Currents::default() };
        Self(world.resource_mut::<Assets<RiverMaterial>>().add(material))
    }
}

pub(crate) fn build(app: &mut App) {
    embedded_asset!(app, "currents.wgsl");
    app.add_plugins(MaterialPlugin::<RiverMaterial>::default())
        .init_resource::<RiverLook>()
        .add_observer(on_water_added)
        .add_systems(StreamTerrain, follow.after(FitScene).in_set(TerrainSystems::Follow));
}

fn on_water_added(event: On<Add, ChunkWater>, mut commands: Commands, look: Res<RiverLook>) {
    let material = MeshMaterial3d(look.0.clone());
    commands.entity(event.entity).try_insert((material, NeverCasts));
}

/// Passes the origin and the scene to the ripples.
fn follow(
    look: Res<RiverLook>,
    (origin, scene): (Res<TerrainOrigin>, Res<Scene>),
    mut materials: ResMut<Assets<RiverMaterial>>,
) {
    let steps = origin.offset().map(|x| (x / ORIGIN_STEP) as i64);
    let differs = |RiverMaterial { extension, .. }: &RiverMaterial| {
        extension.origin != steps || scene.differs(extension)
    };
    if materials.get(&look.0).is_some_and(differs)
        && let Some(mut material) = materials.get_mut(&look.0)
    {
        material.extension.origin = steps;
        scene.write(&mut material.extension);
    }
}
