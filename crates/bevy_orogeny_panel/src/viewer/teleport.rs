//! Moves the camera to coordinates, however far away.

use bevy::prelude::*;
use bevy_orogeny::{TerrainOrigin, TerrainQuery};

use super::camera::{Cameras, PanelCamera};
use crate::editing::Editing;

/// The maximum number of frames for a far jump. The first frame goes as near as `f32` allows; the
/// origin follows, and each further frame is more precise.
const FRAMES: u32 = 4;
/// Height above the ground on arrival, in metres.
const ABOVE: f64 = 150.0;

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
pub fn go(
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
    let near =
        to.iter().zip(origin.offset()).all(|(to, at)| (to - at).abs() < bevy_orogeny::ORIGIN_STEP);
    teleport.wanted = (!near && frames > 1).then_some((to, frames - 1));
}
