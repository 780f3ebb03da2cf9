//! Plants and the canopy: trees are drawn and sway in the wind, nothing is missing below a camera
//! or through a telescope, nothing is drawn that cannot grow, leaves in the shade are dark and
//! their edges smooth, and a tree looks about the same from all distances.

use bevy::camera::ScalingMode;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::light::{CascadeShadowConfigBuilder, NotShadowReceiver};
use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
use bevy_orogeny::{GroundQuery, Terrain};

use super::support::*;

/// Woods on a plain, seen from above and from afar.
#[test]
fn woods_are_whole_from_afar_and_only_where_they_grow() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain(), 300.0);
    no_trees_are_missing_below_a_camera(&mut app, camera);
    a_telescope_shows_plants_farther_away(&mut app, camera);
    the_canopy_has_no_crowns_where_no_tree_grows(&mut app, camera);
}

/// From 300 m above the middle of a tile of far trees, the wood below is there, as that beside it,
/// of which more is seen from the side.
fn no_trees_are_missing_below_a_camera(app: &mut App, camera: Entity) {
    set_range(app, camera, 300.0);
    set_scatter(app, scatter(Model::Spruce, 6.0));
    let transform = Transform::from_xyz(64.0, 300.0, 64.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let wood = draw(app, camera, transform, true);
    set_scatter(app, Scatter::default());
    let bare = draw(app, camera, transform, true);
    let trees = changed(&wood, &bare);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let density = |columns: core::ops::Range<usize>| {
        let rows = height / 3..height * 2 / 3;
        let all: Vec<usize> =
            rows.flat_map(|j| columns.clone().map(move |i| j * width + i)).collect();
        all.iter().filter(|&&i| trees[i]).count() as f32 / all.len() as f32
    };
    let (middle, side) = (density(width * 2 / 5..width * 3 / 5), density(0..width / 5));
    println!("{middle} of the middle and {side} of the side are trees");
    assert!(side > 0.05 && middle > 0.2 * side, "{middle} and {side}");
}

/// Through a telescope of 5 degrees bushes are seen that end much nearer to the naked eye.
fn a_telescope_shows_plants_farther_away(app: &mut App, camera: Entity) {
    set_range(app, camera, 3000.0);
    set_scatter(app, scatter(Model::Bush, 4.0));
    let fov = 5f32.to_radians();
    let telescope = Projection::from(PerspectiveProjection { fov, far: 6000.0, ..default() });
    app.world_mut().entity_mut(camera).insert(telescope);
    let transform =
        Transform::from_xyz(0.0, 100.0, 0.0).looking_at(Vec3::new(1500.0, 0.0, 0.0), Vec3::Y);
    let seen = draw(app, camera, transform, true);
    set_scatter(app, Scatter::default());
    let bare = draw(app, camera, transform, true);
    app.world_mut().entity_mut(camera).insert(Projection::default());
    let bushes = count_changed(&seen, &bare);
    println!("bushes on {bushes} pixels");
    assert!(bushes > seen.len() / 50);
}

/// From afar, ground on which no tree may grow looks as if no kind was there.
fn the_canopy_has_no_crowns_where_no_tree_grows(app: &mut App, camera: Entity) {
    set_range(app, camera, 12_000.0);
    let transform = Transform::from_xyz(0.0, 4000.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let bare = draw(app, camera, transform, true);
    let mut crowns = |change: fn(&mut ScatterKind)| {
        let mut all = scatter(Model::Spruce, 5.0);
        change(&mut all.kinds[0]);
        set_scatter(app, all);
        let seen = draw(app, camera, transform, true);
        count_changed(&seen, &bare)
    };
    let wood = crowns(|_| ());
    assert!(wood > bare.len() / 20, "crowns on {wood} of {} pixels", bare.len());
    assert_eq!(crowns(|kind| kind.height.max = -100.0), 0, "above the tree line");
    assert_eq!(crowns(|kind| kind.temperature.min = 20.0), 0, "where it is too cold");
    assert_eq!(crowns(|kind| kind.moisture.max = 0.2), 0, "where it is too moist");
    assert_eq!(crowns(|kind| (kind.slope.min, kind.slope.soft) = (0.5, 0.1)), 0, "on a plain");
}

/// Leaves of a wood around the camera.
#[test]
fn leaves_have_smooth_edges_and_are_dark_in_the_shade() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain().with_scatter(scatter(Model::Broadleaf, 8.0)), 100.0);
    edges_of_leaves_are_smooth_with_several_samples(&mut app, camera);
    leaves_in_the_shade_are_dark(&mut app, camera);
}

