//! Frozen viewers.

use bevy::camera::Viewport;
use bevy::prelude::*;
use bevy_orogeny::{PIXEL_ERROR, TerrainViewer};

use super::support::{Person, recipe};
use crate::viewer::freeze::Freeze;

/// Freezes the viewer or not. Returns the pixel error of the only one that there is then.
fn see(person: &mut Person, frozen: bool) -> f64 {
    person.app.world_mut().resource_mut::<Freeze>().0 = frozen;
    (0..2).for_each(|_| person.frame(Vec::new()));
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
