//! Drawing plants and rocks.
//!
//! `tiles` has what stands where, as records. `store` keeps them with the variants of their
//! instances, the shapes of these, and the entities that draw shapes with a `material`. The
//! `library` has the models: `grown` ones, with `textures` that are baked on tasks, and those of a
//! game (`own`). The formats of records and vertices are in `packed`. `tiers` says how far away
//! which level of a model is drawn. How many instances of a shape are drawn in a view, and where,
//! is decided on the device, in `gpu`.

pub(crate) mod gpu;
mod grown;
mod library;
pub(crate) mod material;
pub(crate) mod own;
mod packed;
pub(crate) mod store;
mod textures;
mod tiers;
pub(crate) mod tiles;

use bevy_app::App;
use bevy_asset::{AssetApp, Assets, embedded_asset};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::Mesh;
use bevy_pbr::{MaterialPlugin, StandardMaterial};
use bevy_render::render_resource::{DownlevelFlags, WgpuFeatures};
use bevy_render::renderer::{RenderAdapter, RenderDevice};
use bevy_shader::load_shader_library;
use bevy_world_serialization::WorldAsset;

use self::gpu::wind::BendsPlants;
use self::library::Library;
use self::material::{PlantMaterial, PlantMaterials};
use self::own::Following;
use self::own::plant_model::PlantModels;
use self::store::Plants;
use self::textures::Baking;
use crate::base::assets;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::render::DrawnParts;
use crate::streaming;

pub(crate) fn build(app: &mut App) {
    app.world_mut().resource_mut::<DrawnParts>().plants = true;
    load_shader_library!(app, "impostors.wgsl");
    load_shader_library!(app, "wind.wgsl");
    embedded_asset!(app, "plants.wgsl");
    // An app that loads no scenes has none of its own.
    if !app.world().contains_resource::<Assets<WorldAsset>>() {
        app.init_asset::<WorldAsset>();
    }
    assets::follow::<WorldAsset>(app);
    assets::follow::<Mesh>(app);
    assets::follow::<StandardMaterial>(app);
    assets::follow::<Image>(app);
    app.add_plugins(MaterialPlugin::<PlantMaterial>::default())
        .register_type::<BendsPlants>()
        .init_resource::<Plants>()
        .init_resource::<Library>()
        .init_resource::<PlantModels>()
        .init_resource::<Following>()
        .init_resource::<PlantMaterials>()
        .init_resource::<Baking>()
        .add_systems(
            StreamTerrain,
            (
                (check_device, forget)
                    .chain()
                    .run_if(resource_exists_and_changed::<RenderDevice>)
                    .in_set(TerrainSystems::Recover),
                own::follow.in_set(TerrainSystems::Receive).after(streaming::receive),
                store::despawn_orphans.in_set(TerrainSystems::Follow),
                material::follow_decals.in_set(TerrainSystems::Dispatch).after(textures::receive),
            ),
        )
        .add_observer(store::on_tile_removed)
        .add_observer(store::on_draw_removed);
    gpu::build(app);
    tiles::build(app);
}

/// Finds out whether the device can draw plants: compute shaders select them, and write the
/// arguments of draws, which WebGL 2 and some old devices lack.
fn check_device(
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
