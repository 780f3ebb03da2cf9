//! Going to coordinates, however far away.

use bevy::prelude::*;
use bevy_orogeny::{TerrainOrigin, TerrainQuery, TerrainViewer};

use crate::views::Frozen;

/// Frames that a far jump may take: the first goes to where `f32` can tell places apart, and the
/// origin follows.
const FRAMES: u32 = 4;
/// The height above the ground on arrival, in metres.
const ABOVE: f64 = 150.0;

/// A place to go to: (x, z) in the world, in metres.
#[derive(Resource, Default)]
pub struct Teleport {
    /// Where to, and for how many frames still.
    wanted: Option<([f64; 2], u32)>,
}

impl Teleport {
    /// Goes to (x, z).
    pub fn go(&mut self, to: [f64; 2]) {
        self.wanted = Some((to, FRAMES));
    }
}

/// Puts the cameras there, again until the origin has followed: each time the place is more
/// precise.
pub fn go(
    mut teleport: ResMut<Teleport>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut cameras: Query<&mut Transform, (With<Camera3d>, Or<(With<TerrainViewer>, With<Frozen>)>)>,
) {
    let Some((to, frames)) = teleport.wanted else { return };
    let ground = terrains.single().and_then(|ground| ground.field(to));
    let height = ground.map_or(0.0, |ground| f64::from(ground.value)) + ABOVE;
    for mut transform in &mut cameras {
        transform.translation = origin.translation([to[0], height, to[1]]);
    }
    let near =
        to.iter().zip(origin.offset()).all(|(to, at)| (to - at).abs() < bevy_orogeny::ORIGIN_STEP);
    teleport.wanted = (!near && frames > 1).then_some((to, frames - 1));
}
