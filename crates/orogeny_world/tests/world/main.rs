//! Worlds in files: round trips, damage, and programs that are killed.

mod damage;
mod data;
mod encoding;
mod kill;
mod round_trip;

use std::path::PathBuf;

use orogeny::edits::{
    Area, Change, Crater, Disc, Edit, EditId, EditLog, Flatten, Flood, Paint, Path, Raise,
    Rectangle, Smooth, State,
};
use orogeny::{Node, Recipe};
use orogeny_world::World;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tempfile::{TempDir, tempdir};

fn random(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

fn edit(r: &mut StdRng) -> Edit {
    let mut place = || [0, 1].map(|_| r.random_range(-1e6..1e6));
    let center = place();
    let end = center.map(|x| x + 300.0);
    let falloff = r.random_range(1.0..30.0);
    let disc = Area::Disc(Disc { center, radius: r.random_range(0.0..30.0), falloff });
    match r.random_range(0..8) {
        0 => Raise { area: disc, height: r.random_range(-9.0..9.0) }.into(),
        1 => Flatten { area: disc, height: r.random_range(-9.0..9.0), ..Flatten::default() }.into(),
        2 => Crater { center, radius: r.random_range(1.0..30.0), ..Crater::default() }.into(),
        3 => {
            let angle = r.random_range(-360.0..360.0);
            let area = Area::Rectangle(Rectangle { center, angle, ..Rectangle::default() });
            Raise { area, height: 3.0 }.into()
        }
        4 => {
            let strength = r.random_range(0.0..1.0);
            Smooth { area: disc, strength, ..Smooth::default() }.into()
        }
        5 => Flood { area: disc, level: 3.0 }.into(),
        6 => Paint { area: disc, layer: r.random_range(0..16), strength: 0.5 }.into(),
        _ => {
            let points = vec![[center[0], center[1], 3.0], [end[0], end[1], 9.0]];
            Path { points, ..Path::default() }.into()
        }
    }
}

/// A log in which some edits were hidden, removed and changed, and all its changes.
fn log(seed: u64, count: usize) -> (EditLog, Vec<Change>) {
    let mut r = random(seed);
    let (mut log, mut changes) = (EditLog::new(), Vec::<Change>::new());
    for _ in 0..count {
        let author = r.random_range(1..4);
        let old = (!changes.is_empty() && r.random_range(0..3) == 0)
            .then(|| changes[r.random_range(0..changes.len())].id);
        let applied = match old {
            None => log.add(author, edit(&mut r)),
            Some(id) => {
                let edit = edit(&mut r);
                let states = [State::Hidden(edit.clone()), State::Shown(edit), State::Removed];
                log.set(author, id, states[r.random_range(0..3)].clone())
            }
        };
        changes.push(applied.unwrap().change);
    }
    (log, changes)
}

fn world(log: EditLog) -> World {
    World { log, ..World::new(Recipe::new(7, 100.0, Node::noise(0))) }
}

/// The change that adds the n-th edit of one author.
fn numbered(n: u64) -> Change {
    let id = EditId { time: n, author: 1 };
    Change { id, time: id, state: State::Shown(edit(&mut random(n))) }
}

fn assert_same(world: &World, log: &EditLog) {
    assert!(world.log.changes().eq(log.changes()));
}

/// A new folder, and the path of a file in it that does not exist yet.
fn island() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    (folder, path)
}
