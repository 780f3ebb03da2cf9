//! An app with materials and without a GPU, and the time of the plugin in its frames.

use std::path::Path;
use std::time::{Duration, Instant};

use bevy::app::TerminalCtrlCHandlerPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::time::TimeUpdateStrategy;
use bevy::winit::WinitPlugin;
use bevy_orogeny::{
    ScatterStats, StreamTerrain, Terrain, TerrainPlugins, TerrainStats, TerrainSystems,
    TerrainViewer,
};
use cpu_time::ThreadTime;
use orogeny::{Landscape, Recipe};

/// The time from one frame to the next, in seconds.
pub const FRAME: f64 = 1.0 / 60.0;
/// How high viewers fly above the ground, in metres.
const HEIGHT: f32 = 100.0;

/// The preset valleys.
pub fn recipe() -> Recipe {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/presets/valleys.terrain.ron");
    let text = std::fs::read_to_string(path).expect("the preset");
    Recipe::from_ron(&text).expect("a valid preset")
}

/// When the first system of the plugin began, and how long all took.
#[derive(Resource)]
struct Clock {
    begin: (Instant, Duration),
    /// The time that went by, and the part of it that the thread was running.
    times: [Duration; 2],
}

impl Clock {
    fn new() -> Self {
        Self { begin: (Instant::now(), running()), times: [Duration::ZERO; 2] }
    }
}

pub struct World {
    pub app: App,
    viewer: Entity,
    ground: Landscape,
}

impl World {
    /// A world that nobody sees.
    pub fn new(recipe: &Recipe) -> Self {
        let backends = WgpuSettings { backends: None, ..default() };
        let render_creation = RenderCreation::Automatic(Box::new(backends));
        let render = RenderPlugin { render_creation, ..default() };
        let mut app = App::new();
        // A process can only have one logger and one handler, but there are several worlds.
        let plugins = DefaultPlugins
            .set(render)
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .disable::<TerminalCtrlCHandlerPlugin>();
        app.add_plugins(plugins);
        add_plugins(&mut app);
        app.world_mut().spawn(Terrain::recipe(recipe.clone()));
        let viewer = app.world_mut().spawn(TerrainViewer::default()).id();
        let ground = recipe.build().expect("a valid preset");
        Self { app, viewer, ground }
    }

    /// Moves the viewer.
    pub fn place(&mut self, [x, z]: [f64; 2]) {
        let at = Transform::from_xyz(x as f32, self.ground.value([x, z]) + HEIGHT, z as f32);
        let view = at.looking_to(Vec3::new(1.0, -0.2, 0.3), Vec3::Y);
        self.app.world_mut().entity_mut(self.viewer).insert(view);
    }

    /// Runs a frame. Returns the time of the plugin in milliseconds, and the part of it that the
    /// main thread was running: others preempt it where cores are few.
    pub fn frame(&mut self) -> [f64; 2] {
        self.app.update();
        self.app.world().resource::<Clock>().times.map(|time| 1e3 * time.as_secs_f64())
    }

    pub fn stats(&self) -> ScatterStats {
        *self.app.world().resource::<ScatterStats>()
    }

    /// Whether all chunks are ready.
    pub fn has_ground(&self) -> bool {
        self.app.world().resource::<TerrainStats>().missing == 0
    }

    /// Runs frames until everything is ready.
    pub fn settle(&mut self) {
        (0..3).for_each(|_| _ = self.frame());
        while !self.has_ground() || self.stats().missing > 0 {
            self.frame();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Adds the plugin and what measures it to an app with Bevy's plugins.
fn add_plugins(app: &mut App) {
    app.add_plugins(TerrainPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)))
        .insert_resource(Clock::new())
        .add_systems(
            StreamTerrain,
            (begin.before(TerrainSystems::Adopt), end.after(TerrainSystems::Report)),
        );
    app.finish();
    app.cleanup();
}

/// The time that this thread was running.
fn running() -> Duration {
    ThreadTime::now().as_duration()
}

fn begin(mut clock: ResMut<Clock>) {
    *clock = Clock::new();
}

fn end(mut clock: ResMut<Clock>) {
    clock.times = [clock.begin.0.elapsed(), running() - clock.begin.1];
}
