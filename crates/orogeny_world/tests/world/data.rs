//! The game's own data.

use std::collections::BTreeMap;
use std::fs;

use orogeny::edits::EditLog;
use orogeny_world::{Batch, MAX_DATA, MAX_KEY, Saver, World, WorldFile, from_data, to_data};
use redb::{ReadableDatabase, ReadableTable, TableHandle};
use serde::{Deserialize, Serialize};

use crate::{assert_same, island, log, numbered, world};

fn data(all: &[(&str, &[u8])]) -> BTreeMap<String, Vec<u8>> {
    all.iter().map(|&(key, bytes)| (key.into(), bytes.into())).collect()
}

#[test]
fn data_is_saved_replaced_and_removed() {
    let (_folder, path) = island();
    let first = data(&[("boat", b"blue"), ("player", b"")]);
    let created = World { data: first.clone(), ..world(EditLog::new()) };
    let file = WorldFile::create(&path, &created).unwrap();
    drop(file);
    let (file, read) = WorldFile::open(&path).unwrap();
    assert_eq!(read.data, first);
    file.save_data("player", Some(b"at home")).unwrap();
    file.save_data("boat", None).unwrap();
    file.save_data("nothing", None).unwrap();
    let changes = data(&[("horse", &[7; 100_000])]).into_iter().map(|(k, v)| (k, Some(v)));
    let batch = Batch { data: changes.collect(), changes: vec![numbered(1)], ..Batch::default() };
    file.save_batch(&batch).unwrap();
    let expected = data(&[("horse", &[7; 100_000]), ("player", b"at home")]);
    // Compaction and copies keep it.
    file.compact().unwrap();
    let copy = file.back_up().unwrap();
    assert_eq!(WorldFile::open(&copy).unwrap().1.data, expected);
    assert_eq!(file.back_up().unwrap(), copy);
    file.save_data("player", Some(b"at sea")).unwrap();
    let next = file.back_up().unwrap();
    assert_ne!(next, copy);
    assert_eq!(WorldFile::open(&next).unwrap().1.data["player"], b"at sea");
    drop(file);
    let (file, read) = WorldFile::open(&path).unwrap();
    assert_eq!((read.log.len(), read.data["player"].as_slice()), (1, &b"at sea"[..]));
    // In the background the last one counts.
    let mut saver = Saver::new(file);
    for n in 0..100u8 {
        saver.save_data("player", Some(vec![n])).unwrap();
    }
    saver.save_data("horse", None).unwrap();
    assert_eq!(saver.save(numbered(2)).unwrap(), 102);
    saver.finish().unwrap();
    let (_, read) = WorldFile::open(&path).unwrap();
    assert_eq!((read.log.len(), read.data), (2, data(&[("player", &[99])])));
}

#[test]
fn limits_of_data_name_the_key() {
    let (folder, path) = island();
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    let largest = vec![1; MAX_DATA];
    let longest = "k".repeat(MAX_KEY);
    file.save_data(&longest, Some(&largest)).unwrap();
    let error = file.save_data("map", Some(&vec![0; MAX_DATA + 1])).unwrap_err().to_string();
    let end = "island.world: data.map: has 16777217 bytes, but may have at most 16777216";
    assert!(error.ends_with(end), "{error}");
    let error = file.save_data(&"k".repeat(MAX_KEY + 1), None).unwrap_err().to_string();
    assert!(error.ends_with("kkkk\" has 256 bytes, but must have 1 to 255"), "{error}");
    // Nothing of a call with an error is saved.
    let mut batch = Batch { changes: vec![numbered(1)], ..Batch::default() };
    batch.data.insert(String::new(), None);
    assert!(file.save_batch(&batch).unwrap_err().to_string().contains("has 0 bytes"));
    let bad = World { data: data(&[("", b"")]), ..world(EditLog::new()) };
    assert!(WorldFile::create(folder.path().join("bad.world"), &bad).is_err());
    drop(file);
    let (_, read) = WorldFile::open(&path).unwrap();
    assert!(read.log.is_empty());
    assert_eq!(read.data, [(longest, largest)].into());
}

/// What earlier versions wrote and read: a file without the table.
#[test]
fn files_without_data_have_no_table_of_it() {
    let (_folder, path) = island();
    let tables = || {
        let database = redb::Database::open(&path).unwrap();
        let transaction = database.begin_read().unwrap();
        let tables = transaction.list_tables().unwrap();
        let mut names: Vec<_> = tables.map(|table| table.name().to_string()).collect();
        names.sort();
        names
    };
    let file = WorldFile::create(&path, &world(log(1, 20).0)).unwrap();
    file.save([numbered(1000)]).unwrap();
    file.compact().unwrap();
    drop(file);
    assert_eq!(tables(), ["edits", "world"]);
    let (file, read) = WorldFile::open(&path).unwrap();
    assert!(read.data.is_empty());
    let copy = file.back_up().unwrap();
    assert!(WorldFile::open(copy).unwrap().1.data.is_empty());
    file.save_data("player", Some(b"1")).unwrap();
    drop(file);
    assert_eq!(tables(), ["data", "edits", "world"]);
}

