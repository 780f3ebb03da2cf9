//! Files of a game: ground materials are read with their images or refused with a reason, and
//! assets come late, change, are removed, broken and mended.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::asset::{AssetPlugin, LoadState, RenderAssetUsages};
use bevy::image::{CompressedImageFormats, ImageLoader, ImagePlugin};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_orogeny::advanced::{GroundMaterialLoader, PlantModelState, TerrainProblem};
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Cover, Node, Recipe};
use bevy_orogeny::{
    GroundMaterial, GroundTextures, PlantModel, PlantModels, Terrain, TerrainProblems,
    TerrainViewer,
};

use crate::rendering::odd_gltf;

/// An app that reads files of ground materials in a folder, and nothing else.
fn reader(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.to_str().unwrap().to_owned();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin { file_path, ..default() },
        ImagePlugin::default(),
    ))
    .init_asset::<GroundMaterial>()
    .init_asset_loader::<GroundMaterialLoader>()
    .register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE));
    app.finish();
    app.cleanup();
    app
}

/// Loads a file until it is there or refused.
fn load(app: &mut App, file: &str) -> Result<GroundMaterial, String> {
    let handle: Handle<GroundMaterial> =
        app.world().resource::<AssetServer>().load(file.to_owned());
    for _ in 0..10_000 {
        app.update();
        let server = app.world().resource::<AssetServer>();
        match server.get_load_state(&handle) {
            Some(LoadState::Loaded) => {
                let materials = app.world().resource::<Assets<GroundMaterial>>();
                return Ok(materials.get(&handle).unwrap().clone());
            }
            Some(LoadState::Failed(error)) => return Err(error.to_string()),
            _ => sleep(Duration::from_millis(1)),
        }
    }
    panic!("{file} was not loaded");
}

#[test]
fn a_file_names_its_images_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("rock")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let image = image::RgbImage::from_pixel(3, 5, image::Rgb([200, 100, 50]));
    image.save(folder.path().join("rock/colour.png")).unwrap();
    write(
        "rock/rock.ground.ron",
        r#"(base_color_texture: "colour.png", width: 1.5, tint: (1.0, 0.5, 0.25), bump: 2)"#,
    );
    write("plain.ground.ron", "()");
    write("width.ground.ron", "(width: 1e9)");
    write("field.ground.ron", "(colour: \"a.png\")");
    write("text.ground.ron", "width: 2");
    write("empty.ground.ron", "");

    let mut app = reader(folder.path());
    let rock = load(&mut app, "rock/rock.ground.ron").unwrap();
    assert_eq!((rock.width, rock.bump, rock.tint), (1.5, 2.0, Color::srgb(1.0, 0.5, 0.25)));
    let colour = rock.base_color_texture.unwrap();
    for _ in 0..10_000 {
        app.update();
        if app.world().resource::<Assets<Image>>().get(&colour).is_some() {
            break;
        }
        sleep(Duration::from_millis(1));
    }
    let images = app.world().resource::<Assets<Image>>();
    assert_eq!(images.get(&colour).unwrap().size(), UVec2::new(3, 5));

    assert_eq!(load(&mut app, "plain.ground.ron").unwrap(), GroundMaterial::default());
    for (file, reason) in [
        ("width", "width is 1e9, but must be between 0.05 and 4096"),
        ("field", "colour"),
        ("text", "1:"),
        ("empty", "1:"),
        ("missing", "missing.ground.ron"),
    ] {
        let error = load(&mut app, &format!("{file}.ground.ron")).unwrap_err();
        assert!(error.contains(reason), "{file}: {error}");
    }
}

/// An app whose assets are the files of a folder, which is watched.
fn app(folder: &Path) -> App {
    let assets = AssetPlugin {
        file_path: folder.to_str().unwrap().to_owned(),
        watch_for_changes_override: Some(true),
        ..default()
    };
    let viewer = TerrainViewer { range: 60.0, ..default() };
    // Without a GPU, Bevy has no loader of images.
    let images = |app: &mut App| {
        app.register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE));
    };
    super::app_with(assets, images, viewer)
}

/// Updates until a condition holds.
fn wait(app: &mut App, what: &str, holds: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !holds(app) {
        let problems = app.world().resource::<TerrainProblems>();
        assert!(start.elapsed() < Duration::from_secs(120), "{what}: {problems:?}");
        app.update();
        sleep(Duration::from_millis(2));
    }
}

fn problem(app: &App, is_it: fn(&TerrainProblem) -> bool) -> Option<String> {
    let problems = app.world().resource::<TerrainProblems>();
    problems.iter().find(|(_, problem)| is_it(problem)).map(|(_, problem)| problem.to_string())
}

/// The problem of models.
fn refused(app: &App) -> Option<String> {
    problem(app, |problem| matches!(problem, TerrainProblem::PlantModel { .. }))
}

fn state(app: &App) -> Option<PlantModelState> {
    app.world().resource::<PlantModels>().state("late")
}

