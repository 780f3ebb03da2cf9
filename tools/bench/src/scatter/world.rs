//! An app with materials and without a GPU, and the time of the plugin in its frames.

use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainViewer};
use orogeny::{Landscape, Recipe};

use crate::app;
use crate::clocks::plugin;

/// How high viewers fly above the ground, in metres.
const HEIGHT: f32 = 100.0;

pub struct World {
    pub app: App,
    viewer: Entity,
    ground: Landscape,
}

impl World {
    /// A world that nobody sees.
    pub fn new(recipe: &Recipe) -> Self {
        let mut app = App::new();
        app.add_plugins((app::plugins(None), TerrainPlugins));
        plugin::add(&mut app, false);
        app::start(&mut app);
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

    /// Runs a frame. Returns the time of the plugin, and the part of it that the main thread was
    /// running.
    pub fn frame(&mut self) -> [Duration; 2] {
        self.app.update();
        self.app.world().resource::<plugin::Marks>().whole().unwrap_or_default()
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
            sleep(Duration::from_millis(1));
        }
    }
}
