//! Vectors and pseudo-random numbers.

use std::f32::consts::TAU;

pub type Vector = [f32; 3];

pub const UP: Vector = [0.0, 1.0, 0.0];

/// `a + b * factor`.
pub fn along(a: Vector, b: Vector, factor: f32) -> Vector {
    std::array::from_fn(|k| a[k] + b[k] * factor)
}

pub fn difference(a: Vector, b: Vector) -> Vector {
    along(a, b, -1.0)
}

pub fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

/// The vector with length 1.
pub fn unit(a: Vector) -> Vector {
    a.map(|x| x / length(a).max(1e-9))
}

/// The part of a vector at right angles to an axis, with length 1.
pub fn across(a: Vector, axis: Vector) -> Vector {
    unit(along(a, axis, -dot(a, axis)))
}

/// A direction in the plane of x and z.
pub fn horizontal(angle: f32) -> Vector {
    [angle.cos(), 0.0, angle.sin()]
}

pub fn mix(a: f32, b: f32, part: f32) -> f32 {
    a + (b - a) * part
}

/// A number within 0..1 for an integer: a hash by Chris Wellons, "lowbias32".
pub fn hash(mut n: u32) -> f32 {
    n = (n ^ (n >> 16)).wrapping_mul(0x7feb_352d);
    n = (n ^ (n >> 15)).wrapping_mul(0x846c_a68b);
    ((n ^ (n >> 16)) >> 8) as f32 / (1u32 << 24) as f32
}

/// A sequence of numbers, from a seed.
pub struct Random(pub u32);

impl Random {
    pub fn range(&mut self, min: f32, max: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        mix(min, max, hash(self.0))
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> Vector {
        let y = self.range(-1.0, 1.0);
        let [x, _, z] = horizontal(self.range(0.0, TAU)).map(|x| x * (1.0 - y * y).sqrt());
        [x, y, z]
    }
}
