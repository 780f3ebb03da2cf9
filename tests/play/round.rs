//! The games: a short round in every test run, and a long one on demand.
//!
//! `OROGENY_PLAY=seconds` plays games with new seeds for so long. A game that fails is printed as
//! `PRESET PLACE SEED STEPS`; `OROGENY_PLAY_GAME="PRESET PLACE SEED STEPS"` plays it again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use bevy_orogeny_panel::{PanelKeys, Tool};
use orogeny_world::WorldFile;

use super::Checked;
use super::fly::{keys, presets, worlds};
use super::player::{Player, settings};
use super::{heights, keys as by_keys, log, panel};

/// A place far away.
const FAR: &str = "1000000000.25,-1000000000.5,120,60,-25";
/// Places at which heights are compared after each step, and at the end.
const PLACES: usize = 10;
const MANY: usize = 50;
/// The variables of the environment.
const SECONDS: &str = "OROGENY_PLAY";
const GAME: &str = "OROGENY_PLAY_GAME";

/// Something to do, with its name.
type Step = (&'static str, fn(&mut Player) -> Checked);

/// What is done in a random order, twice each.
const STEPS: [Step; 40] = [
    ("crater", by_keys::crater),
    ("flatten", by_keys::flatten),
    ("raise", by_keys::raise),
    ("smooth", by_keys::smooth),
    ("hole", by_keys::hole),
    ("another layout", by_keys::other_layout),
    ("road", by_keys::road),
    ("undo", by_keys::undo),
    ("look down", by_keys::look_down),
    ("walk", by_keys::walk),
    ("fly", by_keys::fly),
    ("dive", by_keys::dive),
    ("wheel", by_keys::wheel),
    ("grab the mouse", by_keys::grab),
    ("hours", by_keys::hours),
    ("density", by_keys::density),
    ("back to the start", by_keys::back),
    ("save a world", by_keys::save),
    ("hide the panel", by_keys::hide),
    ("tabs by keys", by_keys::tabs),
    ("next view", by_keys::view),
    ("freeze", by_keys::freeze),
    ("screenshot", by_keys::screenshot),
    ("tool Raise", |player| panel::work(player, Tool::Raise)),
    ("tool Lower", |player| panel::work(player, Tool::Lower)),
    ("tool Flatten", |player| panel::work(player, Tool::Flatten)),
    ("tool Smooth", |player| panel::work(player, Tool::Smooth)),
    ("tool Roughen", |player| panel::work(player, Tool::Roughen)),
    ("tool Paint", |player| panel::work(player, Tool::Paint)),
    ("tool Crater", |player| panel::work(player, Tool::Crater)),
    ("tool Hole", |player| panel::work(player, Tool::Hole)),
    ("tool Flood", |player| panel::work(player, Tool::Flood)),
    ("tool Clear", |player| panel::work(player, Tool::Clear)),
    ("tool Fell", |player| panel::work(player, Tool::Fell)),
    ("tool Plant", |player| panel::work(player, Tool::Plant)),
    ("tool Stamp", |player| panel::work(player, Tool::Stamp)),
    ("tool Path", |player| panel::work(player, Tool::Path)),
    ("tool Move", |player| panel::work(player, Tool::Move)),
    ("undo and redo", panel::undo_and_redo),
    ("type numbers", panel::type_numbers),
];

/// Pseudo-random numbers that a seed reproduces (SplitMix64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number between two others.
    pub fn between(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below another one.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A game: everything in it follows from these.
#[derive(Clone, Debug, PartialEq)]
struct Game {
    preset: String,
    is_far: bool,
    seed: u64,
    /// How many steps of its order are made.
    steps: usize,
}

impl Game {
    fn text(&self) -> String {
        let Self { preset, is_far, seed, steps } = self;
        format!("{preset} {} {seed} {steps}", if *is_far { "far" } else { "near" })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        Some(Self {
            preset: words.next()?.into(),
            is_far: words.next()? == "far",
            seed: words.next()?.parse().ok()?,
            steps: words.next()?.parse().ok()?,
        })
    }

    /// Plays it in this process.
    fn play(&self, root: &Path) -> Checked {
        let mut random = Random::new(self.seed);
        let mut order: Vec<Step> = [STEPS, STEPS].concat();
        random.shuffle(&mut order);
        order.truncate(self.steps);
        let place = self.is_far.then_some(FAR);
        log::watch_panics();
        let mut player = Player::start(settings(&self.preset, place), root, true);
        let mut played = Played { player: &mut player, random, made: Vec::new() };
        played.step(("start", |player| player.settle()))?;
        played.step(("look down", by_keys::look_down))?;
        for step in order {
            played.step(step)?;
        }
        // What takes long is done once.
        if self.steps > STEPS.len() {
            let name = format!("played-{}", self.seed);
            played.made("save as", |player| panel::save_as(player, &name))?;
            played.step(("windows of every size", panel::resize))?;
            let other = presets::names()[played.random.below(presets::names().len())].clone();
            played.made("load", |player| panel::load(player, &other))?;
            played.step(("crater on other ground", by_keys::crater))?;
            let to = [0, 1].map(|_| (played.random.between(-1e6, 1e6) * 8.0).round() / 8.0);
            played.made("teleport", |player| panel::teleport(player, to))?;
            played.made("arrive", |player| player.settle())?;
            played.step(("flatten there", by_keys::flatten))?;
        }
        played.step(("the end", |player| player.settle()))?;
        let made = &played.made;
        heights::agree(played.player, MANY, &mut played.random)
            .map_err(|error| format!("{error} at the end of {made:?}"))?;
        open_again(player, root)
    }
}

/// A game in progress.
struct Played<'a> {
    player: &'a mut Player,
    random: Random,
    made: Vec<String>,
}

impl Played<'_> {
    fn step(&mut self, (name, step): Step) -> Checked {
        self.made(name, step)
    }

    /// Makes a step, and checks what must hold after each one.
    fn made(&mut self, name: &str, step: impl FnOnce(&mut Player) -> Checked) -> Checked {
        self.made.push(name.into());
        // An abort leaves nothing else.
        println!("step {}, {name}", self.made.len());
        let failed = |error: String| format!("step {}, {name}: {error}", self.made.len());
        step(self.player).map_err(failed)?;
        let complaints = log::complaints();
        if !complaints.is_empty() {
            return Err(failed(format!("{complaints:?}")));
        }
        self.player.settle().map_err(failed)?;
        let before = self.random.clone();
        heights::agree(self.player, PLACES, &mut self.random).map_err(|error| {
            // Whether it is late or wrong.
            self.player.frames(100);
            let again = heights::agree(self.player, PLACES, &mut before.clone());
            let then = if again.is_ok() { "not any more" } else { "still so" };
            failed(format!("{error} ({then} 100 frames later); made {:?}", self.made))
        })
    }
}

