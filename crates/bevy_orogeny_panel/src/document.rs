//! The document of the panel: the draft that is edited, its past and future, and the file that it
//! belongs to.

use orogeny::{Recipe, RecipeError};

use crate::draft::Draft;

/// Steps that can be undone.
const STEPS: usize = 200;

/// What becomes of an edit in the list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A step of its own.
    Single,
    /// One step together with all edits of the same gesture, such as the dragging of a slider.
    Gesture(u64),
}

/// A draft that is edited, with undo and redo, and the file that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    draft: Draft,
    undo: Vec<Draft>,
    redo: Vec<Draft>,
    /// The gesture that the newest step belongs to.
    gesture: Option<u64>,
    revision: u64,
    /// The name of the file, if there is one.
    file: Option<String>,
    /// The recipe as it is in the file.
    saved: Recipe,
    /// What the file was changed to by somebody else, while there are edits here.
    theirs: Option<Recipe>,
}

impl Document {
    /// A recipe, from a file if that has a name.
    pub fn new(recipe: Recipe, file: Option<String>) -> Self {
        Self {
            draft: Draft::new(recipe.clone()),
            undo: Vec::new(),
            redo: Vec::new(),
            gesture: None,
            revision: 0,
            file,
            saved: recipe,
            theirs: None,
        }
    }

    /// What is edited.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Changes whenever the draft does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The name of the file.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether the recipe differs from that in the file. Which layers are heard does not count.
    pub fn is_unsaved(&self) -> bool {
        self.draft.recipe != self.saved
    }

    /// Whether the file was changed by somebody else, so that someone must decide.
    pub fn is_contested(&self) -> bool {
        self.theirs.is_some()
    }

    /// Whether there is something to undo, and to redo.
    pub fn can_go(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Takes over an edited draft; one that is the same is no step.
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
            let old = self.undo.len().saturating_sub(STEPS);
            self.undo.drain(..old);
        }
        self.redo.clear();
        self.gesture = gesture;
        self.revision += 1;
    }

    /// Goes one step back.
    pub fn undo(&mut self) {
        if let Some(draft) = self.undo.pop() {
            self.redo.push(core::mem::replace(&mut self.draft, draft));
            self.went();
        }
    }

    /// Takes the step that was undone last again.
    pub fn redo(&mut self) {
        if let Some(draft) = self.redo.pop() {
            self.undo.push(core::mem::replace(&mut self.draft, draft));
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
    pub fn copy(&self) -> Result<String, RecipeError> {
        self.draft.recipe.to_ron()
    }

    /// Replaces the recipe by one in RON text, as one step.
    ///
    /// # Errors
    /// Text that is no valid recipe, which changes nothing.
    pub fn paste(&mut self, text: &str) -> Result<(), RecipeError> {
        self.edit(Draft::new(Recipe::from_ron(text)?), Step::Single);
        Ok(())
    }

    /// The recipe was written to a file.
    pub fn saved_as(&mut self, file: String) {
        self.saved = self.draft.recipe.clone();
        self.file = Some(file);
        self.theirs = None;
    }

    /// Another file was read: one step that can be undone.
    pub fn opened(&mut self, recipe: Recipe, file: String) {
        self.file = Some(file);
        self.take(recipe);
    }

    /// The file was read: at first, or since it changed. Edits that are not saved stay until
    /// someone decides.
    pub fn read(&mut self, recipe: Recipe) {
        if recipe == self.saved {
            self.theirs = None;
        } else if recipe == self.draft.recipe || !self.is_unsaved() {
            self.take(recipe);
        } else {
            self.theirs = Some(recipe);
        }
    }

    /// Takes the file as somebody else changed it, in one step that can be undone.
    pub fn take_theirs(&mut self) {
        if let Some(recipe) = self.theirs.take() {
            self.take(recipe);
        }
    }

    /// Keeps the edits; saving them will overwrite what somebody else changed.
    pub fn keep_mine(&mut self) {
        if let Some(recipe) = self.theirs.take() {
            self.saved = recipe;
        }
    }

    /// Goes back to the recipe of the file, in one step that can be undone.
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
