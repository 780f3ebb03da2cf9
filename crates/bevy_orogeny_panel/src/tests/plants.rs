//! The tab Plants, and the tools that clear, fell and plant.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::Res;
use bevy_egui::egui::{Event, Key, Modifiers, vec2};
use bevy_orogeny::TerrainQuery;
use orogeny::edits::Edit;
use orogeny::limits::Parameters;
use orogeny::ray::Ray;
use orogeny::scatter::{Instance, InstanceId, KindId, Model, Scatter, ScatterKind};
use orogeny::{Climate, Recipe};

use super::placing::{click, newest};
use super::support::{Person, recipe};
use super::tools::{drag, shown, step};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::editing::Way;
use crate::recipe::labels::label;
use crate::tools::{Tool, Tools, clicks};

/// A level meadow with trees and stones.
fn meadow() -> Recipe {
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

fn person() -> Person {
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
    for limit in ScatterKind::LIMITS.iter().filter(|limit| limit.min < limit.max) {
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
    person.frames(10);
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
    person.frames(2);
    assert_eq!(person.terrain(), meadow());
    let problem = "Max size is 1.25, but must be at least min size, 2";
    let (row, text) = (person.find("Max size"), person.find(problem));
    assert!((row.bottom()..row.bottom() + 25.0).contains(&text.center().y), "{row:?} {text:?}");
    // Two kinds with the same seed.
    draft.recipe.scatter.kinds[0] = meadow().scatter.kinds[0].clone();
    draft.recipe.scatter.kinds[0].seed = 7;
    draft.recipe.scatter.kinds.swap(0, 1);
    person.document().edit(draft, Step::Single);
    person.frames(2);
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
    recipe.scatter.kinds[0].temperature.min = 20.0;
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
    let at = person.starting(title).1.center();
    person.drag(at, at, 1);
    person.frames(10);
}

const OAK: KindId = KindId(4);
const PEBBLE: KindId = KindId(7);

/// What stands within 30 m of the origin.
fn standing(person: &mut Person) -> Vec<Instance> {
    let system = |terrains: TerrainQuery| {
        let ground = terrains.single().unwrap();
        ground.query().placement().in_circle([0.0; 2], 30.0, |_| true).unwrap()
    };
    person.app.world_mut().run_system_once(system).unwrap()
}

#[test]
fn a_brush_clears_all_kinds_or_one() {
    let mut person = person();
    let before = standing(&mut person);
    let [oaks, pebbles] =
        [OAK, PEBBLE].map(|kind| before.iter().filter(|instance| instance.kind == kind).count());
    assert!(oaks > 3 && pebbles > 30, "{oaks} {pebbles}");
    person.set_tools(|tools| {
        (tools.radius, tools.kind) = (40.0, Some(PEBBLE));
    });
    drag(&mut person, Tool::Clear, &[0.0]);
    let left = standing(&mut person);
    assert!(left.len() == oaks && left.iter().all(|instance| instance.kind == OAK), "{left:?}");
    step(&mut person, Way::Undo);
    assert_eq!(standing(&mut person), before);
    person.tools().kind = None;
    drag(&mut person, Tool::Clear, &[0.0]);
    assert_eq!(standing(&mut person), []);
}

#[test]
fn a_click_fells_the_nearest_plant_of_the_chosen_kind() {
    let mut person = person();
    let before = standing(&mut person);
    let oak = *before.iter().find(|instance| instance.kind == OAK).unwrap();
    person.set_tools(|tools| {
        (tools.tool, tools.radius, tools.kind) = (Some(Tool::Fell), 5.0, Some(OAK));
    });
    let [x, z] = oak.position;
    click(&mut person, [x + 2.0, 1100.0, z]);
    person.frames(2);
    let after = standing(&mut person);
    let expected: Vec<_> = before.iter().filter(|instance| **instance != oak).copied().collect();
    assert_eq!(after, expected);
    // No other oak is within 5 m of it.
    click(&mut person, [x, 1100.0, z]);
    assert!(person.sees("There is nothing to fell here"), "{:?}", person.texts);
    assert_eq!(shown(&mut person), 1);
    step(&mut person, Way::Undo);
    assert_eq!(standing(&mut person), before);
}

/// A trunk in front of the ground under the pointer is meant, not what stands nearest to its place.
#[test]
fn a_ray_fells_the_trunk_that_it_hits() {
    let mut recipe = meadow();
    let oaks = &mut recipe.scatter.kinds[0];
    (oaks.solid_radius, oaks.solid_height) = (0.5, 8.0);
    let mut person = Person::new(recipe, [1280.0, 720.0]);
    person.open("Plants");
    let oak = *standing(&mut person).iter().find(|instance| instance.kind == OAK).unwrap();
    let [x, z] = oak.position;
    // From 10 m before the trunk, 4 m up, to the ground 10 m behind it.
    let (origin, place) = ([x, 1104.0, z - 10.0], [x, 1100.0, z + 10.0]);
    let ray = Ray { origin, direction: [0.0, -4.0, 20.0], max_distance: 1e4 };
    let found = |person: &mut Person, kind: Option<KindId>, ray: Option<Ray>| {
        let mut tools = person.tools();
        (tools.radius, tools.kind) = (4.0, kind);
        let system = move |terrains: TerrainQuery, tools: Res<Tools>| {
            let ground = terrains.single().unwrap();
            let placement = ground.query().placement();
            clicks::find(&ground, placement, &tools, ray, place).unwrap()
        };
        person.app.world_mut().run_system_once(system).unwrap()
    };
    assert_eq!(found(&mut person, None, Some(ray)), Some(oak));
    assert_eq!(found(&mut person, Some(OAK), Some(ray)), Some(oak));
    // Other kinds, and clicks without a ray, look around the place.
    let near = |instance: Option<Instance>| {
        let [px, pz] = instance.unwrap().position;
        instance != Some(oak) && (px - x).hypot(pz - z - 10.0) <= 4.0
    };
    assert!(near(found(&mut person, Some(PEBBLE), Some(ray))));
    assert!(near(found(&mut person, None, None)));
}

#[test]
fn a_click_plants_one_with_its_size_and_turn() {
    let mut person = person();
    person.set_tools(|tools| {
        tools.tool = Some(Tool::Plant);
        (tools.plant.size, tools.plant.turn) = (2.5, 90.0);
    });
    person.open("Tools");
    // The first kind is offered, as no kind has the default seed.
    person.find("oak");
    click(&mut person, [3.0, 1100.0, -4.0]);
    person.frames(2);
    let (_, edit) = newest(&mut person);
    let Edit::Plant(plant) = edit else { panic!("{edit:?}") };
    assert_eq!((plant.center, plant.kind, plant.size, plant.turn), ([3.0, -4.0], OAK, 2.5, 90.0));
    let planted = |person: &mut Person| {
        let standing = standing(person);
        standing.iter().filter(|instance| matches!(instance.id, InstanceId::Planted(_))).count()
    };
    assert_eq!(planted(&mut person), 1);
    step(&mut person, Way::Undo);
    assert_eq!(planted(&mut person), 0);
    // Without kinds there is a message.
    person.document().edit(Draft::new(recipe()), Step::Single);
    person.frames(3);
    click(&mut person, [3.0, 1100.0, -4.0]);
    assert!(person.sees("There is no kind to plant"), "{:?}", person.texts);
    assert_eq!(shown(&mut person), 0);
}
