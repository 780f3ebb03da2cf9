//! Measures the errors of each terrain's levels for the view that shows them.

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, futures::check_ready};
use bevy_orogeny::{Layout, LevelErrors, Terrain, TerrainViewer};

use super::dress::Dressed;
use super::material::DebugMaterial;
use crate::viewer::freeze::pixels_per_radian;

/// Measures the errors in a task. Then sets in the materials the distance at which each level's
/// error is as large as the viewer allows.
pub fn measure(
    mut materials: ResMut<Assets<DebugMaterial>>,
    mut terrains: Query<(Ref<Terrain>, &mut Dressed)>,
    viewers: Query<(&TerrainViewer, Option<(&Camera, &Projection)>)>,
) {
    for (terrain, mut dressed) in &mut terrains {
        if !dressed.shows_errors() {
            continue;
        }
        if (!dressed.begun || terrain.is_changed())
            && let Ok(field) = terrain.build()
        {
            let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
            let task = AsyncComputeTaskPool::get()
                .spawn(async move { LevelErrors::measure(&*field, &layout) });
            dressed.measuring = Some(task);
            dressed.begun = true;
        }
        let dressed = &mut *dressed;
        if let Some(errors) = dressed.measuring.as_mut().and_then(check_ready) {
            dressed.errors = errors;
            dressed.measuring = None;
        }
        let Some((viewer, camera)) = viewers.iter().next() else { continue };
        let acuity = pixels_per_radian(camera) / viewer.pixel_error;
        for (level, handle) in (0..).zip(&dressed.levels) {
            let reach = (dressed.errors.of(level, viewer.guarantee) * acuity) as f32;
            let differs = |material: &DebugMaterial| material.extension.uniform.reach != reach;
            if materials.get(handle).is_some_and(differs)
                && let Some(mut material) = materials.get_mut(handle)
            {
                material.extension.uniform.reach = reach;
            }
        }
    }
}
