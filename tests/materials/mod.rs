//! The materials of chunks, in apps that draw nothing.

mod chunks;
mod debug_views;
mod files;

use bevy::app::Plugins;
use bevy::log::LogPlugin;
use bevy::pbr::PbrPlugin;
use bevy::prelude::*;
use bevy::winit::WinitPlugin;
use bevy_orogeny::advanced::{
    Chunk, TerrainGroundPlugin, TerrainPlantsPlugin, TerrainProblem, TerrainStreamingPlugin,
    TerrainWaterPlugin,
};
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainProblems, TerrainViewer};

use crate::shared::no_gpu;

/// An app without a GPU, with additional plugins and a viewer.
pub fn app<M>(plugins: impl Plugins<M>, viewer: TerrainViewer) -> App {
    app_with(AssetPlugin::default(), plugins, viewer)
}

/// The same with other assets.
pub fn app_with<M>(assets: AssetPlugin, plugins: impl Plugins<M>, viewer: TerrainViewer) -> App {
    let mut app = App::new();
    let bevy = DefaultPlugins.set(no_gpu()).set(assets);
    let bevy = bevy.disable::<WinitPlugin>().disable::<LogPlugin>();
    app.add_plugins((bevy, TerrainPlugins));
    app.add_plugins(plugins);
    app.finish();
    app.cleanup();
    app.world_mut().spawn(viewer);
    app
}

/// Parts that draw are left out, wherever they are, and the app says why nothing is drawn.
#[test]
fn terrain_before_materials_is_not_drawn_and_says_so() {
    let mut app = App::new();
    let bevy = DefaultPlugins.set(no_gpu()).disable::<WinitPlugin>().disable::<LogPlugin>();
    app.add_plugins((
        bevy.add_before::<PbrPlugin>(TerrainStreamingPlugin),
        (TerrainGroundPlugin, TerrainWaterPlugin, TerrainPlantsPlugin),
    ));
    app.finish();
    app.cleanup();
    app.world_mut().spawn((TerrainViewer { range: 300.0, ..default() }, Transform::default()));
    app.world_mut().spawn(Terrain::default());
    (0..3).for_each(|_| app.update());
    let problems: Vec<_> = app.world().resource::<TerrainProblems>().iter().collect();
    assert_eq!(problems, [(None, &TerrainProblem::NotDrawn)]);
    assert!(app.world_mut().query::<&Chunk>().iter(app.world()).count() > 0);
}
