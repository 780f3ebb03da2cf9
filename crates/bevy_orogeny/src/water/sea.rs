//! The sea: a plane at the sea level of a terrain, which the vertex shader centres on the camera of
//! each view.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, RenderAssetUsages, embedded_asset};
use bevy_camera::visibility::NoFrustumCulling;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{IVec4, Vec3, Vec4};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_pbr::{ExtendedMaterial, MaterialPlugin, MeshMaterial3d, StandardMaterial};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{AsBindGroup, AsBindGroupShaderType, ShaderType};
use bevy_render::texture::GpuImage;
use bevy_transform::components::Transform;

use super::material::{
    ByColour, OpticsUniform, WaterOptics, steps, steps_uniform, surface, update, water,
};
use super::rings::{Rings, WaterRings};
use super::scene::{FitScene, Scene};
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, NeverCasts, OutlastsDevice};
use crate::base::origin::TerrainOrigin;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::lod::viewer::TerrainViewer;
use crate::query::adopted_ground::AdoptedGround;
use crate::render::wind::TerrainWind;
use crate::streaming::components::ShownAppearance;
use crate::terrain::Terrain;

/// The material of the sea: reflections, and what is seen through the water.
pub type SeaMaterial = ExtendedMaterial<StandardMaterial, SeaWater>;

/// The waves: octaves of 3D gradient noise, with time as the third dimension and exact normals.
/// Bevy's shader time wraps every hour; the waves jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, SeaUniform)]
#[bind_group_data(ByColour)]
pub struct SeaWater {
    /// How the water colours what is below it.
    pub optics: WaterOptics,
    /// The steepness over that which the wind gives, 0 to 2: 1 for the wind's own.
    pub steepness: f32,
    /// The wind. The plugin writes it.
    pub wind: TerrainWind,
    /// The origin of the world in steps of [`ORIGIN_STEP`](crate::base::origin::ORIGIN_STEP). The
    /// plugin writes it, so that waves stay in place when the origin moves.
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

impl Default for SeaWater {
    fn default() -> Self {
        Self {
            optics: WaterOptics::SEA,
            steepness: 1.0,
            wind: TerrainWind::default(),
            origin: [0; 2],
            scene_depth: None,
            haze: None,
            rings: WaterRings::default(),
            by_colour: false,
        }
    }
}

/// [`SeaWater`] in the format of `sea.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct SeaUniform {
    optics: OpticsUniform,
    travel: Vec4,
    origin: IVec4,
}

impl AsBindGroupShaderType<SeaUniform> for SeaWater {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> SeaUniform {
        let wind = self.wind.valid();
        let [cos, sin] = wind.direction();
        // A fresh breeze, of strength 0.5, gives 1.
        let steepness = self.steepness.clamp(0.0, 2.0) * 2.0 * wind.strength;
        SeaUniform {
            optics: self.optics.uniform(),
            travel: Vec4::new(cos, sin, steepness.min(2.0), 0.0),
            origin: steps_uniform(self.origin),
        }
    }
}

// The bias is for sorting only.
water!(SeaWater, "sea.wgsl", |depth| depth.bias.constant = 0);

/// Added to the distance by which transparent meshes are sorted: the sea is drawn first, wherever
/// its middle is. What is above the water, or with the camera below it, is nearer than the surface.
const FIRST: f32 = -1e7;

/// The surface of a terrain's sea, a child of the terrain. You may change its
/// `MeshMaterial3d<SeaMaterial>`.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[require(OutlastsDevice)]
#[reflect(Component, Debug, Clone)]
pub struct Sea;

/// Half the width of the sea in viewer ranges: enough for it to reach the horizon of a high camera.
const BEYOND: f32 = 4.0;

pub(crate) fn build(app: &mut App) {
    embedded_asset!(app, "sea.wgsl");
    app.add_plugins(MaterialPlugin::<SeaMaterial>::default())
        .register_type::<Sea>()
        .init_resource::<Plane>()
        .add_systems(
            StreamTerrain,
            (spread, fit).chain().after(FitScene).in_set(TerrainSystems::Follow),
        );
}

