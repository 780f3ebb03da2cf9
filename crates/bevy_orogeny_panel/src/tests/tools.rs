//! Tools that edit the ground, the list of edits, and the history that they share with the recipe.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_egui::egui::{Key, Modifiers};
use bevy_orogeny::advanced::EditAuthor;
use bevy_orogeny::orogeny::edits::{Change, Crater, EditId, State};
use bevy_orogeny::{Terrain, TerrainEditor, TerrainEdits};
use orogeny::Recipe;

use super::support::{Person, recipe};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::editing::Way;
use crate::tools::Tool;
use crate::tools::cursor::Cursor;

pub fn person() -> Person {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    person.app.insert_resource(EditAuthor(5));
    person
}

/// The edits that are shown.
pub fn shown(person: &mut Person) -> usize {
    let world = person.app.world_mut();
    let edits = world.query_filtered::<&TerrainEdits, With<Terrain>>().single(world).unwrap();
    edits.log.changes().filter(|change| matches!(change.state, State::Shown(_))).count()
}

pub fn step(person: &mut Person, way: Way) {
    person.editing().step(way);
    person.frames(3);
}

/// Drags the mouse over the ground, in metres from (0, 0) along x.
pub fn drag(person: &mut Person, tool: Tool, way: &[f64]) {
    person.tools().tool = Some(tool);
    person.mouse().press(MouseButton::Left);
    for &x in way {
        person.app.insert_resource(Cursor(Some([x, 1100.0, 0.0])));
        person.frame(Vec::new());
        person.mouse().clear();
    }
    person.mouse().release(MouseButton::Left);
    person.app.insert_resource(Cursor(None));
    person.frames(2);
    person.mouse().clear();
}

pub fn edit_ground<T: Send + 'static>(
    person: &mut Person,
    edit: impl Fn(&mut bevy_orogeny::GroundEditor) -> T + Send + Sync + 'static,
) -> T {
    let system = move |mut editor: TerrainEditor| edit(&mut editor.single().unwrap());
    let done = person.app.world_mut().run_system_once(system).unwrap();
    person.frame(Vec::new());
    done
}

#[test]
fn a_stroke_is_one_step() {
    let mut person = person();
    let tools = <Tool as strum::VariantArray>::VARIANTS.iter();
    for &tool in tools.filter(|tool| !tool.has_own_clicks()) {
        let before = shown(&mut person);
        // 10 m is the radius, so a dab comes every 3.3 m.
        drag(&mut person, tool, &[0.0, 4.0, 11.0, 21.0]);
        let dabs = if tool.is_brush() { 7 } else { 1 };
        assert_eq!(shown(&mut person) - before, dabs, "{tool:?}");
        step(&mut person, Way::Undo);
        assert_eq!(shown(&mut person), before, "{tool:?}");
        step(&mut person, Way::Redo);
        assert_eq!(shown(&mut person) - before, dabs, "{tool:?}");
    }
    assert_eq!(person.editing().can_go(), [true, false]);
    // Without a tool, the mouse is the game's.
    let before = shown(&mut person);
    person.tools().tool = None;
    person.app.insert_resource(Cursor(Some([0.0; 3])));
    person.mouse().press(MouseButton::Left);
    person.frame(Vec::new());
    assert_eq!(shown(&mut person), before);
}

#[test]
fn recipe_and_ground_have_one_history() {
    let mut person = person();
    let state = |person: &mut Person| (person.terrain().seed, shown(person));
    let seed = |person: &mut Person, seed: u64| {
        let draft = Draft::new(Recipe { seed, ..recipe() });
        person.document().edit(draft, Step::Single);
        person.frames(2);
    };
    seed(&mut person, 2);
    edit_ground(&mut person, |ground| ground.crater([5.0, 5.0], 9.0).unwrap());
    edit_ground(&mut person, |ground| ground.crater([50.0, 5.0], 9.0).unwrap());
    seed(&mut person, 3);
    let states = [(1, 0), (2, 0), (2, 1), (2, 2), (3, 2)];
    assert_eq!(state(&mut person), states[4]);
    for expected in states[..4].iter().rev() {
        step(&mut person, Way::Undo);
        assert_eq!(state(&mut person), *expected);
    }
    for expected in &states[1..] {
        step(&mut person, Way::Redo);
        assert_eq!(state(&mut person), *expected);
    }
    step(&mut person, Way::Redo);
    assert_eq!(state(&mut person), states[4]);
    // The keys do the same: with a tool, the pointer need not be on the panel.
    person.tools().tool = Some(Tool::Raise);
    person.press(Modifiers::COMMAND, Key::Z);
    person.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&mut person), states[2]);
    // A new edit ends what could be redone, of both kinds.
    edit_ground(&mut person, |ground| ground.crater([90.0, 5.0], 9.0).unwrap());
    assert_eq!(person.editing().can_go(), [true, false]);
    step(&mut person, Way::Undo);
    assert_eq!(state(&mut person), states[2]);
    seed(&mut person, 9);
    assert_eq!(person.editing().can_go(), [true, false]);
}

