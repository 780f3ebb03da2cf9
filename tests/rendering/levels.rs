//! Levels that change without being seen to.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_orogeny::{Chunk, ChunkKey, Terrain, TerrainOrigin, TerrainViewer};

use crate::support::*;

/// Two pictures from the same place, one before and one after levels change, are the same but for 2 of 255.
#[test]
fn levels_do_not_pop() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let (mut app, camera) = app(Terrain::default(), viewer, TerrainOrigin::default());
    // The viewer that decides the levels is not the camera. As such it counts as 1080 pixels high: 2 pixels of this picture are 11 of those.
    let pixel_error = 2.0 * 1080.0 / f64::from(HEIGHT);
    let viewer = TerrainViewer { pixel_error, ..viewer };
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let viewer = app.world_mut().spawn((viewer, above(1000.0, 1000.0, 2.0))).id();
    let mut drawn = app.world_mut().query::<(&Chunk, &Visibility)>();
    let (mut changes, mut worst) = (0, 0);
    let place = above(1000.0, 1000.0, 90.0).looking_to(Vec3::new(1.0, -0.35, 0.4), Vec3::Y);
    let mut before: Option<(HashSet<ChunkKey>, Vec<[u8; 3]>)> = None;
    for step in 0..14 {
        app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x =
            1000.0 + 6.0 * step as f32;
        let pixels = draw(&mut app, camera, place, true);
        let keys: HashSet<ChunkKey> = drawn
            .iter(app.world())
            .filter(|(_, visibility)| **visibility == Visibility::Inherited)
            .map(|(chunk, _)| chunk.key)
            .collect();
        if let Some((old_keys, old_pixels)) = before.replace((keys.clone(), pixels.clone()))
            && old_keys != keys
        {
            let differences = differences(&old_pixels, &pixels);
            let quantile = differences[differences.len() * 999 / 1000];
            (changes, worst) = (changes + 1, worst.max(quantile));
        }
    }
    println!("{changes} changes of levels: 99.9 % of all pixels differ by at most {worst} of 255");
    assert!(changes > 2, "levels do not change");
    assert!(worst <= 2, "levels pop");
}
