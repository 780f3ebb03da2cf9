//! Models of a game: odd files are drawn or refused with a reason, and a good one is drawn with
//! shadows, at all distances, and goes when it is removed.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::*;
use bevy_orogeny::advanced::{DrawnPlants, PlantModelState, TerrainProblem};
use bevy_orogeny::orogeny::scatter::{Model, Scatter};
use bevy_orogeny::{PlantModel, PlantModels, TerrainOrigin, TerrainProblems, TerrainViewer};

use super::odd_gltf::{self, Expected};
use super::support::*;

/// Gives a model of a file to the game, and waits until it is dealt with.
fn give(app: &mut App, name: &str, bytes: Vec<u8>, height: Option<f32>) -> PlantModelState {
    let path = PathBuf::from(format!("odd/{name}.glb"));
    let embedded = app.world().resource::<EmbeddedAssetRegistry>();
    embedded.insert_asset(path.clone(), &path, bytes);
    let scene =
        app.world().resource::<AssetServer>().load(format!("embedded://odd/{name}.glb#Scene0"));
    let model = PlantModel { height, ..PlantModel::scene(scene) };
    app.world_mut().resource_mut::<PlantModels>().insert("odd", model);
    loop {
        app.update();
        match app.world().resource::<PlantModels>().state("odd") {
            Some(PlantModelState::Loading) => sleep(Duration::from_millis(2)),
            state => return state.expect("it was given"),
        }
    }
}

fn problem(app: &App) -> Option<String> {
    let problems = app.world().resource::<TerrainProblems>();
    problems.iter().find_map(|(_, problem)| match problem {
        TerrainProblem::PlantModel { error } => Some(error.clone()),
        _ => None,
    })
}

fn boxes() -> Scatter {
    let mut all = scatter(Model::Custom("odd".into()), 6.0);
    (all.kinds[0].size_min, all.kinds[0].size_max, all.kinds[0].lean) = (1.0, 1.0, 0.0);
    all
}

#[test]
fn models_of_a_game_are_drawn_or_refused_and_come_and_go() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain(), 120.0);
    app.init_resource::<DrawnPlants>();
    odd_files_are_drawn_or_refused(&mut app, camera);
    set_range(&mut app, camera, 60.0);
    colours_are_those_of_the_file(&mut app, camera);
    set_range(&mut app, camera, 200.0);
    models_come_change_and_go(&mut app, camera);
}

/// It takes some twenty seconds: each of eighteen files is loaded and drawn.
fn odd_files_are_drawn_or_refused(app: &mut App, camera: Entity) {
    let eye = Transform::from_xyz(0.0, 12.0, 0.0).looking_to(Vec3::new(1.0, -0.4, 0.0), Vec3::Y);
    let bare = draw(app, camera, eye, true);
    let mut seen = Vec::new();
    for (name, bytes, expected) in odd_gltf::all() {
        set_scatter(app, Scatter::default());
        app.world_mut().resource_mut::<PlantModels>().remove("odd");
        app.update();
        let state = give(app, name, bytes, Some(4.0));
        set_scatter(app, boxes());
        let picture = draw(app, camera, eye, true);
        let pixels = count_changed(&picture, &bare);
        let error = problem(app);
        println!("{name}: {state:?}, {pixels} pixels, {error:?}");
        match expected {
            Expected::Drawn => {
                assert_eq!((state, error), (PlantModelState::Ready, None), "{name}");
                seen.push((name, pixels));
            }
            Expected::Refused => {
                assert_eq!(state, PlantModelState::Refused, "{name}");
                assert!(error.is_some_and(|error| error.starts_with("odd ")), "{name}");
                assert_eq!(pixels, 0, "{name}");
            }
        }
    }
    // All are a box of the same size, but for a column.
    let box_of = |name| seen.iter().find(|(known, _)| *known == name).unwrap().1 as f32;
    let usual = box_of("u16_indices");
    assert!(usual > bare.len() as f32 / 100.0, "{usual}");
    for (name, pixels) in &seen {
        let ratio = *pixels as f32 / usual;
        let expected = if *name == "u32_indices" { 0.6..1.1 } else { 0.9..1.1 };
        assert!(expected.contains(&ratio), "{name}: {ratio} of the pixels of a box");
    }
}

