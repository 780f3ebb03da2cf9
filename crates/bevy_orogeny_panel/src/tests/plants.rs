//! The tab Plants, and the tools that clear and plant.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::Res;
use bevy_egui::egui::{Event, Key, Modifiers, vec2};
use bevy_orogeny::TerrainQuery;
use orogeny::Recipe;
use orogeny::edits::Edit;
use orogeny::limits::Parameters;
use orogeny::ray::Ray;
use orogeny::scatter::{Climate, Instance, InstanceId, Model, Scatter, ScatterKind};

use super::placing::{click, newest};
use super::support::{Person, recipe};
use super::tools::{drag, shown, step};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::editing::ground_steps::Way;
use crate::tools::{Tool, Tools, planting};

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
    person.click("add a kind");
    person.click("fern");
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
    person.click("numbers");
    (0..10).for_each(|_| person.frame(Vec::new()));
    for limit in ScatterKind::LIMITS {
        person.find(limit.name);
    }
    let from = person.right_of("stunting");
    person.drag(from + vec2(40.0, 0.0), from + vec2(80.0, 0.0), 6);
    person.frame(Vec::new());
    let stunting = person.terrain().scatter.kinds[0].stunting;
    assert!(stunting > 0.41 && stunting <= 0.95, "{stunting}");
    assert_eq!(person.document().counts()[0], 1);
    person.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(person.terrain(), meadow());
}

#[test]
fn the_climate_is_told_and_edited() {
    let mut recipe = meadow();
    recipe.scatter.climate.temperature = 16.5;
    let mut person = Person::new(recipe, [1280.0, 1400.0]);
    person.open("Plants");
    // The meadow is 1000 m high.
    let header = "climate: here 10.0 °C, moisture 0.50";
    person.wait("the climate", |person| person.sees(header));
    person.click(header);
    (0..10).for_each(|_| person.frame(Vec::new()));
    for limit in Climate::LIMITS {
        person.find(limit.name);
    }
    let from = person.right_of("moisture");
    person.drag(from + vec2(40.0, 0.0), from + vec2(80.0, 0.0), 6);
    person.frame(Vec::new());
    let climate = person.terrain().scatter.climate;
    assert!(climate.moisture > 0.51 && climate.moisture <= 1.0, "{climate:?}");
    let told = format!("climate: here 10.0 °C, moisture {:.2}", climate.moisture);
    person.wait("the new climate", |person| person.sees(&told));
}

#[test]
fn a_fault_of_a_kind_is_below_its_number() {
    let mut person = Person::new(meadow(), [1280.0, 2400.0]);
    person.open("Plants");
    person.click("numbers");
    (0..10).for_each(|_| person.frame(Vec::new()));
    let mut draft = Draft::new(meadow());
    draft.recipe.scatter.kinds[0].size_min = 2.0;
    person.document().edit(draft.clone(), Step::Single);
    (0..2).for_each(|_| person.frame(Vec::new()));
    assert_eq!(person.terrain(), meadow());
    let problem = "is 1.25, but must not be less than size_min, 2";
    let (row, text) = (person.find("size_max"), person.find(problem));
    assert!((row.bottom()..row.bottom() + 25.0).contains(&text.center().y), "{row:?} {text:?}");
    // Two kinds with the same seed.
    draft.recipe.scatter.kinds[0] = meadow().scatter.kinds[0].clone();
    draft.recipe.scatter.kinds[0].seed = 7;
    draft.recipe.scatter.kinds.swap(0, 1);
    person.document().edit(draft, Step::Single);
    (0..2).for_each(|_| person.frame(Vec::new()));
    assert!(person.sees("scatter.kinds[1].seed: is 7, as of an earlier kind"));
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
    assert!(person.sees("instances") && person.sees("0.0 MB"), "{:?}", person.texts);
}

/// What stands within 30 m of the origin.
fn standing(person: &mut Person) -> Vec<Instance> {
    let system = |terrains: TerrainQuery| {
        let ground = terrains.single().unwrap();
        ground.query().scatter().unwrap().in_circle([0.0; 2], 30.0, |_| true)
    };
    person.app.world_mut().run_system_once(system).unwrap()
}

#[test]
fn a_brush_clears_all_kinds_or_one() {
    let mut person = person();
    let before = standing(&mut person);
    let [oaks, pebbles] =
        [0, 1].map(|kind| before.iter().filter(|instance| instance.kind == kind).count());
    assert!(oaks > 3 && pebbles > 30, "{oaks} {pebbles}");
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.radius, tools.kind) = (40.0, Some(7));
    }
    drag(&mut person, Tool::Clear, &[0.0]);
    let left = standing(&mut person);
    assert!(left.len() == oaks && left.iter().all(|instance| instance.kind == 0), "{left:?}");
    step(&mut person, Way::Undo);
    assert_eq!(standing(&mut person), before);
    person.app.world_mut().resource_mut::<Tools>().kind = None;
    drag(&mut person, Tool::Clear, &[0.0]);
    assert_eq!(standing(&mut person), []);
}

