//! Pictures of what was timed.

use std::path::Path;

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

use super::stage::Stage;

/// Frames in which a picture must have been read back.
const FRAMES: u32 = 100;

/// The picture that was read back last.
#[derive(Resource, Default)]
struct Captured(Option<Image>);

/// Draws one more frame, and writes it to a PNG file.
///
/// # Errors
/// A message if the picture could not be read back or written.
pub fn save(stage: &mut Stage, file: &Path) -> Result<(), String> {
    let world = stage.app.world_mut();
    world.insert_resource(Captured(None));
    let Some(target) = world.get::<RenderTarget>(stage.camera).cloned() else {
        return Err("the camera has no picture".into());
    };
    world.spawn(Screenshot(target)).observe(
        |event: On<ScreenshotCaptured>, mut captured: ResMut<Captured>| {
            captured.0 = Some(event.image.clone());
        },
    );
    for _ in 0..FRAMES {
        stage.frame();
        let Some(image) = stage.app.world_mut().resource_mut::<Captured>().0.take() else {
            continue;
        };
        let image = image.try_into_dynamic().map_err(|error| error.to_string())?;
        return image.to_rgb8().save(file).map_err(|error| format!("{}: {error}", file.display()));
    }
    Err(format!("no picture after {FRAMES} frames"))
}
