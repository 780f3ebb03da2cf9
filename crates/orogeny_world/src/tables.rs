//! The tables of a file, and the bytes of their records.
//!
//! The encoding of changes, in a file and in packets, is that of
//! [postcard](https://docs.rs/postcard): fields in their order, numbers of kinds by their position
//! in the enum. So kinds may only be added at the end, and a changed field needs a new [`VERSION`].

use std::collections::BTreeMap;

use orogeny::edits::{Change, EditId, EditLog, MAX_TIME};
use orogeny::{DataError, Recipe};
use redb::{
    ReadOnlyTable, ReadTransaction, ReadableTable, TableDefinition, TableError, WriteTransaction,
};

use crate::data;
use crate::error::Problem;
use crate::file::{Batch, World};

/// The version of the encoding and of the tables.
const VERSION: u8 = 1;

/// A change as bytes: some 50 for an edit of a disc, 24 for every point of a path.
pub fn to_bytes(change: &Change) -> Vec<u8> {
    postcard::to_allocvec(change).expect("numbers, lists and enums have an encoding")
}

/// The change that [`to_bytes`] wrote. `None` for other bytes. Numbers are not checked: a log does
/// that when it [applies](orogeny::edits::EditLog::apply) the change.
pub fn from_bytes(bytes: &[u8]) -> Option<Change> {
    let (change, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(change)
}

/// The largest time in a file: a log that is read must have room for more changes.
const LATEST: u64 = MAX_TIME / 2;

/// Checks that a file with a change can be read.
pub(crate) fn check(change: &Change) -> Result<(), DataError> {
    for (path, time) in [("id.time", change.id.time), ("time.time", change.time.time)] {
        if time > LATEST {
            let problem = format!("is {time}, but must be at most {LATEST}");
            return Err(DataError { path: path.into(), problem });
        }
    }
    change.check()
}

/// The value of a record: a checksum of its key and its content, and the content.
fn seal(key: &[&[u8]], content: &[u8]) -> Vec<u8> {
    [&checksum(key, content)[..], content].concat()
}

/// The content of a record; `None` if its checksum is wrong.
fn open<'a>(key: &[&[u8]], record: &'a [u8]) -> Option<&'a [u8]> {
    let (sum, content) = record.split_at_checked(4)?;
    (sum == checksum(key, content)).then_some(content)
}

fn checksum(key: &[&[u8]], content: &[u8]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    key.iter().chain([&content]).for_each(|part| sum.update(part));
    sum.finalize().to_le_bytes()
}

/// The record of a change without its id, which is the key.
fn seal_change(Change { id, time, state }: &Change) -> Vec<u8> {
    let content = postcard::to_allocvec(&(time, state)).expect("as above");
    seal(&[&id.time.to_le_bytes(), &id.author.to_le_bytes()], &content)
}

/// The change of a record.
pub(crate) fn open_change(id: EditId, record: &[u8]) -> Result<Change, Problem> {
    let EditId { time, author } = id;
    let damage = |what| Problem::damage(format!("edit {time} of author {author} {what}"));
    let content = open(&[&time.to_le_bytes(), &author.to_le_bytes()], record)
        .ok_or_else(|| damage("has a wrong checksum"))?;
    let content = postcard::take_from_bytes(content).ok().filter(|(_, rest)| rest.is_empty());
    let ((time, state), _) = content.ok_or_else(|| damage("is of an unknown kind"))?;
    Ok(Change { id, time, state })
}

/// The data of a record.
pub(crate) fn open_data<'a>(key: &str, record: &'a [u8]) -> Result<&'a [u8], Problem> {
    let wrong = || Problem::damage(format!("the data of \"{key}\" has a wrong checksum"));
    open(&[&(key.len() as u64).to_le_bytes(), key.as_bytes()], record).ok_or_else(wrong)
}

/// Records by the time and the author of the edit.
pub(crate) const EDITS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("edits");
/// The game's data by its keys. Files have it once they have data, so earlier versions read files
/// without.
pub(crate) const DATA: TableDefinition<&str, &[u8]> = TableDefinition::new("data");
/// The format and the recipe.
pub(crate) const WORLD: TableDefinition<&str, &[u8]> = TableDefinition::new("world");
pub(crate) const FORMAT: &str = "format";
pub(crate) const RECIPE: &str = "recipe";
/// The number of a copy, only in copies.
pub(crate) const COPY: &str = "copy";

pub(crate) fn insert_world(transaction: &WriteTransaction, world: &World) -> Result<(), Problem> {
    transaction.open_table(WORLD)?.insert(FORMAT, [VERSION].as_slice())?;
    insert_recipe(transaction, &world.recipe)?;
    insert_changes(transaction, world.log.changes())?;
    world.data.iter().try_for_each(|(key, bytes)| insert_data(transaction, key, Some(bytes)))
}

