//! Real elevation as the ground of a terrain: it is drawn and answers where it has data.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_orogeny::QueryError;
use bevy_orogeny::prelude::*;
use orogeny_raster::{Raster, RasterField};

const SIDE: usize = 33;
const SPACING: f64 = 8.0;

#[test]
fn elevation_data_is_ground_within_its_borders() {
    // Hills of 20 m, and a hole of some samples without data.
    let height = |i: usize| {
        let [x, z] = [i % SIDE, i / SIDE].map(|k| k as f32);
        let is_hole = (x - 24.0).abs() < 2.5 && (z - 24.0).abs() < 2.5;
        if is_hole { f32::NAN } else { 20.0 * (0.4 * x).sin() * (0.3 * z).cos() }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    let raster = Raster::new([SIDE; 2], [SPACING; 2], [-128.0, -128.0], heights.clone()).unwrap();

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app.world_mut().spawn(Terrain::field(RasterField::new(&raster).unwrap()));
    app.world_mut().spawn(TerrainViewer { range: 400.0, ..default() });
    (0..3).for_each(|_| app.update());
    while app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    assert!(app.world().resource::<TerrainStats>().displayed > 0);

    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    let terrains = state.get(app.world()).unwrap();
    let ground = terrains.single().unwrap();
    let surface = |i: usize| {
        let [x, z] = [i % SIDE, i / SIDE].map(|k| -128.0 + SPACING * k as f64);
        ground.surface([x, z])
    };
    // Samples lie on vertices of the finest level. Those beside the hole have no ground.
    let answers = (0..SIDE * SIDE).filter_map(|i| Some((surface(i).ok()?, heights[i])));
    let count = answers
        .inspect(|(ground, height)| assert!((ground.value - height).abs() < 1e-3, "{height}"))
        .count();
    assert!((950..SIDE * SIDE - 25).contains(&count), "{count}");
    for outside in [[-130.0, 0.0], [64.0, 64.0], [0.0, 129.0]] {
        let answer = ground.surface(outside);
        assert!(matches!(answer, Err(QueryError::NoGround { .. })), "{outside:?} {answer:?}");
    }
}
