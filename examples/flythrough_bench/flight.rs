//! The path of a viewer.

use bevy::prelude::*;
use bevy_orogeny::HeightField;

/// The time from one frame to the next, in seconds.
pub const FRAME: f64 = 1.0 / 60.0;
/// Height above the ground in metres.
const HEIGHT: f32 = 200.0;
/// The amplitude of the swing of a flight's direction, in radians, and its period, in seconds.
const SWING: f64 = 0.5;
const PERIOD: f64 = 20.0;
/// Downward slope of the view.
const PITCH: f32 = -0.14;

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
    pub fn new(course: f64, speed: f64) -> Self {
        Self { position: [0.0; 2], course, speed, time: 0.0 }
    }

    fn direction(&self) -> [f64; 2] {
        let turn = SWING * (core::f64::consts::TAU * self.time / PERIOD).sin();
        let (sin, cos) = (self.course + turn).sin_cos();
        [cos, sin]
    }

    /// Advances by one frame.
    pub fn advance(&mut self) {
        let way = self.direction().map(|part| part * self.speed * FRAME);
        self.position = [self.position[0] + way[0], self.position[1] + way[1]];
        self.time += FRAME;
    }

    /// Teleports by a distance in metres along the course, then changes the course.
    pub fn jump(&mut self, distance: f64) {
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
