//! The viewer and the camera: freezing the viewer, and going to coordinates.
//!
//! Both work in world space, since a camera may be the child of a rig, a vehicle or a character.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::advanced::{ORIGIN_STEP, PIXEL_ERROR};
use bevy_orogeny::{TerrainOrigin, TerrainQuery, TerrainViewer, WorldPosition};

use crate::editing::Editing;

/// Pixels per radian of a viewer without a camera: 1080 pixels and 45 degrees, see `TerrainViewer`.
const PLAIN: f64 = 1080.0 / (2.0 * 0.414_213_562_373_095);
/// The maximum number of frames for a far jump. The first frame goes as near as `f32` allows; the
/// origin follows, and each further frame is more precise.
const FRAMES: u32 = 4;
/// Height above the ground on arrival, in metres.
const ABOVE: f64 = 150.0;

/// Cameras that see terrain.
pub type Cameras = (With<Camera3d>, Or<(With<TerrainViewer>, With<Frozen>)>);

/// The camera of the panel. Of a split screen it is the one that is drawn first: the other players
/// stay where they are.
#[derive(SystemParam)]
pub struct PanelCamera<'w, 's> {
    cameras: Query<'w, 's, (Entity, &'static Camera, Option<&'static Frozen>), Cameras>,
}

impl PanelCamera<'_, '_> {
    pub fn get(&self) -> Option<Entity> {
        let first = |(entity, camera, _): &(Entity, &Camera, _)| {
            (!camera.is_active, camera.order, entity.index_u32())
        };
        self.cameras.iter().min_by_key(first).map(|(entity, ..)| entity)
    }

    /// The entity that has its `TerrainViewer`: another one while that is frozen.
    pub fn viewer(&self) -> Option<Entity> {
        let (camera, _, frozen) = self.cameras.get(self.get()?).ok()?;
        Some(frozen.map_or(camera, |frozen| frozen.viewer))
    }
}

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
pub fn freeze(
    mut commands: Commands,
    is_frozen: Res<Freeze>,
    cameras: Query<(Entity, &TerrainViewer, &Camera, &Projection)>,
    frozen: Query<(Entity, &Frozen)>,
    viewers: Query<&TerrainViewer>,
    parents: Query<&ChildOf>,
    moving: Query<(), With<WorldPosition>>,
    transforms: TransformHelper,
) {
    if is_frozen.0 {
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

/// The destination of the camera: (x, z) in the world, in metres.
#[derive(Resource, Default)]
pub struct Teleport {
    /// The destination, and the number of frames left.
    wanted: Option<([f64; 2], u32)>,
}

impl Teleport {
    /// Goes to (x, z).
    pub fn go(&mut self, to: [f64; 2]) {
        self.wanted = Some((to, FRAMES));
    }
}

/// Moves the camera. One with a parent gets the matching local transform.
pub fn teleport(
    mut teleport: ResMut<Teleport>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    camera: PanelCamera,
    parents: Query<&ChildOf>,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform, Cameras>)>,
) {
    let Some((to, frames)) = teleport.wanted else { return };
    let ground = editing.terrain().map(|terrain| terrains.get(terrain));
    let ground = ground.unwrap_or_else(|| terrains.single()).and_then(|ground| ground.field(to));
    let height = ground.map_or(0.0, |ground| f64::from(ground.value)) + ABOVE;
    let position = origin.translation([to[0], height, to[1]]);
    if let Some(camera) = camera.get() {
        let parent = parents.get(camera).ok();
        let parent = parent.map(|parent| transforms.p0().compute_global_transform(parent.parent()));
        let local = match parent {
            Some(Ok(parent)) => parent.affine().inverse().transform_point3(position),
            _ => position,
        };
        if let Ok(mut transform) = transforms.p1().get_mut(camera) {
            transform.translation = local;
        }
    }
    let near = to.iter().zip(origin.offset()).all(|(to, at)| (to - at).abs() < ORIGIN_STEP);
    teleport.wanted = (!near && frames > 1).then_some((to, frames - 1));
}
