//! `TerrainWalker`, which needs no physics engine.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::advanced::WalkerMotion;
use bevy_orogeny::{GroundQuery, TerrainOrigin, TerrainWalker, walk};

use crate::support::{RATE, plain, terrain};

#[test]
fn feet_stay_on_the_ground() {
    let mut app = plain();
    let frame = std::time::Duration::from_secs_f32(1.0 / RATE);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame)).add_systems(Update, walk);
    let ground = GroundQuery::of(&terrain(5)).unwrap();
    app.insert_resource(TerrainOrigin::at([-1e12, 1e12]));
    app.world_mut().spawn(terrain(5));
    let walkers: Vec<_> = (0..12)
        .map(|k| {
            let velocity = 5.0 * Vec2::from_angle(k as f32);
            app.world_mut().spawn(TerrainWalker { velocity, ..default() }).id()
        })
        .collect();
    // A walker with an invalid velocity.
    let velocity = Vec2::new(f32::NAN, f32::INFINITY);
    let lost = app.world_mut().spawn(TerrainWalker { velocity, ..default() }).id();
    app.update();
    let mut way = 0.0;
    for _ in 0..600 {
        let before: Vec<_> = walkers.iter().map(|&walker| state(&app, walker)).collect();
        app.update();
        for (&walker, (stood, before)) in walkers.iter().zip(before) {
            let (stands, [x, y, z]) = state(&app, walker);
            let height = f64::from(ground.surface([x, z]).unwrap().value);
            let above = y - height - 1.7;
            let step = (x - before[0]).hypot(z - before[2]);
            // What slides or falls is faster, and may be in the air.
            if stood && stands {
                assert!(above.abs() < 1e-3, "{y} over {height}");
                assert!(step <= f64::from(5.0 / RATE) + 1e-3);
            }
            assert!(above > -1e-3, "{y} over {height}");
            way += step;
        }
    }
    // Steep slopes stop some walkers, but not all, and some slide down.
    assert!((100.0..600.0).contains(&way), "{way} m");
    assert!(app.world().get::<Transform>(lost).unwrap().translation.is_finite());
}

/// Whether a walker stands, and where it is.
fn state(app: &App, walker: Entity) -> (bool, [f64; 3]) {
    let stands = app.world().get::<TerrainWalker>(walker).unwrap().motion == WalkerMotion::Stands;
    (stands, position(app, walker))
}

fn position(app: &App, walker: Entity) -> [f64; 3] {
    let translation = app.world().get::<Transform>(walker).unwrap().translation;
    app.world().resource::<TerrainOrigin>().position(translation)
}
