//! A game's own textures on the ground: of kinds and terrains, with odd images and normal maps.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_orogeny::advanced::{
    GroundTexturesProgress, GroundTexturesReady, TerrainMaterial, TerrainProblem,
};
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Cover, Field, Sample};
use bevy_orogeny::{
    GroundMaterial, GroundTextures, Terrain, TerrainOrigin, TerrainProblems, TerrainQuality,
    TerrainViewer,
};

use super::support::*;

/// An image of a single colour, 2 x 2 pixels.
pub fn image_of(colour: &[u8; 4]) -> Image {
    image([2, 2], TextureFormat::Rgba8UnormSrgb, colour.repeat(4))
}

fn image([width, height]: [u32; 2], format: TextureFormat, data: Vec<u8>) -> Image {
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
        let image = add::<Image>(app, image);
        let material = GroundMaterial {
            base_color_texture: Some(image),
            height_blend: 0.0,
            forms: 0.0,
            ..GroundMaterial::default()
        };
        (kind, add::<GroundMaterial>(app, material))
    });
    give(app, GroundTextures { materials: own.into() });
}

fn give(app: &mut App, textures: GroundTextures) {
    if app.world().get_resource::<Ready>().is_none() {
        app.init_resource::<Ready>();
        app.add_observer(|_: On<GroundTexturesReady>, mut ready: ResMut<Ready>| ready.0 += 1);
    }
    let terrain = terrain(app);
    app.world_mut().entity_mut(terrain).insert(textures);
    wait_until_packed(app);
}

/// Waits until textures are packed once more.
fn wait_until_packed(app: &mut App) {
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
    change_all(app, |material: &mut TerrainMaterial| material.base.unlit = true);
}

