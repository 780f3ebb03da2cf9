//! A terrain that is saved, in apps without a window.

mod errors;
mod following;
mod round_trip;
mod switching;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Fractal, GradientNoise, Recipe};
use bevy_orogeny::{GroundEditor, orogeny::edits::EditLog};
use bevy_orogeny::{Terrain, TerrainEditor, TerrainEdits, TerrainPlugins, TerrainQuery};
use bevy_orogeny_world::orogeny_world::{World as Saved, WorldFile};
use bevy_orogeny_world::{SavedTerrain, TerrainWorld, TerrainWorldPlugin};
use tempfile::{TempDir, tempdir};

fn recipe(seed: u64) -> Recipe {
    Recipe::new(
        seed,
        300.0,
        Fractal { frequency: 1e-3, ..Fractal::fbm(4.0, GradientNoise::seeded(seed)) },
    )
}

/// An app without a world.
fn app() -> App {
    app_with(AssetPlugin::default())
}

fn app_with(assets: AssetPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, assets, TerrainPlugins, TerrainWorldPlugin));
    app.finish();
    app.cleanup();
    app
}

/// An app in which a world is open, as a game would do it.
fn open(path: &Path, seed: u64) -> (App, Entity) {
    let mut app = app();
    let world = TerrainWorld::open_or_create(path, &Terrain::recipe(recipe(seed))).unwrap();
    app.insert_resource(world);
    let terrain = app.world_mut().spawn(SavedTerrain).id();
    (app, terrain)
}

/// Edits the terrain.
fn edit<T: Send + 'static>(
    app: &mut App,
    edit: impl FnOnce(&mut GroundEditor) -> T + Send + Sync + 'static,
) -> T {
    let mut edit = Some(edit);
    let run = move |mut editor: TerrainEditor| edit.take().unwrap()(&mut editor.single().unwrap());
    app.world_mut().run_system_once(run).unwrap()
}

/// The bits of heights and slopes at some places.
fn heights(app: &mut App) -> Vec<[u32; 3]> {
    let read = |terrains: TerrainQuery| {
        let ground = terrains.single().unwrap();
        let at = |n: u32| [f64::from(n % 20), f64::from(n / 20)].map(|x| 7.3 * (x - 10.0));
        let sample = |n| ground.field(at(n)).unwrap();
        let bits = |n| {
            let sample = sample(n);
            [sample.value, sample.gradient[0], sample.gradient[1]].map(f32::to_bits)
        };
        (0..400).map(bits).collect::<Vec<_>>()
    };
    app.world_mut().run_system_once(read).unwrap()
}

fn log(app: &App, terrain: Entity) -> &EditLog {
    &app.world().get::<TerrainEdits>(terrain).unwrap().log
}

fn same(a: &EditLog, b: &EditLog) -> bool {
    a.changes().eq(b.changes())
}

fn world(app: &App) -> &TerrainWorld {
    app.world().resource()
}

fn exit(app: &mut App) {
    app.world_mut().write_message(AppExit::Success);
    app.update();
}

/// What a file has.
fn read(path: &Path) -> Saved {
    WorldFile::open(path).unwrap().1
}

/// Runs frames until something is so, for at most 20 seconds.
fn run_until(app: &mut App, is_done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !is_done(app) {
        assert!(start.elapsed() < Duration::from_secs(20), "it takes too long");
        app.update();
        sleep(Duration::from_millis(2));
    }
}

/// A new folder, and the path of a file in it that does not exist yet.
fn island() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    (folder, path)
}
