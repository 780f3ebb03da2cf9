//! The sea: a plane at the sea level of a terrain, which the vertex shader centres on the camera of
//! each view.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, RenderAssetUsages, embedded_asset};
use bevy_camera::visibility::NoFrustumCulling;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{IVec4, Vec3, Vec4};
use bevy_mesh::{Indices, Mesh, Mesh3d, MeshVertexBufferLayoutRef, PrimitiveTopology};
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
use bevy_transform::components::Transform;

use super::optics::{ByColour, OpticsUniform, WaterOptics, blend, surface};
use super::scene::{FitScene, Scene, reads_scene};
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, NeverCasts, OutlastsDevice};
use crate::base::origin::{ORIGIN_STEP, TerrainOrigin};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::lod::viewer::TerrainViewer;
use crate::query::adopted_ground::AdoptedGround;
use crate::render::wind::TerrainWind;
use crate::streaming::components::ShownAppearance;
use crate::terrain::Terrain;

/// The material of the sea: reflections, and what is seen through the water.
pub type SeaMaterial = ExtendedMaterial<StandardMaterial, Waves>;

/// The waves: octaves of 3D gradient noise, with time as the third dimension and exact normals.
/// Bevy's shader time wraps every hour; the waves jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, WavesUniform)]
#[bind_group_data(ByColour)]
pub struct Waves {
    /// How the water colours what is below it.
    pub optics: WaterOptics,
    /// The steepness over that which the wind gives, 0 to 2: 1 for the wind's own.
    pub steepness: f32,
    /// The wind. The plugin writes it.
    pub wind: TerrainWind,
    /// The origin of the world in steps of [`ORIGIN_STEP`]. The plugin writes it, so that waves
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

reads_scene!(Waves);

impl From<&Waves> for ByColour {
    fn from(waves: &Waves) -> Self {
        Self(waves.by_colour)
    }
}

impl Default for Waves {
    fn default() -> Self {
        Self {
            optics: WaterOptics::SEA,
            steepness: 1.0,
            wind: TerrainWind::default(),
            origin: [0; 2],
            scene_depth: None,
            haze: None,
            by_colour: false,
        }
    }
}

/// [`Waves`] in the format of `sea.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct WavesUniform {
    optics: OpticsUniform,
    waves: Vec4,
    origin: IVec4,
}

impl AsBindGroupShaderType<WavesUniform> for Waves {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> WavesUniform {
        let wind = self.wind.valid();
        let [cos, sin] = wind.direction();
        // A fresh breeze, of strength 0.5, gives 1.
        let steepness = self.steepness.clamp(0.0, 2.0) * 2.0 * wind.strength;
        // The shader only hashes products of these, so overflow does no harm.
        let [x, z] = self.origin.map(|steps| steps as i32);
        WavesUniform {
            optics: self.optics.uniform(),
            waves: Vec4::new(cos, sin, steepness.min(2.0), 0.0),
            origin: IVec4::new(x, z, 0, 0),
        }
    }
}

/// Added to the distance by which transparent meshes are sorted: the sea is drawn first, wherever
/// its middle is. What is above the water, or with the camera below it, is nearer than the surface.
const FIRST: f32 = -1e7;

impl MaterialExtension for Waves {
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
        // It is for sorting only.
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.bias.constant = 0;
        }
        Ok(())
    }
}

/// The surface of a terrain's sea, a child of the terrain. You may change its
/// `MeshMaterial3d<SeaMaterial>`.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[require(OutlastsDevice)]
#[reflect(Component, Debug, Clone)]
pub struct Sea;

/// The vertex shader and the fragment shader.
const SHADER: &str = "embedded://bevy_orogeny/water/sea.wgsl";
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
        let material = SeaMaterial { base, extension: Waves::default() };
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
/// origin, the wind and the scene to its waves. The vertex shader centres it on each view.
fn fit(
    viewers: Query<&TerrainViewer>,
    terrains: Query<&ShownAppearance, With<Terrain>>,
    mut seas: Query<(&ChildOf, &mut Transform, Option<&MeshMaterial3d<SeaMaterial>>), With<Sea>>,
    mut materials: ResMut<Assets<SeaMaterial>>,
    (origin, wind, scene): (Res<TerrainOrigin>, Res<TerrainWind>, Res<Scene>),
) {
    let range = viewers.iter().map(|viewer| viewer.range).fold(0.0, f64::max);
    let size = BEYOND * range as f32;
    let wind = wind.valid();
    let steps = origin.offset().map(|x| (x / ORIGIN_STEP) as i64);
    for (parent, mut transform, material) in &mut seas {
        let appearance = terrains.get(parent.0).ok().and_then(|shown| shown.0.as_ref());
        let Some(level) = appearance.and_then(|appearance| appearance.sea_level) else { continue };
        if size > 0.0 {
            transform.set_if_neq(
                Transform::from_xyz(0.0, level, 0.0).with_scale(Vec3::new(size, 1.0, size)),
            );
        }
        let Some(material) = material else { continue };
        let differs = |SeaMaterial { extension, .. }: &SeaMaterial| {
            extension.origin != steps || extension.wind != wind || scene.differs(extension)
        };
        if materials.get(&material.0).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.extension.origin = steps;
            material.extension.wind = wind;
            scene.write(&mut material.extension);
        }
    }
}
