//! Flights and jumps: the time on the main thread, memory, and how soon tiles are there.

use std::time::{Duration, Instant};

use bevy_orogeny::ScatterTile;
use orogeny::Recipe;
use orogeny::scatter::Scatter;

use crate::world::{FRAME, World};
use crate::{Metric, floating, quantile};

const START: [f64; 2] = [3100.0, 2200.0];
const JUMPS: usize = 5;

pub fn measure(recipe: &Recipe, seconds: u32) -> Vec<Metric> {
    let bare = Recipe { scatter: Scatter::default(), ..recipe.clone() };
    let (mut metrics, mut drawn, mut bytes) = (Vec::new(), 0usize, 0usize);
    let mut push = |name, value| metrics.push(Metric { name, value });
    for (names, recipe, speed) in [
        (["main_thread_p99_ms_50", "main_thread_cpu_p99_ms_50"], recipe, 50.0),
        (["bare_main_thread_p99_ms_50", "bare_main_thread_cpu_p99_ms_50"], &bare, 50.0),
        (["main_thread_p99_ms_500", "main_thread_cpu_p99_ms_500"], recipe, 500.0),
        (["bare_main_thread_p99_ms_500", "bare_main_thread_cpu_p99_ms_500"], &bare, 500.0),
    ] {
        let mut world = World::new(recipe);
        world.place(START);
        world.settle();
        let mut times = [Vec::new(), Vec::new()];
        for frame in 0..60 * seconds {
            let start = Instant::now();
            let way = speed * FRAME * f64::from(frame);
            world.place([START[0] + 0.9 * way, START[1] + 0.43 * way]);
            times.iter_mut().zip(world.frame()).for_each(|(all, time)| all.push(time));
            let stats = world.stats();
            (drawn, bytes) = (drawn.max(stats.instances), bytes.max(stats.bytes));
            // Tasks get the time that a player's frame leaves them.
            let left = Duration::from_secs_f64(FRAME).checked_sub(start.elapsed());
            std::thread::sleep(left.unwrap_or_default());
        }
        for (name, mut times) in names.into_iter().zip(times) {
            push(name, quantile(&mut times, 0.99));
        }
    }
    let mut world = World::new(&bare);
    let (mut ready, _) = jumps(&mut world, |_| ());
    push("bare_teleport_ready_ms", quantile(&mut ready, 0.5));
    let (mut world, mut times) = (World::new(recipe), Vec::new());
    let mut tiles = world.app.world_mut().query::<&ScatterTile>();
    let (mut ready, mut complete) = jumps(&mut world, |world| {
        let all = tiles.iter(world.app.world());
        times.extend(all.map(|tile| 1e3 * tile.build_time.as_secs_f64()));
        let stats = world.stats();
        (drawn, bytes) = (drawn.max(stats.instances), bytes.max(stats.bytes));
    });
    push("tile_ms_p50", quantile(&mut times, 0.5));
    push("tile_ms_p99", quantile(&mut times, 0.99));
    push("instances_drawn_max", drawn as f64);
    push("memory_mb_max", bytes as f64 / 1e6);
    push("teleport_ready_ms", quantile(&mut ready, 0.5));
    push("teleport_complete_ms", quantile(&mut complete, 0.5));
    world.place(START);
    world.settle();
    metrics.extend(floating::measure(&mut world, recipe, START));
    metrics
}

/// The times in milliseconds from jumps until the ground is ready, and everything near; and until
/// everything is. `visit` sees the world then.
fn jumps(world: &mut World, mut visit: impl FnMut(&World)) -> (Vec<f64>, Vec<f64>) {
    world.place(START);
    world.settle();
    let [mut ready, mut complete] = [Vec::new(), Vec::new()];
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
            std::thread::sleep(Duration::from_millis(1));
        }
        ready.extend(near);
        visit(world);
    }
    (ready, complete)
}
