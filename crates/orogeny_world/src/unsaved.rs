//! What could not be saved.

use std::error::Error;
use std::fmt;

use crate::batch::Batch;
use crate::error::WorldError;

/// What a [`Saver`](crate::Saver) could not save before it ended.
#[derive(Debug)]
pub struct Unsaved {
    /// Why the last attempt failed.
    pub error: WorldError,
    /// All that is not on the disk, for [`WorldFile::save_batch`](crate::WorldFile::save_batch).
    pub batch: Batch,
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Batch { changes, recipe, data, .. } = &self.batch;
        write!(f, "{}; {} changes", self.error, changes.len())?;
        if recipe.is_some() {
            f.write_str(" and a recipe")?;
        }
        if !data.is_empty() {
            let keys: Vec<_> = data.keys().map(String::as_str).collect();
            write!(f, " and the data of {}", keys.join(", "))?;
        }
        f.write_str(" were not saved")
    }
}

impl Error for Unsaved {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}
