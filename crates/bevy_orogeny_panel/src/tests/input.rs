//! The panel's keys and when they apply, what the user types into numbers, and windows that are too
//! small for them.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::{ButtonInput, ButtonState};
use bevy::prelude::*;
use bevy_egui::egui::{self, Event, Modifiers, pos2, vec2};
use orogeny::Recipe;
use orogeny::drainage::Drainage;

use super::support::{Person, recipe};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::viewer::Freeze;
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

/// Types into the number of a row, in place of the old one.
fn replace(person: &mut Person, name: &str, text: &str) {
    person.replace_at(person.right_of(name), text);
}

#[test]
fn a_decimal_comma_is_read() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut person, "Height", "250,5");
    assert_eq!(person.terrain().height, 250.5);
    replace(&mut person, "Height", "1 250.75");
    assert_eq!(person.terrain().height, 1250.75);
    // A slider's number, too.
    person.open("Viewer");
    person.replace_at(person.right_of("Pixel error") + vec2(150.0, 0.0), "3,5");
    assert!(person.sees("3.5"), "{:?}", person.texts);
}

#[test]
fn what_is_not_a_number_is_refused_with_a_message() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    for name in ["Height", "Seed"] {
        let before = person.terrain();
        replace(&mut person, name, "many");
        assert_eq!(person.terrain(), before);
        assert!(person.sees("“many” is not"), "{name}: {:?}", person.texts);
    }
    // A comma is a decimal point unless it may be between thousands.
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut person, "Height", "1,234");
    assert!(person.sees("Height: “1,234” may mean 1234 or 1.234."), "{:?}", person.texts);
    assert_eq!(person.terrain().height, 100.0);
    // A minus alone is no number.
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut person, "Height", "-");
    let mut other = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut other, "Height", "7,5");
    assert!(person.sees("is not a") && !other.sees("is not a"), "{:?}", other.texts);
}

/// A number in the next field does not make the last one right.
#[test]
fn what_is_not_a_number_is_refused_even_if_the_next_field_has_the_focus() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let before = person.terrain();
    let at = person.right_of("Seed");
    person.drag(at, at, 1);
    person.press(Modifiers::COMMAND, egui::Key::A);
    person.type_text("many");
    person.press(Modifiers::NONE, egui::Key::Tab);
    person.type_text("5");
    assert!(person.sees("“many” is not"), "{:?}", person.texts);
    assert_eq!(person.terrain().seed, before.seed);
}

/// Beyond 2^53, `f64` has gaps.
#[test]
fn seeds_keep_all_their_digits() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    for seed in [9_007_199_254_740_993, 1_234_567_890_123_456_789, u64::MAX, 0] {
        replace(&mut person, "Seed", &seed.to_string());
        assert_eq!(person.terrain().seed, seed);
        assert!(person.sees(&seed.to_string()), "{:?}", person.texts);
    }
    replace(&mut person, "Seed", "18446744073709551616");
    assert_eq!(person.terrain().seed, 0);
    assert!(person.sees("is not a whole number from 0"), "{:?}", person.texts);
    // It can still be dragged.
    let at = person.right_of("Seed");
    person.drag(at, at + vec2(200.0, 0.0), 5);
    person.frame(Vec::new());
    assert!((10..40).contains(&person.terrain().seed), "{}", person.terrain().seed);
}

/// A number outside the limits is not clamped in silence.
#[test]
fn numbers_outside_the_limits_are_refused_with_the_limits() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    for text in ["-5", "1e6", "1e999", "-inf", "nan"] {
        replace(&mut person, "Height", text);
        let message = format!("Height: “{text}” is not a number from 0 to 100000 m.");
        assert!(person.sees(&message), "{text}: {:?}", person.texts);
        assert_eq!(person.terrain().height, 100.0, "{text}");
    }
    replace(&mut person, "Height", "250 m");
    assert_eq!(person.terrain().height, 250.0);
    // The same for sliders, and whole numbers stay whole.
    let rivers = Some(Drainage::default());
    let mut person = Person::new(Recipe { rivers, ..recipe() }, [1280.0, 900.0]);
    person.open("Rivers");
    let levels = |person: &mut Person| person.terrain().rivers.unwrap().levels;
    for (text, expected) in [("9", 3.0), ("2.5", 3.0), ("4", 4.0), ("6", 4.0)] {
        person.replace_at(person.right_of("Levels") + vec2(165.0, 0.0), text);
        assert_eq!(levels(&mut person), expected, "{text}: {:?}", person.texts);
    }
    assert!(person.sees("Levels: “6” is not a whole number from 1 to 5."), "{:?}", person.texts);
}

/// A step of the slider is a level, however far the pointer moves.
#[test]
fn whole_numbers_are_dragged_in_whole_steps() {
    let rivers = Some(Drainage::default());
    let mut person = Person::new(Recipe { rivers, ..recipe() }, [1280.0, 900.0]);
    person.open("Rivers");
    let at = person.right_of("Levels");
    person.drag(at, at + vec2(300.0, 0.0), 7);
    person.frame(Vec::new());
    assert_eq!(person.terrain().rivers.unwrap().levels, 5.0);
    assert!(person.editing().error.is_none());
}

#[test]
fn the_panel_grows_again_with_its_window() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    person.open("Viewer");
    let before = person.window;
    assert!(person.sees("Go to"));
    for size in [[300.0, 64.0], [20.0, 20.0]] {
        person.resize(size);
        person.resize([1280.0, 720.0]);
        assert!(person.sees("Go to"), "{:?}", person.texts);
        assert_eq!(person.window.size(), before.size());
    }
}

#[test]
fn every_tab_fits_into_every_window() {
    for size in [[1.0, 1.0], [20.0, 20.0], [31.0, 400.0], [120.0, 60.0], [4000.0, 10.0]] {
        let mut person = Person::new(recipe(), size);
        let tabs = person.tabs();
        assert!(tabs.len() > 9);
        for tab in tabs {
            person.open(&tab);
        }
    }
}
