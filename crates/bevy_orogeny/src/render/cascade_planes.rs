//! What may cast a shadow into each cascade, for the renderer.

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_math::Vec4;
use bevy_platform::collections::HashMap;

/// The planes of a cascade.
pub const PLANES: usize = 18;
/// All is on the positive side of this.
pub const ALL: Vec4 = Vec4::W;

/// For each sun, view and cascade: planes, on the positive side of which casters stand.
#[derive(Resource, Clone, Debug, Default)]
pub struct CascadePlanes(pub HashMap<(Entity, Entity, u32), [Vec4; PLANES]>);
