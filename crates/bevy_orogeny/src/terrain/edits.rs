//! The edits of a terrain.

use bevy_ecs::component::Component;
use orogeny::edits::EditLog;

/// Edits of the terrain on the same entity: stamped, flattened, dug.
///
/// Positions are in metres from the terrain's origin. Add an empty one to a terrain, and change its
/// log at any time: with [`TerrainEditor`](crate::TerrainEditor), or by changes that arrive from
/// another machine. Chunks and collider tiles that an edit touches are rebuilt in the background,
/// and all of them are replaced in one frame. Queries follow in the same frame.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::orogeny::edits::Crater;
/// use bevy_orogeny::{Terrain, TerrainEdits};
///
/// fn setup(mut commands: Commands) -> Result {
///     let mut edits = TerrainEdits::default();
///     let author = 1;
///     edits.log.add(author, Crater { center: [20.0, 5.0], ..Crater::default() }.into())?;
///     commands.spawn((Terrain::default(), edits));
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugin));
/// # app.add_systems(Startup, setup);
/// # app.update();
/// ```
#[derive(Component, Clone, Debug, Default)]
pub struct TerrainEdits {
    /// All edits.
    pub log: EditLog,
}
