//! Plays the script of a scenario: how viewers move, and how the terrain changes.

use std::f64::consts::{PI, TAU};
use std::time::Instant;

use bevy::prelude::*;
use bevy_orogeny::advanced::HeightField;
use indicatif::ProgressBar;

use super::Args;
use super::record::Record;
use super::scenario::{Scenario, Script};
use super::world::World;
use crate::app::FRAME;
use crate::{memory, presets};

/// Frames per second.
const RATE: u32 = 60;
/// Height above the ground in metres.
const HEIGHT: f32 = 200.0;
/// The amplitude of the swing of a flight's direction, in radians, and its period, in seconds.
const SWING: f64 = 0.5;
const PERIOD: f64 = 20.0;
/// Downward slope of the view.
const PITCH: f32 = -0.14;
/// The direction of flights, in radians: along neither an axis nor a diagonal.
const COURSE: f64 = 0.3;
/// Metres per second in scenarios that do not measure speed.
const SPEED: f64 = 100.0;
/// The distance of a teleport in metres, and the number of frames that the viewer then stays.
const TELEPORT: f64 = 100_000.0;
const STAY: u32 = 30;
/// The number of seconds of flight that a teleport counts for.
const SECONDS_A_TELEPORT: u32 = 2;

/// A flight: nearly straight, in gentle curves.
pub struct Flight {
    /// (x, z) in metres.
    position: [f64; 2],
    /// The mean direction, in radians from x to z.
    course: f64,
    /// In metres per second.
    speed: f64,
    /// Seconds since it began.
    time: f64,
}

impl Flight {
    fn new(course: f64, speed: f64) -> Self {
        Self { position: [0.0; 2], course, speed, time: 0.0 }
    }

    fn direction(&self) -> [f64; 2] {
        let turn = SWING * (TAU * self.time / PERIOD).sin();
        let (sin, cos) = (self.course + turn).sin_cos();
        [cos, sin]
    }

    /// Advances by one frame.
    fn advance(&mut self) {
        let way = self.direction().map(|part| part * self.speed * FRAME);
        self.position = [self.position[0] + way[0], self.position[1] + way[1]];
        self.time += FRAME;
    }

    /// Teleports by a distance in metres along the course, then changes the course.
    fn jump(&mut self, distance: f64) {
        let (sin, cos) = self.course.sin_cos();
        self.position = [self.position[0] + cos * distance, self.position[1] + sin * distance];
        // A turn by the golden angle, so that positions do not repeat and stay within some hundred
        // kilometres.
        self.course += 2.4;
    }

    /// The viewer's position and direction.
    pub fn transform(&self, ground: &dyn HeightField) -> Transform {
        let [x, z] = self.position;
        let [dx, dz] = self.direction().map(|part| part as f32);
        Transform::from_xyz(x as f32, ground.value([x, z]) + HEIGHT, z as f32)
            .looking_to(Vec3::new(dx, PITCH, dz), Vec3::Y)
    }
}

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
    let recipe = presets::recipe(scenario.preset);
    let mut world = World::new(args, recipe, 1e3 * scenario.range, flights)?;
    world.start()?;
    match scenario.script {
        Script::Flight(_) | Script::TwoViewers => {
            for _ in 0..args.seconds {
                (0..RATE).for_each(|_| frame(&mut world));
                bar.inc(1);
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
    let mut recipe = presets::recipe(scenario.preset);
    let height = recipe.height;
    let mut unseen: Vec<Unseen> = Vec::new();
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
                    world.record.answers.push_time(world.updated - made);
                }
                !shown
            });
        }
        bar.inc(1);
    }
    world.record.unanswered = unseen.len();
    Ok(())
}
