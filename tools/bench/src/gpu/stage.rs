//! The app, and the terrain in front of its camera.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::camera::visibility::RenderLayers;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::advanced::{ScatterStats, TerrainBudget, TerrainStats};
use bevy_orogeny::{Ground, Terrain, TerrainPlugins, TerrainProblems, TerrainReady, TerrainViewer};
use orogeny::Recipe;

use super::plain::{self, PlainMaterial};
use super::scenes::{Scene, Variant};
use super::{Args, counts, light};
use crate::app;
use crate::clocks::{gpu, render};

/// How long a scene may load. A software renderer and a build without optimisation are slow.
const PATIENCE: Duration = Duration::from_secs(300);
/// Frames without anything missing, after which nothing more is to come.
const CALM: u32 = 4;

/// Whether the newest terrain was complete.
#[derive(Resource)]
struct Ready(bool);

/// The times of a frame in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The main world, on the CPU.
    pub main: f64,
    /// Extraction and the render world, on the CPU.
    pub render: f64,
    /// From the start of the main world until the GPU has finished.
    pub frame: f64,
}

/// The app and what is in it.
pub struct Stage {
    pub app: App,
    pub camera: Entity,
    sun: Option<Entity>,
    /// The terrain, and the scene and variant that it was spawned for.
    terrain: Option<(Entity, &'static str, bool)>,
    paint: Handle<PlainMaterial>,
}

impl Stage {
    pub fn new(args: &Args) -> Self {
        let mut app = App::new();
        // An error is a shader or a pipeline that does not work.
        let log = LogPlugin { filter: "error".into(), ..default() };
        app.add_plugins(app::plugins(Some(app::backends())).set(log).enable::<LogPlugin>())
            .add_plugins(TerrainPlugins)
            // Plants stand still, so that a picture does not depend on the time that loading took.
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
            .insert_resource(TerrainBudget { per_frame: usize::MAX, ..default() })
            .insert_resource(Ready(false))
            .add_observer(|_: On<TerrainReady>, mut ready: ResMut<Ready>| ready.0 = true);
        plain::add(&mut app);
        gpu::add_spans(&mut app);
        app.finish();
        app.cleanup();
        if gpu::Abilities::of(&app).marks {
            gpu::add_marks(&mut app);
        }
        counts::add(&mut app);
        render::add(&mut app);
        let camera = app::camera(&mut app, args.size);
        let viewer = TerrainViewer::default();
        let range = viewer.range;
        let world = app.world_mut();
        let camera = world.spawn((camera, viewer)).id();
        light::add_sky(world, camera, args.sky, range);
        let paint = world.resource_mut::<Assets<PlainMaterial>>().add(plain::material());
        Self { app, camera, sun: None, terrain: None, paint }
    }

    /// Loads a scene, and shows it from the next frame on.
    ///
    /// # Errors
    /// What is wrong with the terrain, or what is missing after a long time.
    pub fn show(
        &mut self,
        scene: &'static Scene,
        recipe: &Recipe,
        variant: Variant,
    ) -> Result<(), String> {
        let camera = self.camera;
        let world = self.app.world_mut();
        // Drawing while it loads would take most of the time of a software renderer.
        world.entity_mut(camera).insert(RenderLayers::none());
        // Bevy 0.19 does not draw what a sun sees already into shadow maps that come later, so each
        // measurement has a new sun.
        if let Some(sun) = self.sun.take() {
            world.despawn(sun);
        }
        let plain = variant == Variant::Plain;
        let terrain = match self.terrain {
            Some((terrain, name, was_plain)) if (name, was_plain) == (scene.name, plain) => terrain,
            old => {
                if let Some((terrain, ..)) = old {
                    self.app.world_mut().despawn(terrain);
                    self.app.update();
                }
                let terrain = self.spawn(scene, recipe, plain)?;
                self.terrain = Some((terrain, scene.name, plain));
                terrain
            }
        };
        if let Some(mut terrain) = self.app.world_mut().get_mut::<Terrain>(terrain) {
            let density = if variant.has_plants() { 1.0 } else { 0.0 };
            if terrain.scatter_density != density {
                terrain.scatter_density = density;
            }
        }
        self.settle()?;
        let world = self.app.world_mut();
        world.entity_mut(camera).remove::<RenderLayers>();
        let sun = light::add_sun(world, camera, scene.sun, scene.above, variant.has_shadows());
        self.sun = Some(sun);
        Ok(())
    }

    /// Puts the camera to its place, and spawns the terrain.
    fn spawn(&mut self, scene: &Scene, recipe: &Recipe, plain: bool) -> Result<Entity, String> {
        let ground = recipe.build().map_err(|error| error.to_string())?;
        let [x, z] = scene.at;
        let eye = Vec3::new(x as f32, ground.value(scene.at) + scene.above, z as f32);
        let place = Transform::from_translation(eye);
        let place = place.looking_to(Vec3::new(-0.64, scene.pitch, 0.77), Vec3::Y);
        let world = self.app.world_mut();
        world.entity_mut(self.camera).insert(place);
        world.insert_resource(Ready(false));
        Ok(if plain {
            // The same ground without cover, water and plants.
            let mut terrain = Terrain::recipe(recipe.clone());
            terrain.ground = Ground::field(Arc::new(ground));
            world.spawn((terrain, MeshMaterial3d(self.paint.clone()))).id()
        } else {
            world.spawn(Terrain::recipe(recipe.clone())).id()
        })
    }

    /// Runs frames until everything is there.
    fn settle(&mut self) -> Result<(), String> {
        let (begin, mut calm) = (Instant::now(), 0);
        while calm < CALM {
            self.frame();
            let world = self.app.world();
            if let Some((_, problem)) = world.resource::<TerrainProblems>().iter().next() {
                return Err(problem.to_string());
            }
            let (chunks, plants) =
                (world.resource::<TerrainStats>(), world.resource::<ScatterStats>());
            let complete = world.resource::<Ready>().0 && chunks.missing + plants.missing == 0;
            calm = if complete { calm + 1 } else { 0 };
            if begin.elapsed() > PATIENCE {
                return Err(format!(
                    "not loaded after {} s: {} chunks and {} tiles of plants are missing",
                    PATIENCE.as_secs(),
                    chunks.missing,
                    plants.missing
                ));
            }
            sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Runs a frame, and waits until the GPU has finished it.
    pub fn frame(&mut self) -> Times {
        let begin = Instant::now();
        self.app.update();
        let end = Instant::now();
        render::wait(&self.app);
        let extraction = render::times(&self.app).map_or(end, |(extraction, _)| extraction.begin);
        let ms = |from: Instant, to: Instant| 1e3 * (to - from).as_secs_f64();
        Times {
            main: ms(begin, extraction),
            render: ms(extraction, end),
            frame: ms(begin, Instant::now()),
        }
    }
}
