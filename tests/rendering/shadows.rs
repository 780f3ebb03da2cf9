//! The example world's shadows are where they should be, and nowhere else.

use std::collections::HashSet;

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::CascadesVisibleEntities;
use bevy::light::DirectionalLightShadowMap;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::{Chunk, Terrain, TerrainOrigin, TerrainQuality, TerrainViewer};

use super::support::*;
use crate::play::fly::shadows as cascades;

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

/// From 4 km above, the shadow that a ridge casts in a low sun ends within 80 m of where it should,
/// and the sunlit plain is as bright with shadows as without.
#[test]
fn shadows_stay_attached_in_a_low_sun() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 8000.0, ..default() };
    let (mut app, camera) = app(Terrain::field(Ridge), viewer, TerrainOrigin::default());
    app.insert_resource(DirectionalLightShadowMap { size: TerrainQuality::HIGH.shadow_map_size });
    let eye = 4000.0;
    let elevation = 10f32.to_radians();
    let to_sun = Vec3::new(elevation.cos(), elevation.sin(), 0.0);
    let transform = Transform::from_xyz(-900.0, eye, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let [shaded, lit] = [true, false].map(|shadow_maps_enabled| {
        let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
        let sun = suns.single(app.world()).unwrap();
        app.world_mut().entity_mut(sun).insert((
            DirectionalLight {
                shadow_maps_enabled,
                shadow_normal_bias: cascades::NORMAL_BIAS,
                ..default()
            },
            cascades::cascades(eye, &TerrainQuality::HIGH),
            Transform::default().looking_to(-to_sun, Vec3::Y),
        ));
        draw(&mut app, camera, transform, true)
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
    let true_tip = -CREST / elevation.tan();
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

/// What is behind the camera casts its shadow into the view, up to where the shadow should end.
#[test]
fn a_ridge_behind_the_camera_shades_the_view() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 8000.0, ..default() };
    let (mut app, camera) = app(Terrain::field(Ridge), viewer, TerrainOrigin::default());
    app.insert_resource(DirectionalLightShadowMap { size: TerrainQuality::HIGH.shadow_map_size });
    let elevation = 10f32.to_radians();
    let to_sun = Vec3::new(elevation.cos(), elevation.sin(), 0.0);
    let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    let sun = suns.single(app.world()).unwrap();
    app.world_mut().entity_mut(sun).insert((
        DirectionalLight {
            shadow_maps_enabled: true,
            shadow_normal_bias: cascades::NORMAL_BIAS,
            ..default()
        },
        cascades::cascades(100.0, &TerrainQuality::HIGH),
        Transform::default().looking_to(-to_sun, Vec3::Y),
    ));
    // In the ridge's shadow, which covers the lower part of the picture, and ends 900 m away.
    let [eye, end] = [100.0, CREST / elevation.tan()];
    let at = Vec3::new(-800.0, eye, 0.0);
    let picture = draw(
        &mut app,
        camera,
        Transform::from_translation(at).looking_to(Vec3::NEG_X, Vec3::Y),
        true,
    );
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
