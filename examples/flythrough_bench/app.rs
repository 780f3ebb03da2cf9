//! The app without a renderer, like that of a server.

use std::time::Duration;

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::TerrainPlugins;

use crate::args::Args;
use crate::flight::FRAME;
use crate::{clock, gpu, gpu_marks, offscreen, paint, watch};

/// An app with the plugin and the systems that measure it.
pub fn new(args: &Args) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { watch_for_changes_override: Some(false), ..default() };
    if args.render {
        app.add_plugins(offscreen::plugins().set(assets));
    } else {
        app.add_plugins((MinimalPlugins, assets, TransformPlugin));
    }
    app.add_plugins(TerrainPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    clock::add(&mut app, args.steps);
    watch::add(&mut app);
    if args.render {
        gpu::add(&mut app);
    }
    app.finish();
    app.cleanup();
    if args.render {
        paint::measure(&mut app);
        if gpu::is_supported(&app) {
            gpu_marks::add(&mut app);
        } else {
            eprintln!("{}", gpu::NO_TIMESTAMPS);
        }
    }
    if args.full_scene {
        paint::add_light_and_air(&mut app);
    }
    app
}
