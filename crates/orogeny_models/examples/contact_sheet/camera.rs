//! Orthographic and perspective cameras.

use glam::Vec3;

/// A camera with a square picture.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    pub eye: Vec3,
    right: Vec3,
    up: Vec3,
    ahead: Vec3,
    /// Half the height of the picture: in metres if orthographic, else the tangent of half its
    /// angle.
    half: f32,
    perspective: bool,
}

impl Camera {
    /// A camera at `eye` looking at `target`.
    pub fn new(eye: Vec3, target: Vec3, half: f32, perspective: bool) -> Camera {
        let ahead = (target - eye).normalize();
        let right = ahead.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        Camera { eye, right, up: right.cross(ahead), ahead, half, perspective }
    }

    /// Picture coordinates, where the picture is -1..=1 high, and the depth in metres.
    pub fn project(&self, p: Vec3) -> Vec3 {
        let q = p - self.eye;
        let depth = q.dot(self.ahead);
        let scale = self.half * if self.perspective { depth.max(1e-3) } else { 1.0 };
        Vec3::new(q.dot(self.right) / scale, q.dot(self.up) / scale, depth)
    }

    /// The weight with which attributes are interpolated linearly across the picture.
    pub fn weight(&self, depth: f32) -> f32 {
        if self.perspective { 1.0 / depth } else { 1.0 }
    }
}
