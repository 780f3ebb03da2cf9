//! The tab Plants.

use bevy_egui::egui::{Event, Key, Modifiers, vec2};
use orogeny::Climate;
use orogeny::Recipe;
use orogeny::limits::Parameters;
use orogeny::scatter::{Model, Scatter, ScatterKind};

use super::support::{Person, recipe};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::recipe::labels::label;

/// A level meadow with trees and stones.
pub fn meadow() -> Recipe {
    let kind = |name: &str, model, seed, radius| ScatterKind {
        name: name.into(),
        model,
        seed,
        radius,
        grass: 1.0,
        rock: 1.0,
        scree: 1.0,
        forest: 1.0,
        sand: 1.0,
        snow: 1.0,
        ..ScatterKind::default()
    };
    let kinds = vec![kind("oak", Model::Broadleaf, 4, 8.0), kind("pebble", Model::Stone, 7, 2.0)];
    Recipe { scatter: Scatter { kinds, ..Scatter::default() }, ..recipe() }
}

pub fn person() -> Person {
    let mut person = Person::new(meadow(), [1280.0, 720.0]);
    person.open("Plants");
    person
}

fn kinds(person: &mut Person) -> Vec<(Model, u64)> {
    person.terrain().scatter.kinds.into_iter().map(|kind| (kind.model, kind.seed)).collect()
}

#[test]
fn kinds_are_added_duplicated_moved_and_removed_by_clicks() {
    let mut person = person();
    let before = person.terrain();
    let (oak, pebble) = ((Model::Broadleaf, 4), (Model::Stone, 7));
    person.click("Add kind");
    person.click("Fern");
    person.frame(Vec::new());
    assert_eq!(kinds(&mut person), [oak.clone(), pebble.clone(), (Model::Fern, 1)]);
    // The buttons of the first kind come first. "⬆" of it is disabled.
    person.click("➕");
    person.frame(Vec::new());
    let copy = (Model::Broadleaf, 2);
    assert_eq!(kinds(&mut person), [oak.clone(), copy.clone(), pebble.clone(), (Model::Fern, 1)]);
    person.click("⬇");
    person.frame(Vec::new());
    assert_eq!(kinds(&mut person)[..2], [copy, oak]);
    person.click("✖");
    person.frame(Vec::new());
    assert_eq!(kinds(&mut person).len(), 3);
    for _ in 0..4 {
        let middle = person.window.center();
        person.frame(vec![Event::PointerMoved(middle)]);
        person.press(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(person.terrain(), before);
}

#[test]
fn numbers_of_a_kind_have_rows_and_a_drag_is_one_step() {
    let mut person = Person::new(meadow(), [1280.0, 2700.0]);
    person.open("Plants");
    unfold(&mut person, "1 oak");
    for limit in ScatterKind::LIMITS {
        person.find(&label(limit.name));
    }
    assert!(person.cut.is_empty() && person.boxes.is_empty(), "{:?}", person.cut);
    let from = person.right_of("Stunting");
    person.drag(from + vec2(40.0, 0.0), from + vec2(80.0, 0.0), 6);
    person.frame(Vec::new());
    let stunting = person.terrain().scatter.kinds[0].stunting;
    assert!(stunting > 0.41 && stunting <= 0.95, "{stunting}");
    assert_eq!(person.document().counts()[0], 1);
    person.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(person.terrain(), meadow());
}

#[test]
fn the_climate_is_shown_and_edited() {
    let mut recipe = meadow();
    recipe.climate.temperature = 17.15;
    let mut person = Person::new(recipe, [1280.0, 1400.0]);
    person.open("Plants");
    // The meadow is 1100 m high.
    let header = "Climate: 10.0 °C here, moisture 0.50";
    person.wait("the climate", |person| person.sees(header));
    person.click(header);
    (0..10).for_each(|_| person.frame(Vec::new()));
    for limit in Climate::LIMITS {
        person.find(&label(limit.name));
    }
    let from = person.right_of("Moisture");
    person.drag(from + vec2(40.0, 0.0), from + vec2(80.0, 0.0), 6);
    person.frame(Vec::new());
    let climate = person.terrain().climate;
    assert!(climate.moisture > 0.51 && climate.moisture <= 1.0, "{climate:?}");
    let header = format!("Climate: 10.0 °C here, moisture {:.2}", climate.moisture);
    person.wait("the new climate", |person| person.sees(&header));
}

#[test]
fn a_fault_of_a_kind_is_below_its_number() {
    let mut person = Person::new(meadow(), [1280.0, 2400.0]);
    person.open("Plants");
    unfold(&mut person, "1 oak");
    let mut draft = Draft::new(meadow());
    draft.recipe.scatter.kinds[0].size_min = 2.0;
    person.document().edit(draft.clone(), Step::Single);
    (0..2).for_each(|_| person.frame(Vec::new()));
    assert_eq!(person.terrain(), meadow());
    let problem = "Max size is 1.25, but must be at least min size, 2";
    let (row, text) = (person.find("Max size"), person.find(problem));
    assert!((row.bottom()..row.bottom() + 25.0).contains(&text.center().y), "{row:?} {text:?}");
    // Two kinds with the same seed.
    draft.recipe.scatter.kinds[0] = meadow().scatter.kinds[0].clone();
    draft.recipe.scatter.kinds[0].seed = 7;
    draft.recipe.scatter.kinds.swap(0, 1);
    person.document().edit(draft, Step::Single);
    (0..2).for_each(|_| person.frame(Vec::new()));
    assert!(person.sees("Plants, kind 2: seed is 7, which an earlier kind has"));
}

#[test]
fn kinds_are_counted_around_the_viewer() {
    let mut person = person();
    person.wait("a count", |person| person.sees("1 oak: ") && person.sees("2 pebble: "));
    // At density 0 nothing is left.
    let mut draft = Draft::new(meadow());
    draft.recipe.scatter.density = 0.0;
    person.document().edit(draft, Step::Single);
    person.wait("an empty count", |person| person.sees("1 oak: 0 per ha"));
    assert!(person.sees("Instances") && person.sees("0.0 MB"), "{:?}", person.texts);
}

#[test]
fn a_kind_says_why_it_does_not_grow_here() {
    let mut recipe = meadow();
    recipe.scatter.kinds[0].temperature_min = 20.0;
    let mut person = Person::new(recipe, [1280.0, 2700.0]);
    person.open("Plants");
    unfold(&mut person, "1 oak");
    let (start, end) = ("Here: temperature: ", " °C, the kind needs at least 20 °C");
    person.wait("a reason", |person| {
        person.texts.iter().any(|(text, _)| text.starts_with(start) && text.ends_with(end))
    });
    // Without the limit it grows.
    let mut draft = Draft::new(meadow());
    draft.recipe.scatter.density = 0.5;
    person.document().edit(draft, Step::Single);
    person.wait("a density", |person| person.sees("Here: density 0.5"));
}

/// Opens the kind whose title begins like this.
fn unfold(person: &mut Person, title: &str) {
    let found = person.texts.iter().find(|(text, _)| text.starts_with(title));
    let at = found.expect("a kind with this title").1.center();
    person.drag(at, at, 1);
    (0..10).for_each(|_| person.frame(Vec::new()));
}
