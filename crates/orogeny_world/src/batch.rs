//! What is saved in one transaction.

use std::collections::BTreeMap;

use orogeny::edits::Change;
use orogeny::{DataError, Recipe};

use crate::{data, record};

/// Changes of a world that are saved together: all or none of them are on the disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Changes of edits.
    pub changes: Vec<Change>,
    /// Whether `changes` are the whole log: edits that they lack leave the file. Otherwise the last
    /// change of each edit counts, as in an [`EditLog`](orogeny::edits::EditLog).
    pub replaces_log: bool,
    /// The new recipe, if it changes.
    pub recipe: Option<Recipe>,
    /// The new data of some keys; `None` removes what a key has.
    pub data: BTreeMap<String, Option<Vec<u8>>>,
}

impl Batch {
    /// Whether there is nothing to save.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of changes, recipes and keys. A log that is replaced by an empty one counts.
    pub fn len(&self) -> usize {
        let empties = self.replaces_log && self.changes.is_empty();
        let others = usize::from(empties) + usize::from(self.recipe.is_some());
        self.changes.len() + others + self.data.len()
    }

    /// Adds what comes after it. The last recipe and the last data of a key count.
    pub fn append(&mut self, later: Self) {
        if later.replaces_log {
            self.changes.clear();
            self.replaces_log = true;
        }
        self.changes.extend(later.changes);
        self.recipe = later.recipe.or(self.recipe.take());
        self.data.extend(later.data);
    }

    /// Checks that a file can have it.
    ///
    /// # Errors
    /// A change that a log would refuse or with a time beyond half of
    /// [`MAX_TIME`](orogeny::edits::MAX_TIME), a recipe that fails its [check](Recipe::build), and
    /// keys and data outside the limits of [`WorldFile::save_data`](crate::WorldFile::save_data).
    pub fn check(&self) -> Result<(), DataError> {
        self.changes.iter().try_for_each(record::check)?;
        if let Some(recipe) = &self.recipe {
            recipe.build()?;
        }
        self.data.iter().try_for_each(|(key, bytes)| data::check(key, bytes.as_deref()))
    }
}