/// With several samples a pixel, edges of leaves are smooth, and cover as much as without.
fn edges_of_leaves_are_smooth_with_several_samples(app: &mut App, camera: Entity) {
    let transform =
        Transform::from_xyz(0.0, 3.0, 0.0).looking_to(Vec3::new(1.0, 0.25, 0.2), Vec3::Y);
    let hard = draw(app, camera, transform, true);
    app.world_mut().entity_mut(camera).insert(Msaa::Sample4);
    (0..3).for_each(|_| app.update());
    let smooth = draw(app, camera, transform, true);
    app.world_mut().entity_mut(camera).insert(Msaa::Off);
    // The sky is magenta. Leaves have less blue than green, and what is between has less green.
    let part = |picture: &[[u8; 3]], is_counted: fn(&[u8; 3]) -> bool| {
        picture.iter().filter(|pixel| is_counted(pixel)).count() as f32 / picture.len() as f32
    };
    let pictures = [&hard, &smooth];
    let sky = pictures.map(|picture| part(picture, |pixel| *pixel == BACKGROUND));
    let edges = pictures.map(|picture| {
        part(picture, |&[_, green, blue]| blue < 250 && blue > green.saturating_add(30))
    });
    println!("sky {sky:?}, edges {edges:?}");
    assert!(sky[0] > 0.05 && sky[1] > 0.5 * sky[0], "{sky:?}");
    let covered = [0, 1].map(|k| 1.0 - sky[k] - 0.5 * edges[k]);
    assert!((covered[1] / covered[0] - 1.0).abs() < 0.05, "{covered:?}");
    assert!(edges[0] < 0.001 && edges[1] > 0.01, "{edges:?}");
}

/// Behind a wall, light does not shine through leaves: they look as without shadows and sun.
fn leaves_in_the_shade_are_dark(app: &mut App, camera: Entity) {
    set_range(app, camera, 200.0);
    // Towards a low sun behind the wall.
    let to_sun = Vec3::new(0.0, 0.2, -1.0).normalize();
    let sun = sun(app);
    app.world_mut().entity_mut(sun).insert(Transform::default().looking_to(-to_sun, Vec3::Y));
    let wall = add::<Mesh>(app, Cuboid::new(2000.0, 800.0, 10.0));
    let plaster = add::<StandardMaterial>(app, Color::BLACK);
    let place = Transform::from_xyz(0.0, 0.0, -140.0);
    app.world_mut().spawn((Mesh3d(wall), MeshMaterial3d(plaster), NotShadowReceiver, place));
    let transform =
        Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::new(0.0, 0.1, -1.0), Vec3::Y);
    // The wood grows without shadows, which takes a tenth of the time.
    draw(app, camera, transform, true);
    app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().shadow_maps_enabled = true;
    let shaded = draw(app, camera, transform, true);
    app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().illuminance = 0.0;
    let dark = draw(app, camera, transform, true);
    let lit = count_changed(&shaded, &dark);
    println!("{lit} of {} pixels are lit", dark.len());
    assert!(lit < dark.len() / 50);
}

/// A single tree, whatever it is drawn with.
#[test]
fn trees_and_their_shadows_do_not_pop() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain(), 600.0);
    trees_look_the_same_with_all_levels(&mut app, camera);
    shadows_of_trees_do_not_pop(&mut app, camera);
}

/// Lets so few trees grow that one stands alone. Returns where that is.
fn lone_tree(app: &mut App, model: Model) -> [f32; 2] {
    let few = scatter(model, 1000.0);
    let ground = GroundQuery::of(&plain().with_scatter(few.clone())).unwrap();
    let tree = ground.placement().nearest([0.0; 2], 5000.0, |_| true).unwrap().unwrap();
    set_scatter(app, few);
    tree.position.map(|x| x as f32)
}

/// How large a tree is in a picture, as a part of it, and its mean colour.
fn seen(picture: &[[u8; 3]]) -> (f32, [f32; 3]) {
    let tree: Vec<&[u8; 3]> = picture.iter().filter(|&&pixel| pixel != BACKGROUND).collect();
    let mean = |k: usize| {
        tree.iter().map(|pixel| f32::from(pixel[k])).sum::<f32>() / tree.len().max(1) as f32
    };
    (tree.len() as f32 / picture.len() as f32, [0, 1, 2].map(mean))
}

