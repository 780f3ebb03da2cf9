//! Slopes that are too steep, on the triangles of a terrain.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;

use super::support::plain;

/// Level ground at 100 m, and a slope that rises from x = 20, 100 m high.
struct Wall(f32);

impl Field<2> for Wall {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let rise = (x as f32 - 20.0) * self.0;
        let gradient = [if rise > 0.0 && rise < 100.0 { self.0 } else { 0.0 }, 0.0];
        Sample { value: 100.0 + rise.clamp(0.0, 100.0), gradient }
    }
}

fn wall(angle: f32, rate: f64, walker: TerrainWalker, at: Vec3) -> (App, Entity) {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(Wall(angle.to_radians().tan())));
    app.add_systems(Update, walk);
    let step = Duration::from_secs_f64(1.0 / rate);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let walker = app.world_mut().spawn((walker, Transform::from_translation(at))).id();
    (app, walker)
}

fn state(app: &App, walker: Entity) -> (f32, WalkerMotion) {
    let feet = app.world().get::<Transform>(walker).unwrap().translation.y - 1.7;
    (feet, app.world().get::<TerrainWalker>(walker).unwrap().motion)
}

#[test]
fn what_falls_onto_a_steep_slope_slides_to_its_foot() {
    for (rate, angle) in [(30.0, 50.0), (60.0, 63.0), (30.0, 79.0)] {
        let motion = WalkerMotion::Falls { speed: 0.0 };
        let walker = TerrainWalker { motion, ..default() };
        let at = Vec3::new(22.3, 115.0, 0.4);
        let (mut app, walker) = wall(angle, rate, walker, at);
        let mut last = f32::INFINITY;
        for _ in 0..(8.0 * rate) as u32 {
            app.update();
            let (feet, motion) = state(&app, walker);
            assert!(feet <= last + 1e-4, "{rate} {angle}: it climbs");
            last = feet;
            if motion == WalkerMotion::Stands {
                break;
            }
        }
        let (feet, motion) = state(&app, walker);
        assert_eq!(motion, WalkerMotion::Stands, "{rate} {angle}: {feet}");
        assert!((feet - 100.0).abs() < 0.01, "{rate} {angle}: {feet}");
    }
}

#[test]
fn a_jump_at_a_wall_slides_down_again() {
    let walker = TerrainWalker { velocity: 3.0 * Vec2::X, ..default() };
    let (mut app, walker) = wall(63.0, 60.0, walker, Vec3::new(18.0, 101.7, 0.4));
    let mut high = 0;
    for _ in 0..300 {
        app.world_mut().get_mut::<TerrainWalker>(walker).unwrap().jump = true;
        app.update();
        let (feet, _) = state(&app, walker);
        assert!(feet < 101.6, "it climbs to {feet}");
        high = if feet > 100.41 { high + 1 } else { 0 };
        assert!(high < 120, "it hangs at {feet}");
    }
}
