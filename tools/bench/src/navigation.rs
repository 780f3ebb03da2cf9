//! Navigation meshes: how long a tile and a path take, and the time from an edit to the new tiles.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::{GroundQuery, Terrain, TerrainEdits};
use bevy_orogeny_navigation::advanced::{NavigationTile, TileKey};
use bevy_orogeny_navigation::{
    NavigationAgent, NavigationMesh, NavigationPlugin, NavigationSource, NavigationTiles,
};
use orogeny::Region;
use orogeny::edits::Crater;

use crate::report::Report;
use crate::samples::Samples;
use crate::{app, presets};

/// The middle of what is measured: woods on both sides of a river in the lowlands.
const MIDDLE: [f64; 2] = [-5360.0, -5590.0];
/// Half the width of the square in which tiles and paths are measured, in metres.
const HALF: f64 = 96.0;
const EDITS: u32 = 16;

/// Measure navigation meshes: tiles, paths, and the time from an edit to the new tiles
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {}

const AFTER_HELP: &str = "\
Metrics, of an agent with a radius of 0.4 m and cells of 0.25 m:
  lowlands_tile_ms_p50, _p99     building a tile of 16 m, with woods and rivers, on one thread
  alpine_tile_ms_p50, _p99       the same in mountains
  lowlands_polygons_per_tile     their mean number
  path_100m_ms_p50, _p99         finding a path of about 100 m in the woods
  paths                          the number of these paths; of 200, some are cut by the river
  edit_to_tiles_ms_p50, _p99     from an edit, a crater with a radius of 4 m, to the end of the
                                 update with the new tiles of its ground, on all threads
  edit_to_all_ms_p50, _p99       the same until no tile is outdated: around the crater other trees
                                 may grow
  edit_tiles                     the mean number of tiles that are outdated then
  undo_to_tiles_ms_p50, _p99     the same as edit_to_tiles_ms for undoing it";

pub fn run(report: &Report) {
    let agent = NavigationAgent::default();
    for preset in ["lowlands", "alpine"] {
        let ground = GroundQuery::of(&terrain(preset)).expect("a valid preset");
        let mut tiles = NavigationTiles::new(agent).expect("a valid agent");
        report.p50_p99(&format!("{preset}_tile_ms"), &build(&ground, &mut tiles));
        if preset == "lowlands" {
            let polygons: usize = tiles.iter().map(|tile| tile.polygon_count()).sum();
            report.add("lowlands_polygons_per_tile", polygons as f64 / tiles.len() as f64);
            let times = paths(&tiles);
            report.add("paths", times.len() as f64);
            report.p50_p99("path_100m_ms", &times);
        }
    }
    let [edits, all, undos, counts] = edits();
    report.add("edit_tiles", counts.mean());
    report.p50_p99("edit_to_tiles_ms", &edits);
    report.p50_p99("edit_to_all_ms", &all);
    report.p50_p99("undo_to_tiles_ms", &undos);
}

fn terrain(preset: &str) -> Terrain {
    Terrain::recipe(presets::recipe(preset))
}

/// Milliseconds for each tile of the square.
fn build(ground: &GroundQuery, tiles: &mut NavigationTiles) -> Samples {
    let agent = *tiles.agent();
    let corner = |by: f64| TileKey::at(MIDDLE.map(|at| at + by), agent.cell_size);
    let [from, to] = [corner(-HALF), corner(HALF)];
    // What is kept of rivers and woods for the next time is found here.
    tiles.build(ground, Region::around(MIDDLE, [HALF; 2]));
    let keys = (from.z..=to.z).flat_map(|z| (from.x..=to.x).map(move |x| TileKey { x, z }));
    keys.map(|key| {
        let begun = Instant::now();
        let tile = NavigationTile::build(ground, &agent, key);
        let time = begun.elapsed();
        tiles.insert(tile);
        milliseconds(time)
    })
    .collect()
}

/// Milliseconds for each path.
fn paths(tiles: &NavigationTiles) -> Samples {
    let path = |k: u32| {
        let (sin, cos) = (f64::from(k) * 0.37).sin_cos();
        let end = |by: f64| [MIDDLE[0] + by * cos, MIDDLE[1] + by * sin];
        let begun = Instant::now();
        let path = tiles.path(end(-50.0), end(50.0));
        path.ok().map(|_| milliseconds(begun.elapsed()))
    };
    (0..200).filter_map(path).collect()
}

/// Milliseconds from edits to their new tiles, to all new tiles, and from undoing them, and how
/// many tiles they mark.
fn edits() -> [Samples; 4] {
    let mut app = app::headless();
    app.add_plugins(NavigationPlugin);
    let terrain = app.world_mut().spawn(terrain("lowlands")).id();
    let mesh = NavigationMesh::new(NavigationAgent::default()).expect("a valid agent");
    let mesh = app.world_mut().spawn(mesh).id();
    let [x, z] = MIDDLE.map(|at| at as f32);
    app.world_mut().spawn((NavigationSource::new(mesh), Transform::from_xyz(x, 0.0, z)));
    // The times until the tiles around a point are new, and until all are, and their number.
    let settle = |app: &mut App, [x, z]: [f64; 2]| {
        let begun = Instant::now();
        app.update();
        let get = |app: &App| {
            let mesh = app.world().get::<NavigationMesh>(mesh).expect("the mesh");
            let corners = [[-4.0, -4.0], [4.0, -4.0], [-4.0, 4.0], [4.0, 4.0]];
            let mut keys = corners.map(|[dx, dz]| mesh.key_at([x + dx, z + dz])).into_iter();
            (mesh.missing(), keys.any(|key| mesh.is_outdated(key)))
        };
        let (count, mut touched) = (get(app).0, None);
        loop {
            let (missing, is_outdated) = get(app);
            let now = milliseconds(begun.elapsed());
            if !is_outdated {
                touched.get_or_insert(now);
            }
            if missing == 0 {
                return (touched.unwrap_or(now), now, count as f64);
            }
            sleep(Duration::from_micros(200));
            app.update();
        }
    };
    settle(&mut app, MIDDLE);
    let [mut edits, mut all, mut undos, mut counts] = [(); 4].map(|()| Samples::default());
    for k in 0..EDITS {
        let (sin, cos) = f64::from(k).sin_cos();
        let center = [MIDDLE[0] + 40.0 * cos, MIDDLE[1] + 40.0 * sin];
        let crater = Crater { center, radius: 4.0, ..Crater::default() };
        let log = |app: &mut App, change: &mut dyn FnMut(&mut TerrainEdits)| {
            if let Some(mut edits) = app.world_mut().get_mut::<TerrainEdits>(terrain) {
                change(&mut edits);
            }
        };
        let mut applied = None;
        log(&mut app, &mut |edits| applied = edits.log.add(1, crater).ok());
        let (touched, time, count) = settle(&mut app, center);
        edits.push(touched);
        all.push(time);
        counts.push(count);
        log(&mut app, &mut |edits| {
            if let Some(applied) = &applied {
                let _ = edits.log.undo(1, applied);
            }
        });
        undos.push(settle(&mut app, center).0);
    }
    [edits, all, undos, counts]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
