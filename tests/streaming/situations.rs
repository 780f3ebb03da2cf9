//! Invalid input and unusual situations: the table of the plugin's README.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_orogeny::advanced::TerrainProblem;
use bevy_orogeny::orogeny::{Field, Fractal, GradientNoise, Recipe, Sample};
use bevy_orogeny::{Ground, Terrain, TerrainPlugins, TerrainViewer};

use super::support::*;

#[test]
fn no_viewer_warns_and_the_first_one_starts() {
    let mut app = app();
    app.update();
    assert!(problems(&app).is_empty(), "no terrain, no problem");
    let ground = app.world_mut().spawn(hills(1)).id();
    (0..3).for_each(|_| app.update());
    assert_eq!(problems(&app), [TerrainProblem::NoViewer { camera: false }]);
    assert_eq!(chunk_entities(&mut app), 0);

    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    app.update();
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    // Without its viewer, the terrain stays as it is.
    settle(&mut app);
    let before = drawn(&mut app, ground).len();
    app.world_mut().despawn(viewer);
    settle(&mut app);
    assert_eq!(problems(&app), [TerrainProblem::NoViewer { camera: false }]);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert_eq!(drawn(&mut app, ground).len(), before);
}

#[test]
fn the_plugin_may_be_added_twice() {
    let mut app = app();
    app.add_plugins(TerrainPlugins);
    assert_eq!(problems(&app), [TerrainProblem::AddedTwice]);
    let ground = app.world_mut().spawn(hills(1)).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
}

#[test]
fn without_assets_the_plugin_says_so() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainPlugins));
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::NoAssets]);
}

#[test]
fn terrain_may_be_moved_but_not_rotated_or_scaled() {
    let (mut app, ground, _) = scene();
    set(&mut app, ground, |t: &mut Transform| t.translation = Vec3::new(1000.0, 30.0, -64.0));
    settle(&mut app);
    check_cover(&mut app, ground, [-1000.0, 64.0], RANGE);

    for wrong in [
        Transform::from_scale(Vec3::splat(2.0)),
        Transform::from_rotation(Quat::from_rotation_y(0.1)),
    ] {
        set(&mut app, ground, |t: &mut Transform| *t = wrong);
        (0..30).for_each(|_| app.update());
        assert_eq!(problems(&app), [TerrainProblem::Transformed]);
        assert_eq!(drawn(&mut app, ground).len(), 0);
    }
    set(&mut app, ground, |t: &mut Transform| *t = Transform::default());
    app.update();
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    // An infinite position is invalid as well, and causes no problem for the viewer or for another
    // terrain.
    let other = app.world_mut().spawn(hills(1)).id();
    set(&mut app, ground, |t: &mut Transform| t.translation.x = f32::INFINITY);
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::Transformed]);
    check_cover(&mut app, other, [0.0, 0.0], RANGE);
    app.world_mut().despawn(other);
    set(&mut app, ground, |t: &mut Transform| *t = Transform::default());
    app.update();
    assert!(problems(&app).is_empty());

    // The same for the transform of a parent.
    let parent = app.world_mut().spawn(Transform::from_scale(Vec3::splat(3.0))).id();
    app.world_mut().entity_mut(ground).insert(ChildOf(parent));
    app.update();
    assert_eq!(problems(&app), [TerrainProblem::Transformed]);
}

#[test]
fn a_camera_below_the_ground_sees_the_same_chunks() {
    let chunks_at = |height: f32| {
        let mut app = app();
        let ground = app.world_mut().spawn(hills(1)).id();
        spawn_viewer(&mut app, Vec3::new(100.0, height, 50.0));
        settle(&mut app);
        drawn(&mut app, ground).iter().map(|chunk| chunk.key).collect::<HashSet<_>>()
    };
    // Only what is above the ground is farther away for that.
    assert_eq!(chunks_at(-500.0), chunks_at(-60.0));
}

