//! Other ways to look at the terrain: its levels of detail in colours, and their triangles.

use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    MaterialPlugin,
};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, PolygonMode, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use bevy_orogeny::{Chunk, Terrain, TerrainMaterial, TerrainMaterialPlugin, geomorph};
use clap::ValueEnum;

const NEXT: KeyCode = KeyCode::KeyV;

/// What the ground is drawn as.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// As ground.
    #[default]
    Ground,
    /// Each level of detail in a colour of its own
    Levels,
    /// The edges of the triangles, in the colours of their levels
    Wireframe,
}

type LevelMaterial = ExtendedMaterial<StandardMaterial, Plain>;

/// Chunks that geomorph and are drawn in the colours of a `StandardMaterial`.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
#[bind_group_data(Fill)]
struct Plain {
    fill: Fill,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
enum Fill {
    Triangles,
    Edges,
}

impl From<&Plain> for Fill {
    fn from(plain: &Plain) -> Self {
        plain.fill
    }
}

impl MaterialExtension for Plain {
    fn vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
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

/// The materials of each view, the finest level first.
#[derive(Resource)]
struct Materials {
    ground: Option<Handle<TerrainMaterial>>,
    levels: Vec<Handle<LevelMaterial>>,
    edges: Vec<Handle<LevelMaterial>>,
}

impl Materials {
    fn of(&self, view: View) -> &[Handle<LevelMaterial>] {
        match view {
            View::Ground => &[],
            View::Levels => &self.levels,
            View::Wireframe => &self.edges,
        }
    }
}

/// Lets V and `--view` choose the view.
pub struct ViewPlugin(pub View);

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            MaterialPlugin::<LevelMaterial>::default(),
            TerrainMaterialPlugin::<LevelMaterial>::geomorphing(),
        ))
        .insert_resource(self.0)
        .add_systems(Startup, make_materials)
        .add_systems(Update, (next, change, colour).chain());
    }
}

fn make_materials(mut commands: Commands, mut materials: ResMut<Assets<LevelMaterial>>) {
    let mut of =
        |fill| (0..20).map(|level| materials.add(material(level, fill))).collect::<Vec<_>>();
    let (levels, edges) = (of(Fill::Triangles), of(Fill::Edges));
    commands.insert_resource(Materials { ground: None, levels, edges });
}

fn material(level: u16, fill: Fill) -> LevelMaterial {
    // Neighbouring levels have hues far apart.
    let hue = f32::from(level) * 137.5 % 360.0;
    let base = StandardMaterial {
        base_color: Color::hsl(hue, 0.55, 0.5),
        perceptual_roughness: 0.95,
        reflectance: 0.2,
        ..default()
    };
    ExtendedMaterial { base, extension: Plain { fill } }
}

fn next(keys: Option<Res<ButtonInput<KeyCode>>>, mut view: ResMut<View>) {
    if keys.is_some_and(|keys| keys.just_pressed(NEXT)) {
        *view = match *view {
            View::Ground => View::Levels,
            View::Levels => View::Wireframe,
            View::Wireframe => View::Ground,
        };
    }
}

/// Dresses the terrain for the view.
fn change(
    mut commands: Commands,
    view: Res<View>,
    mut materials: ResMut<Materials>,
    terrains: Query<(Entity, Option<&MeshMaterial3d<TerrainMaterial>>), With<Terrain>>,
    mut shown: Local<View>,
) {
    if *shown == *view {
        return;
    }
    for (entity, ground) in &terrains {
        // In the first frame the terrain has no material yet.
        if *shown == View::Ground && ground.is_none() {
            return;
        }
        if let Some(ground) = ground {
            materials.ground = Some(ground.0.clone());
        }
        match (materials.of(*view).first(), &materials.ground) {
            (Some(level), _) => commands.entity(entity).insert(MeshMaterial3d(level.clone())),
            (None, Some(ground)) => commands.entity(entity).insert(MeshMaterial3d(ground.clone())),
            (None, None) => return,
        };
    }
    *shown = *view;
}

/// Gives each chunk the material of its level.
fn colour(
    view: Res<View>,
    materials: Res<Materials>,
    mut chunks: Query<
        (&Chunk, &mut MeshMaterial3d<LevelMaterial>),
        Changed<MeshMaterial3d<LevelMaterial>>,
    >,
) {
    for (chunk, mut material) in &mut chunks {
        if let Some(level) = materials.of(*view).get(usize::from(chunk.key.lod))
            && material.0 != *level
        {
            material.0 = level.clone();
        }
    }
}
