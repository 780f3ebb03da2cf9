//! Damaged files give an error, or the world that was saved: never another one.

use std::fs;

use orogeny_world::WorldFile;
use rand::Rng;
use tempfile::tempdir;

use crate::support::{assert_same, edit, log, random, world};

/// A thousand cuts, flipped bits and overwritten parts. A file that opens can be written, and opens
/// again.
#[test]
fn damaged_files_give_an_error_or_the_world() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let (mut log, _) = log(3, 500);
    let mut r = random(1);
    let mut created = world(log.clone());
    for (key, size) in [("inventory", 40), ("map", 30_000), ("player", 300)] {
        let mut bytes = vec![0; size];
        r.fill(&mut bytes[..]);
        created.data.insert(key.into(), bytes);
    }
    drop(WorldFile::create(&path, &created).unwrap());
    let good = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.world");
    let [mut errors, mut whole] = [0; 2];
    let added = log.add(9, edit(&mut r)).unwrap().change;
    for round in 0..1000 {
        let mut bytes = good.clone();
        let end = [bytes.len(), 20_000, 600][round % 3];
        match round % 5 {
            0 => bytes.truncate(r.random_range(0..bytes.len())),
            1 => bytes[r.random_range(0..end)] ^= 1 << r.random_range(0..8),
            2 => {
                let from = r.random_range(0..bytes.len() - 600);
                let to = from + r.random_range(1..600);
                r.fill(&mut bytes[from..to]);
            }
            // A sector that was never written.
            3 => bytes[r.random_range(0..end / 512) * 512..][..512].fill(0),
            // Numbers as large as can be.
            _ => bytes[r.random_range(0..end / 8) * 8..][..8].fill(255),
        }
        fs::write(&damaged, &bytes).unwrap();
        match WorldFile::open(&damaged) {
            Err(error) => {
                errors += 1;
                assert!(error.is_damage() || error.to_string().contains("format"), "{error}");
                assert!(error.to_string().contains("damaged.world: "), "{error}");
                assert!(damaged.exists());
            }
            Ok((file, read)) => {
                whole += 1;
                let saved = log.changes().filter(|change| change.id != added.id);
                assert!(read.log.changes().eq(saved));
                assert_eq!(read.recipe.seed, 7);
                assert_eq!(read.data, created.data);
                file.save([added.clone()]).unwrap();
                drop(file);
                assert_same(&WorldFile::open(&damaged).unwrap().1, &log);
            }
        }
    }
    println!("{errors} errors, {whole} whole worlds");
    assert!(errors > 300 && whole > 30, "{errors} {whole}");
}

#[test]
fn other_files_are_not_worlds() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("other");
    for content in [&b""[..], b"(seed: 7)", &[0; 10_000], b"redb"] {
        fs::write(&path, content).unwrap();
        let error = WorldFile::open(&path).unwrap_err();
        assert!(error.is_damage(), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    // A database that is not a world.
    fs::remove_file(&path).unwrap();
    drop(redb::Database::create(&path).unwrap());
    assert!(WorldFile::open(&path).unwrap_err().is_damage());
    // A world of a later version.
    fs::remove_file(&path).unwrap();
    drop(WorldFile::create(&path, &world(log(1, 3).0)).unwrap());
    let database = redb::Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let table = redb::TableDefinition::<&str, &[u8]>::new("world");
    transaction.open_table(table).unwrap().insert("format", [9u8].as_slice()).unwrap();
    transaction.commit().unwrap();
    drop(database);
    let error = WorldFile::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("the file has format 9, but this version reads format 1"), "{error}");
}
