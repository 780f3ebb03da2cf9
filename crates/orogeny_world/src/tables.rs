//! The tables of a file.

use std::collections::BTreeMap;

use orogeny::Recipe;
use orogeny::edits::{Change, EditId, EditLog};
use redb::{
    ReadOnlyTable, ReadTransaction, ReadableTable, TableDefinition, TableError, WriteTransaction,
};

use crate::batch::Batch;
use crate::data;
use crate::error::Problem;
use crate::file::World;
use crate::record;

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
    transaction.open_table(WORLD)?.insert(FORMAT, [record::FORMAT].as_slice())?;
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
        Some(bytes) => table.insert(key, data::seal(key, bytes).as_slice())?,
        None => table.remove(key)?,
    };
    Ok(())
}

pub(crate) fn insert_recipe(
    transaction: &WriteTransaction,
    recipe: &Recipe,
) -> Result<(), Problem> {
    let text = recipe.to_ron()?;
    let sum = crc32fast::hash(text.as_bytes()).to_le_bytes();
    let value = [&sum[..], text.as_bytes()].concat();
    transaction.open_table(WORLD)?.insert(RECIPE, value.as_slice())?;
    Ok(())
}

pub(crate) fn insert_changes(
    transaction: &WriteTransaction,
    changes: impl IntoIterator<Item = Change>,
) -> Result<(), Problem> {
    let mut table = transaction.open_table(EDITS)?;
    for change in changes {
        record::check(&change)?;
        let key = (change.id.time, change.id.author);
        // A damaged record is replaced.
        let old = table.get(key)?.and_then(|old| record::open(change.id, old.value()).ok());
        if old.is_none_or(|old| counts_after(&change, old)) {
            let record = record::seal(change.id, change.time, &change.state);
            table.insert(key, record.as_slice())?;
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
            all.insert(key.value().into(), data::open(key.value(), record.value())?);
        }
    }
    Ok(all)
}

fn read_log(table: &impl ReadableTable<(u64, u64), &'static [u8]>) -> Result<EditLog, Problem> {
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
        None => Ok(log?),
    }
}
