//! Edits terrains in the world of an `App`.

use std::borrow::Cow;

use bevy_ecs::change_detection::{Mut, Ref};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryEntityError, QuerySingleError};
use bevy_ecs::system::SystemParam;
use orogeny::edits::{
    Applied, Area, Change, Crater, Disc, Edit, EditId, EditLog, Flatten, Flood, Hole, Paint, Raise,
    Smooth, State,
};
use orogeny::{DataError, Sample};

use crate::query::adopted_ground::AdoptedGround;
use crate::query::{GroundQuery, QueryError};
use crate::terrain::Terrain;
use crate::terrain::edits::TerrainEdits;

/// The falloff of holes and floods in metres. Their edges are always sharp, so this is the least
/// that is valid.
const SHARP_EDGE: f64 = 0.01;

/// Who edits on this machine. In a network, each machine must have a different number.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditAuthor(pub u64);

/// A change of a log by [`TerrainEditor`], for those who save it, send it or undo it.
///
/// The author of `applied.change.time` made the change: this machine, if it is the [`EditAuthor`].
/// Changes that the log already had are not reported.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{EditApplied, EditAuthor};
///
/// fn send(mut edits: MessageReader<EditApplied>, author: Res<EditAuthor>) {
///     for EditApplied { applied, .. } in edits.read() {
///         if applied.change.time.author == author.0 {
///             println!("to all others: {:?}", applied.change);
///         }
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugin));
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
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugin));
/// # app.add_systems(Update, dig);
/// # app.world_mut().spawn(Terrain::default());
/// # app.update();
/// ```
#[derive(SystemParam)]
pub struct TerrainEditor<'w, 's> {
    terrains: Query<'w, 's, EditedTerrain>,
    author: Res<'w, EditAuthor>,
    messages: ResMut<'w, Messages<EditApplied>>,
}

type EditedTerrain =
    (Entity, Ref<'static, Terrain>, &'static mut TerrainEdits, &'static AdoptedGround);

type Found<'a> = (Entity, Ref<'a, Terrain>, Mut<'a, TerrainEdits>, &'a AdoptedGround);

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
        GroundEditor::new(self.author.0, found, &mut self.messages)
    }

    /// Edits a terrain.
    ///
    /// # Errors
    /// An entity that is not a terrain, ground that is not loaded, and a terrain that is rotated or
    /// scaled.
    pub fn get(&mut self, terrain: Entity) -> Result<GroundEditor<'_>, QueryError> {
        let none = |_: QueryEntityError| QueryError::NoTerrain;
        let found = self.terrains.get_mut(terrain).map_err(none)?;
        GroundEditor::new(self.author.0, found, &mut self.messages)
    }
}

/// Edits one terrain.
///
/// All positions and heights are in metres from the terrain's origin, as in its log and in
/// [`GroundQuery`]. They are those of the world unless the terrain was moved;
/// [`local`](Self::local) converts a position.
pub struct GroundEditor<'a> {
    author: u64,
    terrain: Entity,
    messages: &'a mut Messages<EditApplied>,
    edits: Mut<'a, TerrainEdits>,
    ground: Cow<'a, GroundQuery>,
    /// The terrain's position in the world.
    offset: [f64; 3],
}

impl<'a> GroundEditor<'a> {
    fn new(
        author: u64,
        (terrain, settings, edits, adopted): Found<'a>,
        messages: &'a mut Messages<EditApplied>,
    ) -> Result<Self, QueryError> {
        let ground = adopted.current(&settings)?;
        let offset = adopted.position.ok_or(QueryError::Transformed)?;
        Ok(Self { author, terrain, messages, edits, ground, offset })
    }

    /// Adds an edit.
    ///
    /// # Errors
    /// A number outside its limits. The ground is then unchanged. So for all methods below.
    pub fn add(&mut self, edit: impl Into<Edit>) -> Result<Applied, DataError> {
        let applied = self.edits.log.add(self.author, edit);
        self.report(applied)
    }

