//! Water with every kind of camera.

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Disc, Flood};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainOrigin, TerrainViewer};

use super::support::*;

/// By how much red exceeds the larger of the other two colours, at most, from 0 to 255.
fn redness(pixels: &[[u8; 3]]) -> i32 {
    let each = pixels.iter().map(|&[r, g, b]| i32::from(r) - i32::from(g.max(b)));
    each.max().unwrap()
}

/// The part of each colour in the mean.
fn hue(pixels: &[[u8; 3]]) -> [f32; 3] {
    let sums = [0, 1, 2].map(|k| pixels.iter().map(|p| f32::from(p[k])).sum::<f32>());
    sums.map(|sum| sum / sums.iter().sum::<f32>())
}

/// Water takes red first. Whatever maps the tones, a white bed, glitter towards the sun, caustics
/// and a lake have about the hue that they have with `Hdr`, and nothing is red.
#[test]
fn water_has_one_hue_for_every_camera() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 1500.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-6.0)) };
    let (mut app, camera) = app(Terrain::recipe(recipe), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    // Those with which the pipelines of the ground are compiled, for each kind of camera.
    let mut names = app.world_mut().query::<(Entity, &Name)>();
    let unseen = names.iter(app.world()).filter(|(_, name)| name.as_str() == "Unseen chunk");
    let unseen: Vec<Entity> = unseen.map(|(entity, _)| entity).collect();
    unseen.into_iter().for_each(|entity| app.world_mut().entity_mut(entity).despawn());
    // A blue sky, so that reflections are not red either.
    app.insert_resource(ClearColor(Color::srgb(0.5, 0.7, 0.9)));
    let white = StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.0, ..default() };
    let white = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(white);
    let mut terrains = app.world_mut().query::<(Entity, &mut TerrainEdits)>();
    let (terrain, mut edits) = terrains.single_mut(app.world_mut()).unwrap();
    let area = Area::Disc(Disc { center: [0.0, 500.0], radius: 60.0, falloff: 1.0 });
    edits.log.add(1, Flood { area, level: 3.0 }).unwrap();
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white));

    let to_sun = Vec3::new(1.0, 0.0, 0.3);
    let all = CameraKind::all();
    let few = [CameraKind::PLAIN, CameraKind { msaa: Msaa::Sample4, ..CameraKind::PLAIN }];
    let views = [
        ("bed and surface from below", vec3(0.0, -3.0, 0.0), to_sun, &all[..]),
        ("bed from above", vec3(0.0, 3.0, 0.0), to_sun - 0.8 * Vec3::Y, &few),
        ("towards the sun", vec3(0.0, 4.0, 0.0), to_sun - 0.2 * Vec3::Y, &few),
        ("lake", vec3(0.0, 6.0, 460.0), vec3(0.2, -0.5, 1.0), &few),
    ];
    for (name, eye, look, kinds) in views {
        let transform = Transform::from_translation(eye).looking_to(look, Vec3::Y);
        for &kind in kinds {
            let [expected, picture] = [CameraKind { has_hdr: true, ..kind }, kind].map(|kind| {
                kind.put_on(&mut app, camera);
                draw(&mut app, camera, transform, true)
            });
            let [expected, found] = [&expected, &picture].map(|picture| hue(picture));
            let redness = redness(&picture);
            println!("{name}: {found:.3?} of {expected:.3?}, {redness} with {kind:?}");
            assert!(redness < 10, "{name} is red by {redness} with {kind:?}");
            // Tones are mapped before they are absorbed, so hues are close but not the same.
            let off = (0..3).map(|k| (found[k] - expected[k]).abs()).fold(0.0, f32::max);
            assert!(
                off < 0.2 && found[0] < expected[0] + 0.05,
                "{name}: {found:?} with {kind:?}, {expected:?} with Hdr"
            );
        }
    }
}
