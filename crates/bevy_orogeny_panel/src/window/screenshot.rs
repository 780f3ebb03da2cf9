//! Numbered screenshots.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

use crate::window::message::PanelMessage;

/// The folder for screenshots, and whether to take one in this frame.
#[derive(Resource)]
pub struct Screenshots {
    pub folder: PathBuf,
    pub wanted: bool,
}

/// Takes a screenshot if one was requested.
pub fn take(mut commands: Commands, mut shots: ResMut<Screenshots>) {
    if core::mem::take(&mut shots.wanted) {
        commands.spawn(Screenshot::primary_window()).observe(write);
    }
}

fn write(
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
