//! Files of ground materials: read with their images, or refused with a reason.

use std::path::Path;

use bevy::asset::{AssetPlugin, LoadState};
use bevy::image::{CompressedImageFormats, ImageLoader, ImagePlugin};
use bevy::prelude::*;
use bevy_orogeny::{GroundMaterial, GroundMaterialLoader};

fn app(folder: &Path) -> App {
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
            _ => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    }
    panic!("{file} was not loaded");
}

#[test]
fn a_file_names_its_images_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("rock")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
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

    let mut app = app(folder.path());
    let rock = load(&mut app, "rock/rock.ground.ron").unwrap();
    assert_eq!((rock.width, rock.bump, rock.tint), (1.5, 2.0, Color::srgb(1.0, 0.5, 0.25)));
    let colour = rock.base_color_texture.unwrap();
    for _ in 0..10_000 {
        app.update();
        if app.world().resource::<Assets<Image>>().get(&colour).is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
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