/// Vertex colours multiply the material's, and a texture is where its coordinates say.
fn colours_are_those_of_the_file(app: &mut App, camera: Entity) {
    set_scatter(app, Scatter::default());
    let eye = Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::new(1.0, -0.3, 0.0), Vec3::Y);
    let bare = draw(app, camera, eye, true);
    let mut palette = Vec::new();
    image::RgbImage::from_raw(2, 1, vec![255, 0, 0, 0, 255, 0])
        .unwrap()
        .write_to(&mut std::io::Cursor::new(&mut palette), image::ImageFormat::Png)
        .unwrap();
    for (name, bytes, bright) in [
        ("vertices", odd_gltf::with_vertex_colours([1.0, 0.02, 0.02, 1.0]), 0),
        ("coordinates", odd_gltf::with_second_coordinates(&palette), 1),
    ] {
        set_scatter(app, Scatter::default());
        assert_eq!(give(app, name, bytes, Some(2.5)), PlantModelState::Ready);
        set_scatter(app, boxes());
        let picture = draw(app, camera, eye, true);
        // What casts no shadow on the snow: the most colourful half.
        let mut seen: Vec<[u8; 3]> = changed(&picture, &bare)
            .into_iter()
            .zip(&picture)
            .filter_map(|(is_other, pixel)| is_other.then_some(*pixel))
            .collect();
        seen.sort_unstable_by_key(|p| p.iter().max().unwrap() - p.iter().min().unwrap());
        let seen = &seen[seen.len() / 2..];
        let mean = [0, 1, 2]
            .map(|k| seen.iter().map(|pixel| u32::from(pixel[k])).sum::<u32>() / seen.len() as u32);
        println!("{name}: {mean:?} of {} pixels", seen.len());
        let others = (0..3).filter(|k| *k != bright).map(|k| mean[k]).max().unwrap();
        assert!(seen.len() > 500 && mean[bright] > 2 * others, "{name}: {mean:?}");
    }
}

/// A model that comes while its kind stands already is drawn, one that replaces it is drawn
/// instead, and a wrong one leaves it as it is.
fn models_come_change_and_go(app: &mut App, camera: Entity) {
    app.world_mut().resource_mut::<PlantModels>().remove("odd");
    set_scatter(app, boxes());
    let eye = Transform::from_xyz(0.0, 12.0, 0.0).looking_to(Vec3::new(1.0, -0.4, 0.0), Vec3::Y);
    let files = odd_gltf::all();
    let file = |name| files.iter().find(|(known, ..)| *known == name).unwrap().1.clone();
    let bare = draw(app, camera, eye, true);
    let count = |app: &mut App, bare: &[[u8; 3]]| {
        (0..4).for_each(|_| app.update());
        let picture = draw(app, camera, eye, true);
        let views = app.world().resource::<DrawnPlants>().views();
        let instances = views.iter().find(|view| view.view == camera).map_or(0, |v| v.instances);
        let pixels = count_changed(&picture, bare);
        (pixels, instances)
    };
    assert_eq!(count(app, &bare), (0, 0));
    assert_eq!(give(app, "first", file("u16_indices"), Some(3.0)), PlantModelState::Ready);
    let (low, few) = count(app, &bare);
    assert!(low > 500 && few > 50, "{low} pixels of {few}");
    give(app, "second", file("u16_indices"), Some(6.0));
    let (high, many) = count(app, &bare);
    assert!(high > 2 * low && many >= few, "{high} pixels of {many}, {low} of {few} before");
    assert_eq!(give(app, "third", file("nan"), None), PlantModelState::Refused);
    assert_eq!(count(app, &bare), (high, many), "the old one stays");
    app.world_mut().resource_mut::<PlantModels>().remove("odd");
    (0..3).for_each(|_| app.update());
    assert_eq!(count(app, &bare).0, 0);
}

/// A thousand million metres away and seen from afar, as an impostor, a model covers what its mesh
/// covers from near. It takes twenty seconds, for twelve pictures.
#[test]
fn models_are_the_same_far_away() {
    let Some(_turn) = turn() else { return };
    let files = odd_gltf::all();
    let file = files.iter().find(|(known, ..)| *known == "u16_indices").unwrap().1.clone();
    for origin in [TerrainOrigin::default(), TerrainOrigin::at([1_000_005_632.0, -1_000_005_632.0])]
    {
        let viewer = TerrainViewer { range: 400.0, ..default() };
        let mut sparse = boxes();
        sparse.kinds[0].radius = 12.0;
        let (mut app, camera) = app(plain().with_scatter(sparse.clone()), viewer, origin);
        stop_time(&mut app);
        let bare = draw(&mut app, camera, Transform::from_xyz(0.0, 9.0, 0.0), true);
        assert!(bare.iter().any(|pixel| *pixel != BACKGROUND));
        assert_eq!(give(&mut app, "far", file.clone(), Some(6.0)), PlantModelState::Ready);
        let mut parts = Vec::new();
        for height in [130.0, 170.0, 260.0] {
            let eye = Transform::from_xyz(0.0, height, 0.0);
            // The same square of ground from all heights.
            let fov = 2.0 * (50.0 / height).atan();
            let projection = PerspectiveProjection { fov, ..default() };
            app.world_mut().entity_mut(camera).insert(Projection::from(projection));
            let eye = eye.looking_to(Vec3::new(0.001, -1.0, 0.0), Vec3::Z);
            let picture = draw(&mut app, camera, eye, true);
            set_scatter(&mut app, Scatter::default());
            let bare = draw(&mut app, camera, eye, true);
            set_scatter(&mut app, sparse.clone());
            let seen = count_changed(&picture, &bare);
            parts.push(seen as f32 / picture.len() as f32);
        }
        println!("parts of the picture that models cover: {parts:?}");
        assert!(parts[0] > 0.005, "{parts:?}");
        assert!(parts.iter().all(|part| (0.6..1.5).contains(&(part / parts[0]))), "{parts:?}");
    }
}
