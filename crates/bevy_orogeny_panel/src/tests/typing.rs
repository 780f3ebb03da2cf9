//! What the user types into numbers, and windows that are too small for them.

use bevy_egui::egui::{Key, Modifiers, vec2};

use orogeny::Recipe;
use orogeny::drainage::Drainage;

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
    replace(&mut person, "Height", "250,5");
    assert_eq!(person.terrain().height, 250.5);
    replace(&mut person, "Height", "1 250.75");
    assert_eq!(person.terrain().height, 1250.75);
    // A slider's number, too.
    person.open("Viewer");
    let at = person.right_of("Pixel error") + vec2(150.0, 0.0);
    person.drag(at, at, 1);
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text("3,5");
    person.press(Modifiers::NONE, Key::Enter);
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
    // A comma is a decimal point, and a minus alone is no number.
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
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text("many");
    person.press(Modifiers::NONE, Key::Tab);
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
        let at = person.right_of("Levels") + vec2(165.0, 0.0);
        person.drag(at, at, 1);
        person.press(Modifiers::COMMAND, Key::A);
        person.type_text(text);
        person.press(Modifiers::NONE, Key::Enter);
        person.frame(Vec::new());
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
        let tabs: Vec<String> = person.app.world().resource::<Tabs>().names();
        assert!(tabs.len() > 9);
        for tab in tabs {
            person.open(&tab);
        }
    }
}