/// Waits until the model is drawn, or refused for a reason that has a word in it.
fn wait_for(app: &mut App, reason: Option<&str>) {
    let expected = match reason {
        Some(_) => PlantModelState::Refused,
        None => PlantModelState::Ready,
    };
    wait(app, &format!("{reason:?}"), |app| {
        let error = refused(app);
        let is_it = error.as_deref().is_none_or(|error| error.contains(reason.unwrap_or("\0")));
        state(app) == Some(expected) && error.is_some() == reason.is_some() && is_it
    });
}

fn png(path: &Path, colour: [u8; 3]) {
    image::RgbImage::from_pixel(4, 4, image::Rgb(colour)).save(path).unwrap();
}

#[test]
fn a_model_follows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let [model, bark] = ["late.glb", "bark.png"].map(|file| folder.path().join(file));
    let mut app = app(folder.path());
    let scene = app.world().resource::<AssetServer>().load("late.glb#Scene0");
    // Too low for an impostor, which takes a second.
    let late = PlantModel::scene(scene).with_height(2.0);
    app.world_mut().resource_mut::<PlantModels>().insert("late", late);
    wait_for(&mut app, Some("late.glb"));

    // It comes, then its image does.
    let glb = odd_gltf::with_image_beside("bark.png");
    fs::write(&model, &glb).unwrap();
    wait_for(&mut app, Some("bark.png"));
    png(&bark, [200, 100, 50]);
    wait_for(&mut app, None);

    // Both are broken and mended.
    fs::write(&bark, "no image").unwrap();
    wait_for(&mut app, Some("bark.png"));
    png(&bark, [50, 100, 50]);
    wait_for(&mut app, None);
    fs::write(&model, &glb[..glb.len() / 2]).unwrap();
    wait_for(&mut app, Some("late.glb"));
    fs::write(&model, &glb).unwrap();
    wait_for(&mut app, None);

    // The image is removed from the app, and put back in another size.
    let server = app.world().resource::<AssetServer>();
    let image = server.get_path_id("bark.png").unwrap().typed::<Image>();
    app.world_mut().resource_mut::<Assets<Image>>().remove(image);
    wait_for(&mut app, Some("removed"));
    let size = Extent3d { width: 8, height: 8, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usage = RenderAssetUsages::default();
    let other = Image::new_fill(size, TextureDimension::D2, &[9, 9, 9, 255], format, usage);
    app.world_mut().resource_mut::<Assets<Image>>().insert(image, other).unwrap();
    wait_for(&mut app, None);

    // A material changes in place: what is not drawn of it does not count.
    let ids: Vec<_> = app.world().resource::<Assets<StandardMaterial>>().ids().collect();
    let change = |app: &mut App, change: fn(&mut StandardMaterial)| {
        let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
        ids.iter().for_each(|id| change(&mut materials.get_mut(*id).unwrap()));
        (0..3).any(|_| {
            app.update();
            state(app) == Some(PlantModelState::Loading)
        })
    };
    assert!(!change(&mut app, |material| material.emissive = LinearRgba::RED));
    assert!(change(&mut app, |material| material.base_color = Color::srgb(1.0, 0.0, 0.0)));
    wait_for(&mut app, None);
    app.world_mut().resource_mut::<PlantModels>().remove("late");
    app.update();
    assert_eq!((state(&app), refused(&app)), (None, None));
}

#[test]
fn ground_follows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let [material, image] = ["lawn.ground.ron", "lawn.png"].map(|file| folder.path().join(file));
    let mut app = app(folder.path());
    let lawn = app.world().resource::<AssetServer>().load("lawn.ground.ron");
    let recipe = Recipe::new(1, 10.0, Node::Constant(0.0));
    let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
    let terrain = Terrain::recipe(recipe).covered(cover);
    app.world_mut().spawn((terrain, GroundTextures::default().with(CoverKind::Grass, lawn)));
    let is_it = |problem: &TerrainProblem| matches!(problem, TerrainProblem::GroundTexture { .. });
    let expect = |app: &mut App, reason: Option<&str>| {
        wait(app, &format!("{reason:?}"), |app| match (problem(app, is_it), reason) {
            (None, None) => true,
            (Some(error), Some(reason)) => error.contains(reason),
            _ => false,
        });
    };
    expect(&mut app, Some("lawn.ground.ron"));
    fs::write(&material, "(base_color_texture: \"lawn.png\")").unwrap();
    expect(&mut app, Some("lawn.png"));
    png(&image, [20, 200, 20]);
    expect(&mut app, None);
    fs::write(&image, "no image").unwrap();
    expect(&mut app, Some("lawn.png"));
    png(&image, [200, 20, 20]);
    expect(&mut app, None);
    fs::write(&material, "(width: 1e9)").unwrap();
    expect(&mut app, Some("width"));
    fs::write(&material, "(width: 3)").unwrap();
    expect(&mut app, None);
    drop(folder);
}
