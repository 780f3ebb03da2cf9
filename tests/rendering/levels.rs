//! Levels that change without being seen to.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_orogeny::{Chunk, ChunkKey, Terrain, TerrainOrigin, TerrainStats, TerrainViewer};

use crate::support::*;

/// How far a viewer goes until the selection follows: a little more than 1/32 of a chunk's width
/// over the root of two.
const STEP: f32 = 1.5;

/// Puts the viewer somewhere, and lets everything come to rest without drawing.
fn go(app: &mut App, camera: Entity, viewer: Entity, x: f32) -> HashSet<ChunkKey> {
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
    app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x;
    // Half a second for the look ahead to end.
    (0..30).for_each(|_| app.update());
    while app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility)>();
    let drawn = chunks.iter(app.world()).filter(|(_, v)| **v == Visibility::Inherited);
    drawn.map(|(chunk, _)| chunk.key).collect()
}

/// Two pictures from the same place, one before and one after levels change, are the same but for 2
/// of 255.
#[test]
fn levels_do_not_pop() {
    let Some(_turn) = turn() else { return };
    // The viewer that decides the levels is not the camera. As such it counts as 1080 pixels high:
    // 2 pixels of this picture are 11 of those.
    let pixel_error = 2.0 * 1080.0 / f64::from(HEIGHT);
    let settings = TerrainViewer { range: 6_000.0, pixel_error, ..default() };
    let (mut app, camera) = app(Terrain::default(), settings, TerrainOrigin::default());
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let viewer = app.world_mut().spawn((settings, above(1000.0, 1000.0, 2.0))).id();
    let place = above(1000.0, 1000.0, 90.0).looking_to(Vec3::new(1.0, -0.35, 0.4), Vec3::Y);
    app.world_mut().entity_mut(camera).insert(place);

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
        // Back to the step before, by teleports, so that nothing looks ahead, and on to where the
        // selection is just about to follow.
        app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x - 5000.0;
        app.update();
        go(&mut app, camera, viewer, x - STEP);
        // At a crawl, so that it does not look ahead.
        for inch in 1..50 {
            let x = x - STEP + 0.02 * inch as f32;
            app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x;
            app.update();
        }
        let old_keys = go(&mut app, camera, viewer, x - 0.5);
        let old = draw_again(&mut app, camera);
        let new_keys = go(&mut app, camera, viewer, x);
        let new = draw_again(&mut app, camera);
        if old_keys == new_keys {
            // What changed was seen by looking ahead.
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
