//! No system of the plugin runs in an order that is left to chance, and none disturbs those of Bevy.

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::winit::WinitPlugin;
use bevy_orogeny::{Terrain, TerrainPlugin, TerrainViewer};

#[test]
fn post_update_has_no_ambiguous_order() {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.build().disable::<WinitPlugin>().set(RenderPlugin {
            render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
                backends: None,
                ..default()
            })),
            ..default()
        }),
        TerrainPlugin,
    ));
    app.edit_schedule(PostUpdate, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.finish();
    app.cleanup();
    app.world_mut().spawn((Camera3d::default(), TerrainViewer { range: 300.0, ..default() }));
    app.world_mut().spawn(Terrain::default());
    // Building the schedule fails here if two systems that disturb each other have no order.
    app.update();
}
