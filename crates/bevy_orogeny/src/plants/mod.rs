//! Drawing plants and rocks.
//!
//! `tiles` has what stands where, as records (`record`). `store` keeps them with the looks of their
//! instances and the shapes of these. The `library` has the models: `grown` ones, and those of a
//! game (`own`). Their vertices are in `vertex`. `tiers` says how far away which level of a model
//! is drawn. `entities` draw shapes with a `material`, whose patterns are in `textures`, baked on
//! tasks by `baking`; far trees are an `impostor` each. They `bend` away from bodies. How many
//! instances of a shape are drawn in a view, and where, is decided on the device, in `gpu`, where
//! records are in a buffer with a `room` for each tile. `drawn` tells how many were drawn, and
//! `device` whether any can be.

pub(crate) mod baking;
pub(crate) mod bend;
pub(crate) mod device;
pub(crate) mod drawn;
pub(crate) mod entities;
mod gpu;
mod grown;
mod impostor;
pub(crate) mod library;
pub(crate) mod material;
pub(crate) mod own;
mod part;
pub(crate) mod record;
mod room;
mod slots;
pub(crate) mod store;
mod textures;
pub(crate) mod tiers;
pub(crate) mod tiles;
mod vertex;

use bevy_app::App;
use bevy_asset::{AssetApp, Assets, embedded_asset};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_image::Image;
use bevy_mesh::Mesh;
use bevy_pbr::{MaterialPlugin, StandardMaterial};
use bevy_shader::load_shader_library;
use bevy_world_serialization::WorldAsset;

use self::material::{PlantMaterial, PlantMaterials};
use self::store::Plants;
use crate::base::assets;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming;

pub(crate) fn build(app: &mut App) {
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
        .register_type::<bend::BendsPlants>()
        .init_resource::<Plants>()
        .init_resource::<library::Library>()
        .init_resource::<own::plant_model::PlantModels>()
        .init_resource::<own::Following>()
        .init_resource::<PlantMaterials>()
        .init_resource::<baking::Baking>()
        .add_systems(
            StreamTerrain,
            (
                own::follow.in_set(TerrainSystems::Receive).after(streaming::receive),
                entities::despawn_orphans.in_set(TerrainSystems::Follow),
            ),
        )
        .add_observer(entities::on_tile_removed)
        .add_observer(entities::on_draw_removed);
    device::build(app);
    gpu::build(app);
    tiles::build(app);
}
