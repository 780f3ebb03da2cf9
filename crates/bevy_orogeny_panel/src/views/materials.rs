//! The materials of debug views, geomorphing chunks coloured by `debug.wgsl`: replaces those of
//! terrains, and restores them.

use bevy::ecs::archetype::Archetype;
use bevy::ecs::component::{ComponentId, Components};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
};
use bevy::prelude::*;
use bevy::reflect::TypeRegistry;
use bevy::render::render_resource::{
    AsBindGroup, PolygonMode, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use bevy_orogeny::advanced::{Chunk, Layout, geomorph};
use bevy_orogeny::{Terrain, TerrainQuality, TerrainViewer};

use super::DebugView;
use crate::viewer::pixels_per_radian;

/// The number of levels with a colour of their own. Coarser levels are wider than any view.
const LEVELS: u8 = 24;

/// The error of the first material of the view of errors, in metres. That of each next one is twice
/// as large.
const LEAST_ERROR: f32 = 1.0 / 1024.0;

pub type DebugMaterial = ExtendedMaterial<StandardMaterial, Debug>;

/// The parameters of `debug.wgsl` for one level, or for chunks of similar errors.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
#[bind_group_data(Fill)]
pub struct Debug {
    #[uniform(100)]
    pub uniform: DebugUniform,
}

/// The uniform of `debug.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct DebugUniform {
    /// Metres along a side of a chunk.
    pub size: f32,
    /// The distance in metres at which the chunk's error is as large as the viewer allows.
    pub reach: f32,
    /// The number of the view.
    pub kind: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fill {
    Triangles,
    Edges,
}

impl From<&Debug> for Fill {
    fn from(debug: &Debug) -> Self {
        let edges = debug.uniform.kind == DebugView::Wireframe as u32;
        if edges { Self::Edges } else { Self::Triangles }
    }
}

impl MaterialExtension for Debug {
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
        "embedded://bevy_orogeny_panel/views/debug.wgsl".into()
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
        if key.bind_group_data == Fill::Edges {
            descriptor.primitive.polygon_mode = PolygonMode::Line;
        }
        geomorph::specialize(descriptor, layout)
    }
}

/// Marks a terrain that a debug view draws.
#[derive(Component)]
pub struct DebugMaterials {
    view: DebugView,
    layout: Layout,
    /// A child of the terrain that stores the terrain's own materials, whatever their types.
    keeper: Entity,
    /// The debug materials: one for each level, the finest first, or for the view of errors from
    /// [`LEAST_ERROR`] on.
    levels: Vec<Handle<DebugMaterial>>,
}

/// The colour of a level. Consecutive levels have very different hues.
pub fn level_color(level: usize) -> Color {
    Color::hsl(level as f32 * 137.5 % 360.0, 0.55, 0.5)
}

/// Applies the current view to every terrain. Terrains without a material wait until they have one.
pub fn change(
    mut commands: Commands,
    view: Res<DebugView>,
    mut materials: ResMut<Assets<DebugMaterial>>,
    terrains: Query<(
        Entity,
        &Terrain,
        &Archetype,
        Option<&DebugMaterials>,
        Has<MeshMaterial3d<DebugMaterial>>,
    )>,
    components: &Components,
    registry: Res<AppTypeRegistry>,
) {
    for (entity, terrain, archetype, debug, in_debug) in &terrains {
        let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
        let keeper = match debug {
            // The game has changed the terrain's material since then: store the new one.
            Some(debug) if !in_debug => {
                commands.entity(debug.keeper).despawn();
                commands.entity(entity).remove::<DebugMaterials>();
                None
            }
            Some(debug) if *view == DebugView::Ground => {
                restore(&mut commands, entity, debug.keeper);
                None
            }
            Some(debug) if debug.view == *view && debug.layout == layout => continue,
            Some(debug) => Some(debug.keeper),
            None => None,
        };
        if *view == DebugView::Ground {
            continue;
        }
        let keeper = match keeper {
            Some(keeper) => keeper,
            None => {
                let own = own_materials(archetype, components, &registry.read());
                if own.is_empty() {
                    continue;
                }
                keep(&mut commands, entity, own)
            }
        };
        let uniform = |level| DebugUniform {
            size: layout.size(level) as f32,
            reach: 0.0,
            kind: *view as u32,
        };
        // New materials for every view, since a wireframe has another pipeline.
        let levels: Vec<_> =
            (0..LEVELS).map(|level| materials.add(material(level, uniform(level)))).collect();
        commands.entity(entity).insert((
            MeshMaterial3d(levels[0].clone()),
            DebugMaterials { view: *view, layout, keeper, levels },
        ));
    }
}

