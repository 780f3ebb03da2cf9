//! The app with its terrain and viewers, and the frame loop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::camera::Exposure;
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, HeightField, Layout, Seams, TerrainStats};
use bevy_orogeny::{Ground, Terrain, TerrainPlugins, TerrainProblems, TerrainViewer};
use orogeny::Recipe;

use super::record::Record;
use super::script::Flight;
use super::watch::{self, Watch};
use super::{Args, passes};
use crate::clocks::{gpu, plugin, render};
use crate::{app, checks};

/// The timeout for terrain to become ready.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// An app with a terrain and flying viewers, and its measurements.
pub struct World {
    app: App,
    terrain: Entity,
    layout: Layout,
    ground: Arc<dyn HeightField>,
    pub viewers: Vec<(Entity, Flight)>,
    /// In metres.
    range: f64,
    render: bool,
    gpu: passes::Earlier,
    /// The newest revision of the terrain that is drawn.
    pub revision: u32,
    /// The end of the last frame's update.
    pub updated: Instant,
    pub record: Record,
}

impl World {
    /// # Errors
    /// What is wrong with the recipe.
    pub fn new(
        args: &Args,
        mut recipe: Recipe,
        range: f64,
        flights: Vec<Flight>,
    ) -> Result<Self, String> {
        let mut app = new_app(args);
        if args.full_scene {
            recipe.sea_level.get_or_insert_default();
        }
        let terrain = Terrain::recipe(recipe);
        let ground = terrain.build().map_err(|error| error.to_string())?;
        let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
        let terrain = app.world_mut().spawn(terrain).id();
        if !args.render {
            // As for the default material.
            app.world_mut().entity_mut(terrain).insert(Seams::Morph);
        }
        let viewer = TerrainViewer { range, pixel_error: args.pixel_error(), ..default() };
        let mut spawn = |flight: Flight| {
            let size = [args.lines * 16 / 9, args.lines];
            let camera = args.render.then(|| app::camera(&mut app, size));
            let mut entity = app.world_mut().spawn((viewer, flight.transform(&*ground)));
            if let Some(camera) = camera {
                entity.insert(camera);
            }
            if args.full_scene {
                entity.insert(air());
            }
            (entity.id(), flight)
        };
        let viewers = flights.into_iter().map(&mut spawn).collect();
        Ok(Self {
            app,
            terrain,
            layout,
            ground,
            viewers,
            range,
            render: args.render,
            gpu: passes::Earlier::default(),
            revision: 0,
            updated: Instant::now(),
            record: Record::default(),
        })
    }

    /// Moves the viewers, and runs and measures one frame. It takes 1/60 s, or longer if that is
    /// not enough. Later frames do not catch up.
    pub fn frame(&mut self) {
        for (viewer, flight) in &self.viewers {
            let transform = flight.transform(&*self.ground);
            self.app.world_mut().entity_mut(*viewer).insert(transform);
        }
        let begin = Instant::now();
        self.app.update();
        self.updated = Instant::now();
        self.measure(begin);
        self.check();
        render::wait(&self.app);
        if self.render {
            passes::measure(&mut self.app, &mut self.gpu, &mut self.record.gpu);
        }
        self.record.late += usize::from(!app::rest(begin));
    }

    /// Records the measurements of this frame.
    fn measure(&mut self, begin: Instant) {
        let Self { app, updated, record, .. } = self;
        let marks = app.world().resource::<plugin::Marks>();
        if let Some([streaming, _]) = marks.whole() {
            if let Some((extraction, upload)) = render::times(app) {
                let extract = extraction.end - extraction.begin;
                record.main_thread.push_time(streaming + extract + upload);
                record.extract.push_time(extract);
                record.upload.push_time(upload);
                record.update.push_time(extraction.end.saturating_duration_since(begin));
            } else {
                record.main_thread.push_time(streaming);
                record.update.push_time(*updated - begin);
            }
        }
        record.steps.iter_mut().zip(marks.steps()).for_each(|(step, time)| step.push_time(time));
        let stats = app.world().resource::<TerrainStats>();
        record.chunks = record.chunks.max(stats.displayed);
        record.triangles = record.triangles.max(stats.triangles);
        record.missing.push(stats.missing as f64);
        record.stats[1].clone_from(stats);
        let mut watch = app.world_mut().resource_mut::<Watch>();
        record.latency.extend(watch.latencies.drain(..));
        record.mesh_bytes = record.mesh_bytes.max(watch.total_bytes);
    }

