//! Edits one terrain.

use std::borrow::Cow;

use bevy_ecs::change_detection::Mut;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Messages;
use orogeny::cover::CoverKind;
use orogeny::edits::{
    Applied, Area, Change, Clear, Crater, Disc, Edit, EditId, EditLog, Flatten, Flood, Hole, Paint,
    Raise, Rectangle, Smooth, State,
};
use orogeny::{DataError, Sample};

use crate::base::query_error::QueryError;
use crate::query::GroundQuery;
use crate::query::terrain_editor::{EditApplied, EditAuthor, Found};
use crate::terrain::TerrainEdits;

/// The falloff of holes, floods and clearings in metres. Their edges are always sharp, so this is
/// the least that is valid.
const SHARP_EDGE: f64 = 0.01;

/// Edits one terrain.
///
/// The short calls take positions and heights in the world, in metres. [`add`](Self::add) takes any
/// edit, in metres from the terrain's origin, as in its log: the same unless the terrain was moved,
/// and [`local`](Self::local) converts a position.
pub struct GroundEditor<'a> {
    author: u64,
    terrain: Entity,
    messages: &'a mut Messages<EditApplied>,
    edits: Mut<'a, TerrainEdits>,
    ground: Cow<'a, GroundQuery>,
    /// The terrain's position in the world.
    offset: [f64; 3],
    /// The changes of the step that is being made.
    step: Option<Vec<Applied>>,
}

impl<'a> GroundEditor<'a> {
    pub(super) fn new(
        author: Option<&EditAuthor>,
        (terrain, settings, edits, adopted): Found<'a>,
        messages: Option<&'a mut Messages<EditApplied>>,
    ) -> Result<Self, QueryError> {
        // Where terrain runs, it has all three.
        let (Some(&EditAuthor(author)), Some(messages), Some(adopted)) =
            (author, messages, adopted)
        else {
            return Err(QueryError::NotRunning);
        };
        let ground = adopted.current(&settings)?;
        let offset = adopted.position.ok_or(QueryError::Transformed)?;
        Ok(Self { author, terrain, messages, edits, ground, offset, step: None })
    }

    /// Adds an edit.
    ///
    /// # Errors
    /// A number outside its limits. The ground is then unchanged.
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

    /// Height in the world and slopes of the ground at (x, z), with all edits so far.
    ///
    /// # Errors
    /// As [`GroundQuery::field`].
    pub fn field(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        let ground = self.local_field(self.local(position))?;
        Ok(Sample { value: ground.value + self.offset[1] as f32, ..ground })
    }

    /// The same, but both the position and the height are from the terrain's origin. A height in
    /// the world is rounded to centimetres where a terrain was moved far up.
    fn local_field(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        self.ground.field_with(&self.edits.log.edits(), position)
    }

    /// Makes several edits a step that [`undo_step`](Self::undo_step) undoes as one. If one of them
    /// fails, those before it are undone.
    ///
    /// # Errors
    /// The first error of the edits.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny::TerrainEditor;
    /// use bevy_orogeny::prelude::CoverKind;
    ///
    /// fn build(mut editor: TerrainEditor) -> Result {
    ///     let mut ground = editor.single()?;
    ///     let (house, radius) = ([120.0, -40.0], 15.0);
    ///     let built = ground.step(|ground| {
    ///         ground.flatten(house, radius, 10.0)?;
    ///         ground.clear(house, radius + 5.0)?;
    ///         ground.paint(house, radius, 4.0, CoverKind::Scree)?;
    ///         Ok(())
    ///     })?;
    ///     let undone = ground.undo_step(&built)?;
    ///     ground.undo_step(&undone)?; // and again
    ///     Ok(())
    /// }
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
    /// # app.add_systems(Update, build);
    /// # app.world_mut().spawn(bevy_orogeny::Terrain::default());
    /// # app.update();
    /// ```
    pub fn step(
        &mut self,
        edit: impl FnOnce(&mut Self) -> Result<(), DataError>,
    ) -> Result<Vec<Applied>, DataError> {
        let outer = self.step.replace(Vec::new());
        let result = edit(self);
        let done = core::mem::replace(&mut self.step, outer).unwrap_or_default();
        if let Some(outer) = &mut self.step {
            outer.extend_from_slice(&done);
        }
        match result {
            Ok(()) => Ok(done),
            Err(error) => self.undo_step(&done).and(Err(error)),
        }
    }

