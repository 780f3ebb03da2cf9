//! Every pass draws the same ground: shadows, prepasses and deferred lighting.

use bevy::asset::AssetMut;
use bevy::core_pipeline::prepass::{
    DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass,
};
use bevy::light::CascadeShadowConfigBuilder;
use bevy::pbr::DefaultOpaqueRendererMethod;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::render_resource::{CachedPipelineState, PipelineCache};
use bevy_orogeny::orogeny::edits::{Area, Disc, Paint};
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainViewer};

use super::support::*;
use crate::shared::bare::bare;

/// Checks that all requested pipelines could be created, and returns their number.
fn check_pipelines(app: &App) -> usize {
    let cache = app.sub_app(RenderApp).world().resource::<PipelineCache>();
    for pipeline in cache.pipelines() {
        if let CachedPipelineState::Err(error) = &pipeline.state {
            panic!("{error}");
        }
    }
    cache.pipelines().count()
}

/// A low sun. The range of its shadows is that of the terrain.
fn shine(app: &mut App, shadow_maps_enabled: bool) {
    let suns: Vec<_> = app
        .world_mut()
        .query_filtered::<Entity, With<DirectionalLight>>()
        .iter(app.world())
        .collect();
    for sun in suns {
        let far = CascadeShadowConfigBuilder { maximum_distance: 6_000.0, ..default() };
        app.world_mut().entity_mut(sun).insert((
            DirectionalLight { shadow_maps_enabled, ..default() },
            far.build(),
            Transform::default().looking_to(Vec3::new(-1.0, -0.15, -0.3), Vec3::Y),
        ));
    }
}

#[test]
fn all_passes_draw_the_same_ground() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 6_000.0, ..default() };
    // With a sea in the valleys. Its waves stand still.
    let sea = above(0.0, 0.0, -60.0).translation.y;
    let (mut app, camera) = app(bare().with_sea(sea), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform = above(0.0, 0.0, 150.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);

    shine(&mut app, false);
    let lit = draw(&mut app, camera, transform, true);
    shine(&mut app, true);
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
    let materials =
        app.world().resource::<Assets<bevy_orogeny::TerrainMaterial>>().ids().collect::<Vec<_>>();
    for id in materials {
        let mut assets = app.world_mut().resource_mut::<Assets<bevy_orogeny::TerrainMaterial>>();
        // Marks the material as changed.
        assets.get_mut(id).map(AssetMut::into_inner);
    }
    let deferred = draw(&mut app, camera, transform, true);
    check_pipelines(&app);
    assert_ne!(shaded, deferred, "nothing was drawn by deferred lighting");
    let holes = |pixels: &[[u8; 3]]| pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
    assert_eq!(holes(&deferred), holes(&shaded));
    let [a, b] = [&shaded, &deferred].map(|pixels| brightness(pixels).0);
    println!("mean brightness: forward {a}, deferred {b}");
    assert!((a - b).abs() < 0.05 * a, "forward {a}, deferred {b}");

    // The first paint needs no new pipeline: while one is compiled, there would be holes.
    let before = check_pipelines(&app);
    let mut terrains = app.world_mut().query::<&mut TerrainEdits>();
    let mut edits = terrains.single_mut(app.world_mut()).unwrap();
    let area = Area::Disc(Disc { radius: 500.0, ..Disc::default() });
    edits.log.add(1, Paint { area, layer: 5, ..Paint::default() }).unwrap();
    let is_painted = |drawn: &Vec<[u8; 3]>| {
        let changed = differences(&deferred, drawn).into_iter().filter(|by| *by > 10).count();
        changed > drawn.len() / 20
    };
    let painted = (0..200).map(|_| draw_again(&mut app, camera)).find(is_painted);
    let painted = painted.expect("paint is drawn");
    assert_eq!(holes(&painted), holes(&deferred));
    assert_eq!(check_pipelines(&app), before);
}
