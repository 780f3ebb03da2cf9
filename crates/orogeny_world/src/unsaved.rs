//! What could not be saved.

use std::error::Error;
use std::fmt;

use orogeny::Recipe;
use orogeny::edits::Change;

use crate::error::WorldError;

/// What a [`Saver`](crate::Saver) could not save before it ended.
#[derive(Debug)]
pub struct Unsaved {
    /// Why the last attempt failed.
    pub error: WorldError,
    /// The changes, in the order in which they were given.
    pub changes: Vec<Change>,
    /// The last recipe that was given.
    pub recipe: Option<Recipe>,
}

/// What is saved.
#[derive(Debug)]
pub(crate) enum Item {
    Change(Change),
    Recipe(Box<Recipe>),
}

impl Item {
    pub fn change(&self) -> Option<&Change> {
        match self {
            Self::Change(change) => Some(change),
            Self::Recipe(_) => None,
        }
    }

    pub fn recipe(&self) -> Option<&Recipe> {
        match self {
            Self::Recipe(recipe) => Some(recipe),
            Self::Change(_) => None,
        }
    }
}

impl Unsaved {
    pub(crate) fn new(error: WorldError, items: Vec<Item>) -> Box<Self> {
        let mut unsaved = Self { error, changes: Vec::new(), recipe: None };
        for item in items {
            match item {
                Item::Change(change) => unsaved.changes.push(change),
                Item::Recipe(recipe) => unsaved.recipe = Some(*recipe),
            }
        }
        Box::new(unsaved)
    }
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let recipe = if self.recipe.is_some() { " and a recipe" } else { "" };
        write!(f, "{}; {} changes{recipe} were not saved", self.error, self.changes.len())
    }
}

impl Error for Unsaved {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}
