//! What a camera sees below the surface of water.
//!
//! A veil covers its view: it takes from all that is drawn what the water absorbs, and adds what
//! the water scatters. Surfaces are drawn over it.
//!
//! A veil is drawn in the views of all cameras that are where it is and that see the layers of its
//! terrain. So of several cameras at one place, such as one for the arms of the player, one has its
//! veil lowered, for all of them.

use bevy_app::{App, PostUpdate};
use bevy_asset::{Asset, AssetEventSystems, Assets, Handle, RenderAssetUsages, embedded_asset};
use bevy_camera::Camera3d;
use bevy_camera::visibility::{
    InheritedVisibility, NoFrustumCulling, Visibility, VisibilitySystems,
};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy_light::NotShadowReceiver;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_pbr::{ExtendedMaterial, MaterialPlugin, MeshMaterial3d, StandardMaterial};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, CompareFunction, Extent3d, TextureDimension, TextureFormat,
};
use bevy_render::texture::GpuImage;
use bevy_transform::TransformSystems;
use bevy_transform::components::{GlobalTransform, Transform};
use orogeny::{Field, GradientNoise, Grid, Node};

use super::material::{ByColour, OpticsUniform, WaterOptics, surface, update, water};
use super::rivers::{RiverAppearance, RiverMaterial};
use super::scene::Scene;
use super::sea::{Sea, SeaMaterial};
use super::submerged::{EyeWater, Submerged, search, submerge, watch};
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, NeverCasts, OutlastsDevice};
use crate::base::schedule::TerrainSystems;
use crate::query::adopted_ground::AdoptedGround;
use crate::streaming::chunk_entity::ChunkWater;
use crate::terrain::Terrain;

/// The material of a [`Veil`].
type VeilMaterial = ExtendedMaterial<StandardMaterial, Absorption>;

/// The water of a veil.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, Default, PartialEq)]
#[uniform(100, OpticsUniform)]
#[bind_group_data(ByColour)]
struct Absorption {
    optics: WaterOptics,
    #[texture(101, sample_type = "float", filterable = false)]
    scene_depth: Option<Handle<Image>>,
    #[texture(102)]
    #[sampler(103)]
    haze: Option<Handle<Image>>,
    #[texture(104, dimension = "3d")]
    #[sampler(105)]
    noise: Option<Handle<Image>>,
    by_colour: bool,
}

impl AsBindGroupShaderType<OpticsUniform> for Absorption {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> OpticsUniform {
        self.optics.uniform()
    }
}

// The bias is for sorting only.
water!(Absorption, "below.wgsl", |depth| {
    depth.bias.constant = 0;
    depth.depth_compare = Some(CompareFunction::Always);
});

/// Added to the distance by which transparent meshes are sorted: veils are drawn before the sea.
const FIRST: f32 = -2e7;
/// What covers the view of a viewer below the surface: a child of a terrain. It is there above the
/// surface, too, where it covers nothing, so that its pipeline is ready when the viewer dives.
#[derive(Component)]
#[require(OutlastsDevice, NeverCasts, NotShadowReceiver, NoFrustumCulling)]
pub(super) struct Veil {
    viewer: Entity,
    /// Whether it covers anything.
    pub is_down: bool,
}

pub(super) fn build(app: &mut App) {
    embedded_asset!(app, "below.wgsl");
    app.add_plugins(MaterialPlugin::<VeilMaterial>::default())
        .register_type::<Submerged>()
        .init_resource::<VeilMesh>()
        .init_resource::<NoiseVolume>()
        .add_systems(
            PostUpdate,
            (watch, search, submerge, hang, lower)
                .chain()
                .in_set(TerrainSystems::ShowLate)
                .after(TransformSystems::Propagate)
                .before(VisibilitySystems::VisibilityPropagate)
                .before(AssetEventSystems)
                // Who reads transforms there, such as gizmos of lights, reads those of no veil.
                .ambiguous_with_all(),
        );
}

/// The mesh of all veils: a triangle in clip space that covers the view.
#[derive(Resource)]
struct VeilMesh(Handle<Mesh>);

impl FromWorld for VeilMesh {
    fn from_world(world: &mut World) -> Self {
        let corners = vec![[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; 3])
            .with_inserted_indices(Indices::U32(vec![0, 1, 2]));
        Self(world.resource_mut::<Assets<Mesh>>().add(mesh))
    }
}

/// Hangs a veil before each camera if there is any water, and removes those of other cameras.
fn hang(
    mut commands: Commands,
    viewers: Query<(Entity, &EyeWater), With<Camera3d>>,
    terrains: Query<(Entity, &AdoptedGround), With<Terrain>>,
    water: Query<(), Or<(With<Sea>, With<ChunkWater>)>>,
    veils: Query<(Entity, &Veil)>,
    (mesh, noise): (Res<VeilMesh>, Res<NoiseVolume>),
    mut materials: ResMut<Assets<VeilMaterial>>,
) {
    for (entity, veil) in &veils {
        if water.is_empty() || !viewers.contains(veil.viewer) {
            commands.entity(entity).try_despawn();
        }
    }
    if water.is_empty() {
        return;
    }
    let any = || terrains.iter().find(|(_, ground)| ground.position.is_some());
    for (viewer, eye) in &viewers {
        if veils.iter().any(|(_, veil)| veil.viewer == viewer) {
            continue;
        }
        let own = eye.found.map(|found| found.water.terrain).filter(|own| terrains.contains(*own));
        let Some(terrain) = own.or_else(|| any().map(|(terrain, _)| terrain)) else { continue };
        let base = StandardMaterial { depth_bias: FIRST, ..surface() };
        let extension = Absorption { noise: Some(noise.0.clone()), ..Absorption::default() };
        commands.spawn((
            Veil { viewer, is_down: false },
            derived("Water before the camera"),
            Mesh3d(mesh.0.clone()),
            MeshMaterial3d(materials.add(VeilMaterial { base, extension })),
            Visibility::Visible,
            DrawnFor(terrain),
            ChildOf(terrain),
        ));
    }
}

