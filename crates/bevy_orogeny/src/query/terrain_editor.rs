//! Edits terrains in the world of an `App`.

use bevy_ecs::change_detection::{Mut, Ref};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryEntityError, QuerySingleError};
use bevy_ecs::system::SystemParam;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::edits::Applied;

use crate::base::query_error::QueryError;
use crate::query::adopted_ground::AdoptedGround;
use crate::query::ground_editor::GroundEditor;
use crate::terrain::{Terrain, TerrainEdits};

/// Who edits on this machine. In a network, each machine must have a different number.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct EditAuthor(pub u64);

/// A change of a log by [`TerrainEditor`], for those who save it, send it or undo it.
///
/// The author of `applied.change.time` made the change: this machine, if it is the [`EditAuthor`].
/// Changes that the log already had are not reported.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::prelude::*;
///
/// fn send(mut edits: MessageReader<EditApplied>, author: Res<EditAuthor>) {
///     for EditApplied { applied, .. } in edits.read() {
///         if applied.change.time.author == author.0 {
///             println!("to all others: {:?}", applied.change);
///         }
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Update, send);
/// # app.update();
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct EditApplied {
    /// The terrain.
    pub terrain: Entity,
    /// The change, and what it did.
    pub applied: Applied,
}

/// Edits the terrains of the world.
///
/// An editor reads its own edits: what it flattens has the height that the edits of the same frame
/// have given it. Answers of [`TerrainQuery`](crate::TerrainQuery) follow at the end of the frame's
/// `Update`, chunks once they are built. What was done can be undone.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{Terrain, TerrainEditor};
///
/// fn dig(mut editor: TerrainEditor) -> Result {
///     let mut ground = editor.single()?;
///     // A pad of 12 m radius at the height of its centre, and a crater beside it.
///     ground.flatten([50.0, 20.0], 12.0, 8.0)?;
///     let crater = ground.crater([90.0, 20.0], 10.0)?;
///     ground.undo(&crater)?;
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Update, dig);
/// # app.world_mut().spawn(Terrain::default());
/// # app.update();
/// ```
#[derive(SystemParam)]
pub struct TerrainEditor<'w, 's> {
    terrains: Query<'w, 's, EditedTerrain>,
    // Both are missing in an app without terrain.
    author: Option<Res<'w, EditAuthor>>,
    messages: Option<ResMut<'w, Messages<EditApplied>>>,
}

type EditedTerrain =
    (Entity, Ref<'static, Terrain>, &'static mut TerrainEdits, Option<&'static AdoptedGround>);

pub(super) type Found<'a> =
    (Entity, Ref<'a, Terrain>, Mut<'a, TerrainEdits>, Option<&'a AdoptedGround>);

impl TerrainEditor<'_, '_> {
    /// Edits the only terrain.
    ///
    /// # Errors
    /// No terrain or several, and those of [`get`](Self::get).
    pub fn single(&mut self) -> Result<GroundEditor<'_>, QueryError> {
        let found = self.terrains.single_mut().map_err(|error| match error {
            QuerySingleError::NoEntities(_) => QueryError::NoTerrain,
            QuerySingleError::MultipleEntities(_) => QueryError::Several,
        })?;
        GroundEditor::new(self.author.as_deref(), found, self.messages.as_deref_mut())
    }

    /// Edits a terrain.
    ///
    /// # Errors
    /// As [`TerrainQuery::get`](crate::TerrainQuery::get): an entity that is not a terrain; ground
    /// that is not loaded or not valid; a terrain that is rotated or scaled; an app without
    /// `TerrainPlugins` or `AssetPlugin`.
    pub fn get(&mut self, terrain: Entity) -> Result<GroundEditor<'_>, QueryError> {
        let none = |_: QueryEntityError| QueryError::NoTerrain;
        let found = self.terrains.get_mut(terrain).map_err(none)?;
        GroundEditor::new(self.author.as_deref(), found, self.messages.as_deref_mut())
    }
}
