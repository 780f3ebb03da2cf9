//! The document: the recipe being edited, with undo and redo, and the file that it belongs to.
//!
//! `draft` is one state of the document: a recipe, and which of its layers are muted or solo.
//! `choices` has what the panel can add. This module does not use Bevy or egui. Start with
//! [`Document`].

pub mod choices;
pub mod draft;

use orogeny::{DataError, Recipe};

use crate::document::draft::Draft;

/// The maximum number of steps that undo remembers.
const STEPS: usize = 200;

/// How an edit counts for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A step of its own.
    Single,
    /// One step with all other edits of this gesture, such as a drag of a slider.
    Gesture(u64),
}

/// A recipe being edited, with undo and redo, and the file that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    draft: Draft,
    undo: Vec<Draft>,
    redo: Vec<Draft>,
    /// The gesture that the newest step belongs to.
    gesture: Option<u64>,
    revision: u64,
    /// The number of steps that are done, forgotten ones included, and of all edits so far.
    steps: u64,
    edits: u64,
    /// The name of the file, if it has one.
    file: Option<String>,
    /// The recipe in the file.
    saved: Recipe,
    /// The recipe that another program wrote to the file while there were unsaved edits.
    theirs: Option<Recipe>,
}

impl Document {
    /// A document of a recipe, and of the file it was read from, if any.
    pub fn new(recipe: Recipe, file: Option<String>) -> Self {
        Self {
            draft: Draft::new(recipe.clone()),
            undo: Vec::new(),
            redo: Vec::new(),
            gesture: None,
            revision: 0,
            steps: 0,
            edits: 0,
            file,
            saved: recipe,
            theirs: None,
        }
    }

    /// The current state.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// A counter that changes whenever the draft does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of steps that are done, and of all edits so far: other histories can tell from
    /// them which of their steps came before.
    pub fn counts(&self) -> [u64; 2] {
        [self.steps, self.edits]
    }

    /// Forgets what could be redone, because something else was edited.
    pub fn forget_redo(&mut self) {
        self.redo.clear();
    }

    /// The name of the file.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether the recipe differs from the file. Mute and solo are not part of the file.
    pub fn is_unsaved(&self) -> bool {
        self.draft.recipe != self.saved
    }

    /// Whether the file and the recipe have both changed, so that the user must choose one.
    pub fn is_contested(&self) -> bool {
        self.theirs.is_some()
    }

    /// Whether undo and redo are possible.
    pub fn can_go(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Replaces the draft as a step of undo. An equal draft is not a step.
    pub fn edit(&mut self, mut draft: Draft, step: Step) {
        draft.fit();
        if draft == self.draft {
            return;
        }
        let gesture = match step {
            Step::Single => None,
            Step::Gesture(gesture) => Some(gesture),
        };
        let before = core::mem::replace(&mut self.draft, draft);
        if gesture.is_none() || gesture != self.gesture {
            self.undo.push(before);
            self.steps += 1;
            let old = self.undo.len().saturating_sub(STEPS);
            self.undo.drain(..old);
        }
        self.redo.clear();
        self.edits += 1;
        self.gesture = gesture;
        self.revision += 1;
    }

    /// Goes one step back.
    pub fn undo(&mut self) {
        if let Some(draft) = self.undo.pop() {
            self.redo.push(core::mem::replace(&mut self.draft, draft));
            self.steps -= 1;
            self.went();
        }
    }

    /// Redoes the step that was undone last.
    pub fn redo(&mut self) {
        if let Some(draft) = self.redo.pop() {
            self.undo.push(core::mem::replace(&mut self.draft, draft));
            self.steps += 1;
            self.went();
        }
    }

    fn went(&mut self) {
        self.gesture = None;
        self.revision += 1;
    }

    /// The recipe as RON text, muted layers included.
    ///
    /// # Errors
    /// A recipe that is not valid.
    pub fn copy(&self) -> Result<String, DataError> {
        self.draft.recipe.to_ron()
    }

    /// Replaces the recipe by one in RON text, as one step.
    ///
    /// # Errors
    /// Text that is not a valid recipe; the document stays as it was.
    pub fn paste(&mut self, text: &str) -> Result<(), DataError> {
        self.edit(Draft::new(Recipe::from_ron(text)?), Step::Single);
        Ok(())
    }

    /// Notes that the recipe was written to a file.
    pub fn saved_as(&mut self, file: String) {
        self.saved = self.draft.recipe.clone();
        self.file = Some(file);
        self.theirs = None;
    }

    /// Notes that another file was opened: one step, which undo takes back.
    pub fn opened(&mut self, recipe: Recipe, file: String) {
        self.file = Some(file);
        self.take(recipe);
    }

    /// Notes that the file was read, for the first time or after a change on disk. Unsaved edits
    /// stay until the user chooses.
    pub fn read(&mut self, recipe: Recipe) {
        if recipe == self.saved {
            self.theirs = None;
        } else if recipe == self.draft.recipe || !self.is_unsaved() {
            self.take(recipe);
        } else {
            self.theirs = Some(recipe);
        }
    }

    /// Takes the recipe from the changed file, in one step that undo takes back.
    pub fn take_theirs(&mut self) {
        if let Some(recipe) = self.theirs.take() {
            self.take(recipe);
        }
    }

    /// Keeps the edits; saving them will overwrite the changed file.
    pub fn keep_mine(&mut self) {
        if let Some(recipe) = self.theirs.take() {
            self.saved = recipe;
        }
    }

    /// Goes back to the recipe of the file, in one step that undo takes back.
    pub fn revert(&mut self) {
        self.take(self.saved.clone());
    }

    fn take(&mut self, recipe: Recipe) {
        self.saved = recipe.clone();
        self.theirs = None;
        if recipe != self.draft.recipe {
            self.edit(Draft::new(recipe), Step::Single);
        }
    }
}
