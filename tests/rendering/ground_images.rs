//! Images of a game: odd ones, and normal maps.

use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy_orogeny::orogeny::cover::CoverKind;
use bevy_orogeny::{GroundMaterial, GroundTextures, TerrainMaterial};

use super::ground_textures::{BLUE, give, halves, image, plain, problem, roof, texture};
use super::support::{brightness, draw, turn};

/// Ten odd sets of images: each is drawn, or refused with its name and the reason.
#[test]
fn odd_images_are_drawn_or_refused() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
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
        texture(&mut app, [(CoverKind::Grass, image)]);
        assert_eq!(problem(&app), None, "{name}");
        let [flat, _] = halves(&mut app, camera);
        let is_grey = flat[0].abs_diff(flat[1]) < 8 && flat[0].abs_diff(flat[2]) < 8;
        assert!(is_grey && flat[0] > 100, "{name}: {flat:?}");
    }
    let bad: [(&str, Image); 4] = [
        ("format", image([4, 4], Bc6hRgbUfloat, vec![0; 16])),
        ("too few", image([64, 64], Rgba8Unorm, vec![0; 100])),
        ("too few", image([4, 4], R32Float, Vec::new())),
        ("no pixels", Image { data: None, ..plain(&BLUE) }),
    ];
    let [before, _] = halves(&mut app, camera);
    for (reason, image) in bad {
        texture(&mut app, [(CoverKind::Grass, image)]);
        let error = problem(&app).unwrap_or_default();
        assert!(error.starts_with("Grass: base_color") && error.contains(reason), "{error}");
        let [flat, _] = halves(&mut app, camera);
        assert_eq!(flat, before, "{reason}");
    }
    // Numbers outside their limits, and no image at all.
    let mut materials = app.world_mut().resource_mut::<Assets<GroundMaterial>>();
    let wrong = materials.add(GroundMaterial { width: f32::NAN, ..default() });
    let bare = materials.add(GroundMaterial { tint: Color::srgb(1.0, 0.0, 0.0), ..default() });
    give(&mut app, GroundTextures::default().with(CoverKind::Grass, bare));
    assert_eq!(problem(&app), None);
    let [flat, _] = halves(&mut app, camera);
    assert!(flat[0] > 200 && flat[1] < 30, "{flat:?}");
    // What is refused is dealt with, too.
    give(&mut app, GroundTextures::default().with(CoverKind::Grass, wrong));
    assert!(problem(&app).unwrap().starts_with("Grass: width is NaN"), "{:?}", problem(&app));
    let missing = app.world().resource::<AssetServer>().load("missing.ground.ron");
    give(&mut app, GroundTextures::default().with(CoverKind::Grass, missing));
    assert!(problem(&app).unwrap().contains("missing.ground.ron"), "{:?}", problem(&app));
}

/// Seen from above, what a normal map tilts to the right or up is bright in a sun from there,
/// close by and from afar; with `flip_normal_map_y` what it tilts down.
#[test]
fn normal_maps_tilt_the_ground_to_where_they_say() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = roof();
    let mut materials = app.world_mut().resource_mut::<Assets<TerrainMaterial>>();
    let ids: Vec<_> = materials.ids().collect();
    ids.iter().for_each(|&id| materials.get_mut(id).unwrap().base.unlit = false);
    // Right, left, up and down, as OpenGL has them: y points up.
    let tilts = [[200, 128], [56, 128], [128, 200], [128, 56]];
    let [right, up] = [Vec3::X, Vec3::NEG_Z];
    // Close by one scale is seen, from afar another.
    let near_and_far = [[(right, 10.0), (up, 120.0)], [(right, 120.0), (up, 10.0)]];
    for (flip_normal_map_y, views) in [false, true].into_iter().zip(near_and_far) {
        let lit = tilts.map(|[x, y]| {
            let map = image([1, 1], TextureFormat::Rgba8Unorm, vec![x, y, 230, 255]);
            let map = app.world_mut().resource_mut::<Assets<Image>>().add(map);
            let material = GroundMaterial {
                normal_map_texture: Some(map),
                flip_normal_map_y,
                width: 4.0,
                tint: Color::srgb(0.3, 0.3, 0.3),
                ..default()
            };
            let material = app.world_mut().resource_mut::<Assets<GroundMaterial>>().add(material);
            give(&mut app, GroundTextures::default().with(CoverKind::Grass, material));
            views.map(|(from, above)| {
                let mut suns =
                    app.world_mut().query_filtered::<&mut Transform, With<DirectionalLight>>();
                let mut sun = suns.single_mut(app.world_mut()).unwrap();
                *sun = Transform::default().looking_to(-(from + Vec3::Y), Vec3::Y);
                let eye = Transform::from_xyz(-100.0, above, 0.0).looking_to(Vec3::NEG_Y, up);
                let pixels = draw(&mut app, camera, eye, true);
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
            // What is tilted across the sun's direction is nearly the same: every other scale is
            // turned by 18 degrees, with its normals.
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