/// A terrain of grass, and of rock where it is steep, seen from above.
fn roof() -> (App, Entity) {
    let halves = Cover {
        layers: vec![
            CoverLayer::of(CoverKind::Grass),
            CoverLayer {
                slope: CoverLayer::SLOPE.above(0.5).soft(0.01),
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
fn halves(app: &mut App, camera: Entity) -> [[u8; 3]; 2] {
    let transform = Transform::from_xyz(0.0, 120.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let pixels = draw(app, camera, transform, true);
    let row = &pixels[(HEIGHT / 2 * WIDTH) as usize..][..WIDTH as usize];
    [row[WIDTH as usize / 4], row[WIDTH as usize * 3 / 4]]
}

fn problem(app: &App) -> Option<String> {
    let problems = app.world().resource::<TerrainProblems>();
    problems.iter().find_map(|(_, problem)| match problem {
        TerrainProblem::GroundTexture { error } => Some(error.clone()),
        _ => None,
    })
}

const LAVA: [u8; 4] = [250, 20, 0, 255];
const BLUE: [u8; 4] = [0, 30, 255, 255];

fn is(pixel: [u8; 3], colour: [u8; 4]) -> bool {
    // The variation of the ground changes brightness a little.
    pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 30)
}

#[test]
fn a_game_has_its_own_textures_and_kinds() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
    kinds_have_their_textures(&mut app, camera);
    terrains_have_their_textures(&mut app, camera);
}

#[test]
fn images_are_drawn_as_they_are_or_refused() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
    odd_images_are_drawn_or_refused(&mut app, camera);
    normal_maps_tilt_the_ground_to_where_they_say(&mut app, camera);
}

/// A kind has the texture that it was given, a custom kind too, and a changed image is drawn.
fn kinds_have_their_textures(app: &mut App, camera: Entity) {
    let lava = || CoverKind::Custom("lava".into());
    texture(app, [(CoverKind::Grass, image_of(&BLUE)), (lava(), image_of(&LAVA))]);
    let [flat, steep] = halves(app, camera);
    assert!(is(flat, BLUE) && is(steep, LAVA), "{flat:?} {steep:?}");
    assert_eq!(problem(app), None);

    // Another quality, with other sizes and filters, shows the same.
    for quality in [TerrainQuality::MEDIUM, TerrainQuality::HIGH] {
        app.insert_resource(quality);
        wait_until_packed(app);
        let [flat, steep] = halves(app, camera);
        assert!(is(flat, BLUE) && is(steep, LAVA), "{flat:?} {steep:?}");
    }

    // An image changes in place.
    let world = app.world_mut();
    let mut terrains = world.query::<&GroundTextures>();
    let textures = terrains.single(world).unwrap().clone();
    let grass = textures.of(&CoverKind::Grass).unwrap();
    let materials = world.resource::<Assets<GroundMaterial>>();
    let used = materials.get(grass).unwrap().base_color_texture.clone().unwrap();
    *world.resource_mut::<Assets<Image>>().get_mut(&used).unwrap() = image_of(&LAVA);
    wait_until_packed(app);
    let [flat, _] = halves(app, camera);
    assert!(is(flat, LAVA), "{flat:?}");

    // One that cannot be used is reported, and the ground keeps the old one.
    let broken = image([4, 4], TextureFormat::Rgb9e5Ufloat, vec![0; 64]);
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&used).unwrap() = broken;
    wait_until_packed(app);
    let error = problem(app).unwrap();
    assert!(error.contains("Grass: base_color_texture has the format Rgb9e5"), "{error}");
    let [flat, steep] = halves(app, camera);
    assert!(is(flat, LAVA) && is(steep, LAVA), "{flat:?} {steep:?}");

    // Without the component the ground is the plugin's again.
    let mut terrains = app.world_mut().query_filtered::<Entity, With<GroundTextures>>();
    let terrain = terrains.single(app.world()).unwrap();
    app.world_mut().entity_mut(terrain).remove::<GroundTextures>();
    wait_until_packed(app);
    let [flat, _] = halves(app, camera);
    assert!(flat[1] > flat[0] && flat[1] > flat[2], "{flat:?}");
    assert_eq!(problem(app), None);
}

/// Of two terrains, each has its own textures.
fn terrains_have_their_textures(app: &mut App, camera: Entity) {
    let lava = CoverKind::Custom("lava".into());
    let other = Terrain::field(Roof).covered(Cover { layers: vec![CoverLayer::of(lava.clone())] });
    texture(app, [(CoverKind::Grass, image_of(&BLUE))]);
    // The other one hides the first.
    let image = add::<Image>(app, image_of(&LAVA));
    let material = GroundMaterial { base_color_texture: Some(image), ..default() };
    let material = add::<GroundMaterial>(app, material);
    let textures = GroundTextures::default().with(lava, material);
    let other = app.world_mut().spawn((other, textures, Transform::from_xyz(0.0, 20.0, 0.0))).id();
    wait_until_packed(app);
    unlit(app);
    let [above, _] = halves(app, camera);
    assert!(is(above, LAVA), "{above:?}");
    app.world_mut().entity_mut(other).insert(Visibility::Hidden);
    let [below, _] = halves(app, camera);
    assert!(is(below, BLUE), "{below:?}");
    app.world_mut().entity_mut(other).despawn();
    let [below, _] = halves(app, camera);
    assert!(is(below, BLUE), "{below:?}");
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
        Ok::<_, Infallible>(image_of(&BLUE))
    };
    let image = app.world().resource::<AssetServer>().add_async(loads);
    let kinds = [CoverKind::Grass, CoverKind::Custom("lava".into())];
    let materials = kinds.map(|kind| {
        let material = GroundMaterial { base_color_texture: Some(image.clone()), ..default() };
        (kind, add::<GroundMaterial>(&mut app, material))
    });
    let terrain = terrain(&mut app);
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
    let material = add::<GroundMaterial>(&mut app, material);
    let textures = GroundTextures::default().with(CoverKind::Grass, material);
    app.world_mut().entity_mut(terrain).insert(textures);
    app.update();
    assert!(progress(&mut app).is_some());
    let plain = add::<StandardMaterial>(&mut app, Color::WHITE);
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(plain));
    app.update();
    app.update();
    assert_eq!(progress(&mut app), None);
    app.world_mut().entity_mut(terrain).remove::<MeshMaterial3d<StandardMaterial>>().insert(ours);
    app.update();
    app.update();
    assert!(progress(&mut app).is_some());
}

