//! Measures the errors of each terrain's levels for the view that shows them.

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy_orogeny::slices::spawn;
use bevy_orogeny::{Layout, LevelErrors, Terrain, TerrainQuality, TerrainViewer};

use super::assign::DebugMaterials;
use super::material::DebugMaterial;
use crate::viewer::freeze::pixels_per_radian;

/// Measures the errors in a task. Then sets in the materials the distance at which each level's
/// error is as large as the viewer allows.
pub fn measure(
    mut materials: ResMut<Assets<DebugMaterial>>,
    mut terrains: Query<(Ref<Terrain>, &mut DebugMaterials)>,
    viewers: Query<(&TerrainViewer, Option<(&Camera, &Projection)>)>,
    quality: Res<TerrainQuality>,
) {
    for (terrain, mut debug) in &mut terrains {
        if !debug.shows_errors() {
            continue;
        }
        if (!debug.begun || terrain.is_changed())
            && let Ok(field) = terrain.build()
        {
            let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
            let task = spawn(async move { LevelErrors::measure_in_turns(&*field, &layout).await });
            debug.measuring = Some(task);
            debug.begun = true;
        }
        let debug = &mut *debug;
        if let Some(errors) = debug.measuring.as_mut().and_then(check_ready) {
            debug.errors = errors;
            debug.measuring = None;
        }
        let Some((viewer, camera)) = viewers.iter().next() else { continue };
        let acuity =
            pixels_per_radian(camera) / (viewer.pixel_error * quality.clamped().coarseness);
        for (level, handle) in (0..).zip(&debug.levels) {
            let reach = (debug.errors.of(level, viewer.guarantee) * acuity) as f32;
            let differs = |material: &DebugMaterial| material.extension.uniform.reach != reach;
            if materials.get(handle).is_some_and(differs)
                && let Some(mut material) = materials.get_mut(handle)
            {
                material.extension.uniform.reach = reach;
            }
        }
    }
}
