//! The program in a browser, with WebGPU: `examples/web` has its page.
//!
//! Options are those of the command line, in the query of the page's address:
//! `?preset=alpine&time=18`.

pub mod lock;
mod page;
mod query;
pub mod saved;
pub mod storage;

use core::time::Duration;

use bevy::asset::{AssetMetaCheck, AssetPlugin};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy_orogeny::advanced::{HoldFrameTime, ScatterStats, TerrainBudget, TerrainStats};
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainReady, TerrainViewer};
use clap::{CommandFactory, Parser};

use super::args::{Args, Quality};
use super::game::{PlayPlugin, ScenePlugin};
use super::sky::TimeOfDay;
use super::timing::TimingPlugin;
use super::world::{Sky, WorldSettings};
use super::{presets, tour, worlds};

/// What the console shows. Where frames are timed, also the tasks that take long without a break.
fn log_filter(is_timed: bool) -> String {
    let level = if is_timed { "debug" } else { "info" };
    format!("warn,bevy_orogeny={level},fly=info,wgpu=error")
}

/// What tasks may do each frame until the world is complete: nobody sees slow frames yet.
fn loading_budget(flying: TerrainBudget) -> TerrainBudget {
    TerrainBudget { tasks: 128, per_frame: 128, task_time: Duration::from_secs(1), ..flying }
}

/// Runs the program, or says on the page why it cannot.
pub fn run() {
    if let Err(message) = start() {
        page::say(&message);
    }
}

fn start() -> Result<(), String> {
    let query = query::read(&page::query(), &Args::command())?;
    let args = Args::try_parse_from(query.arguments).map_err(|error| query::explain(&error))?;
    let wanted = if args.tour { Some(tour::PRESET) } else { args.preset.as_deref() };
    let preset = presets::find(wanted)?;
    let opened = args.world.as_deref().map(worlds::open).transpose()?;
    let (opened, worlds) = opened.unwrap_or_default();
    let (recipe, edits) =
        opened.map_or_else(Default::default, |(recipe, log)| (Some(recipe), TerrainEdits { log }));

    let mut app = App::new();
    // A fault in one system must not end a flight.
    app.set_error_handler(bevy::ecs::error::error);
    let window = Window {
        title: "orogeny: fly".into(),
        canvas: Some(page::CANVAS.into()),
        fit_canvas_to_parent: true,
        ..default()
    };
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            .set(AssetPlugin { meta_check: AssetMetaCheck::Never, ..default() })
            .set(LogPlugin { filter: log_filter(args.timing.is_some()), ..default() }),
    );
    for name in query.ignored {
        warn!("the address has the parameter {name}, which fly does not know: it is ignored");
    }
    let viewer = TerrainViewer {
        range: args.range,
        pixel_error: args.pixel_error,
        ..TerrainViewer::default()
    };
    let place = args.at.or_else(|| recipe.is_none().then(|| presets::start(&preset)).flatten());
    let world = WorldSettings {
        sky: Sky::Atmosphere,
        recipe,
        viewer,
        edits,
        scatter_density: args.plants,
        place,
        preset,
    };
    let hold = match args.quality {
        Quality::Fixed(quality) => {
            app.insert_resource(quality);
            None
        }
        Quality::Auto => Some(HoldFrameTime::fps(60.0)),
    };
    app.add_plugins((
        ScenePlugin { world, time: TimeOfDay(args.time), view: args.view },
        PlayPlugin { screenshots: "screenshots".into(), worlds },
    ));
    if let Some(frames) = args.timing {
        app.add_plugins(TimingPlugin(frames));
    }
    if args.tour {
        // It goes far, and numbers of transforms stay small.
        let origin = app.world_mut().get_resource_or_init::<TerrainOrigin>().rebasing();
        app.insert_resource(origin).add_plugins(tour::TourPlugin);
    }
    let mut budget = app.world_mut().resource_mut::<TerrainBudget>();
    let flying = *budget;
    *budget = loading_budget(flying);
    app.insert_resource(Loading { has_ground: false, flying, hold })
        .add_observer(|_: On<TerrainReady>, loading: Option<ResMut<Loading>>| {
            if let Some(mut loading) = loading {
                loading.has_ground = true;
            }
        })
        .add_systems(Last, load.run_if(resource_exists::<Loading>));
    app.run();
    Ok(())
}

/// The ground and its plants are not complete yet.
#[derive(Resource)]
struct Loading {
    has_ground: bool,
    /// The budget of the flight.
    flying: TerrainBudget,
    /// What adapts the quality to frames, which are slow until then.
    hold: Option<HoldFrameTime>,
}

/// Says how far the world is, and shows it once it is complete.
fn load(
    (stats, scatter): (Res<TerrainStats>, Res<ScatterStats>),
    mut loading: ResMut<Loading>,
    mut budget: ResMut<TerrainBudget>,
    mut commands: Commands,
) {
    if loading.has_ground && scatter.missing == 0 {
        *budget = loading.flying;
        if let Some(hold) = loading.hold.take() {
            commands.insert_resource(hold);
        }
        commands.remove_resource::<Loading>();
        return page::show_world();
    }
    let [ground, plants] = [stats.missing, scatter.missing];
    page::say(&format!(
        "Building the world: {ground} chunks of ground and {plants} tiles of plants to go"
    ));
}
