//! Whether shaders look for Bevy's clustered decals.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectResource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_render::render_resource::RenderPipelineDescriptor;

/// Whether Bevy's clustered decals are drawn on the ground and on plants: by default they are.
///
/// Shaders that look for them need more registers, even where there are none. A game without decals
/// draws faster without: set this before the plugins are added. Later, what is drawn is missing
/// until the other shaders are compiled.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::advanced::TerrainDecals;
///
/// App::new().insert_resource(TerrainDecals(false));
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TerrainDecals(pub bool);

impl Default for TerrainDecals {
    fn default() -> Self {
        Self(true)
    }
}

/// Has the shaders of a pipeline look for no decals.
pub(crate) fn leave_out(descriptor: &mut RenderPipelineDescriptor) {
    // What Bevy's `decal/clustered.wgsl` asks for.
    let usable = "CLUSTERED_DECALS_ARE_USABLE".into();
    if let Some(fragment) = &mut descriptor.fragment {
        fragment.shader_defs.retain(|definition| *definition != usable);
    }
}
