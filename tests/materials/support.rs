//! An app with materials that draws nothing.

use bevy::app::Plugins;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::winit::WinitPlugin;
use bevy_orogeny::{TerrainPlugins, TerrainViewer};

/// An app without a GPU, with additional plugins and a viewer.
pub fn app<M>(plugins: impl Plugins<M>, viewer: TerrainViewer) -> App {
    app_with(AssetPlugin::default(), plugins, viewer)
}

/// The same with other assets.
pub fn app_with<M>(assets: AssetPlugin, plugins: impl Plugins<M>, viewer: TerrainViewer) -> App {
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: None,
            ..default()
        })),
        ..default()
    };
    let mut app = App::new();
    let bevy =
        DefaultPlugins.set(render).set(assets).disable::<WinitPlugin>().disable::<LogPlugin>();
    app.add_plugins((bevy, TerrainPlugins));
    app.add_plugins(plugins);
    app.finish();
    app.cleanup();
    app.world_mut().spawn(viewer);
    app
}
