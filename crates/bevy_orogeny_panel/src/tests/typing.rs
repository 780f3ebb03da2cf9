//! What the user types into numbers, and windows that are too small for them.

use bevy_egui::egui::{Key, Modifiers, vec2};

use super::support::{Person, recipe};
use crate::window::Tabs;

/// Types into the number of a row, in place of the old one.
fn replace(person: &mut Person, name: &str, text: &str) {
    let at = person.right_of(name);
    person.drag(at, at, 1);
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text(text);
    person.press(Modifiers::NONE, Key::Enter);
    person.frame(Vec::new());
}

#[test]
fn a_decimal_comma_is_read() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut person, "height", "250,5");
    assert_eq!(person.terrain().height, 250.5);
    replace(&mut person, "height", "1 250.75");
    assert_eq!(person.terrain().height, 1250.75);
    // A slider's number, too.
    person.open("Viewer");
    let at = person.right_of("pixel error") + vec2(150.0, 0.0);
    person.drag(at, at, 1);
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text("3,5");
    person.press(Modifiers::NONE, Key::Enter);
    assert!(person.sees("3.5"), "{:?}", person.texts);
}

#[test]
fn what_is_no_number_is_said() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    for name in ["height", "seed"] {
        let before = person.terrain();
        replace(&mut person, name, "many");
        assert_eq!(person.terrain(), before);
        assert!(person.sees("“many” is no number"), "{name}: {:?}", person.texts);
    }
    // A minus on the way to a number is no fault.
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut person, "height", "-");
    let mut other = Person::new(recipe(), [1280.0, 720.0]);
    replace(&mut other, "height", "-7,5");
    assert!(person.sees("is no number") && !other.sees("is no number"), "{:?}", other.texts);
}

/// A number in the next field does not make the last one right.
#[test]
fn what_is_no_number_is_said_after_the_next_field_has_the_focus() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let before = person.terrain();
    let at = person.right_of("seed");
    person.drag(at, at, 1);
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text("many");
    person.press(Modifiers::NONE, Key::Tab);
    person.type_text("5");
    assert!(person.sees("“many” is no number"), "{:?}", person.texts);
    assert_eq!(person.terrain().seed, before.seed);
}

/// Beyond 2^53, `f64` has gaps.
#[test]
fn seeds_keep_all_their_digits() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    for seed in [9_007_199_254_740_993, 1_234_567_890_123_456_789, u64::MAX, 0] {
        replace(&mut person, "seed", &seed.to_string());
        assert_eq!(person.terrain().seed, seed);
        assert!(person.sees(&seed.to_string()), "{:?}", person.texts);
    }
    replace(&mut person, "seed", "18446744073709551616");
    assert_eq!(person.terrain().seed, 0);
    assert!(person.sees("is no number"), "{:?}", person.texts);
    // It can still be dragged.
    let at = person.right_of("seed");
    person.drag(at, at + vec2(200.0, 0.0), 5);
    person.frame(Vec::new());
    assert!((10..40).contains(&person.terrain().seed), "{}", person.terrain().seed);
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
        let tabs: Vec<String> = person.app.world().resource::<Tabs>().names();
        assert!(tabs.len() > 9);
        for tab in tabs {
            person.open(&tab);
        }
    }
}
