//! The order in which plugins are added.

use bevy::log::LogPlugin;
use bevy::pbr::PbrPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::winit::WinitPlugin;
use bevy_orogeny::{
    Chunk, Terrain, TerrainGroundPlugin, TerrainPlantsPlugin, TerrainProblem, TerrainProblems,
    TerrainStreamingPlugin, TerrainViewer, TerrainWaterPlugin,
};

/// Parts that draw are left out, wherever they are, and the app says why nothing is drawn.
#[test]
fn terrain_before_materials_is_not_drawn_and_says_so() {
    let settings = WgpuSettings { backends: None, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(settings)),
        ..default()
    };
    let mut app = App::new();
    let bevy = DefaultPlugins.set(render).disable::<WinitPlugin>().disable::<LogPlugin>();
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
