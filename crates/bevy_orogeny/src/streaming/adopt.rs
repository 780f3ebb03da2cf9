//! Step `Adopt`: terrains follow their preset files, and valid settings become their ground, whose
//! chunks are pending then.

use bevy_asset::{AssetLoadError, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_transform::helper::TransformHelper;

use super::components::{ChunkSets, ShownAppearance, TerrainViews};
use super::select::position;
use crate::base::assets::{AssetFollower, Missing};
use crate::base::budget::TerrainStats;
use crate::base::events::GroundEdited;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::preset::{Preset, PresetError, TerrainPreset};
use crate::terrain::{Ground, Terrain, TerrainEdits, TerrainError};

/// Gives a new terrain the components of streaming.
pub(crate) fn on_terrain_added(
    event: On<Add, Terrain>,
    mut commands: Commands,
    terrains: Query<(Ref<Terrain>, Option<&TerrainEdits>)>,
    transforms: TransformHelper,
) {
    let mut adopted = AdoptedGround::at(position(event.entity, &transforms));
    // Queries need not wait for the next frame. Errors are reported when the settings are adopted.
    if let Ok((terrain, edits)) = terrains.get(event.entity)
        && let Ok(ground) = GroundQuery::of(&terrain)
    {
        adopted.prepare(&terrain, edited(ground, edits));
    }
    commands.entity(event.entity).try_insert((
        adopted,
        ChunkSets::default(),
        TerrainViews::default(),
        ShownAppearance::default(),
    ));
}

fn edited(ground: GroundQuery, edits: Option<&TerrainEdits>) -> GroundQuery {
    ground.with_edits(edits.map_or_else(Default::default, |edits| edits.log.edits()))
}

/// Takes the edits off a terrain that has lost them.
pub(crate) fn on_edits_removed(event: On<Remove, TerrainEdits>, mut terrains: Query<&mut Terrain>) {
    if let Ok(mut terrain) = terrains.get_mut(event.entity) {
        terrain.set_changed();
    }
}

/// Adopts changed settings and edits, if they are valid.
pub(crate) fn adopt(
    mut terrains: Query<
        (
            Entity,
            Ref<Terrain>,
            Option<&Seams>,
            Option<&TerrainEdits>,
            &mut AdoptedGround,
            &mut ChunkSets,
        ),
        Or<(Changed<Terrain>, Changed<Seams>, Changed<TerrainEdits>)>,
    >,
    mut commands: Commands,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, seams, edits, mut adopted, mut sets) in &mut terrains {
        let seams = seams.copied().unwrap_or_default();
        // If only the appearance has changed, no chunk needs to be rebuilt.
        let built = adopted.has_chunks_of(&terrain, seams);
        let ground = match (adopted.of(&terrain), adopted.newest()) {
            (Some(ground), _) => Ok(ground.clone()),
            (None, Some(ground)) if built => GroundQuery::of_beside(&terrain, ground),
            _ => GroundQuery::of(&terrain),
        };
        match ground {
            Ok(ground) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                let ground = edited(ground, edits);
                // The ground that the newest chunks do not have yet.
                let touched = adopted.newest().filter(|_| built);
                let touched = touched.and_then(|old| ground.meshes_since(old));
                adopted.adopt(&terrain, seams, ground.clone());
                if touched.as_ref().is_some_and(Vec::is_empty) {
                    sets.set_newest_ground(ground);
                } else {
                    if let Some(regions) = touched.clone() {
                        commands.trigger(GroundEdited { terrain: entity, regions });
                    }
                    let (landscape, keep) = (ground.landscape().clone(), terrain.keep_meshes);
                    let builder = ChunkBuilder::new(landscape, *ground.layout(), seams, keep);
                    stats.cancelled += sets.set_pending(&mut commands, builder, ground, touched);
                }
            }
            // A preset provides the ground and reports a faulty file.
            Err(TerrainError::Loading) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}

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
