//! Freezes the viewer: the selection of chunks stays while the camera flies on.

use bevy::prelude::*;
use bevy_orogeny::{PIXEL_ERROR, TerrainViewer, WorldPosition};

/// Pixels per radian of a viewer without a camera: 1080 pixels and 45 degrees, see `TerrainViewer`.
const PLAIN: f64 = 1080.0 / (2.0 * 0.414_213_562_373_095);

/// Whether the viewer is frozen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freeze(pub bool);

/// Marks a camera whose `TerrainViewer` is frozen.
#[derive(Component, Clone, Copy, Debug)]
pub struct Frozen {
    /// The entity at the camera's former position that has its `TerrainViewer` meanwhile.
    pub viewer: Entity,
    /// The viewer with the camera's own pixel error, and what the one at its position got instead.
    own: TerrainViewer,
    given: TerrainViewer,
    /// The camera's root, if it got `WorldPosition` while the viewer is frozen.
    moving_root: Option<Entity>,
}

/// Moves viewers from their cameras to separate entities, and back.
pub fn follow(
    mut commands: Commands,
    freeze: Res<Freeze>,
    cameras: Query<(Entity, &TerrainViewer, &Camera, &Projection)>,
    frozen: Query<(Entity, &Frozen)>,
    viewers: Query<&TerrainViewer>,
    parents: Query<&ChildOf>,
    moving: Query<(), With<WorldPosition>>,
    transforms: TransformHelper,
) {
    if freeze.0 {
        for (camera, viewer, own, projection) in &cameras {
            let Ok(transform) = transforms.compute_global_transform(camera) else { continue };
            let scale = PLAIN / pixels_per_radian(Some((own, projection)));
            let given = copy_of(viewer, scale);
            let stands = commands.spawn((transform.compute_transform(), given)).id();
            // The origin follows the frozen viewer; the camera must move with it.
            let root = parents.root_ancestor(camera);
            let moving_root = (!moving.contains(root)).then_some(root);
            if let Some(root) = moving_root {
                commands.entity(root).insert(WorldPosition::default());
            }
            let frozen = Frozen { viewer: stands, own: *viewer, given, moving_root };
            commands.entity(camera).remove::<TerrainViewer>().insert(frozen);
        }
    } else {
        for (camera, &Frozen { viewer, own, given, moving_root }) in &frozen {
            // What was changed meanwhile stays changed.
            let seen = viewers.get(viewer).copied().unwrap_or(given);
            let pixel_error = if seen.pixel_error == given.pixel_error {
                own.pixel_error
            } else {
                within_limits(seen.pixel_error * own.pixel_error / given.pixel_error)
            };
            commands
                .entity(camera)
                .remove::<Frozen>()
                .insert(TerrainViewer { pixel_error, ..seen });
            commands.entity(viewer).try_despawn();
            if let Some(mut root) = moving_root.and_then(|root| commands.get_entity(root).ok()) {
                root.try_remove::<WorldPosition>();
            }
        }
    }
}

/// The viewer for pixels `scale` times as large. It requests the same detail, as far as the limits
/// let it.
fn copy_of(viewer: &TerrainViewer, scale: f64) -> TerrainViewer {
    TerrainViewer { pixel_error: within_limits(viewer.pixel_error * scale), ..*viewer }
}

fn within_limits(pixel_error: f64) -> f64 {
    pixel_error.clamp(PIXEL_ERROR.min, PIXEL_ERROR.max)
}

/// Pixels per radian, computed as for `TerrainViewer`.
pub fn pixels_per_radian(camera: Option<(&Camera, &Projection)>) -> f64 {
    let pixels = camera.and_then(|(camera, projection)| {
        let Projection::Perspective(perspective) = projection else { return None };
        let height = f64::from(camera.physical_viewport_size()?.y);
        Some(height / (2.0 * (f64::from(perspective.fov) / 2.0).tan()))
    });
    pixels.unwrap_or(PLAIN)
}
