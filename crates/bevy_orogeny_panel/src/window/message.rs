//! A line of text that stays on the screen for a few seconds.

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Context, Label};

use crate::recipe::labels::{capitalised, describe_error};
use crate::recipe::typed::take_wrong;

const SHOWN: Duration = Duration::from_secs(5);
/// The width of the message, in points. A longer one is wrapped.
const WIDTH: f32 = 720.0;

/// A line of text at the bottom of the screen, for five seconds. It is shown even while the panel
/// is hidden. Games may use it as well, for example to say why a key had no effect.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainEditor;
/// use bevy_orogeny_panel::PanelMessage;
///
/// fn dig(mut editor: TerrainEditor) -> Result {
///     editor.single()?.crater([0.0; 2], 10.0)?;
///     Ok(())
/// }
///
/// App::new().add_systems(Update, dig.pipe(PanelMessage::tell));
/// ```
#[derive(Resource, Default)]
pub struct PanelMessage(Option<(String, Instant)>);

impl PanelMessage {
    /// Replaces the message by the first line of a text.
    pub fn say(&mut self, text: impl AsRef<str>) {
        let line = text.as_ref().lines().next().unwrap_or_default();
        self.0 = Some((line.into(), Instant::now()));
    }

    /// A system that shows the error of another one, which then does not end the program.
    pub fn tell(In(done): In<Result>, mut message: ResMut<Self>) {
        if let Err(error) = done {
            message.say(capitalised(&describe_error(&error)));
        }
    }

    /// Says what was not done, and why.
    pub(crate) fn failed(&mut self, what: &str, error: &BevyError) {
        self.say(format!("{what}. {}", describe_error(error)));
    }

    /// Draws the message.
    pub(crate) fn show(&mut self, context: &Context) {
        if let Some(text) = take_wrong(context) {
            self.say(text);
        }
        self.0.take_if(|(_, said)| said.elapsed() > SHOWN);
        let Some((text, _)) = &self.0 else { return };
        let width = (context.content_rect().width() - 64.0).clamp(0.0, WIDTH);
        egui::Area::new("message".into())
            .anchor(Align2::CENTER_BOTTOM, [0.0, -16.0])
            .interactable(false)
            .show(context, |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(width);
                    // A short one in a line, a long one wrapped.
                    let galley = ui.painter().layout_no_wrap(
                        text.clone(),
                        egui::TextStyle::Body.resolve(ui.style()),
                        ui.visuals().text_color(),
                    );
                    let label = Label::new(text);
                    let is_short = galley.size().x <= width;
                    ui.add(if is_short { label.extend() } else { label.wrap() })
                })
            });
    }
}
