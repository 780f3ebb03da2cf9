//! Damaged files give an error, or the world that was saved, never another one; and copies beside
//! them, and files of others.

use std::fs;
use std::path::Path;

use orogeny::edits::EditLog;
use orogeny_world::{Saver, WorldFile};
use rand::Rng;
use tempfile::tempdir;

use crate::{assert_same, edit, island, log, numbered, random, world};

/// A thousand cuts, flipped bits and overwritten parts. A file that opens can be written, and opens
/// again.
#[test]
fn damaged_files_give_an_error_or_the_world() {
    let (folder, path) = island();
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

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn count(path: &Path) -> usize {
    WorldFile::open(path).unwrap().1.log.len()
}

#[test]
fn two_copies_take_turns() {
    let (folder, path) = island();
    let [one, two] = [1, 2].map(|n| folder.path().join(format!("island.world.copy{n}")));
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    assert_eq!(file.back_up().unwrap(), one);
    assert_eq!(file.back_up().unwrap(), one);
    for (n, copy) in (1..).zip([&two, &one, &two, &one]) {
        file.save([numbered(n)]).unwrap();
        assert_eq!(&file.back_up().unwrap(), copy);
        assert_eq!(&file.back_up().unwrap(), copy);
        assert_eq!(count(copy), n as usize);
    }
    assert_eq!(names(folder.path()), ["island.world", "island.world.copy1", "island.world.copy2"]);
    drop(file);
    // The error names the newer one, which can take the place of the file.
    fs::write(&path, b"damage").unwrap();
    let error = WorldFile::open(&path).unwrap_err();
    assert_eq!(error.copy(), Some(&*one));
    assert!(error.to_string().ends_with("island.world.copy1"), "{error}");
    fs::rename(&one, &path).unwrap();
    assert_eq!(count(&path), 4);
    // Without a copy it names none.
    fs::remove_file(two).unwrap();
    fs::write(&path, b"damage").unwrap();
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), None);
}

#[test]
fn a_saver_makes_a_copy_of_what_it_opened() {
    let (folder, path) = island();
    drop(WorldFile::create(&path, &world(EditLog::new())).unwrap());
    for n in 1..=3 {
        let (file, read) = WorldFile::open(&path).unwrap();
        assert_eq!(read.log.len() as u64, n - 1);
        let mut saver = Saver::new(file);
        saver.save(numbered(n)).unwrap();
        saver.finish().unwrap();
        let last = folder.path().join(format!("island.world.copy{}", 2 - n % 2));
        assert_eq!(count(&last) as u64, n - 1);
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempdir().unwrap();
    let named = |name: &str| folder.path().join(name);
    let path = named("island.world");
    fs::write(named("island.world.new"), b"a letter").unwrap();
    fs::write(named("island.world.copy1"), b"a picture").unwrap();
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    // A copy that somebody went on with is a world of its own, and so is any other world.
    let copy = file.back_up().unwrap();
    assert_eq!(copy, named("island.world.copy2"));
    WorldFile::open(&copy).unwrap().0.save((1..=5).map(numbered)).unwrap();
    drop(WorldFile::create(named("island.world.copy3"), &world(EditLog::new())).unwrap());
    // A damaged copy is left for whoever wants to look into it.
    assert_eq!(file.back_up().unwrap(), named("island.world.copy4"));
    fs::write(named("island.world.copy4"), b"damage").unwrap();
    for (n, copy) in (11..).zip([5, 6, 5, 6]) {
        file.save([numbered(n)]).unwrap();
        assert_eq!(file.back_up().unwrap(), named(&format!("island.world.copy{copy}")));
    }
    assert_eq!(fs::read(named("island.world.new")).unwrap(), b"a letter");
    assert_eq!(fs::read(named("island.world.copy1")).unwrap(), b"a picture");
    assert_eq!(fs::read(named("island.world.copy4")).unwrap(), b"damage");
    assert_eq!(count(&copy), 5);
    assert_eq!(count(&named("island.world.copy3")), 0);
    assert_eq!(names(folder.path()).len(), 8);
    // When all names are taken, nothing is written.
    for n in 5..=9 {
        fs::write(named(&format!("island.world.copy{n}")), b"mine").unwrap();
    }
    let error = file.back_up().unwrap_err().to_string();
    assert!(error.ends_with("exists already"), "{error}");
    assert_eq!(names(folder.path()).len(), 11);
}
