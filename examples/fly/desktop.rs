//! The program on a desktop: in a window, headless, or ray-casting on the CPU.

use std::process::ExitCode;

use bevy::asset::AssetPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::error_handler::{ErrorType, RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy_orogeny::advanced::HoldFrameTime;
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainViewer};
use clap::Parser;

use super::args::{Args, Quality};
use super::game::{PlayPlugin, ScenePlugin};
use super::probe::{Driver, NO_DISPLAY, no_driver};
use super::sky::TimeOfDay;
use super::timing::TimingPlugin;
use super::world::{Sky, WorldSettings};
use super::worlds::WorldsPlugin;
use super::{headless, presets, probe, ray_caster, tour, worlds};

/// Runs the program.
pub fn run() -> ExitCode {
    let mut args = Args::parse();
    if args.probe_display {
        return probe::open_display();
    }
    let wanted = if args.tour { Some(tour::PRESET) } else { args.preset.as_deref() };
    let preset = match presets::find(wanted) {
        Ok(preset) => preset,
        Err(message) => return fail(&message),
    };
    let on_cpu = || {
        if args.tour {
            return fail(
                "--tour needs a GPU driver: on the CPU, fly can only follow its scripted flight",
            );
        }
        if args.world.is_some() || args.edits.is_some() {
            eprintln!("Pictures from the CPU show the preset, without the world and its edits.");
        }
        match ray_caster::fly(&args, &preset) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => fail(&message),
        }
    };
    if args.cpu {
        return on_cpu();
    }
    // Bevy panics without a GPU driver or a display, so look for both before building the app.
    let backends = match probe::backends() {
        Ok(backends) => backends,
        Err(message) => return fail(&message),
    };
    let Some(driver) = probe::driver(backends) else {
        eprintln!("{}", no_driver(backends));
        return on_cpu();
    };
    if !args.headless && !probe::display() {
        eprintln!("{NO_DISPLAY}");
        args.headless = true;
    }
    let sky = match &driver {
        Driver::Good => Sky::Atmosphere,
        Driver::CrashesWithAtmosphere(name) => {
            eprintln!(
                "{name} crashes with Bevy's atmosphere, so the sky is a plain colour. \
                 Mesa 25 or newer draws the atmosphere."
            );
            Sky::Plain
        }
    };

    let mut app = App::new();
    // A fault in one system must not end a flight.
    app.set_error_handler(bevy::ecs::error::error);
    let plugins = DefaultPlugins
        .set(RenderPlugin {
            render_creation: on(backends),
            // Otherwise the first pictures would lack objects whose pipelines are still compiling.
            synchronous_pipeline_compilation: args.headless,
            ..default()
        })
        .set(AssetPlugin { watch_for_changes_override: Some(true), ..default() })
        .set(LogPlugin { filter: log_filter(args.headless), ..default() });
    if args.headless {
        if let Err(message) = headless::add(&mut app, plugins, &args, &preset) {
            return fail(&message);
        }
    } else {
        app.insert_resource(RenderErrorHandler(go_on));
        // The last one measures GPU time for the panel.
        app.add_plugins((plugins.set(window()), RenderDiagnosticsPlugin));
    }
    let log = args.edits.take().unwrap_or_default();
    let mut opened = None;
    if let Some(name) = &args.world {
        match worlds::open(name, &preset, &log) {
            Ok(open) => {
                opened = Some(open.world().clone());
                app.insert_resource(open);
            }
            Err(message) => return fail(&message),
        }
    }
    let (recipe, log) = opened.map_or((None, log), |world| (Some(world.recipe), world.log));
    let viewer = TerrainViewer {
        range: args.range,
        pixel_error: args.pixel_error,
        ..TerrainViewer::default()
    };
    let edits = TerrainEdits { log };
    // An open world has ground of its own.
    let is_at_start = !args.headless && recipe.is_none();
    let world = WorldSettings {
        sky,
        recipe,
        viewer,
        edits,
        scatter_density: args.plants,
        place: args.at.or_else(|| is_at_start.then(|| presets::start(&preset)).flatten()),
        preset,
    };
    match args.quality {
        Quality::Fixed(quality) => app.insert_resource(quality),
        Quality::Auto => app.insert_resource(HoldFrameTime::fps(60.0)),
    };
    app.add_plugins(ScenePlugin { world, time: TimeOfDay(args.time), view: args.view });
    if args.tour {
        // It goes far, and numbers of transforms stay small.
        let origin = app.world_mut().get_resource_or_init::<TerrainOrigin>().rebasing();
        app.insert_resource(origin);
    }
    if !args.headless {
        let screenshots = args.out.clone();
        app.add_plugins(PlayPlugin {
            screenshots,
            worlds: WorldsPlugin { folder: worlds::FOLDER.into() },
        });
        if let Some(frames) = args.timing {
            app.add_plugins(TimingPlugin(frames));
        }
        if args.tour {
            app.add_plugins(tour::TourPlugin);
        }
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// Takes another graphics device after one was lost, as on some laptops when they wake. Any other
/// error ends the program, as Bevy does.
fn go_on(error: &RenderError, world: &mut World, _: &mut World) -> RenderErrorPolicy {
    if let (ErrorType::DeviceLost, Ok(backends)) = (error.ty, probe::backends()) {
        return RenderErrorPolicy::Recover(on(backends));
    }
    world.write_message(AppExit::error());
    RenderErrorPolicy::StopRendering
}

fn on(backends: Backends) -> RenderCreation {
    let settings = WgpuSettings { backends: Some(backends), ..default() };
    RenderCreation::Automatic(Box::new(settings))
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn window() -> WindowPlugin {
    let window = Window { title: "orogeny: fly".into(), ..default() };
    WindowPlugin { primary_window: Some(window), ..default() }
}

/// Hides warnings that every start of Bevy on such a machine prints, and that do not matter to the
/// user.
fn log_filter(headless: bool) -> String {
    let level =
        if headless { "warn,bevy_orogeny=info,bevy_render::renderer=error" } else { "info" };
    format!("{level},wgpu=error,naga=warn,bevy_render::view::window::screenshot=warn,winit=error")
}
