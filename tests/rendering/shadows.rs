//! The example world's shadows are where they should be, and nowhere else, and every pass draws the
//! same ground: shadows, prepasses and deferred lighting.

use std::collections::HashSet;

use bevy::asset::AssetMut;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::CascadesVisibleEntities;
use bevy::core_pipeline::prepass::{
    DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass,
};
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap};
use bevy::pbr::DefaultOpaqueRendererMethod;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, TerrainMaterial};
use bevy_orogeny::orogeny::edits::{Area, Disc, Paint};
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainQuality, TerrainViewer};

use super::support::*;
use crate::play::fly::shadows as cascades;
use crate::shared::bare;

/// A ridge along z on a plain.
struct Ridge;

const CREST: f32 = 300.0;

impl Field<2> for Ridge {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let value = (CREST - x.abs() as f32).max(0.0);
        let slope = if value > 0.0 { -x.signum() as f32 } else { 0.0 };
        Sample { value, gradient: [slope, 0.0] }
    }
}

/// The height of the sun over the horizon: 10 degrees.
const ELEVATION: f32 = 0.174_532_93;

/// A low sun in the east, with the shadows of the example from a height of the camera.
fn shine(app: &mut App, sun: Entity, shadow_maps_enabled: bool, eye: f32) {
    let shadow_normal_bias = cascades::NORMAL_BIAS;
    let light = DirectionalLight { shadow_maps_enabled, shadow_normal_bias, ..default() };
    let to_sun = Vec3::new(ELEVATION.cos(), ELEVATION.sin(), 0.0);
    let place = Transform::default().looking_to(-to_sun, Vec3::Y);
    let cascades = cascades::cascades(eye, &TerrainQuality::HIGH);
    app.world_mut().entity_mut(sun).insert((light, cascades, place));
}

#[test]
fn the_shadow_of_a_ridge_is_where_it_should_be() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 8000.0, ..default() };
    let (mut app, camera) = app(Terrain::field(Ridge), viewer, TerrainOrigin::default());
    app.insert_resource(DirectionalLightShadowMap { size: TerrainQuality::HIGH.shadow_map_size });
    let sun = sun(&mut app);
    a_ridge_behind_the_camera_shades_the_view(&mut app, camera, sun);
    shadows_stay_attached(&mut app, camera, sun);
}

/// What is behind the camera casts its shadow into the view, up to where the shadow should end.
fn a_ridge_behind_the_camera_shades_the_view(app: &mut App, camera: Entity, sun: Entity) {
    shine(app, sun, true, 100.0);
    // In the ridge's shadow, which covers the lower part of the picture, and ends 900 m away.
    let [eye, end] = [100.0, CREST / ELEVATION.tan()];
    let at = Vec3::new(-800.0, eye, 0.0);
    let transform = Transform::from_translation(at).looking_to(Vec3::NEG_X, Vec3::Y);
    let picture = draw(app, camera, transform, true);
    let centre = |row: u32| brightness(&[picture[(row * WIDTH + WIDTH / 2) as usize]]).0;
    let row = |distance: f32| {
        let slope = eye / distance / core::f32::consts::FRAC_PI_8.tan();
        ((1.0 + slope) * HEIGHT as f32 / 2.0) as u32
    };
    let away = end + at.x;
    let lit = centre(row(2.0 * away));
    for distance in [400.0, 500.0, 600.0, 700.0, 0.9 * away] {
        let dark = centre(row(distance));
        assert!(dark < 0.7 * lit, "{distance} m away: {dark}, in the sun {lit}");
    }
    assert!(centre(row(1.3 * away)) > 0.8 * lit);

    // In a sun from one side, chunks at the other side of the view are in no shadow map, although
    // Bevy's cascades have them.
    let from_side = Transform::default().looking_to(Vec3::new(0.0, -0.4, -1.0), Vec3::Y);
    app.world_mut().entity_mut(sun).insert(from_side);
    app.update();
    app.update();
    let casters = app.world().get::<CascadesVisibleEntities>(sun).unwrap();
    let casters = casters.entities.values().flatten();
    let casters: HashSet<Entity> = casters.flat_map(|cascade| cascade.entities.clone()).collect();
    let mut chunks = app
        .world_mut()
        .query_filtered::<(Entity, &GlobalTransform, &Aabb, &InheritedVisibility), With<Chunk>>();
    let (mut beside, mut seen) = (0, 0);
    for (chunk, place, aabb, visible) in chunks.iter(app.world()) {
        let centre = place.transform_point(aabb.center.into());
        let (depth, size) = (at.x - centre.x, aabb.half_extents.x);
        if !visible.get() {
            continue;
        }
        // The view is 1.6 times wider than high.
        let edge = 1.6 * core::f32::consts::FRAC_PI_8.tan() * (depth + size).max(0.0);
        if centre.z < -edge - 2.0 * size {
            assert!(!casters.contains(&chunk), "{centre}");
            beside += 1;
        }
        if depth > 300.0 + size && centre.z.abs() < 1.5 * size {
            assert!(casters.contains(&chunk), "{centre}");
            seen += 1;
        }
    }
    assert!(beside > 20 && seen > 5, "{beside} {seen}");
}

