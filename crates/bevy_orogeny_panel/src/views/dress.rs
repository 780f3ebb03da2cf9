//! Terrains and their chunks are dressed for the view.

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use bevy_orogeny::{Chunk, Layout, LevelErrors, Terrain, TerrainMaterial, TerrainViewer};

use super::DebugView;
use super::freeze::pixels_per_radian;
use super::material::{Debug, DebugMaterial, DebugUniform};

/// Levels that have a colour; coarser ones are wider than any world that is looked at.
const LEVELS: u8 = 24;

/// What terrains wear, and wore.
#[derive(Resource, Default)]
pub struct Wardrobe {
    shown: DebugView,
    /// What the terrain wore as ground.
    ground: Option<Handle<TerrainMaterial>>,
    /// The materials of the view, the finest level first.
    levels: Vec<Handle<DebugMaterial>>,
    errors: LevelErrors,
    measuring: Option<Task<LevelErrors>>,
}

/// The colour of a level: neighbours have hues far apart.
pub fn level_color(level: usize) -> Color {
    Color::hsl(level as f32 * 137.5 % 360.0, 0.55, 0.5)
}

/// Dresses terrains for another view.
pub fn change(
    mut commands: Commands,
    view: Res<DebugView>,
    mut wardrobe: ResMut<Wardrobe>,
    mut materials: ResMut<Assets<DebugMaterial>>,
    terrains: Query<(Entity, &Terrain, Option<&MeshMaterial3d<TerrainMaterial>>)>,
) {
    if wardrobe.shown == *view {
        return;
    }
    for (entity, terrain, ground) in &terrains {
        // In the first frame the terrain has no material yet.
        if wardrobe.shown == DebugView::Ground && ground.is_none() {
            return;
        }
        if let Some(ground) = ground {
            wardrobe.ground = Some(ground.0.clone());
        }
        let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
        let uniform = |level| DebugUniform {
            size: layout.size(level) as f32,
            reach: 0.0,
            kind: *view as u32,
        };
        // New ones for every view: what is drawn as edges has a pipeline of its own.
        let made = (0..LEVELS).map(|level| materials.add(material(level, uniform(level))));
        wardrobe.levels = if *view == DebugView::Ground { Vec::new() } else { made.collect() };
        match (wardrobe.levels.first(), &wardrobe.ground) {
            (Some(level), _) => commands.entity(entity).insert(MeshMaterial3d(level.clone())),
            (None, Some(ground)) => commands.entity(entity).insert(MeshMaterial3d(ground.clone())),
            (None, None) => return,
        };
    }
    wardrobe.shown = *view;
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

/// Gives each chunk the material of its level.
pub fn color(
    wardrobe: Res<Wardrobe>,
    mut chunks: Query<
        (&Chunk, &mut MeshMaterial3d<DebugMaterial>),
        Changed<MeshMaterial3d<DebugMaterial>>,
    >,
) {
    for (chunk, mut material) in &mut chunks {
        if let Some(level) = wardrobe.levels.get(usize::from(chunk.key.lod))
            && material.0 != *level
        {
            material.0 = level.clone();
        }
    }
}

/// Measures the errors of the levels where they are looked at, and tells the materials how far away
/// each is as large as may be seen.
pub fn measure(
    mut wardrobe: ResMut<Wardrobe>,
    mut materials: ResMut<Assets<DebugMaterial>>,
    terrains: Query<Ref<Terrain>>,
    viewers: Query<(&TerrainViewer, Option<(&Camera, &Projection)>)>,
    mut begun: Local<bool>,
) {
    let wardrobe = &mut *wardrobe;
    let Some(terrain) = terrains.iter().next() else { return };
    if wardrobe.shown != DebugView::Error {
        *begun = false;
        return;
    }
    if (!*begun || terrain.is_changed())
        && let Ok(field) = terrain.build()
    {
        let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { LevelErrors::measure(&*field, &layout) });
        wardrobe.measuring = Some(task);
        *begun = true;
    }
    if let Some(errors) = wardrobe.measuring.as_mut().and_then(check_ready) {
        wardrobe.errors = errors;
        wardrobe.measuring = None;
    }
    let Some((viewer, camera)) = viewers.iter().next() else { return };
    let acuity = pixels_per_radian(camera) / viewer.pixel_error;
    for (level, handle) in (0..).zip(&wardrobe.levels) {
        let reach = (wardrobe.errors.of(level, viewer.guarantee) * acuity) as f32;
        let differs = |material: &DebugMaterial| material.extension.uniform.reach != reach;
        if materials.get(handle).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(handle)
        {
            material.extension.uniform.reach = reach;
        }
    }
}
