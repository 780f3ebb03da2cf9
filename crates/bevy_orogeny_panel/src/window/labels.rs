//! What is printed on the keys of the user's keyboard.
//!
//! A `KeyCode` is a place on the keyboard, named after the label that it has on a US one. A
//! shortcut is the key with a label, wherever the user's layout has it.

use std::collections::HashMap;

use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::prelude::*;

/// Pairs of keys and labels.
macro_rules! labels {
    ($($key:ident $label:literal),* $(,)?) => { [$((KeyCode::$key, $label)),*] };
}

/// The labels of a US keyboard.
const US: [(KeyCode, char); 47] = labels![
    KeyA 'a', KeyB 'b', KeyC 'c', KeyD 'd', KeyE 'e', KeyF 'f', KeyG 'g', KeyH 'h', KeyI 'i',
    KeyJ 'j', KeyK 'k', KeyL 'l', KeyM 'm', KeyN 'n', KeyO 'o', KeyP 'p', KeyQ 'q', KeyR 'r',
    KeyS 's', KeyT 't', KeyU 'u', KeyV 'v', KeyW 'w', KeyX 'x', KeyY 'y', KeyZ 'z',
    Digit0 '0', Digit1 '1', Digit2 '2', Digit3 '3', Digit4 '4', Digit5 '5', Digit6 '6',
    Digit7 '7', Digit8 '8', Digit9 '9', Minus '-', Equal '=', BracketLeft '[',
    BracketRight ']', Backslash '\\', Semicolon ';', Quote '\'', Backquote '`', Comma ',',
    Period '.', Slash '/',
];

/// What is printed on the keys of the user's keyboard. It is learned from the keys that are
/// pressed; before that, keys have the labels of a US keyboard.
///
/// A shortcut such as `KeyCode::KeyZ` means the key labelled Z, which is between T and U on a
/// German keyboard. A key whose label is on no US key, such as Ä or one of a Cyrillic layout, is
/// the key that a US keyboard has in its place. [`Shortcuts`] reads keys that way.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLabels {
    learned: HashMap<KeyCode, char>,
    placed: Vec<KeyCode>,
}

impl KeyLabels {
    /// Makes keys act by their place instead, as those that steer a camera do. They are then no
    /// shortcuts, whatever is printed on them.
    pub fn place(&mut self, keys: impl IntoIterator<Item = KeyCode>) {
        self.placed.extend(keys);
    }

    /// The shortcut that a key is, if it is one.
    pub fn meaning(&self, key: KeyCode) -> Option<KeyCode> {
        if self.placed.contains(&key) {
            return Some(key);
        }
        let label = self.learned.get(&key);
        let meant = label.and_then(|label| US.iter().find(|(_, own)| own == label));
        let meant = meant.map_or(key, |(meant, _)| *meant);
        // A label that belongs to a place is no shortcut on another key.
        (!self.placed.contains(&meant)).then_some(meant)
    }

    /// What is printed on a key, in capitals: that of the key in this place.
    pub fn printed(&self, key: KeyCode) -> String {
        self.learned.get(&key).map_or_else(|| name(key), |label| label.to_uppercase().to_string())
    }

    pub(crate) fn learn(&mut self, key: KeyCode, label: char) {
        self.learned.insert(key, label);
    }
}

/// The name of a shortcut: its label, or that of the key, such as F12.
pub fn name(key: KeyCode) -> String {
    let label = US.iter().find(|(own, _)| *own == key);
    label.map_or_else(|| format!("{key:?}"), |(_, label)| label.to_uppercase().to_string())
}

/// Learns labels.
pub fn learn(mut events: MessageReader<KeyboardInput>, mut labels: ResMut<KeyLabels>) {
    for KeyboardInput { key_code, logical_key, state, .. } in events.read() {
        let Key::Character(text) = logical_key else { continue };
        let mut label = text.chars().flat_map(char::to_lowercase);
        if let (Some(label), None) = (label.next(), label.next())
            && state.is_pressed()
            && labels.learned.get(key_code) != Some(&label)
        {
            labels.learn(*key_code, label);
        }
    }
}

/// The keyboard, read by the labels of its keys, see [`KeyLabels`]. With Ctrl, Alt or the system's
/// key, a key is another shortcut: no single one is pressed.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny_panel::Shortcuts;
///
/// fn jump(keys: Shortcuts) {
///     if keys.just_pressed(KeyCode::KeyY) {
///         info!("whoever has pressed the key labelled Y jumps");
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct Shortcuts<'w> {
    keys: Res<'w, ButtonInput<KeyCode>>,
    labels: Res<'w, KeyLabels>,
}

impl Shortcuts<'_> {
    /// Whether the user has pressed this key since the last frame.
    pub fn just_pressed(&self, key: KeyCode) -> bool {
        self.is_one(key, self.keys.get_just_pressed())
    }

    /// Whether the user holds this key.
    pub fn pressed(&self, key: KeyCode) -> bool {
        self.is_one(key, self.keys.get_pressed())
    }

    fn is_one<'a>(&self, key: KeyCode, mut of: impl Iterator<Item = &'a KeyCode>) -> bool {
        use KeyCode::{AltLeft, ControlLeft, ControlRight, SuperLeft, SuperRight};
        // With the right Alt, layouts type such labels as [.
        let others = [ControlLeft, ControlRight, AltLeft, SuperLeft, SuperRight];
        !self.keys.any_pressed(others) && of.any(|&own| self.labels.meaning(own) == Some(key))
    }
}
