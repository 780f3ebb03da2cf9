//! Changes of levels are not visible.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_orogeny::{Chunk, ChunkKey, TerrainOrigin, TerrainStats, TerrainViewer};

use super::support::*;
use crate::shared::bare::bare;

/// How far a viewer moves before the selection follows: slightly more than 1/32 of a chunk's width
/// divided by the square root of two.
const STEP: f32 = 1.5;

/// Moves the viewer, and waits until nothing changes any more, without drawing.
fn go(app: &mut App, camera: Entity, viewer: Entity, x: f32) -> HashSet<ChunkKey> {
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
    app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x;
    // Until streaming no longer looks ahead.
    (0..5).for_each(|_| app.update());
    while app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility)>();
    let drawn = chunks.iter(app.world()).filter(|(_, v)| **v == Visibility::Inherited);
    drawn.map(|(chunk, _)| chunk.key).collect()
}

/// Two pictures from the same camera, one before and one after levels change, differ by at most 2
/// of 255.
#[test]
fn levels_do_not_pop() {
    let Some(_turn) = turn() else { return };
    // The viewer that decides the levels is not the camera. Without a camera it counts as 1080
    // pixels high: 2 pixels of this picture are 11 of those.
    let pixel_error = 2.0 * 1080.0 / f64::from(HEIGHT);
    let settings = TerrainViewer { range: 6_000.0, pixel_error, ..default() };
    let (mut app, camera) = app(bare(), settings, TerrainOrigin::default());
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let viewer = app.world_mut().spawn((settings, above(1000.0, 1000.0, 2.0))).id();
    let transform = above(1000.0, 1000.0, 90.0).looking_to(Vec3::new(1.0, -0.35, 0.4), Vec3::Y);
    app.world_mut().entity_mut(camera).insert(transform);

    time_step(&mut app, 0.1);

    let (mut changes, mut worst) = (0, 0);
    let mut before = go(&mut app, camera, viewer, 1000.0);
    for step in 1..60 {
        let x = 1000.0 + STEP * step as f32;
        let after = go(&mut app, camera, viewer, x);
        let changed = after != before;
        before = after;
        if !changed {
            continue;
        }
        // Back to the previous step by teleports, so that streaming does not look ahead, and on to
        // the point where the selection is about to follow.
        app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x - 5000.0;
        app.update();
        go(&mut app, camera, viewer, x - STEP);
        // So slowly that streaming does not look ahead.
        for tenth in 1..10 {
            let x = x - STEP + 0.1 * tenth as f32;
            app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x;
            app.update();
        }
        let old_keys = go(&mut app, camera, viewer, x - 0.5);
        let old = draw_again(&mut app, camera);
        let new_keys = go(&mut app, camera, viewer, x);
        let new = draw_again(&mut app, camera);
        if old_keys == new_keys {
            // The level changed because streaming looked ahead.
            continue;
        }
        let differences = differences(&old, &new);
        worst = worst.max(differences[differences.len() * 999 / 1000]);
        changes += 1;
        if changes == 3 {
            break;
        }
    }
    println!("{changes} changes of levels: 99.9 % of all pixels differ by at most {worst} of 255");
    assert!(changes > 1, "levels do not change");
    assert!(worst <= 2, "levels pop");
}
