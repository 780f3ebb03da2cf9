//! Step `Adopt`, first part: terrains adopt the recipes of their preset files.

use bevy_asset::{
    AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, AssetServer, Assets, LoadState,
};
use bevy_ecs::prelude::*;

use crate::query::adopted_ground::AdoptedGround;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::preset::{Preset, PresetError, TerrainPreset};
use crate::terrain::{Ground, Terrain};

/// Applies presets that were loaded, changed or chosen since the last frame to their terrains.
pub(crate) fn follow_presets(
    mut loaded: MessageReader<AssetEvent<Preset>>,
    mut failed: MessageReader<AssetLoadFailedEvent<Preset>>,
    presets: Res<Assets<Preset>>,
    assets: Res<AssetServer>,
    mut terrains: Query<(Entity, &mut Terrain, &mut AdoptedGround, Ref<TerrainPreset>)>,
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
    let failed: Vec<&AssetLoadFailedEvent<Preset>> = failed.read().collect();
    for (entity, mut terrain, mut adopted, preset) in &mut terrains {
        let id = preset.0.id();
        let mut fail = |path: String, error: &AssetLoadError| {
            adopted.preset = Some(id);
            let problem = TerrainProblem::Preset { path, error: reason(error) };
            problems.report(Some(entity), problem);
        };
        if let Some(event) = failed.iter().rev().find(|event| event.id == id) {
            fail(event.path.to_string(), &event.error);
        } else if preset.is_changed() || fresh.contains(&id) {
            if let (Some(LoadState::Failed(error)), None) =
                (assets.get_load_state(id), presets.get(id))
            {
                // It has failed before this terrain followed it.
                let path = assets.get_path(id).map(|path| path.to_string());
                fail(path.unwrap_or_default(), &error);
                continue;
            }
            problems.clear(Some(entity), preset_problem);
            if let Some(Preset(recipe)) = presets.get(id) {
                terrain.ground = Ground::Recipe(recipe.clone());
                adopted.preset = Some(id);
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
