//! The panel's keys and their actions, and what is printed on the keys of the user's keyboard.
//!
//! A `KeyCode` is a place on the keyboard, named after the label that it has on a US one. A
//! shortcut is the key with a label, wherever the user's layout has it.

use std::collections::HashMap;

use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{Key as LogicalKey, KeyCode, KeyboardInput};
use bevy::prelude::*;
use bevy_egui::egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::{PanelMessage, TerrainPanel, has_attention};
use crate::editing::{Editing, Way};
use crate::tabs::views::Screenshots;
use crate::viewer::Freeze;
use crate::views::DebugView;

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
        let LogicalKey::Character(text) = logical_key else { continue };
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

/// The keys of the panel: a list for each action. Change this resource to rebind them. An empty
/// list turns an action off. The Help tab lists the keys. `KeyCode::KeyH` is the key labelled H,
/// whatever the layout of the keyboard, see [`KeyLabels`](crate::KeyLabels).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny_panel::PanelKeys;
///
/// App::new().insert_resource(PanelKeys {
///     toggle: vec![KeyCode::F2],
///     freeze: vec![],
///     game: vec![("Space".into(), "jump".into())],
///     ..PanelKeys::default()
/// });
/// ```
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct PanelKeys {
    /// Hides the panel, or shows it. Default H.
    pub toggle: Vec<KeyCode>,
    /// Opens the Help tab. Default F1.
    pub help: Vec<KeyCode>,
    /// Switches to the next debug view. Default V.
    pub next_view: Vec<KeyCode>,
    /// Freezes or unfreezes the viewer. Default K.
    pub freeze: Vec<KeyCode>,
    /// Opens the Viewer tab, to go to coordinates. Default T.
    pub go_to: Vec<KeyCode>,
    /// Takes a screenshot. Default F12 and P.
    pub screenshot: Vec<KeyCode>,
    /// Undoes a change of the recipe or of the ground, while the pointer or the focus is on the
    /// panel, or a tool is chosen. Default Ctrl+Z.
    pub undo: Vec<KeyboardShortcut>,
    /// Redoes what was undone, under the same conditions. Default Ctrl+Y and Ctrl+Shift+Z.
    pub redo: Vec<KeyboardShortcut>,
    /// Keys of the game and what they do, for the Help tab. The panel does not read them.
    pub game: Vec<(String, String)>,
}

impl Default for PanelKeys {
    fn default() -> Self {
        let command = |more, key| KeyboardShortcut::new(Modifiers::COMMAND.plus(more), key);
        Self {
            toggle: vec![KeyCode::KeyH],
            help: vec![KeyCode::F1],
            next_view: vec![KeyCode::KeyV],
            freeze: vec![KeyCode::KeyK],
            go_to: vec![KeyCode::KeyT],
            screenshot: vec![KeyCode::F12, KeyCode::KeyP],
            undo: vec![command(Modifiers::NONE, Key::Z)],
            redo: vec![command(Modifiers::NONE, Key::Y), command(Modifiers::SHIFT, Key::Z)],
            game: Vec::new(),
        }
    }
}

impl PanelKeys {
    /// All actions that have keys: the keys and a description. The game's come first.
    pub fn list(&self) -> Vec<(String, String)> {
        let own = [
            (names(&self.toggle), "Hide or show the panel"),
            (names(&self.help), "Open this help"),
            (names(&self.next_view), "Next debug view"),
            (names(&self.freeze), "Freeze or unfreeze the viewer"),
            (names(&self.go_to), "Go to coordinates"),
            (names(&self.screenshot), "Take a screenshot"),
            (shortcuts(&self.undo), "Undo, over the panel or with a tool"),
            (shortcuts(&self.redo), "Redo, over the panel or with a tool"),
        ];
        let own = own.map(|(keys, action)| (keys, action.to_string()));
        self.game
            .iter()
            .cloned()
            .chain(own.into_iter().filter(|(keys, _)| !keys.is_empty()))
            .collect()
    }
}

/// The common names of keys: "F12 or P".
pub fn names(keys: &[KeyCode]) -> String {
    keys.iter().copied().map(name).collect::<Vec<_>>().join(" or ")
}

/// The common names of shortcuts: "Ctrl+Y or Ctrl+Shift+Z".
pub fn shortcuts(keys: &[KeyboardShortcut]) -> String {
    let name = |key: &KeyboardShortcut| {
        let held = key.modifiers;
        let shift = if held.shift { "Shift+" } else { "" };
        let control = if held.command || held.ctrl { "Ctrl+" } else { "" };
        let alt = if held.alt { "Alt+" } else { "" };
        format!("{control}{alt}{shift}{}", key.logical_key.name())
    };
    keys.iter().map(name).collect::<Vec<_>>().join(" or ")
}

/// Reads the single keys. While the user types text, egui has already taken them.
pub fn read(
    keys: Shortcuts,
    bound: Res<PanelKeys>,
    mut panel: ResMut<TerrainPanel>,
    mut view: ResMut<DebugView>,
    mut freeze: ResMut<Freeze>,
    mut shots: ResMut<Screenshots>,
    mut message: ResMut<PanelMessage>,
) {
    let pressed = |bound: &[KeyCode]| bound.iter().any(|&key| keys.just_pressed(key));
    if pressed(&bound.toggle) {
        panel.hidden = !panel.hidden;
        if panel.hidden {
            message.say(format!("Press {} to show the panel again", names(&bound.toggle)));
        }
    }
    for (bound, tab) in [(&bound.help, "Help"), (&bound.go_to, "Viewer")] {
        if pressed(bound) {
            *panel = TerrainPanel { hidden: false, tab: tab.into() };
        }
    }
    if pressed(&bound.next_view) {
        *view = view.next();
        message.say(format!("Debug view: {}", view.name()));
    }
    if pressed(&bound.freeze) {
        freeze.0 = !freeze.0;
    }
    shots.wanted |= pressed(&bound.screenshot);
}

/// Undoes and redoes, in any tab. While the pointer is not on the panel and no tool is chosen,
/// these keys are the game's, and while the user types text they are the text field's.
pub fn undo_and_redo(context: &Context, keys: &PanelKeys, editing: &mut Editing, tool: bool) {
    if context.text_edit_focused() || !(tool || has_attention(context)) {
        return;
    }
    let pressed = |keys: &KeyboardShortcut| context.input_mut(|input| input.consume_shortcut(keys));
    // Ctrl+Shift+Z also matches Ctrl+Z, so redo comes first.
    if keys.redo.iter().any(pressed) {
        editing.step(Way::Redo);
    } else if keys.undo.iter().any(pressed) {
        editing.step(Way::Undo);
    }
}
