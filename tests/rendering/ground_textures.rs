//! A game's own textures on the ground.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Cover, Field, Sample};
use bevy_orogeny::{
    GroundMaterial, GroundTextures, GroundTexturesProgress, GroundTexturesReady, Terrain,
    TerrainMaterial, TerrainOrigin, TerrainProblem, TerrainProblems, TerrainQuality, TerrainViewer,
};

use super::support::{HEIGHT, WIDTH, app, draw, turn};

/// An image of a single colour, 2 x 2 pixels.
pub fn plain(colour: &[u8; 4]) -> Image {
    image([2, 2], TextureFormat::Rgba8UnormSrgb, colour.repeat(4))
}

pub fn image([width, height]: [u32; 2], format: TextureFormat, data: Vec<u8>) -> Image {
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let usage = RenderAssetUsages::MAIN_WORLD;
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usage);
    image.data = Some(data);
    image
}

/// How often textures of a terrain became ready.
#[derive(Resource, Default)]
struct Ready(u32);

/// Gives the terrain textures, and waits until they are there.
pub fn texture<const N: usize>(app: &mut App, own: [(CoverKind, Image); N]) {
    let own = own.map(|(kind, image)| {
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let material = GroundMaterial {
            base_color_texture: Some(image),
            height_blend: 0.0,
            ..GroundMaterial::default()
        };
        (kind, app.world_mut().resource_mut::<Assets<GroundMaterial>>().add(material))
    });
    give(app, GroundTextures { materials: own.into() });
}

pub fn give(app: &mut App, textures: GroundTextures) {
    if app.world().get_resource::<Ready>().is_none() {
        app.init_resource::<Ready>();
        app.add_observer(|_: On<GroundTexturesReady>, mut ready: ResMut<Ready>| ready.0 += 1);
    }
    let terrain = app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world());
    let terrain = terrain.unwrap();
    app.world_mut().entity_mut(terrain).insert(textures);
    wait(app);
}

/// Waits until textures are packed once more.
fn wait(app: &mut App) {
    let before = app.world().resource::<Ready>().0;
    for _ in 0..20_000 {
        app.update();
        if app.world().resource::<Ready>().0 > before {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("no textures: {:?}", app.world().resource::<TerrainProblems>());
}

/// Draws the ground without light.
pub fn unlit(app: &mut App) {
    let mut materials = app.world_mut().resource_mut::<Assets<TerrainMaterial>>();
    let ids: Vec<_> = materials.ids().collect();
    for id in ids {
        materials.get_mut(id).unwrap().base.unlit = true;
    }
}

/// A terrain of grass, and of rock where it is steep, seen from above.
pub fn roof() -> (App, Entity) {
    let halves = Cover {
        layers: vec![
            CoverLayer::of(CoverKind::Grass),
            CoverLayer {
                slope_min: 0.5,
                slope_soft: 0.01,
                edge_noise: 0.0,
                ..CoverLayer::of(CoverKind::Custom("lava".into()))
            },
        ],
    };
    let mut terrain = Terrain::field(Roof).covered(halves);
    terrain.spacing = 0.5;
    let viewer = TerrainViewer { range: 500.0, ..default() };
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    app.world_mut().entity_mut(camera).insert(Tonemapping::None);
    app.update();
    unlit(&mut app);
    (app, camera)
}

/// A pixel of the flat half and one of the steep half.
pub fn halves(app: &mut App, camera: Entity) -> [[u8; 3]; 2] {
    let transform = Transform::from_xyz(0.0, 120.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let pixels = draw(app, camera, transform, true);
    let row = &pixels[(HEIGHT / 2 * WIDTH) as usize..][..WIDTH as usize];
    [row[WIDTH as usize / 4], row[WIDTH as usize * 3 / 4]].map(|p| [p[0], p[1], p[2]])
}

pub fn problem(app: &App) -> Option<String> {
    let problems = app.world().resource::<TerrainProblems>();
    problems.iter().find_map(|(_, problem)| match problem {
        TerrainProblem::GroundTexture { error } => Some(error.clone()),
        _ => None,
    })
}

const LAVA: [u8; 4] = [250, 20, 0, 255];
pub const BLUE: [u8; 4] = [0, 30, 255, 255];

fn is(pixel: [u8; 3], colour: [u8; 4]) -> bool {
    // The variation of the ground changes brightness a little.
    pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 30)
}

/// A kind has the texture that it was given, a custom kind too, and a changed image is drawn.
#[test]
fn a_game_has_its_own_textures_and_kinds() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
    let lava = || CoverKind::Custom("lava".into());
    texture(&mut app, [(CoverKind::Grass, plain(&BLUE)), (lava(), plain(&LAVA))]);
    let [flat, steep] = halves(&mut app, camera);
    assert!(is(flat, BLUE) && is(steep, LAVA), "{flat:?} {steep:?}");
    assert_eq!(problem(&app), None);

    // Another quality, with other sizes and filters, shows the same.
    for quality in [TerrainQuality::MEDIUM, TerrainQuality::HIGH] {
        app.insert_resource(quality);
        wait(&mut app);
        let [flat, steep] = halves(&mut app, camera);
        assert!(is(flat, BLUE) && is(steep, LAVA), "{flat:?} {steep:?}");
    }

    // An image changes in place.
    let world = app.world_mut();
    let mut terrains = world.query::<&GroundTextures>();
    let textures = terrains.single(world).unwrap().clone();
    let grass = textures.of(&CoverKind::Grass).unwrap();
    let materials = world.resource::<Assets<GroundMaterial>>();
    let used = materials.get(grass).unwrap().base_color_texture.clone().unwrap();
    *world.resource_mut::<Assets<Image>>().get_mut(&used).unwrap() = plain(&LAVA);
    wait(&mut app);
    let [flat, _] = halves(&mut app, camera);
    assert!(is(flat, LAVA), "{flat:?}");

    // One that cannot be used is reported, and the ground keeps the old one.
    let broken = image([4, 4], TextureFormat::Rgb9e5Ufloat, vec![0; 64]);
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&used).unwrap() = broken;
    wait(&mut app);
    let error = problem(&app).unwrap();
    assert!(error.contains("Grass: base_color_texture has the format Rgb9e5"), "{error}");
    let [flat, steep] = halves(&mut app, camera);
    assert!(is(flat, LAVA) && is(steep, LAVA), "{flat:?} {steep:?}");

    // Without the component the ground is the plugin's again.
    let mut terrains = app.world_mut().query_filtered::<Entity, With<GroundTextures>>();
    let terrain = terrains.single(app.world()).unwrap();
    app.world_mut().entity_mut(terrain).remove::<GroundTextures>();
    wait(&mut app);
    let [flat, _] = halves(&mut app, camera);
    assert!(flat[1] > flat[0] && flat[1] > flat[2], "{flat:?}");
    assert_eq!(problem(&app), None);
}