/// Saves the world, ends the program, and opens it again: the same edits on the same ground.
fn open_again(mut player: Player, root: &Path) -> Checked {
    by_keys::save(&mut player)?;
    by_keys::crater(&mut player)?;
    let (_, edits) = player.terrain();
    let file = player.folder.join("worlds/world-1.world");
    player.app.world_mut().write_message(bevy::app::AppExit::Success);
    player.frames(1);
    drop(player);
    let error = |error: &dyn std::fmt::Display| error.to_string();
    let (saved, world) = WorldFile::open(&file).map_err(|e| error(&e))?;
    drop(saved);
    if !world.log.changes().eq(edits.log.changes()) {
        return Err(format!("{} edits were saved of {}", world.log.len(), edits.log.len()));
    }
    let name = file.to_str().ok_or("a path of other letters")?;
    let world = worlds::open(name, "hills", &Default::default())?.world().clone();
    let mut start = settings("hills", None);
    start.recipe = Some(world.recipe);
    start.edits.log = world.log;
    let mut again = Player::start(start, root, false);
    again.settle()?;
    if !by_keys::same(&again.terrain().1, &edits) {
        return Err("the opened world has other edits".into());
    }
    heights::agree(&mut again, MANY, &mut Random::new(1))?;
    let complaints = log::complaints();
    if complaints.is_empty() { Ok(()) } else { Err(format!("opened again: {complaints:?}")) }
}

