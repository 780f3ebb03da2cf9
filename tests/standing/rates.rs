//! The way that a walker goes does not depend on frames, nor on where it is.

use std::time::Duration;

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;

use super::support::plain;

/// Smooth hills, the same in all places that are a multiple of 1000 m apart.
struct Hills;

impl Field<2> for Hills {
    fn sample(&self, at: [f64; 2]) -> Sample<2> {
        let turn = core::f64::consts::TAU / 50.0;
        let [x, z] = at.map(|at| (at.rem_euclid(50.0) * turn).sin_cos());
        let value = 3000.0 + 2.0 * (x.0 + z.1);
        Sample {
            value: value as f32,
            gradient: [2.0 * turn * x.1, -2.0 * turn * z.0].map(|g| g as f32),
        }
    }
}

const PLACES: [f64; 4] = [0.0, 6e3, 1e5, 1e9];
/// 1.4 m/s, ten degrees off x.
const VELOCITY: Vec2 = Vec2::new(1.378_731, 0.243_107);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Steps {
    Even,
    Uneven,
    /// In `FixedUpdate`, at 64 Hz.
    Fixed,
    /// Paused for a while in between.
    Paused,
}

/// How long they walk, in seconds.
const SECONDS: f64 = 0.25;

/// How far walkers go, from each of the places.
fn ways(rate: f64, steps: Steps) -> Vec<[f64; 2]> {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    if steps == Steps::Fixed {
        app.add_systems(FixedUpdate, walk);
    } else {
        app.add_systems(Update, walk);
    }
    let spawn = |place: f64| {
        let walker = TerrainWalker { velocity: VELOCITY, ..default() };
        (walker, WorldPosition::at([place, 3010.0, -place]))
    };
    let walkers = PLACES.map(|place| app.world_mut().spawn(spawn(place)).id());
    let elapsed = |app: &App| app.world().resource::<Time<Virtual>>().elapsed_secs_f64();
    for frame in 0.. {
        let left = SECONDS - elapsed(&app);
        if left < 1e-6 {
            break;
        }
        let long = [0.4, 1.0, 2.3, 0.1, 1.2][frame % 5];
        let step = if steps == Steps::Uneven { long / rate } else { 1.0 / rate };
        // No time passes in the first frame.
        let step = Duration::from_secs_f64(if frame == 0 { 0.0 } else { step.min(left) });
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        if steps == Steps::Paused {
            let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
            if frame % 7 < 2 { time.pause() } else { time.unpause() }
        }
        app.update();
    }
    let way = |(walker, place): (Entity, f64)| {
        let [x, _, z] = app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
        [x - place, z + place]
    };
    walkers.into_iter().zip(PLACES).map(way).collect()
}

#[test]
fn a_walk_is_as_long_everywhere() {
    for (rate, steps) in [
        (30.0, Steps::Even),
        (60.0, Steps::Uneven),
        (144.0, Steps::Fixed),
        (240.0, Steps::Paused),
        (1000.0, Steps::Even),
    ] {
        // The first fixed step and the last one may be outstanding.
        let steps_left = if steps == Steps::Fixed { 1.0 / 64.0 } else { 0.0 };
        for (place, way) in PLACES.into_iter().zip(ways(rate, steps)) {
            let off = (DVec2::from(way) - SECONDS * VELOCITY.as_dvec2()).length();
            let limit = 1.4 * (0.01 * SECONDS + steps_left);
            assert!(off < limit, "{rate} {steps:?} {place}: {way:?}");
        }
    }
}

/// A game that moves one axis, or another system that adds to the translation, takes nothing away.
#[test]
fn what_a_game_adds_to_the_translation_is_kept() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    // A wind.
    let blow = |time: Res<Time>, mut walkers: Query<&mut Transform, With<TerrainWalker>>| {
        for mut transform in &mut walkers {
            transform.translation.z += 0.5 * time.delta_secs();
        }
    };
    app.add_systems(Update, (blow, walk).chain());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 250.0)));
    let walker = TerrainWalker { velocity: 1.4 * Vec2::X, ..default() };
    let place = 6e3;
    let walker = app.world_mut().spawn((walker, WorldPosition::at([place, 3010.0, 0.0]))).id();
    for _ in 0..126 {
        app.update();
    }
    let [x, _, z] = app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
    assert!((x - place - 0.7).abs() < 0.01 && (z - 0.25).abs() < 0.01, "{x} {z}");
    let found = app.world().get::<Transform>(walker).unwrap().translation;
    assert_eq!(f64::from(found.x), f64::from(x as f32));
}

/// A translation that a game sets is where the walker goes on, and so is a position.
#[test]
fn teleports_by_translation_and_by_position_count() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Hills));
    app.add_systems(Update, walk);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    let walker = TerrainWalker { velocity: 1.5 * Vec2::X, ..default() };
    let walker = app.world_mut().spawn((walker, WorldPosition::at([1e9, 3010.0, 0.0]))).id();
    (0..5).for_each(|_| app.update());
    let x = |app: &App| app.world().get::<WorldPosition>(walker).unwrap().get().unwrap()[0];
    app.world_mut().get_mut::<Transform>(walker).unwrap().translation.x = 250.5;
    app.update();
    assert!((x(&app) - 250.525).abs() < 1e-6, "{}", x(&app));
    // A game that sets the position in each frame does not stop it.
    for frame in 0..40 {
        let mut position = app.world_mut().get_mut::<WorldPosition>(walker).unwrap();
        let [x, y, z] = position.get().unwrap();
        position.set([if frame == 0 { 1e12 } else { x }, y, z]);
        app.update();
    }
    assert!((x(&app) - 1e12 - 1.0).abs() < 0.01, "{}", x(&app) - 1e12);
}
