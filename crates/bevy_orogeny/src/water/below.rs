//! What a camera sees below the surface of water.
//!
//! A veil covers its view: it takes from all that is drawn what the water absorbs, and adds what
//! the water scatters. Surfaces are drawn over it.

use bevy_app::{App, PostUpdate};
use bevy_asset::{Asset, AssetEventSystems, Assets, Handle, RenderAssetUsages, embedded_asset};
use bevy_camera::Camera3d;
use bevy_camera::visibility::{NoFrustumCulling, Visibility, VisibilitySystems};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_light::NotShadowReceiver;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, Mesh3d, MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    MaterialPlugin, MeshMaterial3d, StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, CompareFunction, RenderPipelineDescriptor,
    SpecializedMeshPipelineError,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;
use bevy_tasks::{Task, futures::check_ready};
use bevy_transform::TransformSystems;
use bevy_transform::components::{GlobalTransform, Transform};
use orogeny::drainage::WaterKind;

use super::currents::{RiverLook, RiverMaterial};
use super::noise_volume::NoiseVolume;
use super::optics::{ByColour, OpticsUniform, WaterOptics, blend, surface};
use super::scene::{Scene, reads_scene};
use super::sea::{Sea, SeaMaterial};
use crate::lod::viewer::TerrainViewer;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;
use crate::streaming::chunk_entity::ChunkWater;
use crate::streaming::derived::derived;
use crate::streaming::drawn_for::{DrawnFor, NeverCasts, OutlastsDevice};
use crate::streaming::origin::TerrainOrigin;
use crate::streaming::schedule::TerrainSystems;
use crate::terrain::Terrain;

/// On a viewer whose eye is below the surface of water: a game may muffle its sounds.
///
/// Over rivers the water is searched on a task, so this follows the camera some frames later.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct Submerged {
    /// The terrain whose water it is.
    pub terrain: Entity,
    /// The height of the surface in the world, in metres.
    pub surface: f64,
    /// Whether it is the sea; otherwise it is a river, a lake or a flood.
    pub is_sea: bool,
}

/// The water above or below an eye, and the height of its bed in the world.
#[derive(Clone, Copy)]
struct Found {
    water: Submerged,
    bed: f64,
}

/// The water at the place of a viewer, as far as is known.
#[derive(Component, Default)]
struct EyeWater {
    found: Option<Found>,
    /// Where that is: (x, z) in the world. `None` if the ground has changed since.
    place: Option<[f64; 2]>,
    search: Option<([f64; 2], Task<Option<Found>>)>,
}

/// The material of a [`Veil`].
pub(super) type VeilMaterial = ExtendedMaterial<StandardMaterial, Absorption>;

