//! Cameras that move late in the frame, and cameras that are not active.

use std::collections::HashSet;

use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy_orogeny::TerrainViewer;
use bevy_orogeny::advanced::Chunk;

use super::support::*;

/// The meshes that were announced to the renderer.
#[derive(Resource, Default)]
struct Announced(HashSet<AssetId<Mesh>>);

/// The position that the camera gets in `PostUpdate`.
#[derive(Resource, Default)]
struct Rig(Vec3);

/// The view of a camera that a rig moves in `PostUpdate` is covered in the same frame, even after a
/// teleport: chunks are drawn at their positions, and their meshes are announced.
#[test]
fn a_camera_moved_in_post_update_is_covered_in_the_same_frame() {
    let mut app = app();
    app.add_plugins(TransformPlugin).init_resource::<Announced>().init_resource::<Rig>();
    app.add_systems(
        PostUpdate,
        (
            (|rig: Res<Rig>, mut cameras: Query<&mut Transform, With<TerrainViewer>>| {
                for mut camera in &mut cameras {
                    camera.translation = rig.0;
                }
            })
            .before(TransformSystems::Propagate),
            (|mut events: MessageReader<AssetEvent<Mesh>>, mut announced: ResMut<Announced>| {
                for event in events.read() {
                    if let AssetEvent::Added { id } = event {
                        announced.0.insert(*id);
                    }
                }
            })
            .after(AssetEventSystems),
        ),
    );
    let ground = app.world_mut().spawn(hills(1)).id();
    set(&mut app, ground, |t: &mut Transform| t.translation = Vec3::new(64.0, 5.0, -32.0));
    spawn_viewer(&mut app, Vec3::ZERO);
    for frame in 0..120 {
        let jump = (frame / 20) as f32 * 50_000.0;
        let position = Vec3::new(jump + 8.0 * frame as f32, 0.0, 3.0 * frame as f32);
        app.insert_resource(Rig(position));
        app.update();
        let local = [f64::from(position.x) - 64.0, f64::from(position.z) + 32.0];
        check_cover(&mut app, ground, local, RANGE);
        let mut chunks =
            app.world_mut().query::<(&Chunk, &Visibility, &GlobalTransform, &Mesh3d)>();
        for (chunk, visibility, global, mesh) in chunks.iter(app.world()) {
            let [x, z] = LAYOUT.origin(chunk.key);
            let expected = Vec3::new(x as f32 + 64.0, 5.0, z as f32 - 32.0);
            assert_eq!(global.translation(), expected, "frame {frame}");
            let announced = app.world().resource::<Announced>().0.contains(&mesh.id());
            assert!(announced || *visibility == Visibility::Hidden, "frame {frame}");
        }
    }
}

/// No terrain is built around an inactive camera. When the camera becomes active, its terrain is
/// there at once.
#[test]
fn inactive_cameras_do_not_stream() {
    let mut app = app();
    let ground = app.world_mut().spawn(hills(1)).id();
    let camera = |active| Camera { is_active: active, ..default() };
    let main = spawn_viewer(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(main).insert(camera(true));
    settle(&mut app);
    let alone = stats(&app).chunks;

    let other = spawn_viewer(&mut app, Vec3::new(30_000.0, 0.0, 0.0));
    app.world_mut().entity_mut(other).insert(camera(false));
    settle(&mut app);
    assert_eq!(stats(&app).chunks, alone);
    set(&mut app, other, |camera: &mut Camera| camera.is_active = true);
    app.update();
    check_cover(&mut app, ground, [30_000.0, 0.0], RANGE);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    set(&mut app, main, |camera: &mut Camera| camera.is_active = false);
    settle(&mut app);
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [30_000.0, 0.0], RANGE);
    let near_main = |chunk: &Chunk| LAYOUT.distance(chunk.key, [0.0, 0.0]) < RANGE;
    assert!(!drawn(&mut app, ground).iter().any(near_main));

    // With no active camera left, all chunks stay as they are.
    set(&mut app, other, |camera: &mut Camera| camera.is_active = false);
    settle(&mut app);
    assert!(problems(&app).is_empty());
    check_cover(&mut app, ground, [30_000.0, 0.0], RANGE);
}
