//! Tests with a disk that fails or loses power, and with damaged copies.

mod disk;
mod saver;

use std::path::Path;

use orogeny::edits::{Area, Change, Disc, EditId, Raise, State};
use orogeny::{Node, Recipe};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use redb::Database;
use tempfile::tempdir;

use crate::database::write;
use crate::tables::EDITS;
use crate::{Batch, World, WorldFile};
use disk::Disk;

fn recipe(height: f32) -> Recipe {
    Recipe::new(7, height, Node::noise(0))
}

fn world() -> World {
    World::new(recipe(100.0))
}

/// Each in a place of its own: no strokes of one brush.
fn raise(n: u64, height: f32) -> Change {
    let id = EditId { time: n, author: 1 };
    let area = Area::Disc(Disc { center: [n as f64, 0.0], ..Disc::default() });
    Change { id, time: id, state: State::Shown(Raise { area, height }.into()) }
}

/// Damages an edit of a file.
fn damage(path: &Path) {
    let database = Database::open(path).unwrap();
    let junk = |transaction: &redb::WriteTransaction| {
        transaction.open_table(EDITS)?.insert((1, 1), b"junk".as_slice())?;
        Ok(())
    };
    write(&database, junk).unwrap();
}

/// Once no more copies were made, and an error named the damaged one.
#[test]
fn a_damaged_copy_ends_no_other() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let [one, two] = [1, 2].map(|n| folder.path().join(format!("island.world.copy{n}")));
    let file = WorldFile::create(&path, &world()).unwrap();
    for (n, copy) in (1..).zip([&one, &two, &one]) {
        file.save([raise(n, 1.0)]).unwrap();
        assert_eq!(&file.back_up().unwrap(), copy);
        damage(copy);
    }
    file.save([raise(4, 1.0)]).unwrap();
    assert_eq!(file.back_up().unwrap(), two);
    drop(file);
    damage(&path);
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), Some(&*two));
    damage(&two);
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), None);
}

/// The key of the data that is saved with edits.
const KEY: &str = "count";

/// What is saved with so many edits: sometimes some pages, sometimes some bytes.
fn data(count: u64) -> Vec<u8> {
    if count == 0 { Vec::new() } else { vec![count as u8; 1 + (count as usize * 997) % 9000] }
}

/// Whatever part of the last writes is on the disk, the file has the state of the last call that
/// returned, or that of the call that was cut off.
#[test]
fn a_loss_of_power_loses_nothing_that_was_saved() {
    let random = &mut StdRng::seed_from_u64(1);
    let [mut before, mut after] = [0; 2];
    let path = Path::new("power");
    // Some 10 seconds: few losses of power fall between the last write and the return of the call.
    for round in 0..180 {
        let mut disk = Disk::with(path, &world());
        let mut saved = 0;
        for lives in 0..4 {
            let (file, read) = Disk::open(path);
            assert!(read.log.changes().eq((1..=saved).map(|n| raise(n, 1.0))), "{round} {lives}");
            // The data of a call is there with its changes.
            assert_eq!(read.data.get(KEY).cloned().unwrap_or_default(), data(saved));
            disk.fail_after(Some(random.random_range(0..120)));
            loop {
                let compacts = random.random_range(0..4) == 0;
                let count = if compacts { 0 } else { random.random_range(1..40) };
                let changes = (saved + 1..=saved + count).map(|n| raise(n, 1.0)).collect();
                let data = [(KEY.into(), Some(data(saved + count)))].into();
                let new = Batch { changes, data, ..Batch::default() };
                if if compacts { file.compact().map(drop) } else { file.save_batch(&new) }.is_ok() {
                    saved += count;
                    continue;
                }
                assert!(disk.has_failed());
                disk = disk.lose_power(path, random);
                let found = Disk::open(path).1.log.len() as u64;
                assert!([saved, saved + count].contains(&found), "{round}: {saved} {found}");
                *if found == saved { &mut before } else { &mut after } += 1;
                saved = found;
                break;
            }
        }
    }
    println!("{before} files had the state before, {after} the state after");
    assert!(before > 100 && after > 3, "{before} {after}");
}
