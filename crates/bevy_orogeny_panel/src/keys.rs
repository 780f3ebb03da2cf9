//! Keys: what they do, for the help, and those of the panel itself.

use bevy::prelude::*;

use crate::message::Message;
use crate::panel::TerrainPanel;
use crate::screenshot::Screenshots;
use crate::views::{DebugView, Freeze};

/// What the keys do, for the tab "Help": keys, and what happens. Games add theirs.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct PanelKeys(pub Vec<(String, String)>);

const OWN: [(&str, &str); 7] = [
    ("H", "hide the panel, show it again"),
    ("F1", "this help"),
    ("V", "the next debug view"),
    ("K", "freeze the viewer and fly on"),
    ("T", "go to coordinates"),
    ("F12 or P", "write a screenshot"),
    ("Ctrl+Z, Ctrl+Y", "undo and redo, also Ctrl+Shift+Z"),
];

impl Default for PanelKeys {
    /// Those of the panel.
    fn default() -> Self {
        Self(OWN.map(|(keys, action)| (keys.into(), action.into())).to_vec())
    }
}

/// Reads the keys. They do nothing while text is typed: then the panel has taken them.
pub fn read(
    keys: Res<ButtonInput<KeyCode>>,
    mut panel: ResMut<TerrainPanel>,
    mut view: ResMut<DebugView>,
    mut freeze: ResMut<Freeze>,
    mut shots: ResMut<Screenshots>,
    mut message: ResMut<Message>,
) {
    // Together with these, a letter is another key.
    if keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::AltLeft]) {
        return;
    }
    let open = |panel: &mut TerrainPanel, tab: &str| {
        *panel = TerrainPanel { hidden: false, tab: tab.into() };
    };
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::KeyH => {
                panel.hidden = !panel.hidden;
                if panel.hidden {
                    message.say("H shows the panel again");
                }
            }
            KeyCode::F1 => open(&mut panel, "Help"),
            KeyCode::KeyT => open(&mut panel, "Viewer"),
            KeyCode::KeyV => {
                *view = view.next();
                message.say(format!("View: {}", view.name()));
            }
            KeyCode::KeyK => freeze.0 = !freeze.0,
            KeyCode::F12 | KeyCode::KeyP => shots.wanted = true,
            _ => {}
        }
    }
}
