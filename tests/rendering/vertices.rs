//! The vertices of chunks: packed ones look like those of meshes that are kept for the CPU.

use bevy::prelude::*;
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;

/// Vertices of kept meshes have another size, and lie in other buffers. They look the same.
#[test]
fn kept_meshes_look_the_same() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 6_000.0, ..default() };
    let pictures = [false, true].map(|keep_meshes| {
        let terrain = Terrain { keep_meshes, ..default() };
        let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
        let transform = above(0.0, 0.0, 90.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);
        stop_time(&mut app);
        draw(&mut app, camera, transform, true)
    });
    let [lean, kept] = pictures;
    assert!(brightness(&lean).1 > 5.0, "the picture is empty");
    assert_eq!(differences(&lean, &kept).last(), Some(&0));
}
