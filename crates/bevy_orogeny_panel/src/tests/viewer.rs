//! Frozen viewers, and cameras with a parent: the panel uses world space, not the local transform.

use bevy::camera::Viewport;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::advanced::PIXEL_ERROR;
use bevy_orogeny::{TerrainViewer, WorldPosition};

use super::support::{Person, recipe};
use crate::viewer::{Freeze, PanelCamera, Teleport};

/// Puts the camera on a rig that is translated and rotated. Returns the rig and the camera.
fn on_a_rig(person: &mut Person) -> [Entity; 2] {
    let world = person.app.world_mut();
    let camera = world.query_filtered::<Entity, With<Camera3d>>().single(world).unwrap();
    let rotated = Transform::from_xyz(1000.0, 50.0, -200.0)
        .with_rotation(Quat::from_rotation_y(1.0))
        .with_scale(Vec3::splat(2.0));
    let rig = world.spawn(rotated).id();
    let local = Transform::from_xyz(3.0, 4.0, -5.0);
    world.entity_mut(camera).insert((local, ChildOf(rig)));
    person.frame(Vec::new());
    [rig, camera]
}

fn global_position(person: &Person, entity: Entity) -> Vec3 {
    person.app.world().get::<GlobalTransform>(entity).unwrap().translation()
}

#[test]
fn a_frozen_viewer_stands_where_a_camera_with_a_parent_is() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let [rig, camera] = on_a_rig(&mut person);
    let expected = global_position(&person, camera);
    person.app.world_mut().resource_mut::<Freeze>().0 = true;
    person.frames(2);
    let world = person.app.world_mut();
    let viewer = world.query_filtered::<Entity, With<TerrainViewer>>().single(world).unwrap();
    assert!(viewer != camera);
    let stands = global_position(&person, viewer);
    assert!(stands.distance(expected) < 1e-3, "{stands} {expected}");
    // The origin moves whole rigs, so the camera moves with its rig.
    assert!(person.app.world().get::<WorldPosition>(rig).is_some());
    person.app.world_mut().resource_mut::<Freeze>().0 = false;
    person.frames(2);
    assert!(person.app.world().get::<WorldPosition>(rig).is_none());
    assert!(person.app.world().get::<TerrainViewer>(camera).is_some());
}

#[test]
fn a_camera_with_a_parent_goes_to_coordinates() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let [_, camera] = on_a_rig(&mut person);
    person.app.world_mut().resource_mut::<Teleport>().go([-4000.0, 2500.0]);
    person.frames(6);
    // 1100 m is the height of that terrain.
    let (at, expected) = (global_position(&person, camera), Vec3::new(-4000.0, 1250.0, 2500.0));
    assert!(at.distance(expected) < 0.01, "{at}");
    person.open("Viewer");
    assert!(person.sees("-4000.0 m") && person.sees("2500.0 m"), "{:?}", person.texts);
}

/// With a split screen, the other players stay where they are.
#[test]
fn one_camera_goes_to_coordinates() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let at = Transform::from_xyz(30.0, 1200.0, 40.0);
    let viewer = TerrainViewer { range: 700.0, ..default() };
    let second = Camera { order: 1, ..default() };
    let other = person.app.world_mut().spawn((Camera3d::default(), second, viewer, at)).id();
    // What the first one is does not depend on components that come and go.
    person.app.world_mut().resource_mut::<Freeze>().0 = true;
    person.frames(2);
    person.app.world_mut().resource_mut::<Teleport>().go([4000.0, -2500.0]);
    person.frames(6);
    let world = person.app.world_mut();
    let mut cameras = world.query_filtered::<(Entity, &Transform), With<Camera3d>>();
    for (camera, transform) in cameras.iter(world) {
        let expected =
            if camera == other { at.translation } else { Vec3::new(4000.0, 1250.0, -2500.0) };
        assert!(transform.translation.distance(expected) < 0.01, "{transform:?}");
    }
    person.open("Viewer");
    assert!(person.sees("4000.0 m") && person.sees("-2500.0 m"), "{:?}", person.texts);
    // The numbers of detail are those of the same camera, whose viewer is elsewhere now.
    let viewer = |camera: PanelCamera| camera.viewer();
    let viewer = person.app.world_mut().run_system_once(viewer).unwrap().unwrap();
    assert_eq!(person.app.world().get::<TerrainViewer>(viewer).unwrap().range, 500.0);
    assert!(person.app.world().get::<Camera>(viewer).is_none());
}

/// Freezes the viewer or not. Returns the pixel error of the only one that there is then.
fn see(person: &mut Person, frozen: bool) -> f64 {
    person.app.world_mut().resource_mut::<Freeze>().0 = frozen;
    person.frames(2);
    let world = person.app.world_mut();
    world.query::<&TerrainViewer>().single(world).unwrap().pixel_error
}

/// The viewer that stays behind counts as one of 1080 lines: its pixel error is that of the camera,
/// scaled, but never outside the limits. The camera gets its own back.
#[test]
fn pixel_errors_stay_within_their_limits() {
    let (min, max) = (PIXEL_ERROR.min, PIXEL_ERROR.max);
    for (height, pixel_error, expected) in [
        (540, 2.0, 4.0),
        (2160, 2.0, 1.0),
        (108, max, max),
        (108, 0.5 * max, max),
        (10_800, min, min),
        (10_800, 2.0 * min, min),
    ] {
        let mut person = Person::new(recipe(), [1280.0, 720.0]);
        let world = person.app.world_mut();
        let mut cameras = world.query::<(&mut Camera, &mut TerrainViewer)>();
        let (mut camera, mut viewer) = cameras.single_mut(world).unwrap();
        let physical_size = UVec2::new(64, height);
        camera.viewport = Some(Viewport { physical_size, ..default() });
        viewer.pixel_error = pixel_error;
        assert!(
            (see(&mut person, true) / expected - 1.0).abs() < 1e-6,
            "{height} lines, {pixel_error}"
        );
        assert_eq!(see(&mut person, false), pixel_error, "{height} lines");
        // What was changed meanwhile is scaled back, within the limits as well.
        let given = see(&mut person, true);
        let changed = if given < 1.0 { max } else { min };
        let world = person.app.world_mut();
        world.query::<&mut TerrainViewer>().single_mut(world).unwrap().pixel_error = changed;
        assert!(
            (min..=max).contains(&see(&mut person, false)),
            "{height} lines, {given} to {changed}"
        );
    }
}
