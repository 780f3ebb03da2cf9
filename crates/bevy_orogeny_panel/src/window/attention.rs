//! Whether the user is working with the panel.

use bevy_egui::egui::{Context, Id, LayerId, Order};

use super::TITLE;

/// Whether the pointer or the keyboard focus is on the panel's window. Otherwise keys belong to the
/// game.
pub fn has_attention(context: &Context) -> bool {
    let window = LayerId::new(Order::Middle, Id::new(TITLE));
    let pointer = context.pointer_latest_pos().and_then(|at| context.layer_id_at(at));
    let focus = context.memory(|memory| memory.focused());
    let focus = focus.and_then(|id| context.read_response(id)).map(|response| response.layer_id);
    pointer == Some(window) || focus == Some(window)
}
