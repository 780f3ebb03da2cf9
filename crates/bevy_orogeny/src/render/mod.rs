//! What all that is drawn shares: materials of terrains, shader libraries, shadows, the wind.
//!
//! `material_plugin` gives each terrain's chunks the terrain's material, of any type, once
//! `pipelines` says that the renderer can draw with it. `geomorph` lets materials morph their
//! vertices. `decals` says whether shaders look for decals. `shadows` keeps shadow maps cheap.
//! `void` draws the inside of holes. `frame_cost` measures the renderer and the GPU. This module
//! recovers from a lost graphics device, and tells the ground what is drawn beside it. The default
//! material is in `ground`; water and plants have modules of their own. All read the state that
//! streaming displays; they do not decide which chunks exist.

pub(crate) mod decals;
mod frame_cost;
pub mod geomorph;
pub(crate) mod material_plugin;
pub(crate) mod pipelines;
pub(crate) mod shadows;
pub(crate) mod void;
#[cfg(any(feature = "plants", feature = "water"))]
pub(crate) mod wind;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_render::renderer::RenderDevice;
use bevy_shader::load_shader_library;

use crate::base::drawn_for::{DrawnFor, OutlastsDevice};
use crate::base::schedule::{StreamTerrain, TerrainSystems};

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "noise.wgsl");
    app.init_resource::<DrawnParts>().add_systems(
        StreamTerrain,
        rebuild.run_if(resource_exists_and_changed::<RenderDevice>).in_set(TerrainSystems::Recover),
    );
    #[cfg(any(feature = "plants", feature = "water"))]
    app.register_type::<wind::TerrainWind>().init_resource::<wind::TerrainWind>();
    app.register_type::<decals::TerrainDecals>().init_resource::<decals::TerrainDecals>();
    pipelines::build(app);
    geomorph::build(app);
    frame_cost::build(app);
    void::build(app);
    shadows::build(app);
    material_plugin::build(app);
}

/// Despawns all that is drawn after a device was lost, since meshes are on the device alone. They
/// are built again, the coarsest chunks at once.
fn rebuild(
    mut commands: Commands,
    drawn: Query<Entity, (With<DrawnFor>, Without<OutlastsDevice>)>,
    mut knows: Local<bool>,
) {
    // The first device loses nothing.
    if core::mem::replace(&mut *knows, true) {
        drawn.iter().for_each(|entity| commands.entity(entity).try_despawn());
    }
}

/// What is drawn beside the ground, whose shader draws the canopy of far woods and the bed of the
/// sea. Without what they belong to, a canopy would vanish up close, and the bed would be dry.
///
/// An app has it if [`build`] has run.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawnParts {
    /// The sea: not without `TerrainWaterPlugin`.
    pub water: bool,
    /// Plants: not without `TerrainPlantsPlugin`, and not on a device that cannot draw them.
    pub plants: bool,
}
