//! Draws terrain with whatever graphics driver there is, a software renderer in CI, and looks at the pixels.
//!
//! The background is a colour that nothing else has. It must fill the sky, and no pixel below the horizon: not through a seam
//! between levels, not while chunks are still on their way.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, Mutex};

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::tasks::block_on;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_orogeny::{Chunk, ChunkKey, Terrain, TerrainPlugin, TerrainStats, TerrainViewer};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 200;
const BACKGROUND: [u8; 3] = [255, 0, 255];
/// Set where a driver must be there, as in CI: then the test fails without one instead of being skipped.
const DRIVER_REQUIRED: &str = "OROGENY_DRIVER_REQUIRED";

fn driver() -> Option<String> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter =
        block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    Some(adapter.get_info().name)
}

/// An app that draws the default terrain into an image, with its camera.
fn app() -> (App, Entity) {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: Some(Backends::PRIMARY),
            ..default()
        })),
        synchronous_pipeline_compilation: true,
        ..default()
    };
    let [r, g, b] = BACKGROUND;
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(no_window).set(render).disable::<WinitPlugin>(),
        TerrainPlugin,
    ))
    .insert_resource(ClearColor(Color::srgb_u8(r, g, b)))
    .insert_resource(GlobalAmbientLight { brightness: 400.0, ..default() });
    app.finish();
    app.cleanup();

    let mut image = Image::new_target_texture(WIDTH, HEIGHT, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.world_mut().spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-1.0, -0.8, -0.3), Vec3::Y),
    ));
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let camera = app
        .world_mut()
        .spawn((Camera3d::default(), Msaa::Off, viewer, RenderTarget::Image(target.into())))
        .id();
    // Before its first frames a renderer has nothing to show, not even the background.
    (0..3).for_each(|_| app.update());
    app.world_mut().spawn(Terrain::default());
    (app, camera)
}

/// Moves the camera and draws, once all terrain is there or at once.
fn draw(app: &mut App, camera: Entity, place: Transform, complete: bool) -> Vec<[u8; 3]> {
    app.world_mut().entity_mut(camera).insert(place);
    app.update();
    while complete && app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    let target = app.world().get::<RenderTarget>(camera).unwrap().clone();
    let picture: Arc<Mutex<Option<Image>>> = Arc::default();
    let taken = picture.clone();
    app.world_mut().spawn(Screenshot(target)).observe(move |capture: On<ScreenshotCaptured>| {
        *taken.lock().unwrap() = Some(capture.image.clone());
    });
    for _ in 0..100 {
        app.update();
        if let Some(image) = picture.lock().unwrap().take() {
            let pixels = image.data.unwrap();
            return pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        }
    }
    panic!("no picture came back");
}

fn brightness(pixels: &[[u8; 3]]) -> (f32, f32) {
    let each = || pixels.iter().map(|p| p.iter().map(|&c| f32::from(c)).sum::<f32>() / 3.0);
    let mean = each().sum::<f32>() / pixels.len() as f32;
    let variance = each().map(|x| (x - mean).powi(2)).sum::<f32>() / pixels.len() as f32;
    (mean, variance.sqrt())
}

