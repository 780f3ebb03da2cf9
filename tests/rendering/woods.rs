//! Plants and the canopy: nothing is missing below a camera or through a telescope, nothing is
//! drawn that cannot grow, and leaves in the shade are dark.

use bevy::light::{CascadeShadowConfigBuilder, NotShadowReceiver};
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
use bevy_orogeny::orogeny::{Cover, Field, Sample};
use bevy_orogeny::{GroundQuery, Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;

/// A plain at a height.
struct Plain(f32);

impl Field<2> for Plain {
    fn sample(&self, _: [f64; 2]) -> Sample<2> {
        Sample { value: self.0, gradient: [0.0; 2] }
    }
}

pub fn plain() -> Terrain {
    let cover =
        Cover { layers: vec![CoverLayer { detail: 0.0, ..CoverLayer::of(CoverKind::Snow) }] };
    Terrain::field(Plain(0.0)).covered(cover)
}

pub fn scatter(model: Model, radius: f64) -> Scatter {
    let kind =
        ScatterKind { model, seed: 1, radius, snow: 1.0, tint: 0.0, ..ScatterKind::default() };
    Scatter { kinds: vec![kind], ..Scatter::default() }
}

/// Which pixels differ between two pictures.
pub fn changed(a: &[[u8; 3]], b: &[[u8; 3]]) -> Vec<bool> {
    let differs = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).any(|k| a[k].abs_diff(b[k]) > 8);
    a.iter().zip(b).map(differs).collect()
}

pub fn set_scatter(app: &mut App, scatter: Scatter) {
    let mut terrains = app.world_mut().query::<&mut Terrain>();
    let mut terrain = terrains.single_mut(app.world_mut()).unwrap();
    *terrain = terrain.clone().with_scatter(scatter);
    app.update();
}

/// From 300 m above the middle of a tile of far trees, the wood below is there, as that beside it,
/// of which more is seen from the side.
#[test]
fn no_trees_are_missing_below_a_camera() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 300.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 6.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform = Transform::from_xyz(64.0, 300.0, 64.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let wood = draw(&mut app, camera, transform, true);
    set_scatter(&mut app, Scatter::default());
    let bare = draw(&mut app, camera, transform, true);
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
#[test]
fn a_telescope_shows_plants_farther_away() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 3000.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Bush, 4.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let fov = 5f32.to_radians();
    let telescope = Projection::from(PerspectiveProjection { fov, far: 6000.0, ..default() });
    app.world_mut().entity_mut(camera).insert(telescope);
    let transform =
        Transform::from_xyz(0.0, 100.0, 0.0).looking_at(Vec3::new(1500.0, 0.0, 0.0), Vec3::Y);
    let seen = draw(&mut app, camera, transform, true);
    set_scatter(&mut app, Scatter::default());
    let bare = draw(&mut app, camera, transform, true);
    let bushes = changed(&seen, &bare).into_iter().filter(|&changed| changed).count();
    println!("bushes on {bushes} pixels");
    assert!(bushes > seen.len() / 50);
}

/// From afar, ground on which no tree may grow looks as if no kind was there.
#[test]
fn the_canopy_has_no_crowns_where_no_tree_grows() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let (mut app, camera) = app(plain(), viewer, TerrainOrigin::default());
    let transform = Transform::from_xyz(0.0, 4000.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let bare = draw(&mut app, camera, transform, true);
    let mut crowns = |change: fn(&mut ScatterKind)| {
        let mut all = scatter(Model::Spruce, 5.0);
        change(&mut all.kinds[0]);
        set_scatter(&mut app, all);
        let seen = draw(&mut app, camera, transform, true);
        changed(&seen, &bare).into_iter().filter(|&changed| changed).count()
    };
    let wood = crowns(|_| ());
    assert!(wood > bare.len() / 20, "crowns on {wood} of {} pixels", bare.len());
    assert_eq!(crowns(|kind| kind.height_max = -100.0), 0, "above the tree line");
    assert_eq!(crowns(|kind| kind.temperature_min = 20.0), 0, "where it is too cold");
    assert_eq!(crowns(|kind| kind.moisture_max = 0.2), 0, "where it is too moist");
    assert_eq!(crowns(|kind| (kind.slope_min, kind.slope_soft) = (0.5, 0.1)), 0, "on a plain");
}

/// Behind a wall, light does not shine through leaves: they look as without shadows and sun.
#[test]
fn leaves_in_the_shade_are_dark() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 200.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Broadleaf, 8.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    // Towards a low sun behind the wall.
    let to_sun = Vec3::new(0.0, 0.2, -1.0).normalize();
    let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    let sun = suns.single(app.world()).unwrap();
    app.world_mut().entity_mut(sun).insert(Transform::default().looking_to(-to_sun, Vec3::Y));
    let wall = Cuboid::new(2000.0, 800.0, 10.0);
    let wall = app.world_mut().resource_mut::<Assets<Mesh>>().add(wall);
    let plaster = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::BLACK);
    let place = Transform::from_xyz(0.0, 0.0, -140.0);
    app.world_mut().spawn((Mesh3d(wall), MeshMaterial3d(plaster), NotShadowReceiver, place));
    let transform =
        Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::new(0.0, 0.1, -1.0), Vec3::Y);
    // The wood grows without shadows, which takes a tenth of the time.
    draw(&mut app, camera, transform, true);
    app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().shadow_maps_enabled = true;
    let shaded = draw(&mut app, camera, transform, true);
    app.world_mut().get_mut::<DirectionalLight>(sun).unwrap().illuminance = 0.0;
    let dark = draw(&mut app, camera, transform, true);
    let lit = changed(&shaded, &dark).into_iter().filter(|&changed| changed).count();
    println!("{lit} of {} pixels are lit", dark.len());
    assert!(lit < dark.len() / 50);
}

/// A tree casts a shadow as far as there are any, of about the same size whatever it is drawn with.
#[test]
fn shadows_of_trees_do_not_pop() {
    let Some(_turn) = turn() else { return };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 1000.0));
    let ground = GroundQuery::of(&terrain).unwrap();
    let tree = ground.scatter().unwrap().nearest([0.0; 2], 5000.0, |_| true).unwrap().unwrap();
    let [x, z] = tree.position.map(|x| x as f32);
    let viewer = TerrainViewer { range: 600.0, ..default() };
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let telescope = PerspectiveProjection { fov: 15f32.to_radians(), ..default() };
    app.world_mut().entity_mut(camera).insert(Projection::from(telescope));
    let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    let sun = suns.single(app.world()).unwrap();
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
            draw(&mut app, camera, transform, true)
        });
        let pixels = changed(&lit, &shaded).into_iter().filter(|&changed| changed).count();
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

/// With several samples a pixel, edges of leaves are smooth, and cover as much as without.
#[test]
fn edges_of_leaves_are_smooth_with_several_samples() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 100.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Broadleaf, 8.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform =
        Transform::from_xyz(0.0, 3.0, 0.0).looking_to(Vec3::new(1.0, 0.25, 0.2), Vec3::Y);
    let hard = draw(&mut app, camera, transform, true);
    app.world_mut().entity_mut(camera).insert(Msaa::Sample4);
    (0..3).for_each(|_| app.update());
    let smooth = draw(&mut app, camera, transform, true);
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
