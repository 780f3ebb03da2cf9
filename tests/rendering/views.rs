//! The debug views of the panel.

use std::time::Instant;

use bevy::prelude::*;
use bevy::render::settings::WgpuFeatures;
use bevy_orogeny::{TerrainOrigin, TerrainViewer};
use bevy_orogeny_panel::{DebugView, DebugViewPlugin, VariantNames};

use super::support::*;
use crate::shared::bare;

/// Every view except the wireframe covers the whole ground, and all views differ.
#[test]
fn every_view_shows_something_else() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 4000.0, ..default() };
    let (plugin, origin) = (DebugViewPlugin::default(), TerrainOrigin::default());
    let (mut app, camera) = app_that(true, WgpuFeatures::empty(), plugin, bare(), viewer, origin);
    let transform = above(1000.0, 1000.0, 1500.0).looking_to(Vec3::NEG_Y, Vec3::X);
    draw(&mut app, camera, transform, true);
    // After such a long way, streaming takes two seconds to stop looking ahead.
    wait(&mut app, camera, 150);
    let mut pictures: Vec<(&str, Vec<[u8; 3]>)> = Vec::new();
    for name in DebugView::VARIANTS {
        app.insert_resource(name.parse::<DebugView>().unwrap());
        wait(&mut app, camera, 30);
        let pixels = draw(&mut app, camera, transform, true);
        let holes = background(&pixels);
        let lines = *name == "wireframe";
        assert!(
            holes == 0 || lines && holes < pixels.len() * 9 / 10,
            "{name}: {holes} pixels of sky"
        );
        for (other, picture) in &pictures {
            let median = differences(&pixels, picture)[pixels.len() / 2];
            // Lines on an empty background, or lines of borders: most pixels may be equal.
            let largest = *differences(&pixels, picture).last().unwrap();
            assert!(median > 5 || largest > 60, "{name} and {other}: {median}, {largest}");
        }
        pictures.push((*name, pixels));
    }
    // Back to the ground, which must be bit-identical.
    app.insert_resource(DebugView::Ground);
    app.update();
    let again = draw(&mut app, camera, transform, true);
    let changes = differences(&again, &pictures[0].1);
    let changed = changes.iter().filter(|&&d| d > 0).count();
    assert_eq!(changed, 0, "the ground has changed, by up to {:?}", changes.last());
}

/// While the pipelines of another view are compiled, the ground is drawn as before.
#[test]
fn the_ground_stays_until_a_view_is_compiled() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 1000.0, uniform: Some(4), ..default() };
    let (plugin, origin) = (DebugViewPlugin::default(), TerrainOrigin::default());
    let (mut app, camera) = app_that(false, WgpuFeatures::empty(), plugin, bare(), viewer, origin);
    let transform = above(1000.0, 1000.0, 500.0).looking_to(Vec3::NEG_Y, Vec3::X);
    let begun = Instant::now();
    let mut ground = draw(&mut app, camera, transform, true);
    while background(&ground) > 0 {
        assert!(begun.elapsed().as_secs() < 120, "the ground is never drawn");
        ground = draw_again(&mut app, camera);
    }
    // The wireframe has pipelines of its own, and an empty background.
    for (view, name) in [(DebugView::Levels, "levels"), (DebugView::Ground, "ground")] {
        app.insert_resource(view);
        let (mut frames, mut before) = (0, ground.clone());
        loop {
            let picture = draw_again(&mut app, camera);
            frames += 1;
            assert_eq!(background(&picture), 0, "frame {frames} of {name}");
            let changed = differences(&before, &picture)[picture.len() / 2] > 5;
            if changed {
                before = picture;
                break;
            }
            assert!(begun.elapsed().as_secs() < 240, "the view never changes to {name}");
        }
        println!("{name} after {frames} frames");
        ground = before;
    }
}
