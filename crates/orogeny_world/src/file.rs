//! A world in a file, and what is saved in one transaction.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use orogeny::edits::{Change, EditLog};
use orogeny::{DataError, Recipe};

use crate::database::{Connect, Connection, name_file, new_file, open_checked};
use crate::error::{Problem, WorldError};
use crate::tables::{self, compact, insert_batch, insert_world, read_world};
use crate::{copies, data};

/// A recipe, its edits, and data of the game.
#[derive(Clone, Debug)]
pub struct World {
    /// The ground without edits, and its appearance.
    pub recipe: Recipe,
    /// All edits.
    pub log: EditLog,
    /// What else the game saves: bytes under keys of 1 to [`MAX_KEY`](crate::MAX_KEY) bytes, at
    /// most [`MAX_DATA`](crate::MAX_DATA) bytes each. [`to_data`](crate::to_data) makes them of a
    /// value.
    pub data: BTreeMap<String, Vec<u8>>,
}

impl World {
    /// A world without edits and data.
    pub fn new(recipe: Recipe) -> Self {
        Self { recipe, log: EditLog::new(), data: BTreeMap::new() }
    }
}

/// Changes of a world that are saved together: all or none of them are on the disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Changes of edits.
    pub changes: Vec<Change>,
    /// Whether `changes` are the whole log: edits that they lack leave the file. Otherwise the last
    /// change of each edit counts, as in an [`EditLog`].
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
    /// keys and data outside the limits of [`WorldFile::save_data`].
    pub fn check(&self) -> Result<(), DataError> {
        self.changes.iter().try_for_each(tables::check)?;
        if let Some(recipe) = &self.recipe {
            recipe.build()?;
        }
        self.data.iter().try_for_each(|(key, bytes)| data::check(key, bytes.as_deref()))
    }
}

/// An open file with a [`World`]. Only one program at a time can open it.
#[derive(Debug)]
pub struct WorldFile(Connection);

