//! What the page of `fly` makes of its address, and how it saves worlds, without a browser.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use bevy_orogeny::orogeny::edits::{Applied, Crater, EditLog};
use bevy_orogeny::orogeny::{Node, Recipe};
use clap::{CommandFactory, Parser};

use super::fly::args::{Args, Quality};

#[path = "../../examples/fly/browser/query.rs"]
mod query;
#[path = "../../examples/fly/browser/saved.rs"]
mod saved;

use saved::{Claim, LONGEST, Opened, PAUSE, SavedWorld, Texts};

/// The arguments of a query, or what the page says.
fn read(text: &str) -> Result<(Args, Vec<String>), String> {
    let query = query::read(text, &Args::command())?;
    let args = Args::try_parse_from(query.arguments).map_err(|error| query::explain(&error))?;
    Ok((args, query.ignored))
}

#[test]
fn parameters_that_others_add_to_an_address_are_ignored() {
    let (args, ignored) =
        read("?fbclid=x%ZZ&utm_source=y&preset=alpine&=&&help&version&x=%FF&Time=3").unwrap();
    assert_eq!(args.preset.as_deref(), Some("alpine"));
    assert_eq!(ignored, ["fbclid", "utm_source", "", "help", "version", "x", "Time"]);
    assert!(matches!(args.quality, Quality::Auto));
    let (args, ignored) = read("?world=my+first%20w%C3%B6rld%26%3D&time=18.5&quality=low").unwrap();
    assert_eq!(args.world.as_deref(), Some("my first wörld&="));
    assert_eq!((args.time, ignored.len()), (18.5, 0));
    assert!(matches!(args.quality, Quality::Fixed(_)));
    for on in ["?tour", "tour=", "?tour=1", "?tour=true"] {
        assert!(read(on).unwrap().0.tour, "{on}");
    }
    assert!(!read("?tour=0").unwrap().0.tour);
    assert!(read("").unwrap().0.preset.is_none());
    // Not as options of their own.
    assert_eq!(read("?world=--tour%20x").unwrap().0.world.as_deref(), Some("--tour x"));
    assert_eq!(read("?at=-3,4,5,6,7&--tour&-h").unwrap().1, ["--tour", "-h"]);
}

#[test]
fn parameters_with_bad_values_are_named() {
    let said = |text: &str| read(text).unwrap_err();
    assert_eq!(said("?time=99"), "time=99: must be a number between 0 and 24");
    assert_eq!(said("?preset"), "preset needs a value: preset=...");
    assert_eq!(said("?world=&time=3"), "world needs a value: world=...");
    assert_eq!(said("?tour=maybe"), "tour takes no value, but has maybe");
    assert_eq!(said("?preset=a&preset=b"), "preset is given twice");
    assert_eq!(said("?world=%FF"), "world=%FF: this is not encoded as UTF-8");
    assert_eq!(said("?world=%4"), "world=%4: this is not encoded as UTF-8");
    assert_eq!(
        said("?quality=best"),
        "quality=best: must be one of low, medium, high, ultra, auto"
    );
    assert!(said("?headless").starts_with("headless is for the program on a desktop"));
    assert!(said("?edits=/etc/passwd").starts_with("edits is for the program on a desktop"));
    let both = said("?tour&preset=alpine");
    assert!(both.contains("tour") && both.contains("preset"), "{both}");
    assert!(both.ends_with("cannot be given together"), "{both}");
    for text in ["?timing=0", "?range=NaN", "?at=1,2", "?plants=2", "?view=nothing"] {
        let said = said(text);
        assert!(said.starts_with(&text[1..]) && !said.contains('\n'), "{said}");
    }
}

/// A storage that several tabs share, with room for some bytes.
#[derive(Clone, Debug)]
struct Shared(Rc<RefCell<(BTreeMap<String, String>, usize)>>);

impl Shared {
    fn new() -> Self {
        Self(Rc::new(RefCell::new((BTreeMap::new(), 1 << 20))))
    }

