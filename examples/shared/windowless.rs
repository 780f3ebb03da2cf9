//! Drawing without a window: Bevy's plugins, and a camera that draws into an image.

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use bevy_orogeny::{PlantModels, TerrainViewer};

/// On the camera that takes pictures, if there is no window.
#[derive(Component)]
pub struct Taken;

/// Adds Bevy's plugins without a window. The camera with [`Taken`] draws into an image of this
/// size.
pub fn add(app: &mut App, [width, height]: [u32; 2]) {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let aim = move |event: On<Add, Taken>,
                    viewers: Query<&TerrainViewer>,
                    mut commands: Commands,
                    mut images: ResMut<Assets<Image>>| {
        let format = TextureFormat::Rgba8UnormSrgb;
        let mut image = Image::new_target_texture(width, height, format, None);
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let camera = event.entity;
        commands.entity(camera).insert(RenderTarget::Image(images.add(image).into()));
        if let Ok(viewer) = viewers.get(camera) {
            // No terrain is built for a camera that does not draw, so it is built for this one,
            // which counts as one of 1080 pixels.
            let pixel_error = viewer.pixel_error * 1080.0 / f64::from(height);
            commands.spawn((TerrainViewer { pixel_error, ..*viewer }, ChildOf(camera)));
        }
    };
    app.add_plugins(DefaultPlugins.set(no_window).disable::<WinitPlugin>())
        .add_plugins(ScheduleRunnerPlugin::default())
        .add_observer(aim);
}

/// Whether all chunks and plants are there.
pub fn is_complete(chunks: &TerrainStats, plants: &ScatterStats, models: &PlantModels) -> bool {
    chunks.displayed > 0 && chunks.missing + plants.missing == 0 && !models.is_loading()
}
