//! Holes: dark inside, but for what a game has put there.

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Disc, Hole};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainOrigin, TerrainViewer, VoidLook, VoidMaterial};

use super::support::*;

/// From above and from afar, no sky is seen in a hole, with any kind of camera. Beside a hole
/// nothing changes, and a box in the hole is seen.
#[test]
fn holes_are_dark() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 1000.0, ..default() };
    let flat = Recipe::new(0, 1.0, Node::Constant(0.0));
    let (mut app, camera) = app(Terrain::recipe(flat), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let white = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::WHITE);
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).unwrap();
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white.clone()));
    let near = Transform::from_xyz(0.0, 12.0, 0.0).looking_to(vec3(0.0, -0.5, -1.0), Vec3::Y);
    let whole = draw(&mut app, camera, near, true);

    let area = Area::Disc(Disc { center: [0.0, -24.0], radius: 6.0, falloff: 1.0 });
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, Hole { area }).unwrap();
    let is_dark = |p: &&[u8; 3]| p.iter().all(|&c| c < 20);
    let sky = |picture: &[[u8; 3]]| picture.iter().filter(|&&p| p == BACKGROUND).count();
    let place = |height: f32, away: f32| {
        Transform::from_xyz(0.0, height, away - 24.0).looking_at(vec3(0.0, 0.0, -24.0), Vec3::Y)
    };
    let flat = place(1.5, 12.0);
    for kind in [CameraKind::HDR, CameraKind { msaa: Msaa::Sample4, ..CameraKind::PLAIN }] {
        kind.put_on(&mut app, camera);
        for eye in [near, place(30.0, 1.0), place(60.0, 120.0)] {
            let picture = draw(&mut app, camera, eye, true);
            assert!(picture.iter().filter(is_dark).count() > 50, "no hole from {eye:?}");
            assert_eq!(sky(&picture), 0, "sky from {eye:?} with {kind:?}");
        }
    }
    CameraKind::PLAIN.put_on(&mut app, camera);
    let dark = draw(&mut app, camera, near, true);
    let same = whole.iter().zip(&dark).filter(|(a, b)| a == b).count();
    let hole = dark.iter().filter(is_dark).count();
    assert!(same + hole + hole / 4 > whole.len(), "the ground beside the hole differs");
    // Above the horizon is the sky, whatever is below it.
    let picture = draw(&mut app, camera, flat, true);
    assert!(sky(&picture) > picture.len() / 3);

    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::from_length(3.0));
    let place = Transform::from_xyz(0.0, -70.0, -24.0);
    let board = (Mesh3d(mesh), MeshMaterial3d(white), place.with_scale(Vec3::splat(4.0)));
    app.world_mut().spawn(board);
    let with_box = draw(&mut app, camera, self::above(), true);
    let middle = with_box[(HEIGHT / 2 * WIDTH + WIDTH / 2) as usize];
    assert!(middle.iter().all(|&c| c > 30), "the void hides a box below its floor: {middle:?}");

    let look = app.world().resource::<VoidLook>().0.clone();
    let mut looks = app.world_mut().resource_mut::<Assets<VoidMaterial>>();
    looks.get_mut(&look).unwrap().color = LinearRgba::NONE;
    let open = draw(&mut app, camera, near, true);
    assert!(sky(&open) > hole / 2, "the void cannot be left out");
}

/// Straight above the hole.
fn above() -> Transform {
    Transform::from_xyz(0.0, 20.0, -24.0).looking_to(Vec3::NEG_Y, Vec3::Z)
}