/// The terrain's `MeshMaterial3d` components except that of debug views. Bevy's `MaterialPlugin`
/// registers their types.
fn own_materials(
    archetype: &Archetype,
    components: &Components,
    registry: &TypeRegistry,
) -> Vec<ComponentId> {
    let debug = components.component_id::<MeshMaterial3d<DebugMaterial>>();
    let is_material = |id: &ComponentId| {
        let type_id = components.get_info(*id).and_then(|info| info.type_id());
        let info = type_id.and_then(|type_id| registry.get_type_info(type_id));
        info.map(|info| info.type_path_table()).is_some_and(|path| {
            path.crate_name() == Some("bevy_pbr") && path.ident() == Some("MeshMaterial3d")
        })
    };
    archetype.iter_components().filter(|id| Some(*id) != debug && is_material(id)).collect()
}

/// Copies materials of a terrain to a new child.
fn keep(commands: &mut Commands, terrain: Entity, own: Vec<ComponentId>) -> Entity {
    let keeper = commands.spawn((Keeper(own.clone()), ChildOf(terrain))).id();
    commands.entity(terrain).clone_with_opt_in(keeper, move |builder| {
        builder.allow_by_ids(own);
    });
    keeper
}

/// The materials that a child stores for its terrain.
#[derive(Component)]
struct Keeper(Vec<ComponentId>);

/// Restores a terrain's own materials.
fn restore(commands: &mut Commands, terrain: Entity, keeper: Entity) {
    commands.entity(keeper).queue(move |mut keeper: EntityWorldMut| {
        if let Some(Keeper(own)) = keeper.take() {
            keeper.clone_with_opt_in(terrain, move |builder| {
                builder.allow_by_ids(own);
            });
        }
        keeper.despawn();
    });
    commands.entity(terrain).remove::<DebugMaterials>();
}

fn material(level: u8, uniform: DebugUniform) -> DebugMaterial {
    let base = StandardMaterial {
        base_color: level_color(level.into()),
        perceptual_roughness: 0.95,
        reflectance: 0.2,
        ..default()
    };
    DebugMaterial { base, extension: Debug { uniform } }
}

/// Gives each chunk that has the terrain's debug material that of its level or its error. Others
/// keep the one before, until the renderer can draw with this one.
pub fn color(
    terrains: Query<&DebugMaterials>,
    mut chunks: Query<
        (&Chunk, &mut MeshMaterial3d<DebugMaterial>),
        Changed<MeshMaterial3d<DebugMaterial>>,
    >,
) {
    for (chunk, mut material) in &mut chunks {
        let Ok(debug) = terrains.get(chunk.terrain) else { continue };
        let index = match debug.view {
            DebugView::Error => (chunk.error / LEAST_ERROR).log2().round().max(0.0) as usize,
            _ => chunk.key.lod.into(),
        };
        if let Some(level) = debug.levels.get(index.min(debug.levels.len() - 1))
            && material.0 != *level
            && Some(&material.0) == debug.levels.first()
        {
            material.0 = level.clone();
        }
    }
}

/// Sets in the materials of the view of errors the distance at which an error is as large as the
/// viewer allows.
pub fn set_reaches(
    mut materials: ResMut<Assets<DebugMaterial>>,
    terrains: Query<&DebugMaterials>,
    viewers: Query<(&TerrainViewer, Option<(&Camera, &Projection)>)>,
    quality: Res<TerrainQuality>,
) {
    let Some((viewer, camera)) = viewers.iter().next() else { return };
    let errors_per_radian =
        pixels_per_radian(camera) / (viewer.pixel_error * quality.clamped().coarseness);
    for debug in terrains.iter().filter(|debug| debug.view == DebugView::Error) {
        for (index, handle) in (0..).zip(&debug.levels) {
            let reach = LEAST_ERROR * (index as f32).exp2() * errors_per_radian as f32;
            let differs = |material: &DebugMaterial| material.extension.uniform.reach != reach;
            if materials.get(handle).is_some_and(differs)
                && let Some(mut material) = materials.get_mut(handle)
            {
                material.extension.uniform.reach = reach;
            }
        }
    }
}
