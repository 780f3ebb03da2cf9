//! The plugins: what an app with terrain is made of.

use bevy_app::{App, Plugin, PluginGroup, PluginGroupBuilder, Startup};
use bevy_asset::{AssetApp, AssetServer, Assets};
use bevy_ecs::query::{Or, With};
use bevy_ecs::schedule::IntoScheduleConfigs;
#[cfg(feature = "render")]
use bevy_ecs::schedule::common_conditions::resource_exists;
use bevy_ecs::system::{Query, ResMut};
use bevy_mesh::Mesh;

use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::base::derived::DerivedEntity;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::base::schedule::{FollowLateViewers, StreamTerrain, TerrainSystems};
use crate::chunk::key::Chunk;
use crate::colliders::source::TerrainColliderSource;
use crate::lod::camera::raise_far;
use crate::lod::frame_clock;
use crate::lod::hold_frame_time::{HoldFrameTime, hold};
use crate::lod::quality::TerrainQuality;
use crate::lod::viewer::TerrainViewer;
use crate::query::terrain_editor::{EditApplied, EditAuthor};
use crate::scatter::spawn::{self, ScatterInstance, ScatterSpawner};
use crate::scatter::{ScatterStats, ScatterTile};
use crate::standing::obstacle::WalkerObstacle;
use crate::standing::spawn_on_ground::SpawnOnGround;
use crate::standing::walk::TerrainWalker;
use crate::standing::{put_on_ground, walk};
use crate::streaming::chunk_entity::{ChunkVoid, ChunkWater};
use crate::terrain::preset::{Preset, PresetLoader, TerrainPreset};
use crate::terrain::{Terrain, TerrainEdits};
use crate::{base, streaming};

/// Endless terrain. Add it after `DefaultPlugins`, or at least after `PbrPlugin`; a server needs
/// `MinimalPlugins` and `AssetPlugin`.
///
/// | part | does | feature |
/// |---|---|---|
/// | [`TerrainStreamingPlugin`] | builds chunks, answers queries, puts entities on the ground | |
/// | [`TerrainGroundPlugin`] | draws the ground with [`TerrainMaterial`](crate::advanced::TerrainMaterial) | `render` |
/// | [`TerrainWaterPlugin`] | draws the sea, rivers and lakes | `water` |
/// | [`TerrainPlantsPlugin`] | draws plants and rocks | `plants` |
/// | [`TerrainPickingPlugin`] | lets pointers hit the ground | `picking` |
///
/// Leave out a part, or replace it by your own. All others need the first one. Without
/// [`TerrainGroundPlugin`] a terrain has no material unless you give it one, see
/// [`TerrainMaterialPlugin`](crate::advanced::TerrainMaterialPlugin); without
/// [`TerrainWaterPlugin`] the entities with [`ChunkWater`] have meshes for a material of your own,
/// and the ground is dry below the sea level; without [`TerrainPlantsPlugin`] it shows no canopy of
/// far woods. Features that are left out are not compiled either. Colliders are a plugin of their
/// own, [`TerrainColliderPlugin`](crate::advanced::TerrainColliderPlugin), since they need a
/// physics engine.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainPlugins;
/// use bevy_orogeny::advanced::TerrainWaterPlugin;
///
/// App::new()
///     .add_plugins((MinimalPlugins, AssetPlugin::default()))
///     .add_plugins(TerrainPlugins.build().disable::<TerrainWaterPlugin>());
/// ```
pub struct TerrainPlugins;

impl PluginGroup for TerrainPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>().add(TerrainStreamingPlugin);
        #[cfg(feature = "render")]
        let group = group.add(TerrainGroundPlugin);
        #[cfg(feature = "water")]
        let group = group.add(TerrainWaterPlugin);
        #[cfg(feature = "plants")]
        let group = group.add(TerrainPlantsPlugin);
        #[cfg(feature = "picking")]
        let group = group.add(TerrainPickingPlugin);
        group
    }
}

/// Part of [`TerrainPlugins`]: builds, shows and removes chunks around viewers, answers queries,
/// applies edits, puts entities on the ground.
pub struct TerrainStreamingPlugin;

impl Plugin for TerrainStreamingPlugin {
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
            .register_type::<ChunkVoid>()
            .register_type::<SpawnOnGround>()
            .register_type::<TerrainWalker>()
            .register_type::<WalkerObstacle>()
            .register_type::<TerrainBudget>()
            .register_type::<TerrainQuality>()
            .register_type::<HoldFrameTime>()
            .register_type::<EditAuthor>()
            .register_type::<ScatterTile>()
            .register_type::<ScatterStats>()
            .init_resource::<ScatterStats>()
            .register_type::<TerrainStats>();
        base::rebase::build(app);
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
        frame_clock::build(app);
        app.init_asset::<Preset>()
            .register_asset_reflect::<Preset>()
            .init_asset_loader::<PresetLoader>();
        #[cfg(feature = "render")]
        if app.world().contains_resource::<Materials>() {
            crate::render::build(app);
        } else {
            // A server. Otherwise, this is reported when all plugins are there.
            app.add_systems(Startup, report_not_drawn.run_if(resource_exists::<Materials>));
        }

