//! Files that appear under their name once they are complete.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;

use redb::{Database, WriteTransaction};
use tempfile::TempPath;

use crate::connection;
use crate::error::Problem;

/// Writes a database into a new file beside `path`, with a random name that nobody uses. The file
/// is deleted unless it gets another name.
pub(crate) fn beside(
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
    connection::write(&database, fill)?;
    drop(database);
    Ok(new)
}

/// Gives a new file its name, durably.
///
/// # Errors
/// A file of this name, unless `replace`.
pub(crate) fn name(new: TempPath, path: &Path, replace: bool) -> Result<(), Problem> {
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