    /// Looks for holes and seams.
    fn check(&mut self) {
        let drawn = checks::drawn(&mut self.app);
        let positions: Vec<_> =
            self.viewers.iter().map(|(viewer, _)| self.position_of(*viewer)).collect();
        let Self { record, layout, range, .. } = self;
        let [holes, seams] = checks::holes_and_seams(layout, &drawn, &positions, *range);
        record.holes.count(holes);
        record.seams.count(seams);
        self.revision = drawn.first().map_or(0, |chunk| chunk.revision);
    }

    /// The position of a viewer, from its transform.
    fn position_of(&self, viewer: Entity) -> [f64; 2] {
        let transform = self.app.world().get::<Transform>(viewer).copied().unwrap_or_default();
        [transform.translation.x, transform.translation.z].map(f64::from)
    }

    /// Runs until all terrain is ready. Returns the time that this took.
    pub fn wait(&mut self) -> Option<Duration> {
        let begin = Instant::now();
        self.app.world_mut().resource_mut::<Watch>().ready = None;
        while begin.elapsed() < PATIENCE {
            self.frame();
            if let Some(ready) = self.app.world().resource::<Watch>().ready {
                return Some(ready - begin);
            }
        }
        None
    }

    /// Waits until all terrain is ready at the start, then resets the measurements.
    ///
    /// # Errors
    /// The problem, if that takes too long.
    pub fn start(&mut self) -> Result<(), String> {
        let Some(time) = self.wait() else {
            return Err(self
                .problem()
                .unwrap_or_else(|| format!("no terrain after {} s", PATIENCE.as_secs())));
        };
        let stats = self.app.world().resource::<TerrainStats>().clone();
        self.record.begin(time, stats);
        Ok(())
    }

    /// Changes the ground.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn edit(&mut self, recipe: Recipe) -> Result<(), String> {
        let Some(mut terrain) = self.app.world_mut().get_mut::<Terrain>(self.terrain) else {
            return Err("the terrain is gone".into());
        };
        terrain.ground = Ground::Recipe(recipe);
        self.ground = terrain.build().map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The newest revision that has chunks, drawn or hidden.
    pub fn newest_revision(&mut self) -> u32 {
        let mut query = self.app.world_mut().query::<&Chunk>();
        query.iter(self.app.world()).map(|chunk| chunk.revision).max().unwrap_or_default()
    }

    /// The problems that the plugin reports.
    pub fn problem(&self) -> Option<String> {
        let problems = self.app.world().resource::<TerrainProblems>();
        problems.iter().next().map(|(_, problem)| problem.to_string())
    }
}

/// An app with the plugin and the systems that measure it.
fn new_app(args: &Args) -> App {
    let mut app = if args.render {
        let mut app = App::new();
        app.add_plugins((app::plugins(Some(app::backends())), TerrainPlugins));
        gpu::add_spans(&mut app);
        app
    } else {
        app::headless()
    };
    plugin::add(&mut app, args.steps);
    watch::add(&mut app);
    app::start(&mut app);
    if args.render {
        render::add(&mut app);
        add_light(&mut app, args.full_scene);
        if gpu::Abilities::of(&app).spans {
            gpu::add_marks(&mut app);
        } else {
            eprintln!("{}", passes::NO_TIMESTAMPS);
        }
    }
    app
}

/// Adds the sun; and in a full scene its shadows and the atmosphere.
fn add_light(app: &mut App, is_full: bool) {
    let world = app.world_mut();
    let place = Transform::default().looking_to(Vec3::new(-0.75, -0.42, -0.52), Vec3::Y);
    let mut sun = DirectionalLight::default();
    if is_full {
        sun.shadow_maps_enabled = true;
        sun.illuminance = lux::RAW_SUNLIGHT;
        let medium = ScatteringMedium::earth(256, 256);
        let medium = world.resource_mut::<Assets<ScatteringMedium>>().add(medium);
        world.spawn(Atmosphere::earth(medium));
    }
    world.spawn((sun, place));
}

/// What a camera needs to draw the atmosphere, and a depth prepass.
fn air() -> impl Bundle {
    (AtmosphereSettings::default(), Exposure { ev100: 13.0 }, DepthPrepass)
}
