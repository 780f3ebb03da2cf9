//! How soon the ground of a preset is there, and what it takes then.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::camera::primitives::Aabb;
use bevy::camera::{CameraProjection, PerspectiveProjection};
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, Seams, TerrainStats};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainReady, TerrainViewer};
use clap::builder::PossibleValuesParser;
use orogeny::edits::{Crater, Edit};
use orogeny::scatter::Scatter;
use orogeny::{Field, Grid, Landscape};

use crate::report::Report;
use crate::samples::Samples;
use crate::{app, memory, presets, samples};

/// Measure how soon the ground of each preset is there, and what it takes
///
/// Without plants and without drawing, for the default viewer: 16 km, 3 pixels at 1080 lines.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Measure only this preset beside hills; repeat for several [default: all]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(presets::names()))]
    preset: Vec<String>,
}

const AFTER_HELP: &str = "\
Metrics, each after the name of the preset:
  start_ms          from nothing to the first TerrainReady
  jump_ms           from a jump of 100 km until the ground is ready: the median of 5
  jump_over_hills   that over the same of hills
  main_thread_ms_p99
                    the time of a frame of the main thread after such jumps
  edit_ms           from a crater beside the viewer until the ground is ready: the median of 5
  triangles, draws  of chunks in view at 1080 lines, 16:9 and 45 degrees, 100 m above the ground:
                    the most of 16 directions at each of 5 places
  mesh_mb           vertices and indices of all chunks, in 10^6 bytes: the most of 5 places
  far_fill_ratio    the time of a sample in a grid of 256 x 256 points 1,024 m apart, of the ground
                    that chunks of that spacing draw, over that in a grid of points 4 m apart: the
                    median of 3 places that are new to it
  process_mb        peak memory of the process in 10^6 bytes; of earlier presets too if the system
                    cannot reset it; absent if the system does not report it";

/// The frames until which the ground is given up.
const FRAMES: usize = 100_000;
const JUMPS: usize = 5;
/// The directions of a camera.
const DIRECTIONS: usize = 16;

/// Times are in milliseconds.
#[derive(Default)]
pub struct Arrival {
    pub start: f64,
    /// From a jump of 100 km until all chunks are ready, without plants.
    pub jumps: Samples,
    /// The frames meanwhile, without drawing.
    pub frames: Samples,
    edits: Samples,
    triangles: Samples,
    draws: Samples,
    mesh_bytes: Samples,
    peak: Option<f64>,
}

/// Whether all of the ground is there.
#[derive(Resource, Default)]
struct Ready(bool);

pub fn run(args: &Args, report: &Report) {
    let hills = measure("hills");
    let is_asked = |name: &str| args.preset.is_empty() || args.preset.iter().any(|p| p == name);
    for name in presets::names().filter(|name| is_asked(name)) {
        let other = (name != "hills").then(|| measure(name));
        let arrival = other.as_ref().unwrap_or(&hills);
        let add = |metric: &str, value: f64| report.add(&format!("{name}_{metric}"), value);
        add("start_ms", arrival.start);
        add("jump_ms", arrival.jumps.median());
        add("jump_over_hills", arrival.jumps.median() / hills.jumps.median());
        add("main_thread_ms_p99", arrival.frames.quantile(0.99));
        add("edit_ms", arrival.edits.median());
        add("triangles", arrival.triangles.quantile(1.0));
        add("draws", arrival.draws.quantile(1.0));
        add("mesh_mb", arrival.mesh_bytes.quantile(1.0) / 1e6);
        add("far_fill_ratio", far_fill(&presets::built(name).1).median());
        if let Some(peak) = arrival.peak {
            add("process_mb", peak);
        }
    }
}