/// To a camera without perspective a tree is as large from everywhere, but its levels follow the
/// distance: all are seen from 20 to 330 m. It takes half a minute: four models from seven
/// distances.
fn trees_look_the_same_with_all_levels(app: &mut App, camera: Entity) {
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical { viewport_height: 22.0 },
        far: 1000.0,
        ..OrthographicProjection::default_3d()
    };
    app.world_mut().entity_mut(camera).insert(Projection::from(projection));
    let sun = sun(app);
    let cascades = CascadeShadowConfigBuilder { maximum_distance: 500.0, ..default() };
    let low = Transform::default().looking_to(Vec3::new(-1.0, -0.6, -0.5), Vec3::Y);
    app.world_mut().entity_mut(sun).insert((cascades.build(), low));
    for model in [Model::Spruce, Model::Pine, Model::Broadleaf, Model::Birch] {
        let [x, z] = lone_tree(app, model.clone());
        let mut all = Vec::new();
        for distance in [20.0, 50.0, 80.0, 140.0, 180.0, 250.0, 330.0] {
            // The ground is below the picture.
            let middle = Vec3::new(x, 12.2, z);
            let transform = Transform::from_translation(middle + Vec3::Z * distance)
                .looking_at(middle, Vec3::Y);
            all.push(seen(&draw(app, camera, transform, true)));
        }
        println!("{model:?}: {all:.3?}");
        for pair in all.windows(2) {
            let ([(before, old), (after, new)], first) = ([pair[0], pair[1]], all[0].0);
            assert!(first > 0.01, "{model:?}: {all:?}");
            assert!((before - after).abs() < 0.3 * first, "{model:?}: {before} {after}");
            let difference = [0, 1, 2].map(|k| (old[k] - new[k]).abs());
            assert!(difference.iter().all(|&x| x < 15.0), "{model:?}: {old:?} {new:?}");
        }
    }
}

/// A tree casts a shadow as far as there are any, of about the same size whatever it is drawn with.
fn shadows_of_trees_do_not_pop(app: &mut App, camera: Entity) {
    let [x, z] = lone_tree(app, Model::Spruce);
    let telescope = PerspectiveProjection { fov: 15f32.to_radians(), ..default() };
    app.world_mut().entity_mut(camera).insert(Projection::from(telescope));
    let sun = sun(app);
    let cascades = CascadeShadowConfigBuilder {
        num_cascades: 1,
        minimum_distance: 100.0,
        maximum_distance: 400.0,
        ..default()
    };
    let low = Transform::default().looking_to(Vec3::new(-1.0, -0.6, 0.0), Vec3::Y);
    app.world_mut().entity_mut(sun).insert((cascades.build(), low));

    // The area of the shadow, as if it was seen from 100 m.
    let mut areas = Vec::new();
    for distance in (130..=290).step_by(10).map(|metres| metres as f32) {
        let eye = Vec3::new(x, 0.4 * distance, z + 0.9165 * distance);
        let transform = Transform::from_translation(eye).looking_at(Vec3::new(x, 0.0, z), Vec3::Y);
        let [shaded, lit] = [true, false].map(|shadow_maps_enabled| {
            app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().shadow_maps_enabled =
                shadow_maps_enabled;
            draw(app, camera, transform, true)
        });
        let pixels = count_changed(&lit, &shaded);
        areas.push(pixels as f32 * (0.01 * distance).powi(2));
    }
    println!("areas of the shadow: {areas:.0?}");
    let first = areas[0];
    assert!(first > 300.0, "{areas:?}");
    let step = |pair: &[f32]| (pair[0] - pair[1]).abs();
    let change = areas.windows(2).map(step).fold(0.0, f32::max);
    assert!(change < 0.4 * first, "{change} of {first} at once");
    assert!(areas.iter().all(|area| (0.5..1.5).contains(&(area / first))), "{areas:?}");
}

/// Spruces on all ground.
fn forest() -> Scatter {
    let kind = ScatterKind {
        model: Model::Spruce,
        seed: 1,
        radius: 6.0,
        rock: 1.0,
        scree: 1.0,
        grass: 1.0,
        forest: 1.0,
        snow: 1.0,
        slope: ScatterKind::SLOPE.below(10.0),
        ..ScatterKind::default()
    };
    Scatter { kinds: vec![kind], ..Scatter::default() }
}

#[test]
fn trees_are_drawn_and_sway() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(Terrain::default().with_scatter(forest()), 400.0);
    let transform = above(0.0, 0.0, 25.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);
    let before = draw(&mut app, camera, transform, true);
    assert_eq!(count_changed(&before, &draw_again(&mut app, camera)), 0, "they move without time");
    time_step(&mut app, 0.7);
    (0..2).for_each(|_| app.update());
    stop_time(&mut app);
    let later = draw(&mut app, camera, transform, true);
    let sway = count_changed(&before, &later);

    // Prepasses discard the same pixels of leaves, so none of the ground behind them is missing.
    let prepasses = (DepthPrepass, NormalPrepass, MotionVectorPrepass);
    app.world_mut().entity_mut(camera).insert(prepasses);
    (0..2).for_each(|_| app.update());
    let passed = draw(&mut app, camera, transform, true);
    assert!(
        count_changed(&later, &passed) < later.len() / 200,
        "{}",
        count_changed(&later, &passed)
    );

    set_scatter(&mut app, Scatter::default());
    app.update();
    let bare = draw(&mut app, camera, transform, true);
    let trees = count_changed(&bare, &passed);
    assert!(trees > bare.len() / 8, "trees fill {trees} of {} pixels", bare.len());
    assert!(sway > trees / 50 && sway < trees, "{sway} of {trees} pixels move");
}
