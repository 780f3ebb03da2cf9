//! Flights and jumps: the time on the main thread, memory, how soon tiles are there, and how far
//! instances stand above the drawn ground.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy_orogeny::advanced::{ChunkKey, ScatterTile};
use bevy_orogeny::{GroundQuery, Terrain};
use orogeny::Recipe;
use orogeny::scatter::Scatter;

use super::world::World;
use crate::app::{self, FRAME};
use crate::checks;
use crate::report::Report;
use crate::samples::Samples;

const START: [f64; 2] = [3100.0, 2200.0];
const JUMPS: usize = 5;
/// Up to this distance in metres, the ground is drawn at its finest level.
const NEAR: f64 = 100.0;
const FAR: f64 = 1500.0;

pub fn measure(recipe: &Recipe, seconds: u32, report: &Report) {
    let bare = Recipe { scatter: Scatter::default(), ..recipe.clone() };
    let (mut drawn, mut bytes) = (0usize, 0usize);
    for (names, recipe, speed) in [
        (["main_thread_p99_ms_50", "main_thread_cpu_p99_ms_50"], recipe, 50.0),
        (["bare_main_thread_p99_ms_50", "bare_main_thread_cpu_p99_ms_50"], &bare, 50.0),
        (["main_thread_p99_ms_500", "main_thread_cpu_p99_ms_500"], recipe, 500.0),
        (["bare_main_thread_p99_ms_500", "bare_main_thread_cpu_p99_ms_500"], &bare, 500.0),
    ] {
        let mut world = World::new(recipe);
        world.place(START);
        world.settle();
        let mut times = [(); 2].map(|()| Samples::default());
        for frame in 0..60 * seconds {
            let start = Instant::now();
            let way = speed * FRAME * f64::from(frame);
            world.place([START[0] + 0.9 * way, START[1] + 0.43 * way]);
            times.iter_mut().zip(world.frame()).for_each(|(all, time)| all.push_time(time));
            let stats = world.stats();
            (drawn, bytes) = (drawn.max(stats.instances), bytes.max(stats.bytes));
            app::rest(start);
        }
        names.iter().zip(&times).for_each(|(name, times)| report.quantile(name, times, 0.99));
    }
    let (ready, _) = jumps(&mut World::new(&bare), |_| ());
    report.quantile("bare_teleport_ready_ms", &ready, 0.5);
    let (mut world, mut times) = (World::new(recipe), Samples::default());
    let mut tiles = world.app.world_mut().query::<&ScatterTile>();
    let (ready, complete) = jumps(&mut world, |world| {
        let all = tiles.iter(world.app.world());
        all.for_each(|tile| times.push_time(tile.build_time));
        let stats = world.stats();
        (drawn, bytes) = (drawn.max(stats.instances), bytes.max(stats.bytes));
    });
    report.p50_p99("tile_ms", &times);
    report.add("instances_drawn_max", drawn as f64);
    report.add("memory_mb_max", bytes as f64 / 1e6);
    report.quantile("teleport_ready_ms", &ready, 0.5);
    report.quantile("teleport_complete_ms", &complete, 0.5);
    world.place(START);
    world.settle();
    measure_floating(&mut world, recipe, START, report);
}

/// The times in milliseconds from jumps until the ground is ready, and everything near; and until
/// everything is. `visit` sees the world then.
fn jumps(world: &mut World, mut visit: impl FnMut(&World)) -> (Samples, Samples) {
    world.place(START);
    world.settle();
    let [mut ready, mut complete] = [(); 2].map(|()| Samples::default());
    for jump in 1..=JUMPS {
        let start = Instant::now();
        world.place([START[0] + 1e5 * jump as f64, START[1] - 4e4 * jump as f64]);
        let mut near = None;
        (0..3).for_each(|_| _ = world.frame());
        loop {
            world.frame();
            let stats = world.stats();
            let time = 1e3 * start.elapsed().as_secs_f64();
            if near.is_none() && world.has_ground() && stats.missing_near == 0 {
                near = Some(time);
            }
            if near.is_some() && stats.missing == 0 {
                complete.push(time);
                break;
            }
            sleep(Duration::from_millis(1));
        }
        ready.extend(near);
        visit(world);
    }
    (ready, complete)
}

/// Measures how far instances stand above the drawn ground.
fn measure_floating(world: &mut World, recipe: &Recipe, center: [f64; 2], report: &Report) {
    let drawn: Vec<ChunkKey> =
        checks::drawn(&mut world.app).into_iter().map(|chunk| chunk.key).collect();
    let ground = GroundQuery::of(&Terrain::recipe(recipe.clone())).expect("a valid preset");
    let layout = *ground.layout();
    let placement = ground.landscape().placement();
    let (mut near, mut far) = (0f64, Samples::default());
    let mut check = |radius: f64, least: f64| {
        for instance in placement.in_circle(center, radius, |kind| kind.radius >= least).unwrap() {
            let p = instance.position;
            let here = |key: &&ChunkKey| layout.key_at(key.lod, p) == **key;
            let Some(chunk) = drawn.iter().find(here) else { continue };
            let surface = ground.surface_at_level(chunk.lod, p).expect("drawn ground");
            let above = f64::from(placement.standing(&instance).value - surface.value);
            let distance = (p[0] - center[0]).hypot(p[1] - center[1]);
            if distance <= NEAR {
                near = near.max(above);
            } else {
                far.push(above);
            }
        }
    };
    check(NEAR, 0.0);
    check(FAR, 2.5);
    report.add("floating_m_max", near);
    report.quantile("floating_far_m_p99", &far, 0.99);
}