/// The water of a veil.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, Default, PartialEq)]
#[uniform(100, OpticsUniform)]
#[bind_group_data(ByColour)]
pub(super) struct Absorption {
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

reads_scene!(Absorption);

impl From<&Absorption> for ByColour {
    fn from(absorption: &Absorption) -> Self {
        Self(absorption.by_colour)
    }
}

impl AsBindGroupShaderType<OpticsUniform> for Absorption {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> OpticsUniform {
        self.optics.uniform()
    }
}

/// Added to the distance by which transparent meshes are sorted: veils are drawn before the sea.
const FIRST: f32 = -2e7;
const SHADER: &str = "embedded://bevy_orogeny/water/below.wgsl";

impl MaterialExtension for Absorption {
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
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.bias.constant = 0;
            depth.depth_compare = Some(CompareFunction::Always);
        }
        Ok(())
    }
}

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
    app.register_required_components::<TerrainViewer, EyeWater>();
    app.add_plugins(MaterialPlugin::<VeilMaterial>::default())
        .register_type::<Submerged>()
        .init_resource::<VeilMesh>()
        .init_resource::<NoiseVolume>()
        .add_systems(
            PostUpdate,
            (search, submerge, hang, lower)
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

type Ground = (Entity, Ref<'static, AdoptedGround>);

/// Searches the water at each viewer that has moved, or after the ground has changed.
fn search(
    mut viewers: Query<(&GlobalTransform, &mut EyeWater), (With<TerrainViewer>, With<Camera3d>)>,
    terrains: Query<Ground, With<Terrain>>,
    origin: Res<TerrainOrigin>,
) {
    let changed = terrains.iter().any(|(_, ground)| ground.is_changed());
    for (transform, mut eye) in &mut viewers {
        // Reading it must not count as a change.
        let eye = eye.bypass_change_detection();
        if changed {
            eye.place = None;
        }
        if let Some((place, task)) = &mut eye.search {
            let Some(found) = check_ready(task) else { continue };
            // If the ground has changed meanwhile, it is searched again.
            eye.place = Some(*place);
            eye.found = found;
            eye.search = None;
        }
        let [x, _, z] = origin.position(transform.translation());
        if eye.place == Some([x, z]) || !(x.is_finite() && z.is_finite()) {
            continue;
        }
        let grounds: Vec<_> = terrains
            .iter()
            .filter_map(|(terrain, ground)| {
                Some((terrain, ground.newest()?.clone(), ground.position?))
            })
            .collect();
        let has_rivers = grounds.iter().any(|(_, ground, _)| ground.rivers().is_some());
        let find = move || highest(&grounds, [x, z]);
        if has_rivers {
            // Those of a place that nobody has seen yet take seconds.
            eye.search = Some(([x, z], slices::spawn(async move { find() })));
        } else {
            (eye.place, eye.found) = (Some([x, z]), find());
        }
    }
}

/// The water with the highest surface at a place (x, z) in the world.
fn highest(grounds: &[(Entity, GroundQuery, [f64; 3])], [x, z]: [f64; 2]) -> Option<Found> {
    let waters = grounds.iter().filter_map(|(terrain, ground, position)| {
        let water = ground.water([x - position[0], z - position[2]]).ok().flatten()?;
        let surface = position[1] + water.surface;
        let is_sea = water.kind == WaterKind::Sea;
        let bed = surface - water.depth;
        Some(Found { water: Submerged { terrain: *terrain, surface, is_sea }, bed })
    });
    waters.reduce(|one, other| if other.water.surface > one.water.surface { other } else { one })
}

/// How far below a bed a camera may be that sees the water: the ground that is drawn is not exact.
const BELOW_BED: f64 = 1.0;

impl EyeWater {
    /// The water that an eye at a height is in, or that is at most so far below it.
    fn at(&self, height: f64, margin: f64) -> Option<Submerged> {
        let Found { water, bed } = self.found?;
        (height < water.surface + margin && height > bed - BELOW_BED).then_some(water)
    }
}

/// Tells games which viewers are below a surface.
fn submerge(
    mut commands: Commands,
    viewers: Query<(Entity, &GlobalTransform, &EyeWater, Option<&Submerged>)>,
) {
    for (viewer, transform, eye, old) in &viewers {
        let new = eye.at(f64::from(transform.translation().y), 0.0);
        match new {
            Some(new) if old != Some(&new) => {
                commands.entity(viewer).try_insert(new);
            }
            None if old.is_some() => {
                commands.entity(viewer).try_remove::<Submerged>();
            }
            _ => {}
        }
    }
}

/// Hangs a veil before each viewer if there is any water, and removes those of other viewers.
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

type VeilParts = (
    &'static mut Veil,
    &'static ChildOf,
    &'static MeshMaterial3d<VeilMaterial>,
    &'static mut Transform,
    &'static mut GlobalTransform,
);

/// Lowers the veils of viewers that are in water, and gives them its optics.
fn lower(
    viewers: Query<(&GlobalTransform, &EyeWater), Without<Veil>>,
    parents: Query<&GlobalTransform, Without<Veil>>,
    mut veils: Query<VeilParts>,
    seas: Query<(&ChildOf, &MeshMaterial3d<SeaMaterial>), With<Sea>>,
    (look, scene): (Res<RiverLook>, Res<Scene>),
    (sea_materials, river_materials): (Res<Assets<SeaMaterial>>, Res<Assets<RiverMaterial>>),
    mut materials: ResMut<Assets<VeilMaterial>>,
) {
    for (mut veil, parent, material, mut transform, mut global) in &mut veils {
        let Ok((eye_transform, eye)) = viewers.get(veil.viewer) else { continue };
        let eye_translation = eye_transform.translation();
        let height = f64::from(eye_translation.y);
        let water = eye.at(height, MARGIN);
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
                river_materials.get(&look.0).map(|material| material.extension.optics)
            };
        }
        // Transforms are propagated already. A veil has the same place whatever its parent's is.
        let base = parents.get(parent.0).map_or(Vec3::ZERO, GlobalTransform::translation);
        transform.set_if_neq(place.with_translation(place.translation - base));
        global.set_if_neq(GlobalTransform::from(place));
        let differs = |VeilMaterial { extension, .. }: &VeilMaterial| {
            scene.differs(extension) || optics.is_some_and(|optics| extension.optics != optics)
        };
        if materials.get(&material.0).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            scene.write(&mut material.extension);
            material.extension.optics = optics.unwrap_or(material.extension.optics);
        }
    }
}
