//! Preset files: recipes as assets, reloaded when the file changes.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, Handle, LoadContext};
use bevy_ecs::prelude::*;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, TypePath};
use orogeny::{DataError, Recipe};

use crate::terrain::Terrain;

/// A recipe that was loaded from a file `*.terrain.ron`.
#[derive(Asset, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Preset(pub Recipe);

/// A terrain that follows a preset file: it takes the recipe when the file is loaded, and again
/// whenever the file changes on disk. A faulty file changes nothing and is reported in
/// [`TerrainProblems`](crate::TerrainProblems).
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
    Recipe(#[from] DataError),
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