/// From 4 km above, the shadow that a ridge casts in a low sun ends within 80 m of where it should,
/// and the sunlit plain is as bright with shadows as without.
fn shadows_stay_attached(app: &mut App, camera: Entity, sun: Entity) {
    let eye = 4000.0;
    let transform = Transform::from_xyz(-900.0, eye, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let [shaded, lit] = [true, false].map(|shadow_maps_enabled| {
        shine(app, sun, shadow_maps_enabled, eye);
        draw(app, camera, transform, true)
    });
    // Bevy's field of view: 45 degrees.
    let metres = 2.0 * eye * (core::f32::consts::FRAC_PI_8).tan() / HEIGHT as f32;
    let row = HEIGHT as usize / 2 * WIDTH as usize;
    let dark = |i: usize| {
        let [with, without] = [&shaded, &lit].map(|pixels| brightness(&[pixels[row + i]]).0);
        with < 0.7 * without
    };
    let x = |i: usize| -900.0 + (i as f32 + 0.5 - WIDTH as f32 / 2.0) * metres;
    let tip = (0..WIDTH as usize).find(|&i| dark(i)).map(x).expect("no shadow");
    let true_tip = -CREST / ELEVATION.tan();
    println!(
        "the shadow ends at {tip:.0} m, in truth at {true_tip:.0} m; a pixel is {metres:.0} m"
    );
    assert!((tip - true_tip).abs() < 80.0, "{tip} instead of {true_tip}");
    // One piece up to the foot of the ridge, without shadow beyond it or on the sunlit side.
    for i in 0..WIDTH as usize {
        if (true_tip + 100.0..-CREST - 50.0).contains(&x(i)) {
            assert!(dark(i), "a gap in the shadow at {} m", x(i));
        }
        if x(i) < true_tip - 80.0 || x(i) > CREST + 50.0 {
            assert!(!dark(i), "shadow at {} m", x(i));
        }
    }
}

/// A low sun over the terrain, with shadows as far as that.
fn shine_far(app: &mut App, shadow_maps_enabled: bool) {
    let sun = sun(app);
    let far = CascadeShadowConfigBuilder { maximum_distance: 6_000.0, ..default() };
    app.world_mut().entity_mut(sun).insert((
        DirectionalLight { shadow_maps_enabled, ..default() },
        far.build(),
        Transform::default().looking_to(Vec3::new(-1.0, -0.15, -0.3), Vec3::Y),
    ));
}

#[test]
fn all_passes_draw_the_same_ground() {
    let Some(_turn) = turn() else { return };
    // With a sea in the valleys. Its waves stand still.
    let sea = above(0.0, 0.0, -60.0).translation.y;
    let (mut app, camera) = still(bare().with_sea(sea), 6_000.0);
    let transform = above(0.0, 0.0, 150.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);

    shine_far(&mut app, false);
    let lit = draw(&mut app, camera, transform, true);
    shine_far(&mut app, true);
    let shaded = draw(&mut app, camera, transform, true);
    let darker =
        lit.iter().zip(&shaded).filter(|(a, b)| brightness(&[**a]).0 > brightness(&[**b]).0 + 10.0);
    let darker = darker.count();
    println!("{darker} of {} pixels lie in shadow", lit.len());
    assert!(darker > lit.len() / 200, "{darker} pixels lie in shadow");
    let forward = check_pipelines(&app);

    // If the vertices of a prepass were not identical, pixels would be missing or visible through
    // others.
    app.world_mut().entity_mut(camera).insert((DepthPrepass, MotionVectorPrepass));
    let with_prepass = differences(&shaded, &draw(&mut app, camera, transform, true));
    assert_eq!(with_prepass.last(), Some(&0));
    // The main pass uses the normals of a prepass, which are rounded.
    app.world_mut().entity_mut(camera).insert(NormalPrepass);
    let with_normals = differences(&shaded, &draw(&mut app, camera, transform, true));
    assert!(with_normals.last() <= Some(&2), "{:?}", with_normals.last());
    assert!(check_pipelines(&app) > forward, "nothing was drawn by a prepass");

    app.insert_resource(DefaultOpaqueRendererMethod::deferred());
    app.world_mut().entity_mut(camera).insert(DeferredPrepass);
    // Materials select their render method when they are prepared.
    let ids: Vec<_> = app.world().resource::<Assets<TerrainMaterial>>().ids().collect();
    for id in ids {
        let mut assets = app.world_mut().resource_mut::<Assets<TerrainMaterial>>();
        // Marks the material as changed.
        assets.get_mut(id).map(AssetMut::into_inner);
    }
    let deferred = draw(&mut app, camera, transform, true);
    check_pipelines(&app);
    assert_ne!(shaded, deferred, "nothing was drawn by deferred lighting");
    assert_eq!(background(&deferred), background(&shaded));
    let [a, b] = [&shaded, &deferred].map(|pixels| brightness(pixels).0);
    println!("mean brightness: forward {a}, deferred {b}");
    assert!((a - b).abs() < 0.05 * a, "forward {a}, deferred {b}");

    // The first paint needs no new pipeline: while one is compiled, there would be holes.
    let before = check_pipelines(&app);
    let area = Area::Disc(Disc { radius: 500.0, ..Disc::default() });
    edit(&mut app, Paint { area, layer: 5, ..Paint::default() });
    let is_painted = |drawn: &Vec<[u8; 3]>| {
        let changed = differences(&deferred, drawn).into_iter().filter(|by| *by > 10).count();
        changed > drawn.len() / 20
    };
    let painted = (0..200).map(|_| draw_again(&mut app, camera)).find(is_painted);
    let painted = painted.expect("paint is drawn");
    assert_eq!(background(&painted), background(&deferred));
    assert_eq!(check_pipelines(&app), before);
}
