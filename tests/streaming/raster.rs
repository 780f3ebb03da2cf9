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

/// Samples of a sea are its level, and the spline through them stays at it or below.
#[test]
fn the_sea_of_elevation_data_is_sea() {
    // Cliffs of 1 to 60 m around a bay.
    let is_land = |x: f32, z: f32| x < 9.0 + 3.0 * (0.5 * z).sin() || z > 24.0 + (0.8 * x).cos();
    let height = |i: usize| {
        let [x, z] = [i % SIDE, i / SIDE].map(|k| k as f32);
        if is_land(x, z) { 1.0 + 59.0 * (1.7 * x + 2.3 * z).sin().abs() } else { 0.0 }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    let raster = Raster::new([SIDE; 2], [SPACING; 2], [-128.0, -128.0], heights.clone()).unwrap();
    let terrain = Terrain::field(RasterField::new(&raster).unwrap()).with_sea(0.0);
    let ground = GroundQuery::of(&terrain).unwrap();
    let is_sea = |x: usize, z: usize| heights[z * SIDE + x] == 0.0;
    let mut places = 0;
    for (x, z) in (0..SIDE - 1).flat_map(|x| (0..SIDE - 1).map(move |z| (x, z))) {
        if ![(x, z), (x + 1, z), (x, z + 1), (x + 1, z + 1)].iter().all(|&(x, z)| is_sea(x, z)) {
            continue;
        }
        for [u, v] in [[0.0, 0.0], [0.3, 0.7], [0.5, 0.5], [0.9, 0.2]] {
            let p = [x as f64 + u, z as f64 + v].map(|k| -128.0 + SPACING * k);
            assert!(ground.water(p).unwrap().is_some(), "{p:?} is dry");
            places += 1;
        }
    }
    assert!(places > 1000, "{places}");
}
