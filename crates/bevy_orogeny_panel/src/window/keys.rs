//! The panel's keys and their actions.

use bevy::prelude::*;
use bevy_egui::egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::labels::{Shortcuts, name};
use super::message::PanelMessage;
use super::{TerrainPanel, has_attention};
use crate::editing::{Editing, Way};
use crate::tabs::views::Screenshots;
use crate::viewer::Freeze;
use crate::views::DebugView;

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
