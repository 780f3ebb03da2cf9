//! The panel's keys, and when they apply.

use bevy::input::ButtonInput;
use bevy::prelude::*;
use bevy_egui::egui::{Event, Key, Modifiers, pos2};
use orogeny::Recipe;

use super::support::{Person, recipe};
use crate::PanelKeys;
use crate::document::Step;
use crate::document::draft::Draft;
use crate::viewer::freeze::Freeze;
use crate::window::TerrainPanel;

fn press(person: &mut Person, key: KeyCode) {
    person.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    person.frame(Vec::new());
    person.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    person.frame(Vec::new());
}

#[test]
fn keys_are_rebound() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let hidden = |person: &Person| person.app.world().resource::<TerrainPanel>().hidden;
    press(&mut person, KeyCode::KeyH);
    assert!(hidden(&person));
    person.app.insert_resource(PanelKeys {
        toggle: vec![KeyCode::F2, KeyCode::Digit7],
        freeze: Vec::new(),
        game: vec![("Space".into(), "jump".into())],
        ..PanelKeys::default()
    });
    press(&mut person, KeyCode::KeyH);
    assert!(hidden(&person));
    press(&mut person, KeyCode::F2);
    assert!(!hidden(&person));
    press(&mut person, KeyCode::KeyK);
    assert!(!person.app.world().resource::<Freeze>().0);
    person.open("Help");
    for text in ["F2 or 7", "jump", "Ctrl+Y or Ctrl+Shift+Z"] {
        assert!(person.sees(text), "{text}: {:?}", person.texts);
    }
    assert!(!person.sees("freeze the viewer"), "{:?}", person.texts);
}

/// While the pointer is not on the panel, Ctrl+Z and Ctrl+V belong to the game.
#[test]
fn shortcuts_need_the_pointer_or_the_focus_on_the_panel() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let edited = Recipe { seed: 2, ..recipe() };
    person.document().edit(Draft::new(edited), Step::Single);
    person.frame(Vec::new());
    let pasted = person.document().copy().unwrap().replace("seed: 2", "seed: 3");

    person.frame(vec![Event::PointerMoved(pos2(1200.0, 600.0))]);
    person.press(Modifiers::COMMAND, Key::Z);
    person.frame(vec![Event::Paste(pasted.clone())]);
    person.frame(Vec::new());
    assert_eq!(person.terrain().seed, 2);

    let on_panel = person.find("seed").center();
    person.frame(vec![Event::PointerMoved(on_panel)]);
    person.frame(vec![Event::Paste(pasted)]);
    person.frame(Vec::new());
    assert_eq!(person.terrain().seed, 3);
    person.press(Modifiers::COMMAND, Key::Z);
    person.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(person.terrain().seed, 1);
}
