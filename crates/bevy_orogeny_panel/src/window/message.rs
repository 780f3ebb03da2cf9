//! A line of text that stays on the screen for a few seconds.

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Context, Label};

const SHOWN: Duration = Duration::from_secs(5);

/// The current message. It shows even if the panel is hidden.
#[derive(Resource, Default)]
pub struct Message(Option<(String, Instant)>);

impl Message {
    /// Replaces the message.
    pub fn say(&mut self, text: impl Into<String>) {
        self.0 = Some((text.into(), Instant::now()));
    }

    /// Draws the message at the bottom of the screen.
    pub fn show(&mut self, context: &Context) {
        self.0.take_if(|(_, said)| said.elapsed() > SHOWN);
        let Some((text, _)) = &self.0 else { return };
        egui::Area::new("message".into())
            .anchor(Align2::CENTER_BOTTOM, [0.0, -16.0])
            .interactable(false)
            .show(context, |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| ui.add(Label::new(text).extend()))
            });
    }
}
