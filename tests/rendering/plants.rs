//! Trees are drawn, and wind moves them and nothing else.

use std::time::Duration;

use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;

fn forest() -> Scatter {
    let kind = ScatterKind {
        model: Model::Spruce,
        seed: 1,
        radius: 6.0,
        rock: 1.0,
        scree: 1.0,
        grass: 1.0,
        forest: 1.0,
        snow: 1.0,
        slope_max: 10.0,
        ..ScatterKind::default()
    };
    Scatter { kinds: vec![kind], ..Scatter::default() }
}

fn changed(a: &[[u8; 3]], b: &[[u8; 3]]) -> usize {
    differences(a, b).into_iter().filter(|&difference| difference > 8).count()
}

#[test]
fn trees_are_drawn_and_sway() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 400.0, ..default() };
    let terrain = Terrain::default().with_scatter(forest());
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    let transform = above(0.0, 0.0, 25.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);
    stop_time(&mut app);
    let still = draw(&mut app, camera, transform, true);
    assert_eq!(changed(&still, &draw_again(&mut app, camera)), 0, "they move without time");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(700)));
    (0..2).for_each(|_| app.update());
    stop_time(&mut app);
    let later = draw(&mut app, camera, transform, true);
    let sway = changed(&still, &later);

    // Prepasses discard the same pixels of leaves, so none of the ground behind them is missing.
    let prepasses = (DepthPrepass, NormalPrepass, MotionVectorPrepass);
    app.world_mut().entity_mut(camera).insert(prepasses);
    (0..2).for_each(|_| app.update());
    let passed = draw(&mut app, camera, transform, true);
    assert!(changed(&later, &passed) < later.len() / 200, "{}", changed(&later, &passed));

    let mut terrains = app.world_mut().query::<&mut Terrain>();
    let mut terrain = terrains.single_mut(app.world_mut()).unwrap();
    *terrain = terrain.clone().with_scatter(Scatter::default());
    (0..2).for_each(|_| app.update());
    let bare = draw(&mut app, camera, transform, true);
    let trees = changed(&bare, &passed);
    assert!(trees > bare.len() / 8, "trees fill {trees} of {} pixels", bare.len());
    assert!(sway > trees / 50 && sway < trees, "{sway} of {trees} pixels move");
}
