//! Runs scenarios.

use std::f64::consts::PI;
use std::time::Instant;

use indicatif::ProgressBar;

use crate::args::Args;
use crate::flight::Flight;
use crate::memory;
use crate::record::Record;
use crate::samples::Samples;
use crate::scenario::{Scenario, Script};
use crate::world::World;

/// Frames per second.
const RATE: u32 = 60;
/// The direction of flights, in radians: along neither an axis nor a diagonal.
const COURSE: f64 = 0.3;
/// Metres per second in scenarios that do not measure speed.
const SPEED: f64 = 100.0;
/// The distance of a teleport in metres, and the number of frames that the viewer then stays.
const TELEPORT: f64 = 100_000.0;
const STAY: u32 = 30;
/// The number of seconds of flight that a teleport counts for.
const SECONDS_A_TELEPORT: u32 = 2;

/// Runs a scenario in its own app. Measurement starts when all terrain is ready.
///
/// # Errors
/// A message for the user.
pub fn run(scenario: &Scenario, args: &Args, bar: &ProgressBar) -> Result<Record, String> {
    bar.set_message(scenario.name);
    memory::forget_peak();
    let flights = match scenario.script {
        Script::Flight(speed) => vec![Flight::new(COURSE, speed)],
        Script::Teleports => vec![Flight::new(COURSE, 0.0)],
        Script::Edits => vec![Flight::new(COURSE, SPEED)],
        Script::TwoViewers => [0.0, PI].map(|turn| Flight::new(COURSE + turn, SPEED)).into(),
    };
    let recipe = scenario.preset.recipe().map_err(|error| error.to_string())?;
    let mut world = World::new(args, recipe, 1e3 * scenario.range, flights)?;
    world.start()?;
    match scenario.script {
        Script::Flight(_) | Script::TwoViewers => {
            for _ in 0..args.seconds {
                second(&mut world, bar);
            }
        }
        Script::Teleports => teleport(&mut world, args, bar),
        Script::Edits => edit(&mut world, scenario, args, bar)?,
    }
    if let Some(problem) = world.problem() {
        return Err(problem);
    }
    world.record.process = memory::peak();
    Ok(world.record)
}

/// A second of flight.
fn second(world: &mut World, bar: &ProgressBar) {
    for _ in 0..RATE {
        frame(world);
    }
    bar.inc(1);
}

fn frame(world: &mut World) {
    world.viewers.iter_mut().for_each(|(_, flight)| flight.advance());
    world.frame();
}

fn teleport(world: &mut World, args: &Args, bar: &ProgressBar) {
    for _ in 0..args.seconds.div_ceil(SECONDS_A_TELEPORT) {
        world.viewers.iter_mut().for_each(|(_, flight)| flight.jump(TELEPORT));
        match world.wait() {
            Some(time) => world.record.answers.push_time(time),
            None => world.record.unanswered += 1,
        }
        (0..STAY).for_each(|_| world.frame());
        bar.inc(SECONDS_A_TELEPORT.into());
    }
}

/// An edit that is not drawn yet: its time, and the newest revision before it.
type Unseen = (Instant, u32);

fn edit(
    world: &mut World,
    scenario: &Scenario,
    args: &Args,
    bar: &ProgressBar,
) -> Result<(), String> {
    let mut recipe = scenario.preset.recipe().map_err(|error| error.to_string())?;
    let height = recipe.height;
    let mut unseen: Vec<Unseen> = Vec::new();
    let mut seen = Samples::default();
    for second in 0..args.seconds {
        // Alternates between another seed and another height.
        if second % 2 == 0 {
            recipe.seed += 1;
            recipe.height = height;
        } else {
            recipe.height = 1.2 * height;
        }
        unseen.push((Instant::now(), world.newest_revision()));
        world.edit(recipe.clone())?;
        for _ in 0..RATE {
            frame(world);
            unseen.retain(|&(made, before)| {
                let shown = world.revision > before;
                if shown {
                    seen.push_time(world.updated - made);
                }
                !shown
            });
        }
        bar.inc(1);
    }
    world.record.answers = seen;
    world.record.unanswered = unseen.len();
    Ok(())
}
