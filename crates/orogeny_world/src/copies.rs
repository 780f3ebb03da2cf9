//! Copies of a world beside its file.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use orogeny::edits::EditId;
use redb::{
    Builder, ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    WriteTransaction,
};

use crate::database::{Connection, guarded, name_file, new_file};
use crate::error::Problem;
use crate::tables::{
    COPY, DATA, EDITS, FORMAT, RECIPE, WORLD, data_table, open_change, open_data, read_data,
    read_world,
};

/// The number of copies of a file.
const KEPT: usize = 2;
/// The last number in the name of a copy. A name that something else has is left out.
const LAST: usize = 9;

/// A file that this module wrote, and nobody changed since.
pub(crate) struct Copy {
    pub path: PathBuf,
    /// Larger than that of all older copies of the file.
    number: u64,
}

/// The copies of a file, the newest first.
pub(crate) fn of(path: &Path) -> Vec<Copy> {
    let copies = names(path).filter_map(|path| {
        let number = guarded(|| read(&path, number)).ok()??;
        Some(Copy { path, number })
    });
    let mut copies: Vec<_> = copies.collect();
    copies.sort_by_key(|copy| Reverse(copy.number));
    copies
}

/// The newest copy that can be read.
pub(crate) fn newest_whole(path: &Path) -> Option<PathBuf> {
    let is_whole = |copy: &Copy| has(&copy.path, |copy| read_world(copy).map(|_| true));
    of(path).into_iter().find(is_whole).map(|copy| copy.path)
}

/// Whether a file can be read and `look` finds something in it.
fn has(path: &Path, look: impl FnOnce(&ReadTransaction) -> Result<bool, Problem>) -> bool {
    guarded(|| read(path, look)).unwrap_or(false)
}

fn names(path: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=LAST).map(move |n| {
        let mut name = OsString::from(path);
        name.push(format!(".copy{n}"));
        name.into()
    })
}

/// Writes a copy in place of the oldest one, unless the newest is the same. Returns its path.
pub(crate) fn add(file: &Connection) -> Result<PathBuf, Problem> {
    let mut copies = of(file.path());
    if let Some(newest) = copies.first()
        // A damaged copy is not the same.
        && file.read(|from| Ok(has(&newest.path, |copy| are_same(from, copy))))?
    {
        return Ok(copies.swap_remove(0).path);
    }
    let number = copies.first().map_or(0, |newest| newest.number) + 1;
    let new = new_file(file.path(), |to| {
        file.read(|from| copy(from, to))?;
        to.open_table(WORLD)?.insert(COPY, number.to_le_bytes().as_slice())?;
        Ok(())
    })?;
    let oldest = copies.pop().filter(|_| copies.len() + 1 >= KEPT);
    let replace = oldest.is_some();
    let free = || names(file.path()).find(|path| !path.exists());
    let path = oldest.map(|copy| copy.path).or_else(free).ok_or(Problem::Exists)?;
    name_file(new, &path, replace)?;
    Ok(path)
}

/// Reads a file without changing it.
fn read<T>(
    path: &Path,
    look: impl FnOnce(&ReadTransaction) -> Result<T, Problem>,
) -> Result<T, Problem> {
    look(&Builder::new().open_read_only(path)?.begin_read()?)
}

/// The number of a copy; `None` for any other world.
fn number(from: &ReadTransaction) -> Result<Option<u64>, Problem> {
    let number = from.open_table(WORLD)?.get(COPY)?;
    Ok(number.and_then(|number| Some(u64::from_le_bytes(number.value().try_into().ok()?))))
}

/// Copies a world. Records that are damaged are an error.
fn copy(from: &ReadTransaction, to: &WriteTransaction) -> Result<(), Problem> {
    let (old, mut new) = (from.open_table(WORLD)?, to.open_table(WORLD)?);
    for key in [FORMAT, RECIPE] {
        let value = old.get(key)?.ok_or_else(|| Problem::damage(format!("it has no {key}")))?;
        new.insert(key, value.value())?;
    }
    let (old, mut new) = (from.open_table(EDITS)?, to.open_table(EDITS)?);
    for record in old.iter()? {
        let (key, value) = record?;
        let (time, author) = key.value();
        open_change(EditId { time, author }, value.value())?;
        new.insert((time, author), value.value())?;
    }
    if let Some(old) = data_table(from)? {
        let mut new = to.open_table(DATA)?;
        for record in old.iter()? {
            let (key, value) = record?;
            open_data(key.value(), value.value())?;
            new.insert(key.value(), value.value())?;
        }
    }
    Ok(())
}

fn are_same(a: &ReadTransaction, b: &ReadTransaction) -> Result<bool, Problem> {
    let [x, y] = [a.open_table(WORLD)?, b.open_table(WORLD)?];
    for key in [FORMAT, RECIPE] {
        if x.get(key)?.map(|value| value.value().to_vec())
            != y.get(key)?.map(|value| value.value().to_vec())
        {
            return Ok(false);
        }
    }
    let [x, y] = [a.open_table(EDITS)?, b.open_table(EDITS)?];
    if x.len()? != y.len()? {
        return Ok(false);
    }
    for (x, y) in x.iter()?.zip(y.iter()?) {
        let ((key, value), (other_key, other)) = (x?, y?);
        if key.value() != other_key.value() || value.value() != other.value() {
            return Ok(false);
        }
    }
    Ok(read_data(a)? == read_data(b)?)
}
