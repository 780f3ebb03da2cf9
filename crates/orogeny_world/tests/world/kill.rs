//! A program that is killed while it saves loses nothing that was reported as saved.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use orogeny::edits::EditLog;
use orogeny_world::{Saver, WorldFile};
use rand::Rng;
use tempfile::tempdir;

use crate::support::{numbered, random, world};

const FILE: &str = "OROGENY_WORLD_KILLED";
const FOLDER: &str = "OROGENY_WORLD_FOLDER";
const SAVER: &str = "OROGENY_WORLD_SAVER";
const ROUNDS: u64 = 60;
/// How many edits are saved at once, in turn.
const COUNTS: [u64; 3] = [1, 7, 300];

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
            file.save((next..next + COUNTS[next as usize % 3]).map(numbered)).unwrap();
            next + COUNTS[next as usize % 3] - 1
        })
    } else {
        let mut saver = Saver::new(file);
        Box::new(move |next| {
            for n in next..next + COUNTS[next as usize % 3] {
                saver.save(numbered(n)).unwrap();
            }
            sleep(Duration::from_micros(300));
            first + saver.saved()
        })
    };
    loop {
        let saved = save(next);
        next += COUNTS[next as usize % 3];
        if saved > first {
            println!("saved {saved}");
        }
    }
}

/// What another killed program does: it creates worlds, copies and compacts them.
#[test]
fn creates_until_it_is_killed() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let mut log = EditLog::new();
    for n in 1..=200 {
        log.apply(numbered(n)).unwrap();
    }
    for n in 0.. {
        let path = Path::new(&folder).join(format!("{n}.world"));
        let file = WorldFile::create(path, &world(log.clone())).unwrap();
        file.back_up().unwrap();
        file.compact().unwrap();
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
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    drop(WorldFile::create(&path, &world(EditLog::new())).unwrap());
    let mut r = random(5);
    let (mut last, mut progress) = (0, 0);
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
        if count > 5_000 {
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
