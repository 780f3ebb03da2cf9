//! A world in a file.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use orogeny::Recipe;
use orogeny::edits::{Change, EditId, EditLog};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use crate::error::{Problem, WorldError};
use crate::record;

/// Records by the time and the author of the edit.
const EDITS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("edits");
/// The format and the recipe.
const WORLD: TableDefinition<&str, &[u8]> = TableDefinition::new("world");
const FORMAT: &str = "format";
const RECIPE: &str = "recipe";

/// A recipe and its edits.
#[derive(Clone, Debug)]
pub struct World {
    /// The ground without edits, and its appearance.
    pub recipe: Recipe,
    /// All edits.
    pub log: EditLog,
}

/// An open file with a [`World`]. Only one program at a time can open it.
#[derive(Debug)]
pub struct WorldFile {
    path: PathBuf,
    database: Database,
}

impl WorldFile {
    /// Creates a file. It appears under its name once it is complete.
    ///
    /// # Errors
    /// A file of this name, and those of the file system.
    pub fn create(path: impl AsRef<Path>, world: &World) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let new = path.with_added_extension("new");
        let create = || {
            if path.exists() {
                return Err(Problem::Exists);
            }
            if new.exists() {
                // Left by a program that was killed.
                fs::remove_file(&new)?;
            }
            let database = Database::create(&new)?;
            write(&database, |transaction| {
                let mut table = transaction.open_table(WORLD)?;
                table.insert(FORMAT, [record::FORMAT].as_slice())?;
                insert_recipe(&mut table, &world.recipe)?;
                insert_changes(&mut transaction.open_table(EDITS)?, world.log.changes())
            })?;
            drop(database);
            fs::rename(&new, path)?;
            // The name is durable once the folder is. Not all systems can open one.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Ok(folder) = fs::File::open(folder.unwrap_or(Path::new("."))) {
                folder.sync_all()?;
            }
            Ok(Database::open(path)?)
        };
        match create() {
            Ok(database) => Ok(Self { path: path.into(), database }),
            Err(problem) => Err(WorldError::new(path, problem)),
        }
    }

    /// Opens a file, and reads the world in it: a million edits in some seconds.
    ///
    /// # Errors
    /// A file that does not exist, that another program has open, that is not a world, that is
    /// damaged, or that a later version wrote. The file is not deleted.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, World), WorldError> {
        let path = path.as_ref();
        // Built for debugging, the database panics at some kinds of damage.
        let open = AssertUnwindSafe(|| {
            let database = Database::builder().set_check_integrity_on_open(true).open(path)?;
            let world = read(&database)?;
            Ok((database, world))
        });
        let opened = catch_unwind(open).unwrap_or_else(|panic| Err(Problem::panic(&*panic)));
        match opened {
            Ok((database, world)) => Ok((Self { path: path.into(), database }, world)),
            Err(problem) => Err(WorldError::new(path, problem)),
        }
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves changes, all or none of them. When it returns they are on the disk. For each edit the
    /// last change counts, as in an [`EditLog`].
    ///
    /// This waits for the disk, some milliseconds: in a game use a [`Saver`](crate::Saver).
    ///
    /// # Errors
    /// A change that a log would refuse, and those of the file system. Nothing is saved then.
    pub fn save(&self, changes: impl IntoIterator<Item = Change>) -> Result<(), WorldError> {
        let saved = write(&self.database, |transaction| {
            insert_changes(&mut transaction.open_table(EDITS)?, changes)
        });
        saved.map_err(|problem| WorldError::new(&self.path, problem))
    }

    /// Replaces the recipe. When it returns the new one is on the disk.
    ///
    /// # Errors
    /// Those of the file system. The old recipe stays then.
    pub fn set_recipe(&self, recipe: &Recipe) -> Result<(), WorldError> {
        let saved = write(&self.database, |transaction| {
            insert_recipe(&mut transaction.open_table(WORLD)?, recipe)
        });
        saved.map_err(|problem| WorldError::new(&self.path, problem))
    }
}

/// Runs a transaction that is durable once this returns.
fn write(
    database: &Database,
    fill: impl FnOnce(&redb::WriteTransaction) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut transaction = database.begin_write()?;
    // So that a damaged last transaction is not taken for one that was cut off, and dropped.
    transaction.set_two_phase_commit(true);
    fill(&transaction)?;
    Ok(transaction.commit()?)
}

fn insert_recipe(
    table: &mut redb::Table<'_, &'static str, &'static [u8]>,
    recipe: &Recipe,
) -> Result<(), Problem> {
    let text = recipe.to_ron()?;
    let sum = crc32fast::hash(text.as_bytes()).to_le_bytes();
    table.insert(RECIPE, [&sum[..], text.as_bytes()].concat().as_slice())?;
    Ok(())
}

fn insert_changes(
    table: &mut redb::Table<'_, (u64, u64), &'static [u8]>,
    changes: impl IntoIterator<Item = Change>,
) -> Result<(), Problem> {
    for change in changes {
        change.check()?;
        let Change { id, time, state } = change;
        let key = (id.time, id.author);
        let old = table.get(key)?.map(|old| record::open(id, old.value())).transpose()?;
        if old.is_none_or(|old| (old.time, old.state) < (time, state.clone())) {
            table.insert(key, record::seal(id, time, &state).as_slice())?;
        }
    }
    Ok(())
}

fn read(database: &Database) -> Result<World, Problem> {
    let transaction = database.begin_read()?;
    let table = transaction.open_table(WORLD)?;
    let format = table.get(FORMAT)?.ok_or_else(|| Problem::damage("it has no format"))?;
    match *format.value() {
        [record::FORMAT] => {}
        [found] => return Err(Problem::Format { found, known: record::FORMAT }),
        _ => return Err(Problem::damage("its format is not a number")),
    }
    let recipe = table.get(RECIPE)?.ok_or_else(|| Problem::damage("it has no recipe"))?;
    let wrong = || Problem::damage("its recipe has a wrong checksum");
    let (sum, text) = recipe.value().split_at_checked(4).ok_or_else(wrong)?;
    if sum != crc32fast::hash(text).to_le_bytes() {
        return Err(wrong());
    }
    let recipe = Recipe::from_ron(std::str::from_utf8(text).map_err(Problem::damage)?)?;

    let table = transaction.open_table(EDITS)?;
    let mut problem = None;
    let changes = table.iter()?.map_while(|record| {
        let change = record.map_err(Problem::from).and_then(|(key, value)| {
            let (time, author) = key.value();
            record::open(EditId { time, author }, value.value())
        });
        change.map_err(|e| problem = Some(e)).ok()
    });
    let log = EditLog::from_changes(changes);
    match problem {
        Some(problem) => Err(problem),
        None => Ok(World { recipe, log: log? }),
    }
}
