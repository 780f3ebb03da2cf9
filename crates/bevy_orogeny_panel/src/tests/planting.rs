//! The tools that clear, fell and plant.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::Res;
use bevy_orogeny::TerrainQuery;
use orogeny::edits::Edit;
use orogeny::ray::Ray;
use orogeny::scatter::{Instance, InstanceId, KindId};

use super::placing::{click, newest};
use super::plants::{meadow, person};
use super::support::{Person, recipe};
use super::tools::{drag, shown, step};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::editing::ground_steps::Way;
use crate::tools::{Tool, Tools, planting};

const OAK: KindId = KindId(4);
const PEBBLE: KindId = KindId(7);

/// What stands within 30 m of the origin.
fn standing(person: &mut Person) -> Vec<Instance> {
    let system = |terrains: TerrainQuery| {
        let ground = terrains.single().unwrap();
        ground.query().scatter().unwrap().in_circle([0.0; 2], 30.0, |_| true).unwrap()
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
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.radius, tools.kind) = (40.0, Some(PEBBLE));
    }
    drag(&mut person, Tool::Clear, &[0.0]);
    let left = standing(&mut person);
    assert!(left.len() == oaks && left.iter().all(|instance| instance.kind == OAK), "{left:?}");
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
    let oak = *before.iter().find(|instance| instance.kind == OAK).unwrap();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.tool, tools.radius, tools.kind) = (Some(Tool::Fell), 5.0, Some(OAK));
    }
    let [x, z] = oak.position;
    click(&mut person, [x + 2.0, 1100.0, z]);
    (0..2).for_each(|_| person.frame(Vec::new()));
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
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.radius, tools.kind) = (4.0, kind);
        let system = move |terrains: TerrainQuery, tools: Res<Tools>| {
            let ground = terrains.single().unwrap();
            let placement = ground.query().scatter().unwrap();
            planting::find(&ground, &placement, &tools, ray, place).unwrap()
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
    (0..3).for_each(|_| person.frame(Vec::new()));
    click(&mut person, [3.0, 1100.0, -4.0]);
    assert!(person.sees("There is no kind to plant"), "{:?}", person.texts);
    assert_eq!(shown(&mut person), 0);
}
