//! Preset files: recipes as assets, reloaded when the file changes.

use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, AssetLoader, Assets, Handle,
    LoadContext,
};
use bevy_ecs::prelude::*;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, TypePath};
use orogeny::{Recipe, RecipeError};

use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::{Ground, Terrain};

/// A recipe that was loaded from a file `*.terrain.ron`.
#[derive(Asset, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Preset(pub Recipe);

/// A terrain that follows a preset file: it takes the recipe when the file is loaded, and again
/// whenever the file changes on disk. A faulty file changes nothing and is reported in
/// [`TerrainProblems`].
///
/// Spawned alone, it requires a [`Terrain`], which is [`Terrain::loading`]: nothing is built before
/// the file is loaded. Inserted on an existing terrain, the old ground stays until the file is
/// loaded.
///
/// It has a template for Bevy's scenes: `bsn! { TerrainPreset("presets/hills.terrain.ron") }`.
///
/// Files are watched if Bevy's feature `file_watcher` is on.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{Terrain, TerrainPreset};
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(TerrainPreset(assets.load("presets/hills.terrain.ron")));
///     // With larger cells.
///     commands.spawn((
///         Terrain { spacing: 4.0, ..Terrain::loading() },
///         TerrainPreset(assets.load("presets/sierra.terrain.ron")),
///     ));
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect, FromTemplate)]
#[require(Terrain = Terrain::loading())]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainPreset(pub Handle<Preset>);

/// Reads presets.
#[derive(Default, TypePath)]
pub struct PresetLoader;

/// Why a preset file was refused.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is not text.
    #[error("not UTF-8 text: {0}")]
    Text(#[from] core::str::Utf8Error),
    /// The recipe in it is not valid.
    #[error("{0}")]
    Recipe(#[from] RecipeError),
}

impl AssetLoader for PresetLoader {
    type Asset = Preset;
    type Settings = ();
    type Error = PresetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Preset, PresetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(Preset(Recipe::from_ron(core::str::from_utf8(&bytes)?)?))
    }

    fn extensions(&self) -> &[&str] {
        &["terrain.ron"]
    }
}

/// Applies presets that were loaded, changed or chosen since the last frame to their terrains.
pub(crate) fn apply(
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