#[test]
fn terrain_is_lit_and_without_holes() {
    let Some(name) = driver() else {
        assert!(std::env::var_os(DRIVER_REQUIRED).is_none(), "there is no graphics driver");
        // Not by a macro, whose words the test harness would swallow.
        let reason = b"rendering test skipped: there is no graphics driver to draw with\n";
        std::io::stderr().write_all(reason).unwrap();
        return;
    };
    println!("drawing with {name}");
    let (mut app, camera) = app();
    let field = Terrain::default().build().unwrap();
    let above = |x: f32, z: f32, height: f32| {
        let ground = field.value([x.into(), z.into()]);
        Transform::from_xyz(x, ground + height, z)
    };

    // Towards the horizon, from low and from high; the first one before most chunks are there.
    for (place, direction, complete) in [
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), false),
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), true),
        (above(-4000.0, 2500.0, 1500.0), Vec3::new(-0.4, -0.4, 1.0), true),
        (above(70_000.0, -90_000.0, 400.0), Vec3::new(0.0, -0.25, -1.0), false),
    ] {
        let pixels = draw(&mut app, camera, place.looking_to(direction, Vec3::Y), complete);
        let sky = pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
        assert!(pixels[..WIDTH as usize].contains(&BACKGROUND), "no sky in the first row");
        assert!(sky < pixels.len() * 3 / 4, "{sky} pixels of sky");
        // In each column, below the first pixel of ground there is ground alone.
        for x in 0..WIDTH as usize {
            let column: Vec<_> = pixels.iter().skip(x).step_by(WIDTH as usize).copied().collect();
            let horizon = column.iter().position(|&pixel| pixel != BACKGROUND).unwrap();
            let holes = column[horizon..].iter().filter(|&&pixel| pixel == BACKGROUND).count();
            assert_eq!(holes, 0, "column {x} from {place:?}, complete: {complete}");
        }
        let ground: Vec<_> = pixels.into_iter().filter(|&pixel| pixel != BACKGROUND).collect();
        let (mean, deviation) = brightness(&ground);
        assert!((30.0..230.0).contains(&mean), "mean brightness {mean}");
        assert!(deviation > 8.0, "no light and shade: deviation {deviation}");
    }

    // Light from the other side: what was lit lies in shade, and the other way round.
    // The camera looks across the light.
    let place = above(0.0, 0.0, 150.0).looking_to(Vec3::new(0.3, -0.3, -1.0), Vec3::Y);
    let morning = draw(&mut app, camera, place, true);
    let mut suns = app.world_mut().query_filtered::<&mut Transform, With<DirectionalLight>>();
    for mut sun in suns.iter_mut(app.world_mut()) {
        sun.look_to(Vec3::new(1.0, -0.8, 0.3), Vec3::Y);
    }
    let evening = draw(&mut app, camera, place, true);
    let changed = |by: f32| {
        let pairs = morning.iter().zip(&evening);
        pairs.filter(|&(&a, &b)| by * (brightness(&[b]).0 - brightness(&[a]).0) > 15.0).count()
    };
    let (brighter, darker) = (changed(1.0), changed(-1.0));
    let several = morning.len() / 50;
    assert!(brighter > several && darker > several, "{brighter} brighter, {darker} darker");

    // Straight down from high above, over the borders of many levels.
    for height in [300.0, 3000.0] {
        let place = above(1000.0, 1000.0, height).looking_to(Vec3::NEG_Y, Vec3::X);
        let pixels = draw(&mut app, camera, place, true);
        let holes = pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
        assert_eq!(holes, 0, "from {height} m");
    }

    // Two pictures from the same place, one before and one after levels change: the viewer that decides them is another one.
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let viewer = app.world_mut().spawn((viewer, above(1000.0, 1000.0, 2.0))).id();
    let mut drawn = app.world_mut().query::<(&Chunk, &Visibility)>();
    let (mut changes, mut worst) = (0, 0);
    let place = above(1000.0, 1000.0, 90.0).looking_to(Vec3::new(1.0, -0.35, 0.4), Vec3::Y);
    let mut before: Option<(HashSet<ChunkKey>, Vec<[u8; 3]>)> = None;
    for step in 0..14 {
        app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x =
            1000.0 + 1.5 * step as f32;
        let pixels = draw(&mut app, camera, place, true);
        let keys: HashSet<ChunkKey> = drawn
            .iter(app.world())
            .filter(|(_, visibility)| **visibility == Visibility::Inherited)
            .map(|(chunk, _)| chunk.key)
            .collect();
        if let Some((old_keys, old_pixels)) = before.replace((keys.clone(), pixels.clone()))
            && old_keys != keys
        {
            let mut differences: Vec<u8> = old_pixels
                .iter()
                .zip(&pixels)
                .map(|(a, b)| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap())
                .collect();
            differences.sort_unstable();
            let quantile = differences[differences.len() * 999 / 1000];
            (changes, worst) = (changes + 1, worst.max(quantile));
        }
    }
    println!("{changes} changes of levels: 99.9 % of all pixels differ by at most {worst} of 255");
    assert!(changes > 2, "levels do not change");
    assert!(worst <= 2, "levels pop");
}
