//! Light and shade, and no holes.

use bevy::prelude::*;
use bevy_orogeny::{TerrainOrigin, TerrainViewer};

use super::support::*;
use crate::shared::bare::bare;

#[test]
fn terrain_is_lit_and_without_holes() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let (mut app, camera) = app(bare(), viewer, TerrainOrigin::default());

    // Towards the horizon, from low and from high. The first one is drawn before most chunks are
    // ready.
    for (transform, direction, complete) in [
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), false),
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), true),
        (above(-4000.0, 2500.0, 1500.0), Vec3::new(-0.4, -0.4, 1.0), true),
        (above(70_000.0, -90_000.0, 400.0), Vec3::new(0.0, -0.25, -1.0), false),
    ] {
        let pixels = draw(&mut app, camera, transform.looking_to(direction, Vec3::Y), complete);
        let sky = pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
        assert!(pixels[..WIDTH as usize].contains(&BACKGROUND), "no sky in the first row");
        assert!(sky < pixels.len() * 3 / 4, "{sky} pixels of sky");
        // In each column, all pixels below the first ground pixel are ground.
        for x in 0..WIDTH as usize {
            let column: Vec<_> = pixels.iter().skip(x).step_by(WIDTH as usize).copied().collect();
            let horizon = column.iter().position(|&pixel| pixel != BACKGROUND).unwrap();
            let holes = column[horizon..].iter().filter(|&&pixel| pixel == BACKGROUND).count();
            assert_eq!(holes, 0, "column {x} from {transform:?}, complete: {complete}");
        }
        let ground: Vec<_> = pixels.into_iter().filter(|&pixel| pixel != BACKGROUND).collect();
        let (mean, deviation) = brightness(&ground);
        assert!((30.0..230.0).contains(&mean), "mean brightness {mean}");
        assert!(deviation > 8.0, "no light and shade: deviation {deviation}");
    }

    // With light from the other side, lit ground is in shade, and vice versa.
    // The camera looks across the light.
    let transform = above(0.0, 0.0, 150.0).looking_to(Vec3::new(0.3, -0.3, -1.0), Vec3::Y);
    let morning = draw(&mut app, camera, transform, true);
    let mut suns = app.world_mut().query_filtered::<&mut Transform, With<DirectionalLight>>();
    for mut sun in suns.iter_mut(app.world_mut()) {
        sun.look_to(Vec3::new(1.0, -0.8, 0.3), Vec3::Y);
    }
    let evening = draw(&mut app, camera, transform, true);
    let changed = |by: f32| {
        let pairs = morning.iter().zip(&evening);
        pairs.filter(|&(&a, &b)| by * (brightness(&[b]).0 - brightness(&[a]).0) > 15.0).count()
    };
    let (brighter, darker) = (changed(1.0), changed(-1.0));
    let several = morning.len() / 50;
    assert!(brighter > several && darker > several, "{brighter} brighter, {darker} darker");

    // Straight down from high above, over the borders of many levels.
    for height in [300.0, 3000.0] {
        let transform = above(1000.0, 1000.0, height).looking_to(Vec3::NEG_Y, Vec3::X);
        let pixels = draw(&mut app, camera, transform, true);
        let holes = pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
        assert_eq!(holes, 0, "from {height} m");
    }
}
