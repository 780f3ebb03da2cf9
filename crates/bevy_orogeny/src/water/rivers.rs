//! The material of rivers and lakes.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{IVec4, Vec4};
use bevy_pbr::{ExtendedMaterial, MaterialPlugin, MeshMaterial3d, StandardMaterial};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{AsBindGroup, AsBindGroupShaderType, ShaderType};
use bevy_render::texture::GpuImage;

use super::material::{
    ByColour, OpticsUniform, WaterOptics, steps, steps_uniform, surface, update, water,
};
use super::rings::{Rings, WaterRings};
use super::scene::{FitScene, Scene};
use crate::base::drawn_for::NeverCasts;
use crate::base::origin::TerrainOrigin;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming::chunk_entity::ChunkWater;

/// The material of rivers and lakes: reflections and the colour of the water, drawn over the bed.
pub type RiverMaterial = ExtendedMaterial<StandardMaterial, RiverWater>;

/// Ripples that drift with the flow, white water where it is steep, and water that darkens its bed.
/// Bevy's shader time wraps every hour; the ripples jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, RiverUniform)]
#[bind_group_data(ByColour)]
pub struct RiverWater {
    /// How the water colours what is below it.
    pub optics: WaterOptics,
    /// The steepness of ripples, 0 to 4; 1 is usual.
    pub steepness: f32,
    /// The origin of the world in steps of [`ORIGIN_STEP`](crate::base::origin::ORIGIN_STEP). The
    /// plugin writes it, so that ripples stay in place when the origin moves.
    pub origin: [i64; 2],
    /// The depth of what is drawn before the water. The plugin writes it.
    #[texture(101, sample_type = "float", filterable = false)]
    pub scene_depth: Option<Handle<Image>>,
    /// The haze of the atmosphere. The plugin writes it.
    #[texture(102)]
    #[sampler(103)]
    pub haze: Option<Handle<Image>>,
    /// The rings that spread on it. The plugin writes them.
    #[uniform(104)]
    #[reflect(ignore)]
    pub rings: WaterRings,
    /// Whether the device blends with a factor for each colour. The plugin writes it.
    pub by_colour: bool,
}

impl Default for RiverWater {
    fn default() -> Self {
        Self {
            optics: WaterOptics::RIVER,
            steepness: 1.0,
            origin: [0; 2],
            scene_depth: None,
            haze: None,
            rings: WaterRings::default(),
            by_colour: false,
        }
    }
}

/// [`RiverWater`] in the format of `currents.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct RiverUniform {
    optics: OpticsUniform,
    settings: Vec4,
    origin: IVec4,
}

impl AsBindGroupShaderType<RiverUniform> for RiverWater {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> RiverUniform {
        RiverUniform {
            optics: self.optics.uniform(),
            settings: Vec4::new(self.steepness.clamp(0.0, 4.0), 0.0, 0.0, 0.0),
            origin: steps_uniform(self.origin),
        }
    }
}

water!(RiverWater, "currents.wgsl", |_| {});

/// The material of all rivers and lakes. Change the asset to change how they look.
#[derive(Resource, Clone, Debug)]
pub struct RiverAppearance(pub Handle<RiverMaterial>);

impl FromWorld for RiverAppearance {
    fn from_world(world: &mut World) -> Self {
        let material = RiverMaterial { base: surface(), extension: RiverWater::default() };
        Self(world.resource_mut::<Assets<RiverMaterial>>().add(material))
    }
}

pub(crate) fn build(app: &mut App) {
    embedded_asset!(app, "currents.wgsl");
    app.add_plugins(MaterialPlugin::<RiverMaterial>::default())
        .init_resource::<RiverAppearance>()
        .add_observer(on_water_added)
        .add_systems(StreamTerrain, follow.after(FitScene).in_set(TerrainSystems::Follow));
}

fn on_water_added(
    event: On<Add, ChunkWater>,
    mut commands: Commands,
    rivers: Res<RiverAppearance>,
) {
    let material = MeshMaterial3d(rivers.0.clone());
    commands.entity(event.entity).try_insert((material, NeverCasts));
}

/// Passes the origin, the scene and rings to the ripples.
fn follow(
    rivers: Res<RiverAppearance>,
    (origin, scene, rings): (Res<TerrainOrigin>, Res<Scene>, Res<Rings>),
    mut materials: ResMut<Assets<RiverMaterial>>,
) {
    update(&mut materials, &rivers.0, &scene, |water| {
        water.origin = steps(&origin);
        water.rings = rings.uniform(&origin);
    });
}
