//! A loss of power while a file is written.

use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::Batch;
use crate::tests::disk::Disk;
use crate::tests::saver::{raise, world};

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