#[test]
fn a_wrong_checksum_names_the_key() {
    let (_folder, path) = island();
    let created = World { data: data(&[("player", b"here")]), ..world(EditLog::new()) };
    drop(WorldFile::create(&path, &created).unwrap());
    let database = redb::Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let table = redb::TableDefinition::<&str, &[u8]>::new("data");
    let old =
        transaction.open_table(table).unwrap().get("player").unwrap().unwrap().value().to_vec();
    // The record of another key is not taken for that of this one.
    transaction.open_table(table).unwrap().insert("boat", old.as_slice()).unwrap();
    transaction.commit().unwrap();
    drop(database);
    let error = WorldFile::open(&path).unwrap_err();
    assert!(error.is_damage() && error.to_string().contains("\"boat\""), "{error}");
}

#[test]
fn values_come_back_and_may_get_more_fields() {
    #[derive(Serialize, Deserialize)]
    struct Old {
        place: [f64; 3],
        name: String,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct New {
        place: [f64; 3],
        name: String,
        #[serde(default)]
        health: f32,
    }
    let old = Old { place: [0.1, f64::MAX, -1e-300], name: "\"Ä\"\n".into() };
    let new = New { place: old.place, name: old.name.clone(), health: 0.0 };
    let bytes = to_data(&old).unwrap();
    assert_eq!(from_data::<New>(&bytes).unwrap(), new);
    // RON, as earlier versions wrote it.
    let ron = b"(place:(0.1,1.7976931348623157e308,-1e-300),name:\"\\\"\xc3\x84\\\"\\n\")";
    assert_eq!(from_data::<New>(ron).unwrap(), new);
    for bad in [&b"(place: [1"[..], b"\xff\xff", b"", &bytes[..9], &bytes[..bytes.len() - 1]] {
        assert!(from_data::<New>(bad).is_err());
    }
    assert!(from_data::<New>(&[&bytes[..], b"\x01"].concat()).is_err());
    let later = from_data::<New>(b"\xff\x02").unwrap_err().to_string();
    assert!(later.contains("encoding 2, but this version reads 1"), "{later}");
}

#[test]
fn a_whole_log_replaces_the_one_in_the_file() {
    let (_folder, path) = island();
    let (old, _) = log(1, 100);
    let file = WorldFile::create(&path, &world(old.clone())).unwrap();
    // An earlier state of it, and then one more change.
    let earlier = EditLog::from_changes(old.changes().take(30)).unwrap();
    let mut batch = Batch { changes: vec![numbered(7000)], ..Batch::default() };
    batch.append(Batch {
        changes: earlier.changes().collect(),
        replaces_log: true,
        ..Batch::default()
    });
    batch.append(Batch { changes: vec![numbered(5000)], ..Batch::default() });
    let mut expected = earlier;
    expected.apply(numbered(5000)).unwrap();
    file.save_batch(&batch).unwrap();
    drop(file);
    let (file, read) = WorldFile::open(&path).unwrap();
    assert_same(&read, &expected);
    let empty = Batch { replaces_log: true, ..Batch::default() };
    assert_eq!((empty.len(), Batch::default().len()), (1, 0));
    let mut saver = Saver::new(file);
    assert_eq!(saver.save_batch(empty).unwrap(), 1);
    saver.finish().unwrap();
    assert_eq!(WorldFile::open(&path).unwrap().1.log.changes().count(), 0);
}

#[test]
fn a_world_is_replaced_and_stays_as_a_copy() {
    let (folder, path) = island();
    let copy = folder.path().join("island.world.copy1");
    let replacement = |n: u64| {
        let log = EditLog::from_changes([numbered(n)]).unwrap();
        World { data: data(&[("n", &[n as u8])]), ..world(log) }
    };
    // Without a file it is created.
    drop(WorldFile::replace(&path, &replacement(1)).unwrap());
    assert!(!copy.exists());
    let file = WorldFile::replace(&path, &replacement(2)).unwrap();
    file.save([numbered(9)]).unwrap();
    drop(file);
    let (file, read) = WorldFile::open(&path).unwrap();
    assert_eq!((read.log.len(), read.data["n"].as_slice()), (2, &[2][..]));
    let (_, old) = WorldFile::open(&copy).unwrap();
    assert_same(&old, &replacement(1).log);
    // Not while it is open, and not by a world that no file can have.
    let error = WorldFile::replace(&path, &replacement(3)).unwrap_err().to_string();
    assert!(error.ends_with("another program has the file open"), "{error}");
    drop(file);
    let bad = World { data: data(&[("", b"")]), ..replacement(3) };
    assert!(WorldFile::replace(&path, &bad).is_err());
    assert_eq!(WorldFile::open(&path).unwrap().1.log.len(), 2);
    // What is not a world stays, and so does a damaged one.
    let letter = folder.path().join("letter");
    fs::write(&letter, b"Dear").unwrap();
    assert!(WorldFile::replace(&letter, &replacement(3)).unwrap_err().is_damage());
    assert_eq!(fs::read(&letter).unwrap(), b"Dear");
    // Neither is anything replaced that cannot be copied.
    for n in 1..=9 {
        fs::write(folder.path().join(format!("island.world.copy{n}")), b"mine").unwrap();
    }
    assert!(WorldFile::replace(&path, &replacement(3)).is_err());
    assert_same(&WorldFile::open(&path).unwrap().1, &read.log);
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 11, "no hidden file is left");
}