        use TerrainSystems::*;
        app.add_systems(
            StreamTerrain,
            (
                (raise_far, hold).in_set(Adopt),
                forget_problems.in_set(Report).after(streaming::report),
                (put_on_ground::try_waiting, spawn::find).in_set(Place),
                walk::lift.after(streaming::show).in_set(Show),
                spawn::spawn.in_set(Follow),
            ),
        )
        .add_systems(FollowLateViewers, (spawn::spawn, walk::lift).after(streaming::show_again))
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

/// Part of [`TerrainPlugins`]: draws the ground of terrains that have no other material, with
/// textures of each kind of [cover](crate::GroundTextures).
#[cfg(feature = "render")]
pub struct TerrainGroundPlugin;

/// Part of [`TerrainPlugins`]: draws the [sea](crate::advanced::Sea), and the water of rivers,
/// lakes and floods with [`RiverAppearance`](crate::advanced::RiverAppearance).
#[cfg(feature = "water")]
pub struct TerrainWaterPlugin;

/// Part of [`TerrainPlugins`]: draws plants and rocks.
#[cfg(feature = "plants")]
pub struct TerrainPlantsPlugin;

/// Part of [`TerrainPlugins`]: a backend of `bevy_picking` that lets pointers hit the ground of
/// terrains, wherever it is drawn. Rays are cast against the triangles of level 0, so meshes need
/// not be readable.
///
/// Rays pass terrain that is hidden, by its own `Visibility` or that of a parent, and terrain that
/// the camera is under, since the backs of triangles are not drawn. A ray is cast again only when
/// it or the ground has changed, and ends after some 4,000 samples of the field. That is ten times
/// what rays over mountains need. If a custom field has no
/// [`local_bounds`](orogeny::Field::local_bounds), it ends after at least 1,900 spacings: farther
/// ground is not hit.
#[cfg(feature = "picking")]
pub struct TerrainPickingPlugin;

/// Parts that draw: each is built once, in an app whose terrain is drawn.
macro_rules! drawing_part {
    ($part:ident, $feature:literal, $build:path) => {
        #[cfg(feature = $feature)]
        impl Plugin for $part {
            fn build(&self, app: &mut App) {
                if is_wanted::<Self>(app, stringify!($part)) && is_drawn(app) {
                    $build(app);
                }
            }

            fn is_unique(&self) -> bool {
                false
            }
        }
    };
}

drawing_part!(TerrainGroundPlugin, "render", crate::ground::build);
drawing_part!(TerrainWaterPlugin, "water", crate::water::build);
drawing_part!(TerrainPlantsPlugin, "plants", crate::plants::build);

#[cfg(feature = "picking")]
impl Plugin for TerrainPickingPlugin {
    fn build(&self, app: &mut App) {
        if is_wanted::<Self>(app, "TerrainPickingPlugin") {
            crate::query::picking::build(app);
        }
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// In an app to which a part was added.
#[cfg(any(feature = "render", feature = "picking"))]
#[derive(bevy_ecs::resource::Resource)]
struct HasPart<P>(core::marker::PhantomData<fn() -> P>);

/// Whether to build a part: in an app with terrain, the first time.
#[cfg(any(feature = "render", feature = "picking"))]
fn is_wanted<P: Plugin>(app: &mut App, part: &'static str) -> bool {
    if !app.world().contains_resource::<TerrainProblems>() {
        // Reported when the app starts, since the log may not exist yet.
        app.add_systems(Startup, move |world: &mut bevy_ecs::world::World| {
            crate::base::problems::report_missing(world, part);
        });
        return false;
    }
    let is_first = !app.world().contains_resource::<HasPart<P>>();
    app.insert_resource(HasPart::<P>(core::marker::PhantomData));
    is_first && app.world().contains_resource::<AssetServer>()
}

/// What may have problems.
type MayHaveProblems =
    (With<Terrain>, With<TerrainViewer>, With<TerrainColliderSource>, With<SpawnOnGround>);

/// Removes the problems of entities that no longer exist.
fn forget_problems(
    entities: Query<(), Or<MayHaveProblems>>,
    mut problems: ResMut<TerrainProblems>,
) {
    problems.retain_entities(|entity| entities.contains(entity));
}

/// What an app has that draws meshes. A server does not.
#[cfg(feature = "render")]
type Materials = Assets<bevy_pbr::StandardMaterial>;

/// Whether the app draws terrain: it had materials when streaming was added.
#[cfg(feature = "render")]
fn is_drawn(app: &App) -> bool {
    app.world().contains_resource::<crate::render::DrawnParts>()
}

/// Reports an app to which materials were added too late.
#[cfg(feature = "render")]
fn report_not_drawn(mut problems: ResMut<TerrainProblems>) {
    problems.report(None, TerrainProblem::NotDrawn);
}