/// Ten odd sets of images: each is drawn, or refused with its name and the reason.
fn odd_images_are_drawn_or_refused(app: &mut App, camera: Entity) {
    let grey = |bytes: usize| [200u8, 200].repeat(bytes / 2 + 1)[..bytes].to_vec();
    let half = half_floats(0.25, 4);
    use TextureFormat::*;
    let good: [(&str, Image); 7] = [
        ("one pixel", image([1, 1], Rgba8UnormSrgb, vec![200, 200, 200, 255])),
        ("wide", image([8192, 3], R8Unorm, grey(8192 * 3))),
        ("large", image([2048, 2048], R8Unorm, grey(2048 * 2048))),
        ("grey, 16 bits", image([5, 7], R16Unorm, grey(5 * 7 * 2))),
        ("16 bits", image([3, 3], Rgba16Unorm, grey(3 * 3 * 8))),
        ("half floats", image([2, 2], Rgba16Float, half)),
        ("compressed", image([4, 4], Bc4RUnorm, vec![200, 200, 0, 0, 0, 0, 0, 0])),
    ];
    for (name, image) in good {
        texture(app, [(CoverKind::Grass, image)]);
        assert_eq!(problem(app), None, "{name}");
        let [flat, _] = halves(app, camera);
        let is_grey = flat[0].abs_diff(flat[1]) < 8 && flat[0].abs_diff(flat[2]) < 8;
        assert!(is_grey && flat[0] > 100, "{name}: {flat:?}");
    }
    let bad: [(&str, Image); 4] = [
        ("format", image([4, 4], Bc6hRgbUfloat, vec![0; 16])),
        ("too few", image([64, 64], Rgba8Unorm, vec![0; 100])),
        ("too few", image([4, 4], R32Float, Vec::new())),
        ("no pixels", Image { data: None, ..image_of(&BLUE) }),
    ];
    let [before, _] = halves(app, camera);
    for (reason, image) in bad {
        texture(app, [(CoverKind::Grass, image)]);
        let error = problem(app).unwrap_or_default();
        assert!(error.starts_with("Grass: base_color") && error.contains(reason), "{error}");
        let [flat, _] = halves(app, camera);
        assert_eq!(flat, before, "{reason}");
    }
    // Numbers outside their limits, and no image at all.
    let mut materials = app.world_mut().resource_mut::<Assets<GroundMaterial>>();
    let wrong = materials.add(GroundMaterial { width: f32::NAN, ..default() });
    let bare = materials.add(GroundMaterial { tint: Color::srgb(1.0, 0.0, 0.0), ..default() });
    give(app, GroundTextures::default().with(CoverKind::Grass, bare));
    assert_eq!(problem(app), None);
    let [flat, _] = halves(app, camera);
    assert!(flat[0] > 200 && flat[1] < 30, "{flat:?}");
    // What is refused is dealt with, too.
    give(app, GroundTextures::default().with(CoverKind::Grass, wrong));
    assert!(problem(app).unwrap().starts_with("Grass: width is NaN"), "{:?}", problem(app));
    let missing = app.world().resource::<AssetServer>().load("missing.ground.ron");
    give(app, GroundTextures::default().with(CoverKind::Grass, missing));
    assert!(problem(app).unwrap().contains("missing.ground.ron"), "{:?}", problem(app));
}

/// Seen from above, what a normal map tilts to the right or up is bright in a sun from there,
/// close by and where it begins to fade; with `flip_normal_map_y` what it tilts down.
fn normal_maps_tilt_the_ground_to_where_they_say(app: &mut App, camera: Entity) {
    change_all(app, |material: &mut TerrainMaterial| material.base.unlit = false);
    let sun = sun(app);
    // Right, left, up and down, as OpenGL has them: y points up.
    let tilts = [[200, 128], [56, 128], [128, 200], [128, 56]];
    let [right, up] = [Vec3::X, Vec3::NEG_Z];
    let near_and_far = [[(right, 10.0), (up, 15.0)], [(right, 15.0), (up, 10.0)]];
    for (flip_normal_map_y, views) in [false, true].into_iter().zip(near_and_far) {
        let lit = tilts.map(|[x, y]| {
            let map = image([1, 1], TextureFormat::Rgba8Unorm, vec![x, y, 230, 255]);
            let map = add::<Image>(app, map);
            let material = GroundMaterial {
                forms: 0.0,
                normal_map_texture: Some(map),
                flip_normal_map_y,
                width: 4.0,
                tint: Color::srgb(0.3, 0.3, 0.3),
                ..default()
            };
            let material = add::<GroundMaterial>(app, material);
            give(app, GroundTextures::default().with(CoverKind::Grass, material));
            views.map(|(from, above)| {
                let light = Transform::default().looking_to(-(from + Vec3::Y), Vec3::Y);
                app.world_mut().entity_mut(sun).insert(light);
                let eye = Transform::from_xyz(-100.0, above, 0.0).looking_to(Vec3::NEG_Y, up);
                let pixels = draw(app, camera, eye, true);
                brightness(&pixels).0
            })
        });
        println!("flipped {flip_normal_map_y}: {lit:?}");
        for (k, (from, _)) in views.into_iter().enumerate() {
            let lit = lit.map(|lit| lit[k]);
            let up_is = if flip_normal_map_y { [3, 2] } else { [2, 3] };
            let [[bright, dark], [a, b]] =
                if from == right { [[0, 1], [2, 3]] } else { [up_is, [0, 1]] };
            assert!(lit[bright] > 1.2 * lit[dark], "{lit:?}");
            // What is tilted across the sun's direction is nearly the same.
            assert!((lit[a] - lit[b]).abs() < (lit[bright] - lit[dark]) / 3.0, "{lit:?}");
        }
    }
}

/// Four-channel pixels of half floats.
fn half_floats(x: f32, pixels: usize) -> Vec<u8> {
    // The bits of a half float for a power of two from 2^-14 to 1.
    let exponent = (x.log2() as i32 + 15) as u16;
    (exponent << 10).to_le_bytes().repeat(4 * pixels)
}

/// Flat for negative x, steep for positive.
struct Roof;

impl Field<2> for Roof {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let slope = if x > 0.0 { -1.0 } else { 0.0 };
        Sample { value: slope * x as f32, gradient: [slope, 0.0] }
    }
}
