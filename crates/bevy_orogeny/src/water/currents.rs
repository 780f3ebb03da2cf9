//! The material of rivers and lakes.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_ecs::prelude::*;
use bevy_math::{IVec4, Vec4};
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialPlugin, MeshMaterial3d, StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{AsBindGroup, AsBindGroupShaderType, ShaderType};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;

use crate::streaming::chunk_entity::ChunkWater;
use crate::streaming::drawn_for::NeverCasts;
use crate::streaming::origin::{ORIGIN_STEP, TerrainOrigin};
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};

/// The material of rivers and lakes: reflections and the colour of the water, drawn over the bed.
pub type RiverMaterial = ExtendedMaterial<StandardMaterial, Currents>;

/// Ripples that drift with the flow, white water where it is steep, and water that darkens its bed.
/// Bevy's shader time wraps every hour; the ripples jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, CurrentsUniform)]
pub struct Currents {
    /// The absorption of the water per metre, for red, green and blue.
    pub absorption: [f32; 3],
    /// The colour of deep water: linear RGB.
    pub deep: [f32; 3],
    /// The steepness of ripples, 0 to 4; 1 is usual.
    pub steepness: f32,
    /// The origin of the world in steps of [`ORIGIN_STEP`]. The plugin writes it, so that ripples
    /// stay in place when the origin moves.
    pub origin: [i64; 2],
}

impl Default for Currents {
    fn default() -> Self {
        Self {
            absorption: [0.9, 0.42, 0.4],
            deep: [0.014, 0.045, 0.04],
            steepness: 1.0,
            origin: [0; 2],
        }
    }
}

/// [`Currents`] in the format of `currents.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct CurrentsUniform {
    absorption: Vec4,
    deep: Vec4,
    origin: IVec4,
}

impl AsBindGroupShaderType<CurrentsUniform> for Currents {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> CurrentsUniform {
        let [r, g, b] = self.absorption;
        let [deep_r, deep_g, deep_b] = self.deep;
        // The shader only hashes products of these, so overflow does no harm.
        let [x, z] = self.origin.map(|steps| steps as i32);
        CurrentsUniform {
            absorption: Vec4::new(r, g, b, self.steepness.clamp(0.0, 4.0)),
            deep: Vec4::new(deep_r, deep_g, deep_b, 0.0),
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
}

/// The material of all rivers and lakes. Change the asset to change how they look.
#[derive(Resource, Clone, Debug)]
pub struct RiverLook(pub Handle<RiverMaterial>);

impl FromWorld for RiverLook {
    fn from_world(world: &mut World) -> Self {
        let material = RiverMaterial { base: super::surface(), extension: Currents::default() };
        Self(world.resource_mut::<Assets<RiverMaterial>>().add(material))
    }
}

pub(crate) fn build(app: &mut App) {
    embedded_asset!(app, "currents.wgsl");
    app.add_plugins(MaterialPlugin::<RiverMaterial>::default())
        .init_resource::<RiverLook>()
        .add_observer(on_water_added)
        .add_systems(StreamTerrain, follow_origin.in_set(TerrainSystems::Follow));
}

fn on_water_added(event: On<Add, ChunkWater>, mut commands: Commands, look: Res<RiverLook>) {
    let material = MeshMaterial3d(look.0.clone());
    commands.entity(event.entity).try_insert((material, NeverCasts));
}

/// Passes the origin to the ripples.
fn follow_origin(
    look: Res<RiverLook>,
    origin: Res<TerrainOrigin>,
    mut materials: ResMut<Assets<RiverMaterial>>,
) {
    let steps = origin.offset().map(|x| (x / ORIGIN_STEP) as i64);
    let differs = |material: &RiverMaterial| material.extension.origin != steps;
    if materials.get(&look.0).is_some_and(differs)
        && let Some(mut material) = materials.get_mut(&look.0)
    {
        material.extension.origin = steps;
    }
}
