//! The terrain that the panel edits, and the preset file it belongs to.
//!
//! `follow` takes the recipe from the terrain into the document and gives edits back, and reads the
//! preset file when it changes on disk; `presets` is the folder of preset files. `history` undoes
//! edits of the ground, in one order with those of the document. All of it uses `document`; the
//! tabs call the methods of [`Editing`]. Start with [`Editing`].

pub mod follow;
pub mod history;
pub mod presets;

use bevy::prelude::*;
use bevy_orogeny::advanced::Preset;
use bevy_orogeny::{TerrainGround, TerrainQuery};
use orogeny::{DataError, Recipe};

use crate::document::Document;
pub use crate::editing::history::Way;
use crate::editing::history::{GroundSteps, Moment};
use crate::editing::presets::Presets;
use crate::recipe::labels::sentence;

/// What the panel edits, and where it comes from.
#[derive(Resource)]
pub struct Editing {
    /// The recipe of the terrain; `None` if its ground is a custom field.
    pub document: Option<Document>,
    /// The folder of preset files.
    pub presets: Presets,
    /// Why the terrain does not show the latest edit.
    pub error: Option<DataError>,
    /// The last error of a file or of the clipboard.
    pub file_error: Option<String>,
    /// A preset to load once the user agrees to discard unsaved edits.
    pub asked_for: Option<String>,
    /// The file name being typed after "save as".
    pub save_as: Option<String>,
    /// The edits of the ground that can be undone and redone.
    pub ground: GroundSteps,
    /// The terrain being edited.
    terrain: Option<Entity>,
    /// The recipe that terrain had when the panel last read or wrote it.
    given: Option<Recipe>,
    /// The document revision that the terrain has.
    taken: Option<u64>,
    /// The file being watched: its name and its asset.
    watched: Option<(String, Handle<Preset>)>,
}

impl Editing {
    pub fn new(presets: Presets) -> Self {
        Self {
            document: None,
            presets,
            error: None,
            file_error: None,
            asked_for: None,
            save_as: None,
            ground: GroundSteps::default(),
            terrain: None,
            given: None,
            taken: None,
            watched: None,
        }
    }

    /// The terrain being edited.
    pub fn terrain(&self) -> Option<Entity> {
        self.terrain
    }

    /// The newest ground of the terrain being edited.
    pub fn ground_of<'a>(&self, terrains: &'a TerrainQuery) -> Option<TerrainGround<'a>> {
        terrains.get(self.terrain?).ok()
    }

    /// Undoes or redoes the last change of the recipe or of the ground, whichever came later.
    pub fn step(&mut self, way: Way) {
        let now = self.moment();
        let k = usize::from(way == Way::Redo);
        // The document may have forgotten the steps that come first.
        let has_recipe = self.document.as_ref().is_some_and(|document| document.can_go()[k]);
        if self.ground.is_next(way, now) || !has_recipe && self.ground.can_go(now)[k] {
            self.ground.asked = Some(way);
        } else if let Some(document) = &mut self.document {
            match way {
                Way::Undo => document.undo(),
                Way::Redo => document.redo(),
            }
        }
    }

    /// Whether there is anything to undo, and to redo.
    pub fn can_go(&self) -> [bool; 2] {
        let ground = self.ground.can_go(self.moment());
        let recipe = self.document.as_ref().map_or([false; 2], Document::can_go);
        [0, 1].map(|k| ground[k] || recipe[k])
    }

    fn moment(&self) -> Moment {
        let [steps, edits] = self.document.as_ref().map_or([0; 2], Document::counts);
        Moment { steps, edits }
    }

    /// Loads a preset, but asks first if that would discard unsaved edits.
    pub fn load(&mut self, name: String) {
        if self.document.as_ref().is_some_and(Document::is_unsaved) {
            self.asked_for = Some(name);
        } else {
            self.load_anyway(name);
        }
    }

    /// Loads a preset as one step that undo takes back.
    pub fn load_anyway(&mut self, name: String) {
        self.asked_for = None;
        match self.presets.read(&name) {
            Ok(recipe) => {
                self.file_error = None;
                match &mut self.document {
                    Some(document) => document.opened(recipe, name),
                    None => self.document = Some(Document::new(recipe, Some(name))),
                }
            }
            Err(error) => self.file_error = Some(error),
        }
    }

    /// Saves the recipe as a preset file.
    pub fn save(&mut self, name: &str) {
        let Some(document) = &mut self.document else { return };
        let text = document.copy().map_err(|error| sentence(&error));
        match text.and_then(|text| self.presets.write(name, &text)) {
            Ok(()) => {
                document.saved_as(name.into());
                self.file_error = None;
                self.save_as = None;
            }
            Err(error) => self.file_error = Some(error),
        }
    }

    /// Replaces the recipe by RON text from the clipboard.
    pub fn paste(&mut self, text: &str) {
        if let Some(document) = &mut self.document {
            self.file_error = document
                .paste(text)
                .err()
                .map(|error| format!("The text on the clipboard is not a valid recipe: {error}"));
        }
    }

    /// Closes the document and its file, and drops pending questions about them.
    fn close(&mut self) {
        *self = Self::new(self.presets.clone());
    }
}