    /// Undoes a step: its changes, the last one first. What it returns is a step, too, which undone
    /// does the first one again.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn undo_step(&mut self, step: &[Applied]) -> Result<Vec<Applied>, DataError> {
        step.iter().rev().map(|applied| self.undo(applied)).collect()
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
        let area = self.disc(position, radius, falloff);
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
        self.flatten_area(self.disc(position, radius, falloff))
    }

    /// The same in any area, such as a [`rectangle`](Self::rectangle) for a house.
    ///
    /// # Errors
    /// As [`flatten`](Self::flatten).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_orogeny::{GroundEditor, prelude::CoverKind};
    /// fn prepare(ground: &mut GroundEditor, house: [f64; 2], angle: f64) -> Result {
    ///     let floor = ground.rectangle(house, [14.0, 9.0], angle, 5.0);
    ///     ground.flatten_area(floor)?;
    ///     ground.clear_area(floor)?;
    ///     ground.paint_area(floor, CoverKind::Scree)?;
    ///     Ok(())
    /// }
    /// ```
    pub fn flatten_area(&mut self, area: Area) -> Result<Applied, DataError> {
        let (Area::Disc(Disc { center, .. }) | Area::Rectangle(Rectangle { center, .. })) = area;
        // Where there is no ground the height is NaN, which the limits refuse.
        let height = self.local_field(center).map_or(f32::NAN, |ground| ground.value);
        self.add(Flatten { area, height, ..Flatten::default() })
    }

    /// Blows a crater, 0.3 times as deep as its radius.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn crater(&mut self, position: [f64; 2], radius: f64) -> Result<Applied, DataError> {
        let (depth, rim) = (0.3 * radius as f32, 0.06 * radius as f32);
        self.add(Crater { center: self.local(position), radius, depth, rim })
    }

    /// Cuts a hole that everything falls through.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn hole(&mut self, position: [f64; 2], radius: f64) -> Result<Applied, DataError> {
        let area = self.disc(position, radius, SHARP_EDGE);
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
        let area = self.disc(position, radius, falloff);
        self.add(Smooth { area, wavelength, ..Smooth::default() })
    }

    /// Paints a kind of ground over a disc around (x, z), with the first layer of that kind in the
    /// terrain's cover. [`add`](Self::add) a [`Paint`] to name a layer by its number.
    ///
    /// # Errors
    /// A kind that no layer of the cover has, and as [`add`](Self::add).
    pub fn paint(
        &mut self,
        position: [f64; 2],
        radius: f64,
        falloff: f64,
        kind: CoverKind,
    ) -> Result<Applied, DataError> {
        self.paint_area(self.disc(position, radius, falloff), kind)
    }

    /// The same in any area.
    ///
    /// # Errors
    /// As [`paint`](Self::paint).
    pub fn paint_area(&mut self, area: Area, kind: CoverKind) -> Result<Applied, DataError> {
        let layers = &self.ground.appearance().cover.layers;
        let Some(layer) = layers.iter().position(|layer| layer.kind == kind) else {
            let problem = format!("{} is in no layer of the terrain's cover", kind.name());
            return Err(DataError { path: "kind".into(), problem });
        };
        self.add(Paint { area, layer: layer as u32, ..Paint::default() })
    }

    /// Clears a disc around (x, z) of the plants and rocks that stand there now. See [`Clear`].
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn clear(&mut self, position: [f64; 2], radius: f64) -> Result<Applied, DataError> {
        self.clear_area(self.disc(position, radius, SHARP_EDGE))
    }

    /// The same in any area, to the middle of its falloff.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn clear_area(&mut self, area: Area) -> Result<Applied, DataError> {
        self.add(Clear { area, kind: None })
    }

    /// Floods the ground within a disc up to a level: a height in the world in metres. See
    /// [`Flood`].
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn flood(
        &mut self,
        position: [f64; 2],
        radius: f64,
        level: f64,
    ) -> Result<Applied, DataError> {
        let area = self.disc(position, radius, SHARP_EDGE);
        self.add(Flood { area, level: (level - self.offset[1]) as f32 })
    }

    fn report(&mut self, applied: Result<Applied, DataError>) -> Result<Applied, DataError> {
        let applied = applied?;
        if let Some(step) = &mut self.step {
            step.push(applied.clone());
        }
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

    /// A rectangle around (x, z) in the world, for the calls that take an area: so many metres long
    /// and wide, turned by an angle in degrees from x towards z, with an edge as wide as the
    /// falloff.
    pub fn rectangle(
        &self,
        center: [f64; 2],
        [length, width]: [f64; 2],
        angle: f64,
        falloff: f64,
    ) -> Area {
        let center = self.local(center);
        Area::Rectangle(Rectangle { center, length, width, angle, falloff })
    }

    fn disc(&self, center: [f64; 2], radius: f64, falloff: f64) -> Area {
        Area::Disc(Disc { center: self.local(center), radius, falloff })
    }
}
