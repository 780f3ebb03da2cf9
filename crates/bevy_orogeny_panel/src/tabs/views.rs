//! The tab Views: debug views, freezing, numbered screenshots.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy_egui::egui::{Color32, RichText, Ui};
use strum::IntoEnumIterator;

use crate::controls;
use crate::recipe::labels::label;
use crate::viewer::Freeze;
use crate::views::DebugView;
use crate::window::PanelMessage;
use crate::window::keys::{PanelKeys, names};

/// The folder for screenshots, and whether to take one in this frame.
#[derive(Resource)]
pub struct Screenshots {
    pub folder: PathBuf,
    pub wanted: bool,
}

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut view: ResMut<DebugView>,
    mut freeze: ResMut<Freeze>,
    mut shots: ResMut<Screenshots>,
    keys: Res<PanelKeys>,
) {
    let ui = &mut *ui;
    ui.strong("View");
    for option in DebugView::iter() {
        if controls::radio(ui, *view == option, label(option.name()), &option.help()) {
            *view = option;
        }
    }
    ui.label(RichText::new(view.help()).weak());
    ui.separator();
    let mut frozen = freeze.0;
    let help = format!(
        "Stop updating the selection of chunks, so that the camera can look at the levels of \
         detail from elsewhere. Key: {}",
        names(&keys.freeze)
    );
    if controls::checkbox(ui, &mut frozen, "Freeze the viewer", &help) {
        freeze.0 = frozen;
    }
    if frozen {
        ui.colored_label(Color32::YELLOW, "Frozen: the chunks do not follow the camera.");
    }
    ui.separator();
    let help = format!("Save a picture of the window. Key: {}", names(&keys.screenshot));
    if controls::button(ui, "Take screenshot", &help) {
        shots.wanted = true;
    }
    ui.label(RichText::new(format!("Folder: {}", shots.folder.display())).weak());
}

/// Takes a screenshot if one was requested.
pub fn take_screenshot(mut commands: Commands, mut shots: ResMut<Screenshots>) {
    if core::mem::take(&mut shots.wanted) {
        commands.spawn(Screenshot::primary_window()).observe(write_screenshot);
    }
}

fn write_screenshot(
    picture: On<ScreenshotCaptured>,
    shots: Res<Screenshots>,
    mut message: ResMut<PanelMessage>,
) {
    let written =
        fs::create_dir_all(&shots.folder).map_err(|error| error.to_string()).and_then(|()| {
            // The first free number.
            let name = |i: u32| shots.folder.join(format!("screenshot-{i:04}.png"));
            let path = (1..).map(name).find(|path| !path.exists()).unwrap_or_default();
            let image =
                picture.image.clone().try_into_dynamic().map_err(|error| error.to_string())?;
            image.to_rgb8().save(&path).map_err(|error| error.to_string())?;
            Ok(path)
        });
    match written {
        Ok(path) => message.say(format!("Saved {}", path.display())),
        Err(error) => message
            .say(format!("The screenshot was not saved to {}: {error}", shots.folder.display())),
    }
}