#[test]
fn a_click_fells_the_nearest_plant_of_the_chosen_kind() {
    let mut person = person();
    let before = standing(&mut person);
    let oak = *before.iter().find(|instance| instance.kind == 0).unwrap();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.tool, tools.radius, tools.kind) = (Some(Tool::Fell), 5.0, Some(4));
    }
    let [x, z] = oak.position;
    click(&mut person, [x + 2.0, 1100.0, z]);
    (0..2).for_each(|_| person.frame(Vec::new()));
    let after = standing(&mut person);
    let expected: Vec<_> = before.iter().filter(|instance| **instance != oak).copied().collect();
    assert_eq!(after, expected);
    // No other oak is within 5 m of it.
    click(&mut person, [x, 1100.0, z]);
    assert!(person.sees("Nothing stands here"), "{:?}", person.texts);
    assert_eq!(shown(&mut person), 1);
    step(&mut person, Way::Undo);
    assert_eq!(standing(&mut person), before);
}

/// A trunk in front of the ground under the pointer is meant, not what stands nearest to that place.
#[test]
fn a_ray_fells_the_trunk_that_it_hits() {
    let mut recipe = meadow();
    let oaks = &mut recipe.scatter.kinds[0];
    (oaks.solid_radius, oaks.solid_height) = (0.5, 8.0);
    let mut person = Person::new(recipe, [1280.0, 720.0]);
    person.open("Plants");
    let oak = *standing(&mut person).iter().find(|instance| instance.kind == 0).unwrap();
    let [x, z] = oak.position;
    // From 10 m before the trunk, 4 m up, to the ground 10 m behind it.
    let (origin, place) = ([x, 1004.0, z - 10.0], [x, 1000.0, z + 10.0]);
    let ray = Ray { origin, direction: [0.0, -4.0, 20.0], max_distance: 1e4 };
    let found = |person: &mut Person, kind: Option<u64>, ray: Option<Ray>| {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.radius, tools.kind) = (4.0, kind);
        let system = move |terrains: TerrainQuery, tools: Res<Tools>| {
            let ground = terrains.single().unwrap();
            let scattered = ground.query().scatter().unwrap();
            planting::find(&ground, &scattered, &tools, ray, place)
        };
        person.app.world_mut().run_system_once(system).unwrap()
    };
    assert_eq!(found(&mut person, None, Some(ray)), Some(oak));
    assert_eq!(found(&mut person, Some(4), Some(ray)), Some(oak));
    // Other kinds, and clicks without a ray, look around the place.
    let near = |instance: Option<Instance>| {
        let [px, pz] = instance.unwrap().position;
        instance != Some(oak) && (px - x).hypot(pz - z - 10.0) <= 4.0
    };
    assert!(near(found(&mut person, Some(7), Some(ray))));
    assert!(near(found(&mut person, None, None)));
}

#[test]
fn a_click_plants_one_with_its_size_and_turn() {
    let mut person = person();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        tools.tool = Some(Tool::Plant);
        (tools.plant.size, tools.plant.turn) = (2.5, 90.0);
    }
    person.open("Tools");
    // The first kind is offered, as no kind has the default seed.
    person.find("oak");
    click(&mut person, [3.0, 1100.0, -4.0]);
    (0..2).for_each(|_| person.frame(Vec::new()));
    let (_, edit) = newest(&mut person);
    let Edit::Plant(plant) = edit else { panic!("{edit:?}") };
    assert_eq!((plant.center, plant.kind, plant.size, plant.turn), ([3.0, -4.0], 4, 2.5, 90.0));
    let planted = |person: &mut Person| {
        let standing = standing(person);
        standing.iter().filter(|instance| matches!(instance.id, InstanceId::Planted(_))).count()
    };
    assert_eq!(planted(&mut person), 1);
    step(&mut person, Way::Undo);
    assert_eq!(planted(&mut person), 0);
    // Without kinds there is a message.
    person.document().edit(Draft::new(recipe()), Step::Single);
    (0..3).for_each(|_| person.frame(Vec::new()));
    click(&mut person, [3.0, 1100.0, -4.0]);
    assert!(person.sees("Nothing was planted: first"), "{:?}", person.texts);
    assert_eq!(shown(&mut person), 0);
}
