//! No two systems of the plugin have an ambiguous order, and none is ambiguous with a system of
//! Bevy.

use bevy::ecs::schedule::{
    InternedSystemSet, LogLevel, ScheduleBuildSettings, ScheduleLabel, SystemSet,
};
use bevy::light::SimulationLightSystems;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::winit::WinitPlugin;
use bevy_orogeny::advanced::{FollowTerrainOrigin, StreamTerrain, TerrainSystems};
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainViewer};

use crate::shared::no_gpu;

/// An app with all parts, and the schedules that are to be built without ambiguous orders.
fn strict() -> App {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.build().disable::<WinitPlugin>().disable::<LogPlugin>().set(no_gpu()),
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
    app
}

#[test]
fn no_order_is_ambiguous() {
    let _ = strict();
}

/// A game can order its systems against all those of the plugin, by the documented sets.
#[test]
fn every_system_is_in_a_documented_set() {
    use TerrainSystems::*;
    let app = strict();
    let sets = [Adopt, Recover, Receive, Select, Place, Show, Follow, Dispatch, Report];
    let count = check_sets(&app, StreamTerrain, &sets.map(|set| set.intern()));
    assert!(count > 30, "{count} systems");
    let late = [
        ShowLate.intern(),
        FollowTerrainOrigin.intern(),
        SimulationLightSystems::CheckLightVisibility.intern(),
    ];
    let count = check_sets(&app, PostUpdate, &late);
    assert_eq!(count, 8);
}

/// Checks that each system of the plugin in a schedule is in one of these sets. Returns how many
/// there are.
fn check_sets(app: &App, label: impl ScheduleLabel, sets: &[InternedSystemSet]) -> usize {
    let schedule = app.get_schedule(label).unwrap();
    let inside: Vec<_> = sets
        .iter()
        .flat_map(|&set| schedule.graph().systems_in_set(set).unwrap().iter().copied())
        .collect();
    // Systems of Bevy may have types of the plugin in their names.
    let is_ours = |name: &str| name.starts_with("bevy_orogeny");
    let all: Vec<_> = schedule
        .systems()
        .unwrap()
        .map(|(key, system)| (key, system.name().to_string()))
        .filter(|(_, name)| is_ours(name))
        .collect();
    let floating: Vec<_> = all.iter().filter(|(key, _)| !inside.contains(key)).collect();
    assert!(floating.is_empty(), "{floating:?}");
    all.len()
}
