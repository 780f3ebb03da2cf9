//! Grass bends away from bodies, and stands up again.

use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Model;
use bevy_orogeny::{BendsPlants, TerrainOrigin, TerrainViewer};

use super::support::*;
use super::woods::{changed, plain, scatter, set_scatter};

#[test]
fn grass_makes_way_for_a_body() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 100.0, ..default() };
    let meadow = scatter(Model::Grass, 0.3);
    let (mut app, camera) =
        app(plain().with_scatter(meadow.clone()), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    // From above, so that blades hide no others.
    let transform = Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let standing = draw(&mut app, camera, transform, true);
    let body = (Transform::from_xyz(0.0, 1.2, 0.0), BendsPlants { radius: 1.2, below: 1.2 });
    let body = app.world_mut().spawn(body).id();
    let bent = draw(&mut app, camera, transform, true);
    // Where it is not, nothing has moved.
    let moved = changed(&standing, &bent);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    assert_eq!(moved.len(), width * height);
    let metres = |k: usize| {
        let [x, y] =
            [(k % width) as f32 - 0.5 * width as f32, (k / width) as f32 - 0.5 * height as f32];
        // The camera sees 2 x 6 x tan(22.5) metres upwards.
        x.hypot(y) * 12.0 * 0.4142 / height as f32
    };
    let far = (0..moved.len()).filter(|&k| moved[k] && metres(k) > 2.5).count();
    let near = (0..moved.len()).filter(|&k| moved[k] && metres(k) < 2.0).count();
    println!("{near} pixels near the body have changed, and {far} far from it");
    assert!(near > moved.len() / 200 && far == 0, "{near} and {far}");
    app.world_mut().entity_mut(body).despawn();
    let again = draw(&mut app, camera, transform, true);
    assert!(!changed(&standing, &again).contains(&true));
    // In the middle more of the ground is bare.
    set_scatter(&mut app, Default::default());
    let bare = draw(&mut app, camera, transform, true);
    let blades = |picture: &[[u8; 3]]| {
        let differ = changed(picture, &bare);
        (0..differ.len()).filter(|&k| differ[k] && metres(k) < 0.5).count()
    };
    let [before, after] = [&standing, &bent].map(|picture| blades(picture));
    println!("{before} pixels of blades in the middle, {after} beside the body");
    assert!(2 * after < before, "{before} {after}");
}
