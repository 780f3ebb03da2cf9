//! All keys of the example: one table, from which the panel's help is made.
//!
//! The camera's keys act by their place on the keyboard, all others by their label, see
//! `KeyLabels`.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::prelude::*;
use bevy_orogeny_panel::KeyLabels;

pub const WALK: KeyCode = KeyCode::KeyG;
/// While walking; by its place, as the camera's keys.
pub const JUMP: KeyCode = KeyCode::Space;
pub const CRATER: KeyCode = KeyCode::KeyC;
pub const FLATTEN: KeyCode = KeyCode::KeyF;
pub const RAISE: KeyCode = KeyCode::KeyB;
pub const SMOOTH: KeyCode = KeyCode::KeyM;
pub const HOLE: KeyCode = KeyCode::KeyO;
pub const UNDO: KeyCode = KeyCode::KeyU;
pub const POINT: KeyCode = KeyCode::KeyN;
pub const ROAD: KeyCode = KeyCode::KeyJ;
pub const SAVE: KeyCode = KeyCode::KeyL;
pub const FEWER: KeyCode = KeyCode::Minus;
pub const MORE: KeyCode = KeyCode::Equal;
pub const EARLIER: KeyCode = KeyCode::BracketLeft;
pub const LATER: KeyCode = KeyCode::BracketRight;
pub const RETURN: KeyCode = KeyCode::KeyR;
/// Toggles looking around without a mouse button. Bevy's default is a key that smooths here.
const LOOK: KeyCode = KeyCode::KeyX;

/// The shortcuts and what they do.
pub const SHORTCUTS: [(&[KeyCode], &str); 8] = [
    (&[WALK], "Walk (Space jumps), or fly again"),
    (&[CRATER, FLATTEN, RAISE, SMOOTH, HOLE], "Crater, level ground, hill, smooth ground, hole"),
    (&[UNDO], "Undo"),
    (&[POINT, ROAD], "Add a point to a road, build the road"),
    (&[SAVE], "Save as a new world"),
    (&[FEWER, MORE], "Fewer or more plants and rocks"),
    (&[EARLIER, LATER], "Earlier or later in the day"),
    (&[RETURN], "Return to the start"),
];

/// Speed of the camera in metres per second, and while Shift is held.
const SPEED: f32 = 80.0;
const FAST: f32 = 15.0 * SPEED;

/// The controls of the camera.
pub fn controls() -> FreeCamera {
    FreeCamera {
        walk_speed: SPEED,
        run_speed: FAST,
        keyboard_key_toggle_cursor_grab: LOOK,
        ..default()
    }
}

/// The keys that the camera reads, by their place.
pub fn placed() -> [KeyCode; 12] {
    let of = controls();
    [
        of.key_forward,
        of.key_left,
        of.key_back,
        of.key_right,
        of.key_up,
        of.key_down,
        of.key_run,
        of.keyboard_key_toggle_cursor_grab,
        of.key_snap_reverse,
        of.axis_top,
        of.axis_right,
        of.axis_front,
    ]
}

/// All keys and what they do, for the panel's Help tab: the camera's with what is printed on them.
pub fn help(labels: &KeyLabels) -> Vec<(String, String)> {
    let [forward, left, back, right, up, down, _, look, ..] = placed();
    let printed = |keys: &[KeyCode]| {
        keys.iter().map(|&key| labels.printed(key)).collect::<Vec<_>>().join(" ")
    };
    let camera = [
        (printed(&[forward, left, back, right]), "Fly"),
        (printed(&[up, down]), "Go up or down"),
        ("Shift".into(), "Move 15 times faster"),
        (format!("Right mouse, {}", printed(&[look])), "Look around (hold the button, or toggle)"),
        ("Mouse wheel".into(), "Change speed"),
    ];
    let shortcuts = SHORTCUTS.map(|(keys, action)| {
        let names = keys.iter().map(|&key| KeyLabels::default().printed(key));
        (names.collect::<Vec<_>>().join(" "), action)
    });
    let all = camera.into_iter().chain(shortcuts);
    all.map(|(keys, action)| (keys, action.into())).collect()
}
