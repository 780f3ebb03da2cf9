//! The viewer frozen: chunks stay as they were selected, and the camera flies on.

use bevy::prelude::*;
use bevy_orogeny::{MovesWithOrigin, TerrainViewer};

/// Pixels per radian of a viewer without a camera: 1080 pixels and 45 degrees, see `TerrainViewer`.
const PLAIN: f64 = 1080.0 / (2.0 * 0.414_213_562_373_095);

/// Whether the viewer is frozen. The key K changes it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freeze(pub bool);

/// On a camera: what stands where it was frozen, and sees for it.
#[derive(Component, Clone, Copy, Debug)]
pub struct Frozen {
    /// The entity that has its `TerrainViewer` meanwhile.
    pub viewer: Entity,
    /// What its pixel error was multiplied by.
    scale: f64,
}

/// Takes viewers off their cameras and puts them back.
pub fn follow(
    mut commands: Commands,
    freeze: Res<Freeze>,
    cameras: Query<(Entity, &Transform, &TerrainViewer, &Camera, &Projection)>,
    frozen: Query<(Entity, &Frozen)>,
    viewers: Query<&TerrainViewer>,
) {
    if freeze.0 {
        for (camera, transform, viewer, own, projection) in &cameras {
            let scale = PLAIN / pixels_per_radian(Some((own, projection)));
            let stands = commands.spawn((*transform, copy_of(viewer, scale))).id();
            // The origin follows what stands; the camera is moved with it.
            let frozen = Frozen { viewer: stands, scale };
            commands.entity(camera).remove::<TerrainViewer>().insert((frozen, MovesWithOrigin));
        }
    } else {
        for (camera, &Frozen { viewer, scale }) in &frozen {
            let seen = viewers.get(viewer).copied().unwrap_or_default();
            commands
                .entity(camera)
                .remove::<(Frozen, MovesWithOrigin)>()
                .insert(copy_of(&seen, 1.0 / scale));
            commands.entity(viewer).try_despawn();
        }
    }
}

/// The same viewer where pixels are so many times as large: it asks for the same detail.
fn copy_of(viewer: &TerrainViewer, scale: f64) -> TerrainViewer {
    TerrainViewer { pixel_error: viewer.pixel_error * scale, ..*viewer }
}

/// Pixels per radian as `TerrainViewer` counts them.
pub fn pixels_per_radian(camera: Option<(&Camera, &Projection)>) -> f64 {
    let pixels = camera.and_then(|(camera, projection)| {
        let Projection::Perspective(perspective) = projection else { return None };
        let height = f64::from(camera.physical_viewport_size()?.y);
        Some(height / (2.0 * (f64::from(perspective.fov) / 2.0).tan()))
    });
    pixels.unwrap_or(PLAIN)
}
