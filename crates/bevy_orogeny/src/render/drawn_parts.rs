//! Which parts are drawn beside the ground.

use bevy_ecs::resource::Resource;

/// What is drawn beside the ground, whose shader draws the canopy of far woods and the bed of the
/// sea. Without what they belong to, a canopy would vanish up close, and the bed would be dry.
///
/// An app has it if [`build`](super::build) has run.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawnParts {
    /// The sea: not without `TerrainWaterPlugin`.
    pub water: bool,
    /// Plants: not without `TerrainPlantsPlugin`, and not on a device that cannot draw them.
    pub plants: bool,
}