#[test]
fn edits_of_others_are_no_steps() {
    let mut person = person();
    let by = |author: u64, time: u64, id: EditId, state: State| Change {
        id,
        time: EditId { time, author },
        state,
    };
    let id = EditId { time: 1, author: 9 };
    let other = by(9, 1, id, State::Shown(Crater::default().into()));
    edit_ground(&mut person, move |ground| ground.apply(other.clone()).unwrap());
    assert_eq!((shown(&mut person), person.editing().can_go()), (1, [false; 2]));
    // Somebody removes what this machine has made.
    let own = edit_ground(&mut person, |ground| ground.crater([5.0, 5.0], 9.0).unwrap());
    let removal = by(9, 40, own.change.id, State::Removed);
    edit_ground(&mut person, move |ground| ground.apply(removal.clone()).unwrap());
    assert_eq!(shown(&mut person), 1);
    step(&mut person, Way::Undo);
    assert_eq!((shown(&mut person), person.editing().can_go()), (1, [false; 2]));
    assert!(person.sees("another author"), "{:?}", person.texts);
}

#[test]
fn the_list_hides_selects_and_deletes() {
    let mut person = person();
    edit_ground(&mut person, |ground| ground.crater([5.0, 5.0], 9.0).unwrap());
    edit_ground(&mut person, |ground| ground.raise([50.0, 5.0], 4.0, 4.0, 2.0).unwrap());
    person.open("Edits");
    assert!(person.sees("2 edits"), "{:?}", person.texts);
    // The newest comes first.
    let [raise, crater] = ["Raise, 16 m", "Crater, "].map(|kind| person.starting(kind).1.top());
    assert!(raise < crater);
    person.click("👁");
    person.frames(2);
    assert_eq!(shown(&mut person), 1);
    person.click("👁");
    person.frames(2);
    assert_eq!(shown(&mut person), 2);
    person.click("✖");
    person.frames(2);
    assert!(shown(&mut person) == 1 && person.sees("1 edit, sorted"));
    person.click(&person.starting("Crater, ").0);
    assert!(person.sees("by author 5 at time 1"), "{:?}", person.texts);
    person.click("Delete");
    person.frames(2);
    assert_eq!(shown(&mut person), 0);
    // All of it can be undone.
    for left in [1, 2, 1, 2, 1, 0] {
        step(&mut person, Way::Undo);
        assert_eq!(shown(&mut person), left);
    }
    // Without a terrain there is a message.
    let world = person.app.world_mut();
    let terrain = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
    world.despawn(terrain);
    drag(&mut person, Tool::Raise, &[0.0, 9.0]);
    assert!(person.sees("The ground was not changed"), "{:?}", person.texts);
    // The step stays for later.
    step(&mut person, Way::Redo);
    assert_eq!(person.editing().can_go(), [false, true]);
}

#[test]
fn what_an_edit_has_ended_is_not_redone() {
    let mut person = person();
    edit_ground(&mut person, |ground| ground.crater([5.0, 5.0], 9.0).unwrap());
    edit_ground(&mut person, |ground| ground.crater([50.0, 5.0], 9.0).unwrap());
    step(&mut person, Way::Undo);
    // This ends the second crater.
    person.document().edit(Draft::new(Recipe { seed: 7, ..recipe() }), Step::Single);
    person.frames(2);
    (0..2).for_each(|_| step(&mut person, Way::Undo));
    assert_eq!((person.terrain().seed, shown(&mut person)), (1, 0));
    (0..3).for_each(|_| step(&mut person, Way::Redo));
    assert_eq!((person.terrain().seed, shown(&mut person)), (7, 1));
}

#[test]
fn ground_can_be_undone_after_forgotten_steps_of_the_recipe() {
    let mut person = person();
    edit_ground(&mut person, |ground| ground.crater([5.0, 5.0], 9.0).unwrap());
    for seed in 1000..1201 {
        person.document().edit(Draft::new(Recipe { seed, ..recipe() }), Step::Single);
    }
    for _ in 0..201 {
        assert!(person.editing().can_go()[0]);
        person.editing().step(Way::Undo);
        person.frame(Vec::new());
    }
    person.frame(Vec::new());
    assert_eq!((shown(&mut person), person.editing().can_go()), (0, [false, true]));
}

#[test]
fn the_list_tells_places_in_the_world() {
    let mut person = person();
    let world = person.app.world_mut();
    let terrain = world.query_filtered::<Entity, With<Terrain>>().single(world).unwrap();
    world.entity_mut(terrain).insert(Transform::from_xyz(1000.0, 0.0, 0.0));
    person.frames(3);
    edit_ground(&mut person, |ground| ground.crater([1050.0, 5.0], 9.0).unwrap());
    person.open("Edits");
    person.click(&person.starting("Crater, ").0);
    assert!(person.sees("At x 1050.0 m, z 5.0 m"), "{:?}", person.texts);
}