    fn set_room(&self, bytes: usize) {
        self.0.borrow_mut().1 = bytes;
    }

    /// The number of edits of a world in it.
    fn edits(&self, name: &str) -> Option<usize> {
        saved::open(self, name).unwrap().0.map(|(_, log)| log.len())
    }

    /// The number of edits of the world of [`Tab`]s.
    fn island(&self) -> Option<usize> {
        self.edits("island")
    }
}

impl Texts for Shared {
    fn read(&self, name: &str) -> Result<Option<String>, String> {
        Ok(self.0.borrow().0.get(name).cloned())
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), String> {
        let (texts, room) = &mut *self.0.borrow_mut();
        let others: usize = texts.iter().filter(|(it, _)| *it != name).map(|(_, t)| t.len()).sum();
        if others + text.len() > *room {
            return Err("full".into());
        }
        texts.insert(name.into(), text.into());
        Ok(())
    }
}

/// A tab with the world "island", and its clock.
struct Tab {
    world: SavedWorld<Shared>,
    recipe: Recipe,
    log: EditLog,
    now: Duration,
}

impl Tab {
    fn open(storage: &Shared) -> Self {
        Self::opened(storage, saved::open(storage, "island").unwrap())
    }

    /// A tab that has read the world some time ago.
    fn opened(storage: &Shared, (read, stamp): Opened) -> Self {
        let new = || (Recipe::new(1, 10.0, Node::Constant(0.0)), EditLog::new());
        let (recipe, log) = read.unwrap_or_else(new);
        let mut world = SavedWorld::opened(storage.clone(), "island", stamp);
        world.begin(Some(&recipe), &log);
        let mut tab = Self { world, recipe, log, now: Duration::from_secs(100) };
        tab.frame(0.0, &[]);
        tab
    }

    /// A tab to which the browser gives the world.
    fn owner(storage: &Shared) -> Self {
        let mut tab = Self::open(storage);
        tab.world.answer(true);
        tab
    }

    /// A frame some seconds after the last one.
    fn frame(&mut self, seconds: f64, reported: &[Applied]) {
        self.now += Duration::from_secs_f64(seconds);
        let reported = reported.iter().map(|applied| &applied.change);
        self.world.follow(self.now, Some(&self.recipe), &self.log, reported);
        self.world.tick(self.now);
    }

    fn dig(&mut self, seconds: f64) {
        let applied = self.log.add(1, Crater::default()).unwrap();
        self.frame(seconds, &[applied]);
    }

    fn dig_and_save(&mut self) {
        self.dig(0.0);
        self.world.save_now();
    }
}

#[test]
fn edits_that_never_pause_are_saved_all_the_same() {
    let storage = Shared::new();
    let mut tab = Tab::open(&storage);
    assert_eq!(tab.world.answer(true), None);
    assert_eq!(tab.world.claim(), Claim::Ours);
    tab.frame(PAUSE.as_secs_f64(), &[]);
    assert_eq!(storage.island(), Some(0));
    let mut waited = 0.0;
    for frame in 1..=150 {
        tab.dig(0.1);
        let missing = frame - storage.island().unwrap();
        waited = if missing == 0 { 0.0 } else { waited + 0.1 };
        assert!(waited <= LONGEST.as_secs_f64() + 0.2, "{waited} s");
    }
    // A pause.
    tab.frame(PAUSE.as_secs_f64() + 0.1, &[]);
    assert_eq!(storage.island(), Some(150));
    assert!(tab.world.is_saved());
    // Nothing changes, so nothing is written.
    storage.set_room(0);
    tab.frame(1e6, &[]);
    assert_eq!(tab.world.error(), None);
}