    /// Changes the state of an edit: moves, hides, shows or removes it.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn set(&mut self, id: EditId, state: State) -> Result<Applied, DataError> {
        let applied = self.edits.log.set(self.author, id, state);
        self.report(applied)
    }

    /// Undoes a change, which may be an undo itself.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn undo(&mut self, applied: &Applied) -> Result<Applied, DataError> {
        let undone = self.edits.log.undo(self.author, applied);
        self.report(undone)
    }

    /// Applies a change that another machine made.
    ///
    /// # Errors
    /// As [`add`](Self::add), and a time too far ahead of the log, see
    /// [`EditLog::check`](orogeny::edits::EditLog::check).
    pub fn apply(&mut self, change: Change) -> Result<Applied, DataError> {
        let applied = self.edits.log.apply(change);
        self.report(applied)
    }

    /// The edits so far.
    pub fn log(&self) -> &EditLog {
        &self.edits.log
    }

    /// Height and slopes of the ground at (x, z), with all edits so far.
    ///
    /// # Errors
    /// As [`GroundQuery::field`].
    pub fn field(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        self.ground.field_with(&self.edits.log.edits(), position)
    }

    /// Raises the ground by `height` metres within `radius`, or lowers it; the edge is as wide as
    /// the falloff.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn raise(
        &mut self,
        position: [f64; 2],
        radius: f64,
        falloff: f64,
        height: f32,
    ) -> Result<Applied, DataError> {
        let area = disc(position, radius, falloff);
        self.add(Raise { area, height })
    }

    /// Makes a level pad at the height of the ground in its centre.
    ///
    /// # Errors
    /// As [`add`](Self::add), and a position without ground.
    pub fn flatten(
        &mut self,
        position: [f64; 2],
        radius: f64,
        falloff: f64,
    ) -> Result<Applied, DataError> {
        let area = disc(position, radius, falloff);
        // Where there is no ground the height is NaN, which the limits refuse.
        let height = self.field(position).map_or(f32::NAN, |ground| ground.value);
        self.add(Flatten { area, height, ..Flatten::default() })
    }

    /// Blows a crater, 0.3 times as deep as its radius.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn crater(&mut self, position: [f64; 2], radius: f64) -> Result<Applied, DataError> {
        let (depth, rim) = (0.3 * radius as f32, 0.06 * radius as f32);
        self.add(Crater { center: position, radius, depth, rim })
    }

    /// Cuts a hole that everything falls through.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn hole(&mut self, position: [f64; 2], radius: f64) -> Result<Applied, DataError> {
        let area = disc(position, radius, SHARP_EDGE);
        self.add(Hole { area })
    }

    /// Smooths the ground: blends it with that of the recipe without its octaves of wavelengths
    /// below `wavelength` metres. See [`Smooth`].
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn smooth(
        &mut self,
        position: [f64; 2],
        radius: f64,
        falloff: f64,
        wavelength: f64,
    ) -> Result<Applied, DataError> {
        let area = disc(position, radius, falloff);
        self.add(Smooth { area, wavelength, ..Smooth::default() })
    }

    /// Paints a layer of cover, counted from the bottom, over a disc around (x, z). See [`Paint`].
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn paint(
        &mut self,
        position: [f64; 2],
        radius: f64,
        falloff: f64,
        layer: u32,
    ) -> Result<Applied, DataError> {
        let area = disc(position, radius, falloff);
        self.add(Paint { area, layer, ..Paint::default() })
    }

    /// Floods the ground within a disc up to a level, in metres. See [`Flood`].
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn flood(
        &mut self,
        position: [f64; 2],
        radius: f64,
        level: f64,
    ) -> Result<Applied, DataError> {
        let area = disc(position, radius, SHARP_EDGE);
        self.add(Flood { area, level: level as f32 })
    }

    fn report(&mut self, applied: Result<Applied, DataError>) -> Result<Applied, DataError> {
        let applied = applied?;
        if applied.is_new {
            self.messages.write(EditApplied { terrain: self.terrain, applied: applied.clone() });
        }
        Ok(applied)
    }

    /// The terrain's origin (x, height, z) in the world, in metres.
    pub fn offset(&self) -> [f64; 3] {
        self.offset
    }

    /// A position in the world (x, z), in metres from the terrain's origin.
    pub fn local(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x - self.offset[0], z - self.offset[2]]
    }
}

fn disc(center: [f64; 2], radius: f64, falloff: f64) -> Area {
    Area::Disc(Disc { center, radius, falloff })
}
