//! A program that is killed while it saves loses nothing that was reported as saved.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use orogeny::edits::EditLog;
use orogeny_world::WorldFile;
use rand::Rng;
use tempfile::tempdir;

use crate::support::{numbered, random, world};

const FILE: &str = "OROGENY_WORLD_KILLED";
const ROUNDS: u64 = 100;

/// What the killed program does: it saves more edits, some at a time, and says so.
#[test]
fn saves_until_it_is_killed() {
    let Some(path) = env::var_os(FILE) else { return };
    let (file, world) = WorldFile::open(path).unwrap();
    let mut next = world.log.len() as u64 + 1;
    for round in 0.. {
        let count = [1, 7, 300][round % 3];
        file.save((next..next + count).map(numbered)).unwrap();
        next += count;
        println!("saved {}", next - 1);
    }
}

#[test]
fn a_killed_program_loses_nothing_that_was_saved() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    drop(WorldFile::create(&path, &world(EditLog::new())).unwrap());
    let mut r = random(5);
    let (mut last, mut progress) = (0, 0);
    for round in 0..ROUNDS {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kill::saves_until_it_is_killed", "--nocapture"])
            .env(FILE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut saved = lines.map_while(Result::ok).filter_map(|line| {
            // The line of the test's name may come before.
            line.rsplit_once("saved ").and_then(|(_, n)| n.parse().ok())
        });
        // Most are killed while they save, some while they open the file.
        let first: Option<u64> = if round % 5 > 0 { saved.next() } else { None };
        sleep(Duration::from_micros(r.random_range(0..30_000)));
        // The signal 9 on Unix.
        child.kill().unwrap();
        let saved = saved.chain(first).max().unwrap_or(last);
        child.wait().unwrap();
        let (file, world) = WorldFile::open(&path).unwrap();
        let count = world.log.len() as u64;
        assert!(count >= saved, "round {round}: {saved} reported, {count} found");
        // Each call is saved as a whole, so there are no gaps.
        assert!(world.log.changes().zip(1..).all(|(change, n)| change == numbered(n)));
        progress += u64::from(count > last);
        last = count;
        if count > 20_000 {
            // Start again, so that opening stays fast.
            drop(file);
            std::fs::remove_file(&path).unwrap();
            drop(WorldFile::create(&path, &crate::support::world(EditLog::new())).unwrap());
            last = 0;
        }
    }
    println!("{progress} of {ROUNDS} programs saved something");
    assert!(progress > ROUNDS / 2, "{progress}");
}
