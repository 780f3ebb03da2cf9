//! The panel's keys, and when they apply.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::{ButtonInput, ButtonState};
use bevy::prelude::*;
use bevy_egui::egui::{self, Event, Modifiers, pos2};
use orogeny::Recipe;

use super::support::{Person, recipe};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::viewer::freeze::Freeze;
use crate::window::TerrainPanel;
use crate::{KeyLabels, PanelKeys};

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
    assert!(!person.sees("unfreeze the viewer"), "{:?}", person.texts);
}

/// On a German keyboard, Y and Z have changed places; on a Cyrillic one, no key is labelled H.
#[test]
fn shortcuts_are_the_keys_with_their_label() {
    let mut labels = KeyLabels::default();
    assert_eq!(labels.meaning(KeyCode::KeyY), Some(KeyCode::KeyY));
    labels.learn(KeyCode::KeyY, 'z');
    labels.learn(KeyCode::KeyZ, 'y');
    labels.learn(KeyCode::BracketLeft, 'ü');
    labels.learn(KeyCode::Slash, '-');
    labels.learn(KeyCode::KeyH, 'р');
    for (key, meaning, printed) in [
        (KeyCode::KeyY, KeyCode::KeyZ, "Z"),
        (KeyCode::KeyZ, KeyCode::KeyY, "Y"),
        (KeyCode::BracketLeft, KeyCode::BracketLeft, "Ü"),
        (KeyCode::Slash, KeyCode::Minus, "-"),
        (KeyCode::KeyH, KeyCode::KeyH, "Р"),
        (KeyCode::F12, KeyCode::F12, "F12"),
    ] {
        assert_eq!((labels.meaning(key), labels.printed(key).as_str()), (Some(meaning), printed));
    }
    // Keys that act by their place are no shortcuts, and no other key is them: the one labelled Z
    // is neither Z nor Y.
    labels.place([KeyCode::KeyZ]);
    assert_eq!(labels.meaning(KeyCode::KeyZ), Some(KeyCode::KeyZ));
    assert_eq!(labels.meaning(KeyCode::KeyY), None);
}

#[test]
fn labels_are_learned_from_keys_that_are_pressed() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let hidden = |person: &Person| person.app.world().resource::<TerrainPanel>().hidden;
    // H is where a US keyboard has J, as on Dvorak's layout D is; Shift does not matter.
    let event = KeyboardInput {
        key_code: KeyCode::KeyJ,
        logical_key: Key::Character("H".into()),
        state: ButtonState::Pressed,
        text: None,
        repeat: false,
        window: Entity::PLACEHOLDER,
    };
    person.app.world_mut().write_message(event);
    press(&mut person, KeyCode::KeyJ);
    assert!(hidden(&person));
    press(&mut person, KeyCode::KeyJ);
    assert!(!hidden(&person));
    // With Ctrl it is another shortcut.
    let mut keys = person.app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.press(KeyCode::ControlLeft);
    press(&mut person, KeyCode::KeyJ);
    assert!(!hidden(&person));
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
    person.press(Modifiers::COMMAND, egui::Key::Z);
    person.frame(vec![Event::Paste(pasted.clone())]);
    person.frame(Vec::new());
    assert_eq!(person.terrain().seed, 2);

    let on_panel = person.find("Seed").center();
    person.frame(vec![Event::PointerMoved(on_panel)]);
    person.frame(vec![Event::Paste(pasted)]);
    person.frame(Vec::new());
    assert_eq!(person.terrain().seed, 3);
    person.press(Modifiers::COMMAND, egui::Key::Z);
    person.press(Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(person.terrain().seed, 1);
}
