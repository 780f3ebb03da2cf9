//! The plugin's systems have no ambiguous order in an engine's schedule.

use std::collections::HashMap;

use bevy::ecs::schedule::Schedules;
use bevy::prelude::*;
use bevy_orogeny::TerrainColliderSource;

use crate::support::{Engine, app, terrain, with_each_engine};

fn ambiguities<E: Engine>() -> Vec<String> {
    let mut app = app::<E>();
    app.world_mut().spawn(terrain(1));
    app.world_mut().spawn(TerrainColliderSource::default());
    app.update();
    app.update();
    let schedules = app.world().resource::<Schedules>();
    let schedule = schedules.get(E::schedule()).unwrap();
    let names: HashMap<_, _> =
        schedule.systems().unwrap().map(|(key, system)| (key, system.name().to_string())).collect();
    assert!(names.values().any(|name| name.contains("bevy_orogeny")), "systems have names");
    let conflicts = schedule.graph().conflicting_systems().0.iter();
    let pairs = conflicts.map(|(a, b, _)| format!("{} and {}", names[a], names[b]));
    pairs.filter(|pair| pair.contains("bevy_orogeny")).collect()
}

#[test]
fn no_order_is_ambiguous() {
    with_each_engine!(E => assert_eq!(ambiguities::<E>(), [""; 0]));
}
