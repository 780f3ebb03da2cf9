//! An app with materials and without a GPU, and the time of the plugin in its frames.

use std::path::Path;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::time::TimeUpdateStrategy;
use bevy::winit::WinitPlugin;
use bevy_orogeny::{
    ScatterStats, StreamTerrain, Terrain, TerrainPlugin, TerrainStats, TerrainSystems,
    TerrainViewer,
};
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
    begin: Instant,
    time: Duration,
}

pub struct World {
    pub app: App,
    viewer: Entity,
    ground: Landscape,
}

impl World {
    pub fn new(recipe: &Recipe) -> Self {
        let backends = WgpuSettings { backends: None, ..default() };
        let render_creation = RenderCreation::Automatic(Box::new(backends));
        let render = RenderPlugin { render_creation, ..default() };
        let mut app = App::new();
        app.add_plugins((DefaultPlugins.set(render).disable::<WinitPlugin>(), TerrainPlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)))
            .insert_resource(Clock { begin: Instant::now(), time: Duration::ZERO })
            .add_systems(
                StreamTerrain,
                (begin.before(TerrainSystems::Adopt), end.after(TerrainSystems::Report)),
            );
        app.finish();
        app.cleanup();
        let ground = recipe.build().expect("a valid preset");
        app.world_mut().spawn(Terrain::recipe(recipe.clone()));
        let viewer = app.world_mut().spawn(TerrainViewer::default()).id();
        Self { app, viewer, ground }
    }

    /// Moves the viewer.
    pub fn place(&mut self, [x, z]: [f64; 2]) {
        let at = Transform::from_xyz(x as f32, self.ground.value([x, z]) + HEIGHT, z as f32);
        let view = at.looking_to(Vec3::new(1.0, -0.2, 0.3), Vec3::Y);
        self.app.world_mut().entity_mut(self.viewer).insert(view);
    }

    /// Runs a frame. Returns the time of the plugin in milliseconds.
    pub fn frame(&mut self) -> f64 {
        self.app.update();
        1e3 * self.app.world().resource::<Clock>().time.as_secs_f64()
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

fn begin(mut clock: ResMut<Clock>) {
    clock.begin = Instant::now();
}

fn end(mut clock: ResMut<Clock>) {
    clock.time = clock.begin.elapsed();
}
