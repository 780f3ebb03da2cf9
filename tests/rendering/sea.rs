//! The sea: transparent in shallow water, dark in deep water, moving, and unchanged when the origin
//! moves.

use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::post_process::motion_blur::MotionBlur;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::{ORIGIN_STEP, Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;

/// A beach that goes down by one in ten towards smaller x.
struct Beach;

impl Field<2> for Beach {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        Sample { value: 0.1 * x as f32, gradient: [0.1, 0.0] }
    }
}

#[test]
fn the_sea_is_deep_and_moves() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 2000.0, ..default() };
    let beach = Terrain::field(Beach).with_sea(0.0);
    let (mut app, camera) = app(beach, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    // A view 320 m wide, with the waterline in its middle.
    let transform = Transform::from_xyz(0.0, 240.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let still = draw(&mut app, camera, transform, true);
    let again = draw_again(&mut app, camera);
    assert_eq!(differences(&still, &again).last(), Some(&0), "the sea moves without time");

    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1)));
    app.update();
    stop_time(&mut app);
    let later = draw_again(&mut app, camera);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let columns = |pixels: &[[u8; 3]], from: usize, to: usize| {
        (0..height)
            .flat_map(|j| pixels[j * width + from..j * width + to].to_vec())
            .collect::<Vec<_>>()
    };
    let part = |from, to| (columns(&still, from, to), columns(&later, from, to));
    let mean = |pixels: &[[u8; 3]], k: usize| {
        pixels.iter().map(|p| f32::from(p[k])).sum::<f32>() / pixels.len() as f32
    };
    let (deep, deep_later) = part(0, width / 5);
    let (shallow, _) = part(width * 9 / 20, width * 19 / 40);
    let (land, land_later) = part(width * 4 / 5, width);
    // Water absorbs red light first.
    for (what, pixels) in [("deep", &deep), ("shallow", &shallow), ("land", &land)] {
        println!("{what}: {:?}", [0, 1, 2].map(|k| mean(pixels, k)));
    }
    assert!(mean(&deep, 2) > mean(&deep, 0) + 8.0, "deep water is not blue");
    assert!(mean(&shallow, 0) > mean(&deep, 0) + 8.0, "shallow water does not show the ground");
    assert_eq!(differences(&land, &land_later).last(), Some(&0), "the land moves");
    let moved = differences(&deep, &deep_later).into_iter().filter(|&d| d > 0).count();
    assert!(moved > deep.len() / 10, "the sea stands still: {moved} of {}", deep.len());
}

/// When the origin moves, the waves stay, up to the rounding of positions in `f32`.
#[test]
fn waves_stay_in_place_when_the_origin_moves() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 2000.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-60.0)) };
    let (mut app, camera) = app(Terrain::recipe(recipe), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform =
        Transform::from_xyz(7000.0, 40.0, -6500.0).looking_to(Vec3::new(1.0, -0.5, 0.3), Vec3::Y);
    let before = draw(&mut app, camera, transform, true);
    assert!(brightness(&before).1 > 1.0, "no waves to be seen");
    app.world_mut().resource_mut::<TerrainOrigin>().rebase = true;
    let after = draw_again(&mut app, camera);
    assert_eq!(app.world().resource::<TerrainOrigin>().offset(), [ORIGIN_STEP, -ORIGIN_STEP]);
    let percentile_98 = differences(&before, &after)[before.len() * 98 / 100];
    assert!(percentile_98 <= 4, "98 % differ by up to {percentile_98}");

    // Half a wave farther the picture differs, so the comparison above means something.
    app.world_mut().get_mut::<Transform>(camera).unwrap().translation.x += 16.0;
    let other_position = draw_again(&mut app, camera);
    let median = differences(&before, &other_position)[before.len() / 2];
    println!("98 % within {percentile_98}, median at another position {median}");
    assert!(median > 0, "the sea looks the same everywhere");
}

/// Ground below the deep sea is drawn higher than it is, in the previous frame as well. So it has
/// no motion vectors at rest, and motion blur does not change the picture.
#[test]
fn deep_ground_at_rest_does_not_move() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 2000.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-600.0)) };
    let (mut app, camera) = app(Terrain::recipe(recipe), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform =
        Transform::from_xyz(0.0, 40.0, 0.0).looking_to(Vec3::new(1.0, -0.5, 0.3), Vec3::Y);
    // The same passes, but without samples for the blur.
    let blur = |samples| MotionBlur { shutter_angle: 1.0, samples };
    app.world_mut().entity_mut(camera).insert(blur(0));
    let sharp = draw(&mut app, camera, transform, true);
    assert!(brightness(&sharp).1 > 1.0, "no waves to be seen");
    app.world_mut().entity_mut(camera).insert(blur(8));
    app.update();
    let blurred = draw_again(&mut app, camera);
    assert_eq!(differences(&sharp, &blurred).last(), Some(&0), "the deep ground moves");
}

/// Two cameras far apart, as in a split screen, each see the sea up to their horizon. The second
/// draws the same picture as it does alone.
#[test]
fn every_view_has_its_sea() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 1000.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-60.0)) };
    let (mut app, camera) = app(Terrain::recipe(recipe), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform =
        |x| Transform::from_xyz(x, 40.0, 0.0).looking_to(Vec3::new(0.3, -0.5, 1.0), Vec3::Y);
    let alone = draw(&mut app, camera, transform(20_000.0), true);
    // The first camera moves far away, and another one replaces it.
    let target = app.world().get::<RenderTarget>(camera).unwrap().clone();
    let other = Image::new_target_texture(
        WIDTH,
        HEIGHT,
        bevy::render::render_resource::TextureFormat::Rgba8UnormSrgb,
        None,
    );
    let other = app.world_mut().resource_mut::<Assets<Image>>().add(other);
    app.world_mut().entity_mut(camera).insert(RenderTarget::Image(other.into()));
    draw(&mut app, camera, transform(0.0), true);
    let second = (Camera3d::default(), Msaa::Off, viewer, target, transform(20_000.0));
    let second = app.world_mut().spawn(second).id();
    app.world_mut().get_mut::<Camera>(second).unwrap().order = 1;
    app.update();
    let together = draw(&mut app, second, transform(20_000.0), true);
    assert!(brightness(&alone).1 > 1.0, "no waves to be seen");
    let percentile_98 = differences(&alone, &together)[alone.len() * 98 / 100];
    assert!(percentile_98 <= 4, "98 % differ by up to {percentile_98}");
}
