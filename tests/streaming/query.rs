//! Queries answer before chunks exist, and agree with the meshes that are drawn, also where the
//! ground is real elevation.

use bevy::ecs::system::SystemState;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, QueryError};
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{
    Ground, GroundQuery, Terrain, TerrainGround, TerrainOrigin, TerrainPlugins, TerrainQuery,
    TerrainViewer,
};
use orogeny_raster::{Raster, RasterField};

use super::support::*;

fn ask<T>(app: &mut App, question: impl FnOnce(&TerrainQuery) -> T) -> T {
    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    question(&state.get(app.world()).unwrap())
}

#[test]
fn a_terrain_answers_before_it_has_chunks_and_while_it_changes() {
    let mut app = app();
    let missing = ask(&mut app, |terrains| terrains.single().map(drop));
    assert_eq!(missing, Err(QueryError::NoTerrain));
    let ground = app.world_mut().spawn(hills(1)).id();
    let height = |app: &mut App| {
        ask(app, |terrains| terrains.single().unwrap().field([123.4, -5.6]).unwrap().value)
    };
    let exact = |seed| hills(seed).height([123.4, -5.6]).unwrap().value;
    // No frame has passed yet.
    assert_eq!(height(&mut app), exact(1));
    spawn_viewer(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(height(&mut app), exact(1));
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(2)));
    assert_eq!(height(&mut app), exact(2));
    app.update();
    assert_eq!(height(&mut app), exact(2));
    // Invalid settings have no effect, in either frame.
    set(&mut app, ground, |t: &mut Terrain| t.cells = 3);
    assert_eq!(height(&mut app), exact(2));
    app.update();
    assert_eq!(height(&mut app), exact(2));
    set(&mut app, ground, |t: &mut Transform| t.rotation = Quat::from_rotation_y(1.0));
    app.update();
    let rotated = ask(&mut app, |terrains| terrains.single().map(drop));
    assert_eq!(rotated, Err(QueryError::Transformed));
}

/// The vertices of all chunks of all levels that do not geomorph, in the world, equal those of a
/// query, bit for bit. Rays straight down hit them.
#[test]
fn answers_are_the_vertices_that_are_drawn() {
    let mut app = app();
    let kept = Terrain { keep_meshes: true, ..hills(7) };
    let ground = app.world_mut().spawn(kept).id();
    set(&mut app, ground, |t: &mut Transform| t.translation = Vec3::new(1000.0, 0.0, -64.0));
    spawn_viewer(&mut app, Vec3::new(1200.0, 0.0, 40.0));
    settle(&mut app);
    let mut chunks = app.world_mut().query::<(&Chunk, &Mesh3d)>();
    let mut vertices = Vec::new();
    for (chunk, mesh) in chunks.iter(app.world()) {
        let mesh = app.world().resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
        let Some(VertexAttributeValues::Float32x3(positions)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("no positions");
        };
        let [x, z] = LAYOUT.origin(chunk.key);
        vertices.extend(positions.iter().step_by(7).map(|p| {
            (chunk.key.lod, [1000.0 + x + f64::from(p[0]), -64.0 + z + f64::from(p[2])], p[1])
        }));
    }
    let check = |ground: TerrainGround| {
        for &(lod, position, height) in &vertices {
            for answer in [
                ground.field(position),
                ground.surface(position),
                ground.surface_at_level(lod, position),
            ] {
                assert_eq!(answer.unwrap().value.to_bits(), height.to_bits(), "{lod} {position:?}");
            }
        }
        for &(_, [x, z], height) in vertices.iter().step_by(50) {
            let down =
                Ray { origin: [x, 500.0, z], direction: [0.0, -2.0, 0.0], max_distance: 1000.0 };
            let casts = [ground.raycast_surface(&down), ground.raycast_field(&down, 1e-3)];
            for (cast, tolerance) in casts.into_iter().zip([1e-6, 1e-3]) {
                let Ok(Cast::Hit(hit)) = cast else { panic!("{cast:?}") };
                assert!(
                    (hit.position[1] - f64::from(height)).abs() <= tolerance,
                    "{hit:?} {height}"
                );
                assert!((hit.distance - (500.0 - f64::from(height))).abs() <= tolerance);
            }
        }
    };
    assert!(vertices.len() > 5000);
    ask(&mut app, |terrains| check(terrains.get(ground).unwrap()));
}

/// The short calls answer for the world, however the terrain and the origin are moved: as the
/// questions that they stand for.
#[test]
fn short_calls_answer_in_the_world() {
    let mut app = app();
    let settings = || hills(5).with_sea(0.0);
    let moved = Transform::from_xyz(2000.0, 30.0, -500.0);
    app.world_mut().spawn((settings(), moved));
    app.insert_resource(TerrainOrigin::at([8192.0, -8192.0]));
    app.update();
    let plain = GroundQuery::of(&settings()).unwrap();
    let mut found = 0;
    for i in 0..40 {
        let [x, z] = [2000.0 + 37.0 * f64::from(i), -500.0 - 11.0 * f64::from(i)];
        let local = [x - 2000.0, z + 500.0];
        ask(&mut app, |terrains| {
            let ground = terrains.single().unwrap();
            assert_eq!(ground.climate([x, z]), plain.climate(local));
            // Straight down from 300 m above the ground.
            let height = f64::from(ground.surface([x, z]).unwrap().value);
            let eye = Transform::from_translation(ground.translation([x, height + 300.0, z]))
                .looking_to(Vec3::NEG_Y, Vec3::X);
            let hit = ground.look(&eye, 1000.0).unwrap().unwrap();
            assert!((hit.position[1] - height).abs() < 0.05, "{hit:?} for {height}");
            assert_eq!(ground.look(&eye, 200.0).unwrap(), None);
            // The kind with the most weight.
            let weights = ground.cover([x, z]).unwrap();
            let kind = ground.dominant_cover([x, z]).unwrap().unwrap();
            let layers = &ground.query().appearance().cover.layers;
            let of_kind = |at: usize| layers[at].kind == *kind;
            let most = weights.iter().copied().fold(0.0, f32::max);
            assert!((0..layers.len()).any(|at| of_kind(at) && weights[at] == most));
            // Water as deep as asked, and none nearer by steps of its resolution.
            let Some(([wx, wz], water)) = ground.nearest_water([x, z], 1.0, 800.0).unwrap() else {
                return;
            };
            assert_eq!(ground.water([wx, wz]).unwrap(), Some(water));
            assert!(water.depth >= 1.0 && water.surface == 30.0, "{water:?}");
            let away = (wx - x).hypot(wz - z);
            let nearer = 0.9 * away - 2.5;
            if nearer > 0.0 {
                let none = ground.nearest_water([x, z], 1.0, nearer).unwrap();
                assert_eq!(none, None);
            }
            found += 1;
        });
    }
    assert!(found > 5, "{found}");
    let too_far = ask(&mut app, |terrains| {
        terrains.single().unwrap().nearest_water([0.0; 2], 1.0, 1e5).unwrap_err()
    });
    assert!(too_far.to_string().contains("within"), "{too_far}");
}

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
    while stats(&app).missing > 0 {
        app.update();
    }
    assert!(stats(&app).displayed > 0);

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
