//! The measurement of what the stage shows.

use std::any::TypeId;
use std::time::{Duration, Instant};

use bevy::camera::visibility::{CascadesVisibleEntities, VisibleEntities};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy::render::render_asset::RenderAssets;
use bevy_orogeny::advanced::{DrawnPlants, PlantMaterial};

use super::counts::{self, Counts};
use super::stage::Stage;
use crate::clocks::gpu::{self, Abilities, LAG, Mark};
use crate::samples::Samples;

/// Frames before those that are timed, at least, and their time: pipelines are compiled, and the
/// clocks of a GPU rise.
const WARM_UP: (u32, Duration) = (LAG + 1, Duration::from_millis(200));

/// The frames after which it is known how many plants were drawn.
const PLANTS_LAG: usize = 4;

/// Meshes, and their triangles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drawn {
    pub draws: usize,
    pub triangles: usize,
}

/// Times in milliseconds, medians over frames, and counts of one frame. `None` is what the device
/// cannot measure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurement {
    /// The GPU time of a frame.
    pub gpu: Option<f64>,
    pub shadows: Option<f64>,
    pub opaque: Option<f64>,
    pub transparent: Option<f64>,
    /// From the start of a frame on the CPU until the GPU has finished it.
    pub frame: f64,
    pub cpu_main: f64,
    pub cpu_render: f64,
    /// For the camera, and for all shadow maps.
    pub drawn: [Drawn; 2],
    /// For the camera, and for all shadow maps.
    pub counts: Option<[Counts; 2]>,
}

impl Measurement {
    /// The part of the triangles that were drawn, the least of the camera and of all shadow maps.
    pub fn part_drawn(&self) -> f64 {
        let counts = self.counts.into_iter().flatten();
        let of_all = self.drawn.iter().zip(counts);
        let parts = of_all.filter(|(all, _)| all.triangles > 0);
        parts.fold(1.0, |least, (all, counts)| least.min(counts.triangles / all.triangles as f64))
    }

    /// The GPU time of a frame, or without timestamps the time until it is finished.
    pub fn total(&self) -> f64 {
        self.gpu.unwrap_or(self.frame)
    }
}

/// Times some frames.
pub fn measure(stage: &mut Stage, frames: u32) -> Measurement {
    let (begin, mut warm) = (Instant::now(), 0);
    while warm < WARM_UP.0 || begin.elapsed() < WARM_UP.1 {
        stage.frame();
        warm += 1;
    }
    let abilities = Abilities::of(&stage.app);
    counts::forget(&mut stage.app);
    let [mut all, mut shadows] = [(); 2].map(|()| Samples::default());
    let mut cpu = [(); 3].map(|()| Samples::default());
    for _ in 0..frames {
        let times = stage.frame();
        cpu.iter_mut().zip([times.frame, times.main, times.render]).for_each(|(c, t)| c.push(t));
        if let Some(timestamps) = gpu::read(&stage.app) {
            all.push(timestamps.between(Mark::FrameBegin, Mark::FrameEnd));
            shadows.push(timestamps.between(Mark::ShadowsBegin, Mark::ShadowsEnd));
        }
    }
    let [frame, cpu_main, cpu_render] = cpu.map(|times| times.median());
    // A pass without content is left out.
    let span = |name| {
        let recorded = gpu::recorded_time(&stage.app, name);
        let times: Samples =
            recorded.into_iter().flat_map(|found| found.values()).copied().collect();
        abilities.spans.then(|| median(&times).unwrap_or_default())
    };
    let (opaque, transparent) = (span(gpu::OPAQUE), span(gpu::TRANSPARENT));
    Measurement {
        gpu: median(&all),
        shadows: median(&shadows),
        opaque,
        transparent,
        frame,
        cpu_main,
        cpu_render,
        drawn: count_drawn(stage),
        counts: abilities.counts.then(|| counts::count(stage)),
    }
}

/// `None` of no measurements.
fn median(times: &Samples) -> Option<f64> {
    (times.len() > 0).then(|| times.median())
}

/// What the camera sees, and what all shadow maps of the sun see.
fn count_drawn(stage: &mut Stage) -> [Drawn; 2] {
    let camera = stage.camera;
    let world = stage.app.world_mut();
    let seen = world.get::<VisibleEntities>(camera);
    let seen = seen.map_or(Vec::new(), |seen| seen.get(TypeId::of::<Mesh3d>()).to_vec());
    let mut suns = world.query::<&CascadesVisibleEntities>();
    let cascades = suns.iter(world).flat_map(|sun| sun.entities.values().flatten());
    let shaded: Vec<Entity> = cascades.flat_map(|cascade| cascade.entities.clone()).collect();
    let mut drawn = [seen, shaded].map(|entities| sum(&stage.app, &entities));
    stage.app.init_resource::<DrawnPlants>();
    (0..PLANTS_LAG).for_each(|_| _ = stage.frame());
    for view in stage.app.world().resource::<DrawnPlants>().views() {
        let sum = &mut drawn[usize::from(view.is_shadow)];
        sum.draws += view.draws as usize;
        sum.triangles += view.triangles as usize;
    }
    stage.app.world_mut().remove_resource::<DrawnPlants>();
    drawn
}

/// The sum of all but plants, of which the device decides how many it draws.
fn sum(app: &App, entities: &[Entity]) -> Drawn {
    let Some(render) = app.get_sub_app(RenderApp) else { return Drawn::default() };
    let meshes = render.world().resource::<RenderAssets<RenderMesh>>();
    let is_plants =
        |&entity: &Entity| app.world().get::<MeshMaterial3d<PlantMaterial>>(entity).is_some();
    let entities: Vec<Entity> = entities.iter().copied().filter(|e| !is_plants(e)).collect();
    let triangles = entities.iter().filter_map(|&entity| {
        let mesh = meshes.get(app.world().get::<Mesh3d>(entity)?.id())?;
        Some(match mesh.buffer_info {
            RenderMeshBufferInfo::Indexed { count, .. } => count as usize / 3,
            RenderMeshBufferInfo::NonIndexed => mesh.vertex_count as usize / 3,
        })
    });
    Drawn { draws: entities.len(), triangles: triangles.sum() }
}
