//! The edits of a terrain.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use orogeny::edits::EditLog;
use serde::{Deserialize, Serialize};

/// The edits of a terrain: what was stamped, flattened and dug.
///
/// Every [`Terrain`](crate::Terrain) has this component. Change its log at any time: with
/// [`TerrainEditor`](crate::TerrainEditor), or by changes that arrive from another machine. Chunks
/// that an edit touches are built again in the background, and all of them are replaced in one
/// frame. Colliders and queries follow in the same frame. Positions are in metres from the
/// terrain's origin. It reflects as one opaque value that serialises, so scenes save it.
///
/// Edits stay when the recipe or the preset changes: they act on the new ground, at the same
/// positions. Remove or replace this component for ground without them.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::orogeny::edits::Crater;
/// use bevy_orogeny::{Terrain, TerrainEdits};
///
/// fn setup(mut commands: Commands) -> Result {
///     let mut edits = TerrainEdits::default();
///     let author = 1;
///     edits.log.add(author, Crater { center: [20.0, 5.0], ..Crater::default() })?;
///     commands.spawn((Terrain::default(), edits));
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Startup, setup);
/// # app.update();
/// ```
#[derive(Component, Clone, Debug, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, Serialize, Deserialize)]
pub struct TerrainEdits {
    /// All edits.
    pub log: EditLog,
}
