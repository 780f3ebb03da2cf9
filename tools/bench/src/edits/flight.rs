//! Craters and a brush in a flight, in an app without a renderer.

use std::collections::HashMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ChunkReady, Layout, Seams, TerrainStats};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainViewer};
use cpu_time::ThreadTime;
use orogeny::edits::{Area, Crater, Disc, Edit, Raise};

use crate::app::{self, FRAME};
use crate::checks;
use crate::presets;
use crate::report::Report;
use crate::samples::Samples;

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
    updates: Samples,
    /// The processor time of the main thread in each update.
    work: Samples,
    drawn: Samples,
    /// The number of frames with a hole or a seam.
    faults: u32,
}

pub fn measure(seconds: u32, report: &Report) {
    let [still, craters, brush] =
        [Tool::None, Tool::Craters, Tool::Brush].map(|tool| fly(seconds, tool));
    let added = |times: fn(&Times) -> &Samples| {
        let [without, with] = [&still, &brush].map(|flight| times(flight).quantile(0.99));
        with - without
    };
    report.p50_p99("crater_to_drawn_ms", &craters.drawn);
    report.add("brush_60hz_frame_p99_ms", added(|times| &times.work));
    report.add("brush_60hz_update_p99_ms", added(|times| &times.updates));
    let faults = still.faults + craters.faults + brush.faults;
    report.add("frames_with_hole_or_seam", faults.into());
}

fn fly(seconds: u32, tool: Tool) -> Times {
    let mut app = app::headless();
    app.init_resource::<Built>().add_observer(|ready: On<ChunkReady>, mut built: ResMut<Built>| {
        built.0.insert(ready.chunk, Instant::now());
    });
    let terrain = Terrain::recipe(presets::recipe("hills"));
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
        times.work.push_time(work.elapsed());
        times.updates.push_time(update.elapsed());
        let drawn = checks::drawn(&mut app);
        let [holes, seams] = checks::holes_and_seams(&layout, &drawn, &[[x, 0.0]], RANGE);
        if let Err(fault) = holes.and(seams) {
            eprintln!("frame {frame}: {fault}");
            times.faults += 1;
        }
        waiting.retain(|&(center, since)| {
            let is_drawn = drawn_since(&mut app, &layout, center, since);
            if is_drawn {
                times.drawn.push_time(since.elapsed());
            }
            !is_drawn
        });
        app::rest(begin);
    }
    times
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