#[test]
fn a_page_that_is_left_saves_at_once() {
    let storage = Shared::new();
    let mut tab = Tab::owner(&storage);
    tab.dig_and_save();
    assert_eq!(storage.island(), Some(1));
    // Changes that no editor reports, and a log that is replaced.
    tab.log.add(1, Crater::default()).unwrap();
    tab.frame(0.0, &[]);
    tab.world.save_now();
    assert_eq!(storage.island(), Some(2));
    tab.log = EditLog::new();
    tab.recipe.height = 20.0;
    // The machine has slept.
    tab.frame(1e5, &[]);
    tab.frame(1e5, &[]);
    let (recipe, log) = saved::open(&storage, "island").unwrap().0.unwrap();
    assert_eq!((recipe.height, log.len()), (20.0, 0));
}

#[test]
fn one_tab_alone_saves_a_world() {
    let storage = Shared::new();
    let mut first = Tab::owner(&storage);
    first.dig_and_save();
    let mut second = Tab::open(&storage);
    assert_eq!(second.log.len(), 1);
    // Until the browser has answered nothing is written.
    second.dig(0.0);
    second.frame(1e3, &[]);
    second.world.save_now();
    assert_eq!((storage.island(), second.world.is_saved()), (Some(1), false));
    assert_eq!(second.world.answer(false), None);
    let news = second.world.take_news().unwrap();
    assert!(news.starts_with("island is open in another tab"), "{news}");
    second.frame(1e3, &[]);
    second.world.save_now();
    assert_eq!(storage.island(), Some(1));
    // Under a new name, of which a third tab has the first.
    let mut copy = SavedWorld::create(storage.clone(), &second.recipe, &second.log).unwrap();
    assert_eq!(copy.name(), "world-1");
    assert_eq!(copy.answer(false).as_deref(), Some("world-2"));
    assert_eq!(copy.answer(true), None);
    assert_eq!((storage.edits("world-2"), copy.is_saved()), (Some(2), true));
    assert!(copy.take_news().unwrap().contains("?world=world-2"));
}

/// The first tab saves after the second one has read, and closes before that one asks.
#[test]
fn a_world_that_changed_before_it_was_ours_is_left_alone() {
    let storage = Shared::new();
    let mut first = Tab::owner(&storage);
    first.dig_and_save();
    let mut second = Tab::open(&storage);
    first.dig_and_save();
    drop(first);
    second.world.answer(true);
    assert_eq!(second.world.claim(), Claim::Theirs);
    second.dig(1e3);
    second.world.save_now();
    assert_eq!(storage.island(), Some(2));
    // One that saves while the second is still starting, after it has read.
    let read = saved::open(&storage, "island").unwrap();
    Tab::owner(&storage).dig_and_save();
    let mut late = Tab::opened(&storage, read);
    late.world.answer(true);
    assert_eq!(late.world.claim(), Claim::Theirs);
    // A page that knows of no locks.
    let mut third = Tab::owner(&storage);
    let (recipe, _) = saved::open(&storage, "island").unwrap().0.unwrap();
    let text = Recipe { height: 77.0, ..recipe }.to_ron().unwrap();
    storage.clone().write("orogeny/island/recipe", &text).unwrap();
    third.dig_and_save();
    assert_eq!(third.world.claim(), Claim::Theirs);
    assert_eq!(saved::open(&storage, "island").unwrap().0.unwrap().0.height, 77.0);
}

#[test]
fn a_full_storage_keeps_the_old_world_until_there_is_room() {
    let storage = Shared::new();
    let mut tab = Tab::owner(&storage);
    tab.dig_and_save();
    storage.set_room(0);
    tab.dig(1.0);
    tab.frame(10.0, &[]);
    assert_eq!(tab.world.error(), Some("full"));
    assert_eq!(storage.island(), Some(1));
    storage.set_room(1 << 20);
    tab.frame(PAUSE.as_secs_f64(), &[]);
    assert_eq!((tab.world.error(), storage.island()), (None, Some(2)));
}

#[test]
fn the_page_says_why_there_is_no_webgpu() {
    let page = include_str!("../../examples/web/index.html");
    assert!(page.contains("if (!gpu && !isSecure) {\n    return `WebGPU needs https or localhost"));
    assert!(page.contains("missing(navigator.gpu, isSecureContext)"));
}
