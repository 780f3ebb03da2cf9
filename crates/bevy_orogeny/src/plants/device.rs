//! What of plants depends on the graphics device: whether it can draw them, and what is lost with
//! it.

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_render::render_resource::{DownlevelFlags, WgpuFeatures};
use bevy_render::renderer::{RenderAdapter, RenderDevice};

use super::baking::Baking;
use super::material::PlantMaterials;
use super::own::Following;
use super::store::Plants;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::render::drawn_parts::DrawnParts;

pub(super) fn build(app: &mut App) {
    app.world_mut().resource_mut::<DrawnParts>().plants = true;
    app.add_systems(
        StreamTerrain,
        (look, forget)
            .chain()
            .run_if(resource_exists_and_changed::<RenderDevice>)
            .in_set(TerrainSystems::Recover),
    );
}

/// Finds out whether the device can draw plants: compute shaders select them, and write the
/// arguments of draws, which WebGL 2 and some old devices lack.
fn look(
    device: Res<RenderDevice>,
    adapter: Option<Res<RenderAdapter>>,
    mut drawn: ResMut<DrawnParts>,
    mut problems: ResMut<TerrainProblems>,
) {
    let flags = adapter.map(|adapter| adapter.get_downlevel_capabilities().flags);
    let storage_buffers = device.limits().max_storage_buffers_per_shader_stage;
    drawn.plants = can_draw(flags, device.features(), storage_buffers);
    if drawn.plants {
        problems.clear(None, |problem| matches!(problem, TerrainProblem::NoPlants));
    } else {
        problems.report(None, TerrainProblem::NoPlants);
    }
}

fn can_draw(flags: Option<DownlevelFlags>, features: WgpuFeatures, storage_buffers: u32) -> bool {
    let needed = DownlevelFlags::COMPUTE_SHADERS | DownlevelFlags::INDIRECT_EXECUTION;
    flags.is_none_or(|flags| flags.contains(needed))
        && features.contains(WgpuFeatures::INDIRECT_FIRST_INSTANCE)
        && storage_buffers >= STORAGE_BUFFERS
}

/// The storage buffers of the compute shader with the most.
const STORAGE_BUFFERS: u32 = 7;

/// Forgets what plants had on the device, and has their textures baked again.
fn forget(
    mut plants: ResMut<Plants>,
    (mut models, mut baking): (ResMut<Following>, ResMut<Baking>),
    materials: Res<PlantMaterials>,
    mut images: ResMut<Assets<Image>>,
    mut knows: Local<bool>,
) {
    if core::mem::replace(&mut *knows, true) {
        *plants = Plants::default();
        baking.forget();
        materials.forget(&mut images);
        models.start_again();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_need_compute_shaders_and_indirect_draws() {
        let (all, features) = (DownlevelFlags::all(), WgpuFeatures::all());
        assert!(can_draw(Some(all), features, 8) && can_draw(None, features, 8));
        for missing in [DownlevelFlags::COMPUTE_SHADERS, DownlevelFlags::INDIRECT_EXECUTION] {
            assert!(!can_draw(Some(all - missing), features, 8));
        }
        assert!(!can_draw(Some(all), features - WgpuFeatures::INDIRECT_FIRST_INSTANCE, 8));
        assert!(!can_draw(Some(all), features, 4));
    }
}