impl WorldFile {
    /// Creates a file. It appears under its name once it is complete. A program that is killed
    /// meanwhile leaves a hidden file, `.NAME.RANDOM.new`.
    ///
    /// # Errors
    /// A file of this name, a recipe or an edit that fails its check, and errors of the file
    /// system.
    pub fn create(path: impl AsRef<Path>, world: &World) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let create = || {
            if path.exists() {
                return Err(Problem::Exists);
            }
            let new = new_file(path, |transaction| insert_world(transaction, world))?;
            name_file(new, path, false)?;
            Self::reopen(path)
        };
        create().map_err(|problem| WorldError::new(path, problem))
    }

    /// Puts a new world in place of the one in a file, or creates the file if there is none. The
    /// new world is written beside the old one and then takes its name at once, so whenever the
    /// program is killed there is one of them. The old world stays as a [copy](Self::back_up) until
    /// later copies replace it.
    ///
    /// # Errors
    /// As [`create`](Self::create), and a file that [`open`](Self::open) would refuse: what is not
    /// a world, is damaged or is open is never replaced. If no copy can be made, that is an error,
    /// too. The old world stays then.
    pub fn replace(path: impl AsRef<Path>, world: &World) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let fail = |problem| WorldError::new(path, problem);
        if !path.exists() {
            return Self::create(path, world);
        }
        let new = new_file(path, |transaction| insert_world(transaction, world));
        let new = new.map_err(fail)?;
        let (old, _) = Self::open(path)?;
        old.back_up()?;
        // Not all systems can rename a file to the name of one that is open.
        drop(old);
        name_file(new, path, true).and_then(|()| Self::reopen(path)).map_err(fail)
    }

    /// Opens a file that was just written.
    fn reopen(path: &Path) -> Result<Self, Problem> {
        let file = Connection::new(path, open_checked);
        file.read(|_| Ok(()))?;
        Ok(Self(file))
    }

    /// Opens a file, and reads the world in it: a million edits in some seconds.
    ///
    /// # Errors
    /// A file that does not exist, that another program has open, that is not a world, that is
    /// damaged, or that a later version wrote. The file is not deleted. If it is damaged, the error
    /// names the last [copy](Self::back_up).
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, World), WorldError> {
        Self::open_by(path.as_ref(), open_checked)
    }

    pub(crate) fn open_by(path: &Path, connect: Connect) -> Result<(Self, World), WorldError> {
        let file = Connection::new(path, connect);
        match file.read(read_world) {
            Ok(world) => Ok((Self(file), world)),
            Err(problem) => Err(WorldError::new(path, problem).with_copy()),
        }
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Saves changes, all or none of them. When it returns they are on the disk. For each edit the
    /// last change counts, as in an [`EditLog`].
    ///
    /// This waits for the disk, some milliseconds: in a game use a [`Saver`](crate::Saver).
    ///
    /// # Errors
    /// A change that a log would refuse, a time beyond half of [`MAX_TIME`], and errors of the file
    /// system. Nothing is saved then.
    ///
    /// [`MAX_TIME`]: orogeny::edits::MAX_TIME
    pub fn save(&self, changes: impl IntoIterator<Item = Change>) -> Result<(), WorldError> {
        let changes = changes.into_iter().collect();
        self.save_batch(&Batch { changes, ..Batch::default() })
    }

    /// Replaces the recipe. When it returns the new one is on the disk.
    ///
    /// # Errors
    /// A recipe that fails its [check](Recipe::build), and those of the file system. The old recipe
    /// stays then.
    pub fn set_recipe(&self, recipe: &Recipe) -> Result<(), WorldError> {
        self.save_batch(&Batch { recipe: Some(recipe.clone()), ..Batch::default() })
    }

    /// Replaces the data of a key, or removes it. When it returns that is on the disk.
    ///
    /// # Errors
    /// A key that is empty or longer than [`MAX_KEY`](crate::MAX_KEY), more than
    /// [`MAX_DATA`](crate::MAX_DATA) bytes, and errors of the file system. What the key had stays
    /// then.
    pub fn save_data(&self, key: &str, data: Option<&[u8]>) -> Result<(), WorldError> {
        let data = BTreeMap::from([(key.into(), data.map(Into::into))]);
        self.save_batch(&Batch { data, ..Batch::default() })
    }

    /// Saves changes, a recipe and data in one transaction: all of them or nothing. When it returns
    /// they are on the disk.
    ///
    /// # Errors
    /// Those of [`save`](Self::save), [`set_recipe`](Self::set_recipe) and
    /// [`save_data`](Self::save_data). Nothing is saved then.
    pub fn save_batch(&self, batch: &Batch) -> Result<(), WorldError> {
        let saved = self.0.write(|transaction| insert_batch(transaction, batch));
        saved.map_err(|problem| self.error(problem))
    }

    /// Makes the file as small as can be, and returns the log that it then has: removed edits are
    /// [forgotten](EditLog::compact), [strokes are merged](EditLog::merge_strokes), and unused
    /// space goes back to the file system. The ground stays as it is, whenever the program is
    /// killed. The data stays as it is.
    ///
    /// A log on another machine may still have changes from before, and would bring edits back or
    /// add strokes twice. So use this when a world is opened that nobody shares, or that all others
    /// get anew, and go on with the log returned. This reads and writes the whole file: a million
    /// edits in some seconds.
    ///
    /// # Errors
    /// Records that are damaged, and those of the file system.
    pub fn compact(&self) -> Result<EditLog, WorldError> {
        let mut log = EditLog::new();
        let written = self.0.write(|transaction| {
            log = compact(transaction)?;
            Ok(())
        });
        written.and_then(|()| self.0.shrink()).map_err(|problem| self.error(problem))?;
        Ok(log)
    }

    /// Copies the world to a file beside its own, `NAME.copy1` or `NAME.copy2`, in place of the
    /// older of the two, and returns its path. Nothing is written if the newer one is the same.
    ///
    /// A copy is a world: to go on with it, give it the name of the damaged file. A copy that was
    /// changed since, and any other file of such a name, is left as it is, and the copy gets the
    /// next free number up to 9. A [`Saver`](crate::Saver) makes a copy when it starts, of a world
    /// that was read without an error.
    ///
    /// This reads and writes the whole file: a million edits in some seconds.
    ///
    /// # Errors
    /// Records that are damaged, files of all names, and those of the file system.
    pub fn back_up(&self) -> Result<PathBuf, WorldError> {
        copies::add(&self.0).map_err(|problem| self.error(problem))
    }

    pub(crate) fn error(&self, problem: impl Into<Problem>) -> WorldError {
        WorldError::new(self.path(), problem)
    }
}
