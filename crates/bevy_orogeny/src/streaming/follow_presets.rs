//! Step `Adopt`, first part: terrains adopt the recipes of their preset files.

use bevy_asset::{AssetLoadError, Assets, Handle};
use bevy_ecs::prelude::*;

use crate::base::assets::{AssetFollower, Missing};
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::preset::{Preset, PresetError, TerrainPreset};
use crate::terrain::{Ground, Terrain};

/// Applies presets that were loaded, changed or chosen since the last frame to their terrains.
pub(crate) fn follow_presets(
    follower: AssetFollower,
    presets: Res<Assets<Preset>>,
    mut terrains: Query<(Entity, &mut Terrain, &mut AdoptedGround, Ref<TerrainPreset>)>,
    mut dropped: RemovedComponents<TerrainPreset>,
    mut problems: ResMut<TerrainProblems>,
) {
    let preset_problem =
        |problem: &TerrainProblem| matches!(problem, TerrainProblem::Preset { .. });
    dropped.read().for_each(|entity| problems.clear(Some(entity), preset_problem));
    for (entity, mut terrain, mut adopted, preset) in &mut terrains {
        let id = preset.0.id();
        if !preset.is_changed() && !follower.has_changed(id) {
            continue;
        }
        match follower.get(&preset.0, &presets) {
            Ok(Preset(recipe)) => {
                problems.clear(Some(entity), preset_problem);
                terrain.ground = Ground::Recipe(recipe.clone());
                adopted.preset = Some(id);
            }
            Err(Missing::Loading) => problems.clear(Some(entity), preset_problem),
            // The terrain keeps its recipe, and has no preset.
            Err(_) if preset.0 == Handle::default() => {
                problems.clear(Some(entity), preset_problem);
            }
            Err(missing) => {
                adopted.preset = Some(id);
                let error = reason(&missing);
                let problem = TerrainProblem::Preset { path: follower.path(id), error };
                problems.report(Some(entity), problem);
            }
        }
    }
}

/// Only the cause, if it comes from this crate's loader. That is what the user needs to fix the
/// file.
fn reason(missing: &Missing) -> String {
    if let Missing::Failed(error) = missing
        && let AssetLoadError::AssetLoaderError(error) = &**error
        && let Some(cause) = error.error().downcast_ref::<PresetError>()
    {
        return cause.to_string();
    }
    missing.to_string()
}
