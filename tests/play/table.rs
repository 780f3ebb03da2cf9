//! All that the bot does.

use bevy_orogeny_panel::Tool;

use super::Checked;
use super::player::Player;
use super::{dive, keys, panel};

/// Something to do, with its name.
pub type Step = (&'static str, fn(&mut Player) -> Checked);

/// What is done in a random order, twice each.
pub const STEPS: [Step; 40] = [
    ("crater", keys::crater),
    ("flatten", keys::flatten),
    ("raise", keys::raise),
    ("smooth", keys::smooth),
    ("hole", keys::hole),
    ("another layout", keys::other_layout),
    ("road", keys::road),
    ("undo", keys::undo),
    ("look down", keys::look_down),
    ("walk", keys::walk),
    ("fly", keys::fly),
    ("dive", dive::dive),
    ("wheel", keys::wheel),
    ("grab the mouse", keys::grab),
    ("hours", keys::hours),
    ("density", keys::density),
    ("back to the start", keys::back),
    ("save a world", keys::save),
    ("hide the panel", keys::hide),
    ("tabs by keys", keys::tabs),
    ("next view", keys::view),
    ("freeze", keys::freeze),
    ("screenshot", keys::screenshot),
    ("tool Raise", |player| panel::work(player, Tool::Raise)),
    ("tool Lower", |player| panel::work(player, Tool::Lower)),
    ("tool Flatten", |player| panel::work(player, Tool::Flatten)),
    ("tool Smooth", |player| panel::work(player, Tool::Smooth)),
    ("tool Roughen", |player| panel::work(player, Tool::Roughen)),
    ("tool Paint", |player| panel::work(player, Tool::Paint)),
    ("tool Crater", |player| panel::work(player, Tool::Crater)),
    ("tool Hole", |player| panel::work(player, Tool::Hole)),
    ("tool Flood", |player| panel::work(player, Tool::Flood)),
    ("tool Clear", |player| panel::work(player, Tool::Clear)),
    ("tool Fell", |player| panel::work(player, Tool::Fell)),
    ("tool Plant", |player| panel::work(player, Tool::Plant)),
    ("tool Stamp", |player| panel::work(player, Tool::Stamp)),
    ("tool Path", |player| panel::work(player, Tool::Path)),
    ("tool Move", |player| panel::work(player, Tool::Move)),
    ("undo and redo", panel::undo_and_redo),
    ("type numbers", panel::type_numbers),
];