/// Starts a preset, jumps over it and edits it.
pub fn measure(preset: &str) -> Arrival {
    let (recipe, ground) = presets::built(preset);
    memory::forget_peak();
    let mut arrival = Arrival::default();
    let places: Vec<_> = (0..=JUMPS).map(|jump| at(&ground, jump)).collect();
    let start = Instant::now();
    let mut app = app::headless();
    app.init_resource::<Ready>();
    app.add_observer(|_: On<TerrainReady>, mut ready: ResMut<Ready>| ready.0 = true);
    let terrain = Terrain::recipe(recipe).with_scatter(Scatter::default());
    // As for the default material.
    let terrain = app.world_mut().spawn((terrain, Seams::Morph)).id();
    let viewer = app.world_mut().spawn((TerrainViewer::default(), places[0])).id();
    arrive(&mut app, |_| {});
    arrival.start = milliseconds(start);
    for &place in &places[1..] {
        let start = Instant::now();
        app.world_mut().entity_mut(viewer).insert(place);
        arrive(&mut app, |time| arrival.frames.push_time(time));
        arrival.jumps.push(milliseconds(start));
        arrival.look(&mut app, place);

        let start = Instant::now();
        let Vec3 { x, z, .. } = place.translation;
        let center = [f64::from(x) + 60.0, f64::from(z)];
        let edit: Edit = Crater { center, radius: 10.0, ..Crater::default() }.into();
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("edits");
        edits.log.add(1, edit).expect("a valid edit");
        arrive(&mut app, |_| {});
        arrival.edits.push(milliseconds(start));
    }
    arrival.peak = memory::peak();
    arrival
}

/// The time of a sample where chunks are far, over that of one where they are near.
fn far_fill(ground: &Landscape) -> Samples {
    let mut samples = orogeny::Samples::new();
    let mut fill = |spacing: f64, place: [f64; 2]| {
        let sparse = ground.sparse(spacing);
        let field: &dyn Field<2> = match &sparse {
            Some(sparse) => &**sparse,
            None => ground,
        };
        let grid = Grid::new(place, spacing, [256; 2]);
        samples::seconds(|| field.sample_grid(&grid, &mut samples))
    };
    (0..3)
        .map(|i| [2e6 + 1e6 * f64::from(i), -3e6])
        .map(|place| fill(1024.0, place) / fill(4.0, place.map(|x| x + 5e5)))
        .collect()
}

/// The viewer after some jumps of 100 km.
fn at(ground: &Landscape, jump: usize) -> Transform {
    let [x, z] = [1e5, -4e4].map(|step| step * jump as f64);
    let height = ground.value([x, z]).max(0.0) + 100.0;
    Transform::from_xyz(x as f32, height, z as f32)
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// Updates until the ground is ready, and gives the time of each frame.
fn arrive(app: &mut App, mut frame: impl FnMut(Duration)) {
    app.world_mut().resource_mut::<Ready>().0 = false;
    for _ in 0..FRAMES {
        let begun = Instant::now();
        app.update();
        frame(begun.elapsed());
        if app.world().resource::<Ready>().0 {
            return;
        }
        sleep(Duration::from_millis(1));
    }
    let stats = app.world().resource::<TerrainStats>();
    panic!("the ground is not ready after {FRAMES} frames: {} chunks missing", stats.missing);
}

impl Arrival {
    /// Counts what a camera sees from a place in all directions.
    fn look(&mut self, app: &mut App, from: Transform) {
        let mut chunks = app
            .world_mut()
            .query_filtered::<(&Mesh3d, &Aabb, &Visibility, &GlobalTransform), With<Chunk>>();
        let world = app.world();
        let meshes = world.resource::<Assets<Mesh>>();
        let (mut all, mut bytes) = (Vec::new(), 0);
        for (mesh, aabb, visibility, transform) in chunks.iter(world) {
            let Some(mesh) = meshes.get(&mesh.0) else { continue };
            let indices = mesh.get_index_buffer_bytes().map_or(0, <[u8]>::len);
            bytes += mesh.get_vertex_buffer_size() + indices;
            if *visibility == Visibility::Inherited {
                let triangles = mesh.indices().map_or(0, |indices| indices.len() / 3);
                all.push((aabb, transform.affine(), triangles));
            }
        }
        self.mesh_bytes.push(bytes as f64);
        let projection = PerspectiveProjection {
            fov: 45f32.to_radians(),
            aspect_ratio: 16.0 / 9.0,
            ..default()
        };
        for direction in 0..DIRECTIONS {
            let turn = direction as f32 / DIRECTIONS as f32 * std::f32::consts::TAU;
            let view = from.with_rotation(Quat::from_rotation_y(turn));
            let frustum = projection.compute_frustum(&view.into());
            let seen =
                all.iter().filter(|(aabb, at, _)| frustum.intersects_obb(aabb, at, true, false));
            let [draws, triangles] =
                seen.fold([0, 0], |[draws, sum], (.., triangles)| [draws + 1, sum + triangles]);
            self.draws.push(draws as f64);
            self.triangles.push(triangles as f64);
        }
    }
}
