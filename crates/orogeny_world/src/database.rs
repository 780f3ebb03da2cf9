//! The database of a file: the connection to it, and new ones.

use std::ffi::OsString;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use redb::{Builder, Database, ReadTransaction, ReadableDatabase, WriteTransaction};
use tempfile::TempPath;

use crate::error::Problem;

/// Opens the database of a path.
pub(crate) type Connect = fn(&Path) -> Result<Database, Problem>;

/// A database that is opened again after an error: one that failed to read or write once refuses
/// everything afterwards.
#[derive(Debug)]
pub(crate) struct Connection {
    path: PathBuf,
    connect: Connect,
    /// `None` after an error of the database.
    database: Mutex<Option<Database>>,
}

impl Connection {
    pub fn new(path: &Path, connect: Connect) -> Self {
        Self { path: path.into(), connect, database: Mutex::new(None) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a transaction that is durable once this returns.
    pub fn write(
        &self,
        fill: impl FnOnce(&WriteTransaction) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.run(|database| write(database, fill))
    }

    /// Reads one state of the file.
    pub fn read<T>(
        &self,
        look: impl FnOnce(&ReadTransaction) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.run(|database| look(&database.begin_read()?))
    }

    /// Gives unused space back to the file system.
    pub fn shrink(&self) -> Result<(), Problem> {
        self.run(|database| {
            database.compact()?;
            Ok(())
        })
    }

    fn run<T>(&self, act: impl FnOnce(&mut Database) -> Result<T, Problem>) -> Result<T, Problem> {
        let mut open = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let mut database = match open.take() {
            Some(database) => database,
            None => guarded(|| (self.connect)(&self.path))?,
        };
        let result = guarded(|| act(&mut database));
        if matches!(result, Ok(_) | Err(Problem::Invalid(_))) {
            *open = Some(database);
        } else {
            // The first error is the cause of what goes wrong here.
            let _ = guarded(|| {
                drop(database);
                Ok(())
            });
        }
        result
    }
}

/// Runs a transaction that is durable once this returns.
pub(crate) fn write(
    database: &Database,
    fill: impl FnOnce(&WriteTransaction) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut transaction = database.begin_write()?;
    // So that a damaged last transaction is not taken for one that was cut off, and dropped.
    transaction.set_two_phase_commit(true);
    fill(&transaction)?;
    Ok(transaction.commit()?)
}

/// Opens a file that must exist, and checks all of it.
pub(crate) fn open_checked(path: &Path) -> Result<Database, Problem> {
    Ok(Builder::new().set_check_integrity_on_open(true).open(path)?)
}

/// Runs what may panic: built for debugging, the database does at some kinds of damage.
pub(crate) fn guarded<T>(run: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(Problem::panic(&*panic)))
}

/// Writes a database into a new file beside `path`, with a random name that nobody uses. The file
/// is deleted unless it gets another name.
pub(crate) fn new_file(
    path: &Path,
    fill: impl FnOnce(&WriteTransaction) -> Result<(), Problem>,
) -> Result<TempPath, Problem> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let new = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".new")
        .make_in(folder(path), |path| File::create_new(path))?
        .into_temp_path();
    let database = Database::create(&new)?;
    write(&database, fill)?;
    drop(database);
    Ok(new)
}

/// Gives a new file its name, durably.
///
/// # Errors
/// A file of this name, unless `replace`.
pub(crate) fn name_file(new: TempPath, path: &Path, replace: bool) -> Result<(), Problem> {
    let named = if replace { new.persist(path) } else { new.persist_noclobber(path) };
    named.map_err(|error| error.error)?;
    // The name is durable once the folder is. Not all systems can open one.
    if let Ok(folder) = File::open(folder(path)) {
        folder.sync_all()?;
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
