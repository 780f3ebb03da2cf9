//! The lines that tools draw.

use bevy::prelude::*;

/// The lines that tools draw, over everything else: a path that is laid out runs through hills.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct ToolLines;

/// Nearly as far forward as -1, which by rounding would put some of them before the near plane.
const DEPTH_BIAS: f32 = -0.9;

/// Adds the lines to an app that draws gizmos.
pub fn build(app: &mut App) {
    let config = GizmoConfig { depth_bias: DEPTH_BIAS, ..default() };
    app.insert_gizmo_config(ToolLines, config);
}
