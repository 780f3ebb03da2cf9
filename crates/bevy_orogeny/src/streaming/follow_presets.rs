//! Step `Adopt`, first part: terrains adopt the recipes of their preset files.

use bevy_asset::{AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, Assets};
use bevy_ecs::prelude::*;

use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::preset::{Preset, PresetError, TerrainPreset};
use crate::terrain::{Ground, Terrain};

/// Applies presets that were loaded, changed or chosen since the last frame to their terrains.
pub(crate) fn follow_presets(
    mut loaded: MessageReader<AssetEvent<Preset>>,
    mut failed: MessageReader<AssetLoadFailedEvent<Preset>>,
    presets: Res<Assets<Preset>>,
    mut terrains: Query<(Entity, &mut Terrain, Ref<TerrainPreset>)>,
    mut dropped: RemovedComponents<TerrainPreset>,
    mut problems: ResMut<TerrainProblems>,
) {
    let preset_problem =
        |problem: &TerrainProblem| matches!(problem, TerrainProblem::Preset { .. });
    dropped.read().for_each(|entity| problems.clear(Some(entity), preset_problem));
    let fresh: Vec<AssetId<Preset>> = loaded
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, mut terrain, preset) in &mut terrains {
        let id = preset.0.id();
        if !(preset.is_changed() || fresh.contains(&id)) {
            continue;
        }
        problems.clear(Some(entity), preset_problem);
        if let Some(Preset(recipe)) = presets.get(id) {
            terrain.ground = Ground::Recipe(recipe.clone());
        }
    }
    for event in failed.read() {
        for (entity, _, preset) in &terrains {
            if preset.0.id() == event.id {
                let path = event.path.to_string();
                problems.report(
                    Some(entity),
                    TerrainProblem::Preset { path, error: reason(&event.error) },
                );
            }
        }
    }
}

/// Only the cause, if it comes from this crate's loader. That is what the user needs to fix the
/// file.
fn reason(error: &AssetLoadError) -> String {
    match error {
        AssetLoadError::AssetLoaderError(error) => {
            // Bevy's error as text would include a backtrace.
            let cause = error.error().downcast_ref::<PresetError>();
            cause.map_or_else(|| error.to_string(), PresetError::to_string)
        }
        other => other.to_string(),
    }
}