/// How far above a surface parts of a view can be below it: farther than near planes are.
const MARGIN: f64 = 2.0;
/// Added to the height of a surface above the camera, as in `below.wgsl`.
const OFFSET: f32 = 1000.0;
/// How far from its place a veil covers views, in metres, as there.
const SAME_PLACE: f32 = 0.01;

type VeilParts = (
    &'static mut Veil,
    &'static ChildOf,
    &'static MeshMaterial3d<VeilMaterial>,
    &'static mut Transform,
    &'static mut GlobalTransform,
);

/// Lowers the veils of viewers that are in water, one at each place, and gives them its optics.
fn lower(
    viewers: Query<(&GlobalTransform, &EyeWater), Without<Veil>>,
    parents: Query<&GlobalTransform, Without<Veil>>,
    mut veils: Query<VeilParts>,
    seas: Query<(&ChildOf, &MeshMaterial3d<SeaMaterial>), With<Sea>>,
    shown: Query<&InheritedVisibility, With<Terrain>>,
    (rivers, scene): (Res<RiverAppearance>, Res<Scene>),
    (sea_materials, river_materials): (Res<Assets<SeaMaterial>>, Res<Assets<RiverMaterial>>),
    mut materials: ResMut<Assets<VeilMaterial>>,
    mut covered: Local<Vec<Vec3>>,
) {
    covered.clear();
    for (mut veil, parent, material, mut transform, mut global) in &mut veils {
        let Ok((eye_transform, eye)) = viewers.get(veil.viewer) else { continue };
        let eye_translation = eye_transform.translation();
        let height = f64::from(eye_translation.y);
        let is_shown = |water: &Submerged| shown.get(water.terrain).is_ok_and(|shown| shown.get());
        let is_covered = covered.iter().any(|other| other.distance(eye_translation) < SAME_PLACE);
        let water = eye.at(height, MARGIN).filter(is_shown).filter(|_| !is_covered);
        if water.is_some() {
            covered.push(eye_translation);
        }
        veil.is_down = water.is_some();
        let mut optics = None;
        let mut place = Transform::from_scale(Vec3::new(1.0, 0.5 * OFFSET, 1.0));
        if let Some(water) = water {
            place = Transform::from_translation(eye_translation).with_scale(Vec3::new(
                1.0,
                OFFSET + (water.surface - height) as f32,
                1.0,
            ));
            optics = if water.is_sea {
                let own = seas.iter().find(|(parent, _)| parent.0 == water.terrain);
                own.and_then(|(_, sea)| Some(sea_materials.get(&sea.0)?.extension.optics))
            } else {
                river_materials.get(&rivers.0).map(|material| material.extension.optics)
            };
        }
        // Transforms are propagated already. A veil has the same place whatever its parent's is.
        let base = parents.get(parent.0).map_or(Vec3::ZERO, GlobalTransform::translation);
        transform.set_if_neq(place.with_translation(place.translation - base));
        global.set_if_neq(GlobalTransform::from(place));
        update(&mut materials, &material.0, &scene, |water| {
            water.optics = optics.unwrap_or(water.optics);
        });
    }
}

/// The cells along each side, after which it repeats, as in `below.wgsl`.
const CELLS: u32 = 8;
/// The texels along each side.
const TEXELS: usize = 64;

/// Gradient noise in a cube that repeats: 0 for -1, 1 for 1. Sampling it costs a fraction of
/// computing it for each pixel.
#[derive(Resource)]
struct NoiseVolume(Handle<Image>);

impl FromWorld for NoiseVolume {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<Image>>().add(noise()))
    }
}

fn noise() -> Image {
    let side = TEXELS as u32;
    let size = Extent3d { width: side, height: side, depth_or_array_layers: side };
    let usages = RenderAssetUsages::default();
    let format = TextureFormat::R8Unorm;
    let mut image = Image::new(size, TextureDimension::D3, texels(), format, usages);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        address_mode_w: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

fn texels() -> Vec<u8> {
    let noise = GradientNoise { period: [CELLS; 3], ..Default::default() };
    let noise = Node::<3>::from(noise).build().expect("a valid noise");
    let grid = Grid::new([0.0; 3], f64::from(CELLS) / TEXELS as f64, [TEXELS; 3]);
    let mut values = vec![0.0; grid.len()];
    noise.value_grid(&grid, &mut values);
    values
        .into_iter()
        .map(|value| (127.5 * (value + 1.0)).round().clamp(0.0, 255.0) as u8)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbours across the border of the cube differ no more than others do.
    #[test]
    fn the_cube_repeats_without_a_seam() {
        let texels = texels();
        let at = |x: usize, y: usize, z: usize| {
            f32::from(texels[x % TEXELS + TEXELS * (y % TEXELS + TEXELS * (z % TEXELS))])
        };
        let steepest = |x: usize| {
            (0..TEXELS * TEXELS)
                .map(|i| (i % TEXELS, i / TEXELS))
                .map(|(y, z)| (at(x, y, z) - at(x + 1, y, z)).abs())
                .fold(0.0, f32::max)
        };
        let inside = (0..TEXELS - 1).map(steepest).fold(0.0, f32::max);
        assert!(steepest(TEXELS - 1) <= inside && inside < 60.0, "{inside}");
        let [min, max] = [*texels.iter().min().unwrap(), *texels.iter().max().unwrap()];
        assert!(min < 60 && max > 195, "{min} to {max}");
    }
}
