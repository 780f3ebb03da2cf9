//! The plugin: what runs when.

use bevy_app::{App, Plugin, Startup};
use bevy_asset::{AssetApp, AssetServer, Assets};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::ResMut;
use bevy_mesh::Mesh;

use crate::chunk::key::Chunk;
use crate::lod::camera::raise_far;
use crate::lod::hold_frame_time::hold;
use crate::lod::quality::TerrainQuality;
use crate::lod::viewer::TerrainViewer;
use crate::query::terrain_editor::{EditApplied, EditAuthor};
use crate::scatter::spawn::{self, ScatterInstance, ScatterSpawner};
use crate::scatter::{ScatterStats, ScatterTile};
use crate::standing::put_on_ground;
use crate::standing::spawn_on_ground::SpawnOnGround;
use crate::standing::walk::TerrainWalker;
use crate::streaming;
use crate::streaming::budget::{TerrainBudget, TerrainStats};
use crate::streaming::chunk_entity::ChunkWater;
use crate::streaming::derived::DerivedEntity;
use crate::streaming::origin;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;
use crate::terrain::edits::TerrainEdits;
use crate::terrain::preset::{Preset, PresetLoader, TerrainPreset};

/// Adds endless terrain to an app. Add it after `DefaultPlugins`; a server needs `MinimalPlugins`
/// and `AssetPlugin`.
pub struct TerrainPlugin;

impl Plugin for TerrainPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<TerrainProblems>() {
            let mut problems = app.world_mut().resource_mut::<TerrainProblems>();
            problems.report(None, TerrainProblem::AddedTwice);
            return;
        }
        app.init_resource::<TerrainProblems>()
            .init_resource::<TerrainBudget>()
            .init_resource::<TerrainStats>()
            .init_resource::<TerrainQuality>()
            .init_resource::<EditAuthor>()
            .add_message::<EditApplied>()
            .register_type::<Terrain>()
            .register_type::<TerrainEdits>()
            .register_type::<DerivedEntity>()
            .register_type::<ScatterSpawner>()
            .register_type::<ScatterInstance>()
            .register_type::<TerrainViewer>()
            .register_type::<TerrainPreset>()
            .register_type::<Chunk>()
            .register_type::<ChunkWater>()
            .register_type::<SpawnOnGround>()
            .register_type::<TerrainWalker>()
            .register_type::<TerrainBudget>()
            .register_type::<TerrainQuality>()
            .register_type::<ScatterTile>()
            .register_type::<ScatterStats>()
            .init_resource::<ScatterStats>()
            .register_type::<TerrainStats>();
        origin::build(app);
        if !app.world().contains_resource::<AssetServer>() {
            // Reported when the app starts, since the log may not exist yet.
            app.add_systems(Startup, |mut problems: ResMut<TerrainProblems>| {
                problems.report(None, TerrainProblem::NoAssets);
            });
            return;
        }
        // A server may have no mesh plugin.
        if !app.world().contains_resource::<Assets<Mesh>>() {
            app.init_asset::<Mesh>();
        }
        streaming::build(app);
        app.init_asset::<Preset>()
            .register_asset_reflect::<Preset>()
            .init_asset_loader::<PresetLoader>();
        #[cfg(feature = "render")]
        crate::render::material_plugin::build(app);

        use TerrainSystems::*;
        app.add_systems(
            StreamTerrain,
            (
                (raise_far, hold).in_set(Adopt),
                put_on_ground::try_waiting.after(Select).before(Show),
                spawn::find.after(Select).before(Show),
                spawn::spawn.after(Show).before(Dispatch),
            ),
        )
        .add_systems(streaming::FollowLateViewers, spawn::spawn.after(streaming::show))
        .add_observer(spawn::on_removed::<ScatterSpawner>)
        .add_observer(spawn::on_removed::<Terrain>)
        .add_observer(put_on_ground::on_insert)
        .add_observer(put_on_ground::on_remove);
    }

    /// A second plugin is reported as a problem, without a panic.
    fn is_unique(&self) -> bool {
        false
    }
}