pub(crate) fn insert_batch(transaction: &WriteTransaction, batch: &Batch) -> Result<(), Problem> {
    // What is changed is no copy any more.
    transaction.open_table(WORLD)?.remove(COPY)?;
    if let Some(recipe) = &batch.recipe {
        insert_recipe(transaction, recipe)?;
    }
    if batch.replaces_log {
        transaction.delete_table(EDITS)?;
    }
    insert_changes(transaction, batch.changes.iter().cloned())?;
    let mut data = batch.data.iter();
    data.try_for_each(|(key, bytes)| insert_data(transaction, key, bytes.as_deref()))
}

/// Replaces the data of a key, or removes it.
fn insert_data(
    transaction: &WriteTransaction,
    key: &str,
    bytes: Option<&[u8]>,
) -> Result<(), Problem> {
    data::check(key, bytes)?;
    let mut table = transaction.open_table(DATA)?;
    match bytes {
        Some(bytes) => {
            let length = (key.len() as u64).to_le_bytes();
            table.insert(key, seal(&[&length, key.as_bytes()], bytes).as_slice())?
        }
        None => table.remove(key)?,
    };
    Ok(())
}

fn insert_recipe(transaction: &WriteTransaction, recipe: &Recipe) -> Result<(), Problem> {
    let value = seal(&[], recipe.to_ron()?.as_bytes());
    transaction.open_table(WORLD)?.insert(RECIPE, value.as_slice())?;
    Ok(())
}

fn insert_changes(
    transaction: &WriteTransaction,
    changes: impl IntoIterator<Item = Change>,
) -> Result<(), Problem> {
    let mut table = transaction.open_table(EDITS)?;
    for change in changes {
        check(&change)?;
        let key = (change.id.time, change.id.author);
        // A damaged record is replaced.
        let old = table.get(key)?.and_then(|old| open_change(change.id, old.value()).ok());
        if old.is_none_or(|old| counts_after(&change, old)) {
            table.insert(key, seal_change(&change).as_slice())?;
        }
    }
    Ok(())
}

/// Whether a change of an edit counts instead of an older record of the same edit.
fn counts_after(change: &Change, old: Change) -> bool {
    if change.time != old.time {
        return change.time > old.time;
    }
    // A faulty author used a time twice. The log knows which one counts.
    let both = EditLog::from_changes([old, change.clone()]);
    both.is_ok_and(|log| log.last_change(change.id).as_ref() == Some(change))
}

/// Forgets removed edits, merges strokes, and returns what is left.
pub(crate) fn compact(transaction: &WriteTransaction) -> Result<EditLog, Problem> {
    let mut log = read_log(&transaction.open_table(EDITS)?)?;
    log.compact(log.time());
    log.merge_strokes();
    transaction.delete_table(EDITS)?;
    insert_changes(transaction, log.changes())?;
    Ok(log)
}

pub(crate) fn read_world(transaction: &ReadTransaction) -> Result<World, Problem> {
    let table = transaction.open_table(WORLD)?;
    let format = table.get(FORMAT)?.ok_or_else(|| Problem::damage("it has no format"))?;
    match *format.value() {
        [VERSION] => {}
        [found] => return Err(Problem::Format { found, known: VERSION }),
        _ => return Err(Problem::damage("its format is not a number")),
    }
    let recipe = table.get(RECIPE)?.ok_or_else(|| Problem::damage("it has no recipe"))?;
    let text = open(&[], recipe.value())
        .ok_or_else(|| Problem::damage("its recipe has a wrong checksum"))?;
    let recipe = Recipe::from_ron(std::str::from_utf8(text).map_err(Problem::damage)?)?;

    let log = read_log(&transaction.open_table(EDITS)?)?;
    Ok(World { recipe, log, data: read_data(transaction)? })
}

/// The table of data, if the file has one.
pub(crate) fn data_table(
    transaction: &ReadTransaction,
) -> Result<Option<ReadOnlyTable<&'static str, &'static [u8]>>, Problem> {
    match transaction.open_table(DATA) {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn read_data(
    transaction: &ReadTransaction,
) -> Result<BTreeMap<String, Vec<u8>>, Problem> {
    let mut all = BTreeMap::new();
    if let Some(table) = data_table(transaction)? {
        for record in table.iter()? {
            let (key, record) = record?;
            all.insert(key.value().into(), open_data(key.value(), record.value())?.into());
        }
    }
    Ok(all)
}

fn read_log(table: &impl ReadableTable<(u64, u64), &'static [u8]>) -> Result<EditLog, Problem> {
    let mut problem = None;
    let changes = table.iter()?.map_while(|record| {
        let change = record.map_err(Problem::from).and_then(|(key, value)| {
            let (time, author) = key.value();
            open_change(EditId { time, author }, value.value())
        });
        change.map_err(|e| problem = Some(e)).ok()
    });
    let log = EditLog::from_changes(changes);
    match problem {
        Some(problem) => Err(problem),
        None => Ok(log?),
    }
}