/// The mesh that all seas share.
#[derive(Resource)]
struct Plane(Handle<Mesh>);

impl FromWorld for Plane {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<Mesh>>().add(plane()))
    }
}

/// A square with sides of 2, with vertices denser towards the middle, so that interpolated
/// positions are precise near the camera.
fn plane() -> Mesh {
    const RINGS: i32 = 16;
    let line: Vec<f32> = (-RINGS..=RINGS)
        .map(|i| if i == 0 { 0.0 } else { i.signum() as f32 * f32::exp2((i.abs() - RINGS) as f32) })
        .collect();
    let side = line.len() as u32;
    let positions: Vec<[f32; 3]> =
        line.iter().flat_map(|&z| line.iter().map(move |&x| [x, 0.0, z])).collect();
    let cells = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| j * side + i));
    let indices = cells.flat_map(|a| [a, a + side, a + 1, a + 1, a + side, a + side + 1]);
    // It stays in memory, in case the device is lost.
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; positions.len()])
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices.collect()))
}

/// Spawns a sea for each terrain with a sea level, and despawns seas of other terrains.
fn spread(
    mut commands: Commands,
    terrains: Query<(Entity, &AdoptedGround, &ShownAppearance), With<Terrain>>,
    seas: Query<(Entity, &ChildOf), With<Sea>>,
    plane: Res<Plane>,
    mut materials: ResMut<Assets<SeaMaterial>>,
) {
    let wet = |ground: &AdoptedGround, shown: &ShownAppearance| {
        ground.position.is_some()
            && shown.0.as_ref().is_some_and(|appearance| appearance.sea_level.is_some())
    };
    for (sea, terrain) in &seas {
        if !terrains.get(terrain.0).is_ok_and(|(_, ground, shown)| wet(ground, shown)) {
            commands.entity(sea).try_despawn();
        }
    }
    for (entity, ..) in terrains.iter().filter(|(_, ground, shown)| wet(ground, shown)) {
        if seas.iter().any(|(_, terrain)| terrain.0 == entity) {
            continue;
        }
        let base = StandardMaterial { depth_bias: FIRST, ..surface() };
        let material = SeaMaterial { base, extension: SeaWater::default() };
        commands.spawn((
            Sea,
            derived("Sea"),
            Mesh3d(plane.0.clone()),
            MeshMaterial3d(materials.add(material)),
            NeverCasts,
            NoFrustumCulling,
            DrawnFor(entity),
            ChildOf(entity),
        ));
    }
}

/// Moves each sea to its level, scales it for the viewer with the longest range, and passes the
/// origin, the wind, the scene and rings to its waves. The vertex shader centres it on each view.
fn fit(
    viewers: Query<&TerrainViewer>,
    terrains: Query<&ShownAppearance, With<Terrain>>,
    mut seas: Query<(&ChildOf, &mut Transform, Option<&MeshMaterial3d<SeaMaterial>>), With<Sea>>,
    mut materials: ResMut<Assets<SeaMaterial>>,
    (origin, wind): (Res<TerrainOrigin>, Res<TerrainWind>),
    (scene, rings): (Res<Scene>, Res<Rings>),
) {
    let range = viewers.iter().map(|viewer| viewer.range).fold(0.0, f64::max);
    let size = BEYOND * range as f32;
    let wind = wind.valid();
    let steps = steps(&origin);
    for (parent, mut transform, material) in &mut seas {
        let appearance = terrains.get(parent.0).ok().and_then(|shown| shown.0.as_ref());
        let Some(level) = appearance.and_then(|appearance| appearance.sea_level) else { continue };
        if size > 0.0 {
            transform.set_if_neq(
                Transform::from_xyz(0.0, level, 0.0).with_scale(Vec3::new(size, 1.0, size)),
            );
        }
        let Some(material) = material else { continue };
        update(&mut materials, &material.0, &scene, |water| {
            water.origin = steps;
            water.wind = wind;
            water.rings = rings.uniform(&origin);
        });
    }
}
