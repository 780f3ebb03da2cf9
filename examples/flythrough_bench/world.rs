//! The app with its terrain and viewers, and the frame loop.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::mesh::MeshTag;
use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::{
    Chunk, Ground, HeightField, Layout, Seams, Terrain, TerrainProblems, TerrainStats,
    TerrainViewer,
};

use crate::args::Args;
use crate::clock::Marks;
use crate::drawn::{Chunks, Drawn};
use crate::flight::{FRAME, Flight};
use crate::record::Record;
use crate::watch::Watch;
use crate::{app, cover, gpu, offscreen, paint, seams};

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
        let mut app = app::new(args);
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
            let camera = args.render.then(|| offscreen::camera(&mut app, size));
            let mut entity = app.world_mut().spawn((viewer, flight.transform(&*ground)));
            if let Some(camera) = camera {
                entity.insert(camera);
            }
            if args.full_scene {
                entity.insert(paint::air());
            }
            (entity.id(), flight)
        };
        let viewers = flights.into_iter().map(&mut spawn).collect();
        let (revision, updated, record) = (0, Instant::now(), Record::default());
        let render = args.render;
        Ok(Self { app, terrain, layout, ground, viewers, range, render, revision, updated, record })
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
        paint::wait(&self.app);
        if self.render {
            gpu::measure(&mut self.app, &mut self.record.gpu);
        }
        let rest = Duration::from_secs_f64(FRAME).checked_sub(begin.elapsed());
        self.record.late += usize::from(rest.is_none());
        sleep(rest.unwrap_or_default());
    }

    /// Records the measurements of this frame.
    fn measure(&mut self, begin: Instant) {
        let Self { app, updated, record, .. } = self;
        let marks = &app.world().resource::<Marks>().0;
        if let [first, .., last] = marks[..] {
            let streaming = last - first;
            if let Some((extract, upload, end)) = paint::times(app) {
                record.main_thread.push_time(streaming + extract + upload);
                record.extract.push_time(extract);
                record.upload.push_time(upload);
                record.update.push_time(end.saturating_duration_since(begin));
            } else {
                record.main_thread.push_time(streaming);
                record.update.push_time(*updated - begin);
            }
        }
        if marks.len() > 2 {
            for (step, pair) in record.steps.iter_mut().zip(marks.windows(2)) {
                step.push_time(pair[1] - pair[0]);
            }
        }
        let stats = app.world().resource::<TerrainStats>();
        record.chunks = record.chunks.max(stats.displayed);
        record.triangles = record.triangles.max(stats.triangles);
        record.missing.push(stats.missing as f64);
        record.stats[1].clone_from(stats);
        let mut watch = app.world_mut().resource_mut::<Watch>();
        record.latency.append(&mut watch.latencies);
        record.mesh_bytes = record.mesh_bytes.max(watch.total_bytes);
    }

    /// Looks for holes and seams.
    fn check(&mut self) {
        let mut query =
            self.app.world_mut().query::<(&Chunk, &Visibility, &ChildOf, &MeshTag, &Mesh3d)>();
        let drawn: Vec<Drawn> = query
            .iter(self.app.world())
            .filter(|(_, visibility, parent, ..)| {
                **visibility == Visibility::Inherited && parent.parent() == self.terrain
            })
            .map(|(chunk, _, _, tag, _)| Drawn {
                key: chunk.key,
                revision: chunk.revision,
                tag: tag.0,
            })
            .collect();
        let chunks: Chunks = drawn.iter().map(|chunk| (chunk.key, *chunk)).collect();
        let positions: Vec<_> =
            self.viewers.iter().map(|(viewer, _)| self.position_of(*viewer)).collect();
        let Self { record, layout, range, .. } = self;
        record.holes.count(cover::check(layout, &drawn, &chunks, &positions, *range));
        record.seams.count(seams::check(&drawn, &chunks));
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
