//! A program that is killed while it saves loses nothing that was reported as saved.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use orogeny::edits::EditLog;
use orogeny_world::{Batch, Saver, WorldFile};
use rand::Rng;
use tempfile::tempdir;

use crate::{island, numbered, random, world};

const FILE: &str = "OROGENY_WORLD_KILLED";
const FOLDER: &str = "OROGENY_WORLD_FOLDER";
const SAVER: &str = "OROGENY_WORLD_SAVER";
const ROUNDS: u64 = 60;
/// How many edits are saved at once, in turn.
const COUNTS: [u64; 3] = [1, 7, 300];

/// The number of edits after those that are saved with this one.
fn last(next: u64) -> u64 {
    next + COUNTS[next as usize % 3] - 1
}

/// Some edits, and the number of edits with them as data.
fn batch(next: u64) -> Batch {
    let changes = (next..=last(next)).map(numbered).collect();
    let data = [("count".into(), Some(last(next).to_string().into_bytes()))].into();
    Batch { changes, data, ..Batch::default() }
}

/// What the killed program does: it saves more edits, some at a time, and says so. Every third one
/// uses a saver.
#[test]
fn saves_until_it_is_killed() {
    let Some(path) = env::var_os(FILE) else { return };
    let (file, world) = WorldFile::open(path).unwrap();
    let first = world.log.len() as u64;
    let mut next = first + 1;
    let mut save: Box<dyn FnMut(u64) -> u64> = if env::var_os(SAVER).is_none() {
        Box::new(|next| {
            file.save_batch(&batch(next)).unwrap();
            last(next)
        })
    } else {
        let (mut saver, mut batches) = (Saver::new(file), Vec::new());
        Box::new(move |next| {
            saver.save_batch(batch(next)).unwrap();
            batches.push((saver.saved() + saver.waiting(), last(next)));
            sleep(Duration::from_micros(300));
            let saved = saver.saved();
            let done = batches.iter().rev().find(|(items, _)| *items <= saved);
            done.map_or(first, |(_, count)| *count)
        })
    };
    loop {
        let saved = save(next);
        next = last(next) + 1;
        if saved > first {
            println!("saved {saved}");
        }
    }
}

/// What another killed program does: it creates worlds, copies, compacts and replaces
/// them.
#[test]
fn creates_until_it_is_killed() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let mut log = EditLog::new();
    for n in 1..=200 {
        log.apply(numbered(n)).unwrap();
    }
    for n in 0.. {
        let path = Path::new(&folder).join(format!("{n}.world"));
        let file = WorldFile::create(&path, &world(log.clone())).unwrap();
        file.back_up().unwrap();
        file.compact().unwrap();
        drop(file);
        WorldFile::replace(path, &world(log.clone())).unwrap();
        println!("created {n}");
    }
}

/// A file has its name once it is complete, and stays so.
#[test]
fn a_killed_program_leaves_whole_files() {
    let mut r = random(6);
    let mut count = 0;
    for _ in 0..20 {
        let folder = tempdir().unwrap();
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kill::creates_until_it_is_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.find(|line| line.as_ref().unwrap().contains("created"));
        sleep(Duration::from_micros(r.random_range(0..50_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending != "new") {
                assert_eq!(WorldFile::open(&path).unwrap().1.log.len(), 200, "{path:?}");
                count += 1;
            }
        }
    }
    assert!(count >= 40, "{count}");
}

#[test]
fn a_killed_program_loses_nothing_that_was_saved() {
    let (_folder, path) = island();
    drop(WorldFile::create(&path, &world(EditLog::new())).unwrap());
    let mut r = random(5);
    let (mut latest, mut progress) = (0, 0);
    for round in 0..ROUNDS {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "kill::saves_until_it_is_killed", "--nocapture"]);
        command.env(FILE, &path).stdout(Stdio::piped());
        if round % 3 == 0 {
            command.env(SAVER, "");
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut saved = lines.map_while(Result::ok).filter_map(|line| {
            // The line of the test's name may come before.
            line.rsplit_once("saved ").and_then(|(_, n)| n.parse().ok())
        });
        // Most are killed while they save, some while they open the file.
        let first: Option<u64> = if round % 5 > 0 { saved.next() } else { None };
        if first.is_some() {
            let held = WorldFile::open(&path).unwrap_err().to_string();
            assert!(held.ends_with("another program has the file open"), "{held}");
        }
        sleep(Duration::from_micros(r.random_range(0..30_000)));
        // The signal 9 on Unix.
        child.kill().unwrap();
        let saved = saved.chain(first).max().unwrap_or(latest);
        child.wait().unwrap();
        let (file, world) = WorldFile::open(&path).unwrap();
        let count = world.log.len() as u64;
        assert!(count >= saved, "round {round}: {saved} reported, {count} found");
        // Each call is saved as a whole, so there are no gaps.
        assert!(world.log.changes().zip(1..).all(|(change, n)| change == numbered(n)));
        let data = world.data.get("count").map_or("0".into(), |n| String::from_utf8_lossy(n));
        assert_eq!(data, count.to_string(), "round {round}");
        progress += u64::from(count > latest);
        latest = count;
        if count > 5_000 {
            // Start again, so that opening stays fast.
            drop(file);
            std::fs::remove_file(&path).unwrap();
            drop(WorldFile::create(&path, &crate::world(EditLog::new())).unwrap());
            latest = 0;
        }
    }
    println!("{progress} of {ROUNDS} programs saved something");
    assert!(progress > ROUNDS / 2, "{progress}");
}
