//! Craters and a brush in a flight, in an app without a renderer.

use std::collections::HashMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::camera::visibility::Visibility;
use bevy::mesh::MeshTag;
use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, Raise};
use bevy_orogeny::{
    Chunk, ChunkReady, Layout, Seams, Terrain, TerrainEdits, TerrainPlugins, TerrainStats,
    TerrainViewer,
};
use cpu_time::ThreadTime;

use crate::drawn::{Chunks, Drawn};
use crate::{Metric, cover, quantile, seams};

const HILLS: &str = include_str!("../../assets/presets/hills.terrain.ron");
const FRAME: f64 = 1.0 / 60.0;
/// The view range in metres.
const RANGE: f64 = 10_000.0;
/// Metres a second.
const SPEED: f64 = 100.0;
/// Frames between craters.
const EVERY: usize = 30;
/// How far ahead edits are, in metres.
const AHEAD: f64 = 60.0;

/// When each chunk got its mesh.
#[derive(Resource, Default)]
struct Built(HashMap<Entity, Instant>);

/// What a flight edits.
#[derive(Clone, Copy, PartialEq)]
enum Tool {
    None,
    Craters,
    Brush,
}

/// The times of a flight in milliseconds.
#[derive(Default)]
struct Times {
    /// From the beginning to the end of each update.
    updates: Vec<f64>,
    /// The processor time of the main thread in each update.
    work: Vec<f64>,
    drawn: Vec<f64>,
    /// The number of frames with a hole or a seam.
    faults: u32,
}

pub(crate) fn measure(seconds: u32) -> Vec<Metric> {
    let mut still = fly(seconds, Tool::None);
    let mut craters = fly(seconds, Tool::Craters);
    let mut brush = fly(seconds, Tool::Brush);
    let mut added = |times: fn(&mut Times) -> &mut Vec<f64>| {
        let [without, with] = [&mut still, &mut brush].map(|t| quantile(times(t), 0.99));
        with - without
    };
    let work = added(|times| &mut times.work);
    let updates = added(|times| &mut times.updates);
    vec![
        Metric { name: "crater_to_drawn_ms_p50", value: quantile(&mut craters.drawn, 0.5) },
        Metric { name: "crater_to_drawn_ms_p99", value: quantile(&mut craters.drawn, 0.99) },
        Metric { name: "brush_60hz_frame_p99_ms", value: work },
        Metric { name: "brush_60hz_update_p99_ms", value: updates },
        Metric {
            name: "frames_with_hole_or_seam",
            value: f64::from(still.faults + craters.faults + brush.faults),
        },
    ]
}

fn fly(seconds: u32, tool: Tool) -> Times {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, TerrainPlugins));
    app.init_resource::<Built>().add_observer(|ready: On<ChunkReady>, mut built: ResMut<Built>| {
        built.0.insert(ready.chunk, Instant::now());
    });
    let recipe = Recipe::from_ron(HILLS).expect("hills");
    let terrain = Terrain::recipe(recipe);
    let layout = Layout { cells: terrain.cells, spacing: terrain.spacing };
    let ground = app.world_mut().spawn((terrain, Seams::Morph)).id();
    let viewer = TerrainViewer { range: RANGE, ..default() };
    let viewer = app.world_mut().spawn((viewer, Transform::from_xyz(0.0, 60.0, 0.0))).id();
    for _ in 0..5000 {
        app.update();
        if app.world().resource::<TerrainStats>().missing == 0 {
            break;
        }
        sleep(Duration::from_millis(1));
    }
    let mut times = Times::default();
    let mut waiting: Vec<([f64; 2], Instant)> = Vec::new();
    for frame in 0..60 * seconds as usize {
        let begin = Instant::now();
        let x = SPEED * FRAME * frame as f64;
        app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation.x = x as f32;
        let center = [x + AHEAD, 0.0];
        let edit: Option<Edit> = match tool {
            Tool::Craters if frame % EVERY == 0 => {
                waiting.push((center, begin));
                Some(Crater { center, radius: 10.0, ..Crater::default() }.into())
            }
            Tool::Brush => {
                let area = Area::Disc(Disc { center, radius: 5.0, falloff: 5.0 });
                Some(Raise { area, height: 0.2 }.into())
            }
            _ => None,
        };
        if let Some(edit) = edit {
            let mut edits = app.world_mut().get_mut::<TerrainEdits>(ground).expect("edits");
            edits.log.add(1, edit).expect("a valid edit");
        }
        let (update, work) = (Instant::now(), ThreadTime::now());
        app.update();
        times.work.push(1e3 * work.elapsed().as_secs_f64());
        times.updates.push(1e3 * update.elapsed().as_secs_f64());
        if let Err(fault) = check(&mut app, &layout, [x, 0.0]) {
            eprintln!("frame {frame}: {fault}");
            times.faults += 1;
        }
        waiting.retain(|&(center, since)| {
            let is_drawn = drawn_since(&mut app, &layout, center, since);
            if is_drawn {
                times.drawn.push(1e3 * since.elapsed().as_secs_f64());
            }
            !is_drawn
        });
        let rest = Duration::from_secs_f64(FRAME).checked_sub(begin.elapsed());
        sleep(rest.unwrap_or_default());
    }
    times
}

/// Looks for holes and seams in what is drawn, for a viewer at a place.
fn check(app: &mut App, layout: &Layout, viewer: [f64; 2]) -> Result<(), String> {
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility, &MeshTag)>();
    let chunks = chunks.iter(app.world());
    let visible = chunks.filter(|(_, visibility, _)| **visibility == Visibility::Inherited);
    let drawn: Vec<Drawn> = visible
        .map(|(chunk, _, tag)| Drawn { key: chunk.key, revision: chunk.revision, tag: tag.0 })
        .collect();
    let chunks: Chunks = drawn.iter().map(|chunk| (chunk.key, *chunk)).collect();
    cover::check(layout, &drawn, &chunks, &[viewer], RANGE)?;
    seams::check(&drawn, &chunks)
}

/// Whether the chunk that is drawn at a point has got its mesh after a moment.
fn drawn_since(app: &mut App, layout: &Layout, point: [f64; 2], since: Instant) -> bool {
    let mut chunks = app.world_mut().query::<(Entity, &Chunk, &Visibility)>();
    let built = &app.world().resource::<Built>().0;
    chunks.iter(app.world()).any(|(entity, chunk, visibility)| {
        *visibility == Visibility::Inherited
            && layout.key_at(chunk.key.lod, point) == chunk.key
            && built.get(&entity).is_some_and(|&at| at > since)
    })
}