/// A terrain has its progress until its textures are drawn, also while an image is loading, and not
/// for ever if its material is replaced meanwhile.
#[test]
fn progress_lasts_until_textures_are_drawn() {
    let Some(_turn) = turn() else { return };
    let (mut app, _) = roof();
    fn progress(app: &mut App) -> Option<GroundTexturesProgress> {
        let mut terrains = app.world_mut().query::<&GroundTexturesProgress>();
        terrains.single(app.world()).ok().copied()
    }
    assert_eq!(progress(&mut app), None);
    // An image that takes its time.
    let arrives = Arc::new(AtomicBool::new(false));
    let arrived = arrives.clone();
    let loads = async move {
        while !arrived.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok::<_, Infallible>(plain(&BLUE))
    };
    let image = app.world().resource::<AssetServer>().add_async(loads);
    let kinds = [CoverKind::Grass, CoverKind::Custom("lava".into())];
    let materials = kinds.map(|kind| {
        let material = GroundMaterial { base_color_texture: Some(image.clone()), ..default() };
        (kind, app.world_mut().resource_mut::<Assets<GroundMaterial>>().add(material))
    });
    let terrain = app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world());
    let terrain = terrain.unwrap();
    app.world_mut().entity_mut(terrain).insert(GroundTextures { materials: materials.into() });
    for _ in 0..5 {
        app.update();
        assert_eq!(progress(&mut app), Some(GroundTexturesProgress { done: 0, total: 2 }));
    }
    arrives.store(true, Ordering::Relaxed);
    for frame in 0.. {
        app.update();
        let Some(GroundTexturesProgress { done, total }) = progress(&mut app) else { break };
        assert!(frame < 20_000 && total == 2 && done < total, "{done} {total}");
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut materials = app.world_mut().query::<&MeshMaterial3d<TerrainMaterial>>();
    let ours = materials.get(app.world(), terrain).unwrap().clone();

    // Another material meanwhile.
    app.world_mut().entity_mut(terrain).remove::<GroundTextures>();
    app.update();
    assert_eq!(progress(&mut app), None, "nothing is asked for");
    let slow = app
        .world()
        .resource::<AssetServer>()
        .add_async(std::future::pending::<Result<Image, Infallible>>());
    let material = GroundMaterial { base_color_texture: Some(slow), ..default() };
    let material = app.world_mut().resource_mut::<Assets<GroundMaterial>>().add(material);
    let textures = GroundTextures::default().with(CoverKind::Grass, material);
    app.world_mut().entity_mut(terrain).insert(textures);
    app.update();
    assert!(progress(&mut app).is_some());
    let plain = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::WHITE);
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(plain));
    app.update();
    app.update();
    assert_eq!(progress(&mut app), None);
    app.world_mut().entity_mut(terrain).remove::<MeshMaterial3d<StandardMaterial>>().insert(ours);
    app.update();
    app.update();
    assert!(progress(&mut app).is_some());
}

/// Of two terrains, each has its own textures.
#[test]
fn terrains_have_textures_of_their_own() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
    let lava = CoverKind::Custom("lava".into());
    let other = Terrain::field(Roof).covered(Cover { layers: vec![CoverLayer::of(lava.clone())] });
    texture(&mut app, [(CoverKind::Grass, plain(&BLUE))]);
    // The other one hides the first.
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(plain(&LAVA));
    let material = GroundMaterial { base_color_texture: Some(image), ..default() };
    let material = app.world_mut().resource_mut::<Assets<GroundMaterial>>().add(material);
    let textures = GroundTextures::default().with(lava, material);
    let other = app.world_mut().spawn((other, textures, Transform::from_xyz(0.0, 20.0, 0.0))).id();
    wait(&mut app);
    unlit(&mut app);
    let [above, _] = halves(&mut app, camera);
    assert!(is(above, LAVA), "{above:?}");
    app.world_mut().entity_mut(other).insert(Visibility::Hidden);
    let [below, _] = halves(&mut app, camera);
    assert!(is(below, BLUE), "{below:?}");
    app.world_mut().entity_mut(other).despawn();
    let [below, _] = halves(&mut app, camera);
    assert!(is(below, BLUE), "{below:?}");
}

/// Flat for negative x, steep for positive.
struct Roof;

impl Field<2> for Roof {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let slope = if x > 0.0 { -1.0 } else { 0.0 };
        Sample { value: slope * x as f32, gradient: [slope, 0.0] }
    }
}