#[test]
fn a_near_far_plane_is_raised() {
    let mut app = app();
    app.world_mut().spawn(hills(1));
    let far = |app: &App, camera| match app.world().get::<Projection>(camera) {
        Some(Projection::Perspective(perspective)) => perspective.far,
        Some(Projection::Orthographic(orthographic)) => orthographic.far,
        other => panic!("{other:?}"),
    };
    for projection in [
        Projection::from(PerspectiveProjection::default()),
        Projection::from(OrthographicProjection::default_3d()),
    ] {
        let viewer = spawn_viewer(&mut app, Vec3::ZERO);
        app.world_mut().entity_mut(viewer).insert((Camera::default(), projection));
        app.update();
        assert_eq!(far(&app, viewer), 1400.0);
        // Without a window, a camera has no viewport, so the default is used.
        assert!(problems(&app).is_empty());
    }
}

#[test]
fn a_faulty_change_leaves_the_old_terrain_up() {
    let (mut app, ground, _) = settled();
    let before = drawn(&mut app, ground);
    let faulty = |octaves, cells, spacing| Terrain {
        ground: Ground::Recipe(Recipe {
            field: Fractal::fbm(octaves, GradientNoise::seeded(0)).into(),
            ..recipe(1)
        }),
        cells,
        spacing,
        keep_meshes: false,
        scatter_density: 1.0,
    };
    for (wrong, words) in [
        (faulty(99.0, 16, 1.0), "field.Fractal.octaves"),
        (faulty(4.0, 17, 1.0), "cells"),
        (faulty(4.0, 16, 0.3), "spacing"),
        (faulty(4.0, 16, f64::NAN), "spacing"),
    ] {
        set(&mut app, ground, |t: &mut Terrain| *t = wrong);
        settle(&mut app);
        let found = problems(&app);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().contains(words), "{}", found[0]);
        assert_eq!(drawn(&mut app, ground).len(), before.len());
        assert!(drawn(&mut app, ground).iter().all(|chunk| chunk.revision == before[0].revision));
    }
    // If the old settings are restored, there is no problem and nothing is built. If they really
    // change, chunks are built.
    let built = stats(&app).built;
    set(&mut app, ground, |t: &mut Terrain| *t = hills(1));
    settle(&mut app);
    assert!(problems(&app).is_empty());
    assert_eq!(stats(&app).built, built);
    set(&mut app, ground, |t: &mut Terrain| *t = hills(5));
    settle(&mut app);
    assert!(problems(&app).is_empty());
    assert!(drawn(&mut app, ground).iter().all(|chunk| chunk.revision > before[0].revision));
}

#[test]
fn invalid_numbers_are_reported_and_harmless() {
    let (mut app, ground, viewer) = settled();
    let positions = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1e30), Vec3::splat(-1e30)];
    for position in positions {
        set(&mut app, viewer, |t: &mut Transform| t.translation = position);
        app.update();
        assert!(matches!(problems(&app)[..], [TerrainProblem::Viewer(_)]), "{position}");
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    }
    set(&mut app, viewer, |t: &mut Transform| t.translation = Vec3::ZERO);
    for (range, pixel_error, name) in [
        (f64::NAN, 1.0, "range"),
        (1e300, 1.0, "range"),
        (RANGE, 0.0, "pixel error"),
        (RANGE, 1e9, "pixel error"),
    ] {
        set(&mut app, viewer, |v: &mut TerrainViewer| {
            *v = TerrainViewer { range, pixel_error, ..default() }
        });
        app.update();
        assert!(problems(&app)[0].to_string().contains(name));
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    }
    set(&mut app, viewer, |v: &mut TerrainViewer| *v = TerrainViewer { range: RANGE, ..default() });
    app.update();
    assert!(problems(&app).is_empty());
}

#[test]
fn infinite_heights_are_reported_and_holes_are_not() {
    struct Broken(f32);
    impl Field<2> for Broken {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample::constant(if x > 100.0 { self.0 } else { 1.0 })
        }
    }
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Terrain::field(Broken(f32::NAN)).ground)).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    assert_eq!(problems(&app), []);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    let broken = Terrain::field(Broken(f32::INFINITY)).ground;
    set(&mut app, ground, |t: &mut Terrain| t.ground = broken);
    settle(&mut app);
    assert_eq!(problems(&app), [TerrainProblem::NotFinite]);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    // The problem ends with the field.
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(1)));
    settle(&mut app);
    assert!(problems(&app).is_empty());
}