/// Copies the presets into a folder, so that the game may overwrite them.
fn assets() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let presets = folder.path().join("assets/presets");
    fs::create_dir_all(&presets).unwrap();
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/presets");
    for file in fs::read_dir(own).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), presets.join(file.file_name())).unwrap();
    }
    folder
}

/// Plays games in processes of their own. Returns those that failed.
fn play(games: &[Game]) -> Vec<String> {
    let test = format!("{}::a_game", module_path!().split_once("::").unwrap().1);
    let outcome = |game: &Game| {
        let (folder, begun) = (assets(), Instant::now());
        let output = Command::new(std::env::current_exe().unwrap())
            .args([&test, "--exact", "--nocapture", "--ignored"])
            .env(GAME, game.text())
            .env("BEVY_ASSET_ROOT", folder.path())
            .output()
            .unwrap();
        println!("{} took {:.1} s", game.text(), begun.elapsed().as_secs_f32());
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let said = said.lines().collect::<Vec<_>>();
        let last = said[said.len().saturating_sub(25)..].join("\n");
        (!output.status.success()).then(|| format!("{GAME}=\"{}\"\n{last}", game.text()))
    };
    games.iter().filter_map(outcome).collect()
}

#[track_caller]
fn succeed(games: &[Game]) {
    let failed = play(games);
    assert!(failed.is_empty(), "{} games failed:\n{}", failed.len(), failed.join("\n\n"));
}

/// One game, in the process that `play` starts.
#[test]
#[ignore = "a part of the other games"]
fn a_game() {
    let Ok(text) = std::env::var(GAME) else { return };
    let game = Game::parse(&text).expect("PRESET near|far SEED STEPS");
    // Started by hand, it gets a process with assets of its own, too.
    let Some(root) = std::env::var_os("BEVY_ASSET_ROOT") else { return succeed(&[game]) };
    if let Err(error) = game.play(Path::new(&root)) {
        panic!("{GAME}=\"{text}\": {error}");
    }
}

/// Some steps on few presets: each game takes some twenty seconds. The long round plays them all.
#[test]
fn a_short_round() {
    let games = [("hills", false), ("dunes", true), ("world", false)];
    let games = games.into_iter().enumerate().map(|(i, (preset, is_far))| Game {
        preset: preset.into(),
        is_far,
        seed: i as u64,
        steps: 8,
    });
    succeed(&games.collect::<Vec<_>>());
}

/// Everything twice, on every preset, near and far, with new seeds until the time is over.
#[test]
fn a_long_round() {
    let Ok(seconds) = std::env::var(SECONDS) else { return };
    let time = Duration::from_secs(seconds.parse().expect("seconds"));
    let begun = Instant::now();
    let presets = presets_of_the_project();
    let mut failed = Vec::new();
    for seed in 100.. {
        let preset = presets[seed as usize % presets.len()].clone();
        let is_far = seed as usize / presets.len() % 2 == 1;
        failed.extend(play(&[Game { preset, is_far, seed, steps: 2 * STEPS.len() }]));
        if begun.elapsed() > time {
            println!("{} games, {} failed", seed - 99, failed.len());
            break;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

fn presets_of_the_project() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/presets");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = files
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".terrain.ron")?.to_string()))
        .collect();
    names.sort();
    assert!(names.len() > 5, "{names:?}");
    names
}

#[test]
fn no_key_has_two_actions() {
    let PanelKeys { toggle, help, next_view, freeze, go_to, screenshot, .. } = PanelKeys::default();
    let panel = [toggle, help, next_view, freeze, go_to, screenshot].concat();
    let shortcuts = keys::SHORTCUTS.iter().flat_map(|(keys, _)| keys.iter().copied());
    let all: Vec<_> = keys::placed().into_iter().chain(shortcuts).chain(panel).collect();
    let different: HashSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len(), "{all:?}");
}
