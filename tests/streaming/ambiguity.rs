//! No two systems of the plugin have an ambiguous order, and none is ambiguous with a system of
//! Bevy.

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::winit::WinitPlugin;
use bevy_orogeny::{StreamTerrain, Terrain, TerrainPlugins, TerrainViewer};

#[test]
fn no_order_is_ambiguous() {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.build().disable::<WinitPlugin>().disable::<LogPlugin>().set(RenderPlugin {
            render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
                backends: None,
                ..default()
            })),
            ..default()
        }),
        TerrainPlugins,
    ));
    let settings = ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() };
    for label in [PostUpdate.intern(), StreamTerrain.intern()] {
        app.edit_schedule(label, |schedule| {
            schedule.set_build_settings(settings.clone());
        });
    }
    app.finish();
    app.cleanup();
    app.world_mut().spawn((Camera3d::default(), TerrainViewer { range: 300.0, ..default() }));
    app.world_mut().spawn(Terrain::default());
    // Building the schedule fails here if two conflicting systems have no order.
    app.update();
}
