//! How a mesh looks: a small software rasteriser with a depth buffer, light of the sun and the sky,
//! and a measure of what the eye compares when one level replaces another.

use glam::{Vec2, Vec3};
use orogeny_models::{Levels, Mesh};

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

/// A placed model.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    pub place: Vec3,
    pub yaw: f32,
    pub size: f32,
    pub variant: f32,
}

impl Instance {
    /// At the origin, as it grew.
    pub const PLAIN: Instance = Instance { place: Vec3::ZERO, yaw: 0.0, size: 1.0, variant: 0.5 };

    fn turn(&self, v: Vec3) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        Vec3::new(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin)
    }
}

/// What is visible at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub position: Vec3,
    pub normal: Vec3,
    /// Encoded as sRGB.
    pub colour: Vec3,
    pub tone: f32,
    /// Whether light shines through it.
    pub leafy: bool,
}

/// A picture of samples.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pub samples: Vec<Option<Sample>>,
    pub depths: Vec<f32>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        let count = width * height;
        Canvas { width, height, samples: vec![None; count], depths: vec![f32::INFINITY; count] }
    }

    /// Where a point of the picture lies in samples.
    pub fn locate(&self, p: Vec3) -> Vec2 {
        let half = 0.5 * self.height as f32;
        Vec2::new(0.5 * self.width as f32 + p.x * half, half - p.y * half)
    }

    pub fn draw(&mut self, mesh: &Mesh, camera: &Camera, instance: Instance) {
        let place = |p: [f32; 3]| instance.place + instance.turn(Vec3::from(p) * instance.size);
        for corners in mesh.indices.chunks_exact(3) {
            let corners = [corners[0], corners[1], corners[2]].map(|i| mesh.vertices[i as usize]);
            let points = corners.map(|corner| place(corner.position));
            let seen = points.map(|p| camera.project(p));
            if seen.iter().any(|p| p.z < 0.05) {
                continue;
            }
            let [a, b, c] = seen.map(|p| self.locate(p));
            let area = (b - a).perp_dot(c - a);
            if area.abs() < 1e-9 {
                continue;
            }
            let low = a.min(b).min(c).max(Vec2::ZERO);
            let high = a.max(b).max(c).min(Vec2::new(self.width as f32, self.height as f32));
            for y in low.y.floor() as usize..high.y.ceil().max(0.0) as usize {
                for x in low.x.floor() as usize..high.x.ceil().max(0.0) as usize {
                    let s = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let u = (b - s).perp_dot(c - s) / area;
                    let v = (c - s).perp_dot(a - s) / area;
                    let flat = Vec3::new(u, v, 1.0 - u - v);
                    if flat.min_element() < 0.0 {
                        continue;
                    }
                    let weights = Vec3::from(seen.map(|p| camera.weight(p.z))) * flat;
                    let weights = weights / weights.element_sum();
                    let depth = weights.dot(Vec3::from(seen.map(|p| p.z)));
                    let index = y * self.width + x;
                    if depth >= self.depths[index] {
                        continue;
                    }
                    let [wa, wb, wc] = weights.to_array();
                    let uv = corners.map(|corner| Vec2::from(corner.uv));
                    let uv = uv[0] * wa + uv[1] * wb + uv[2] * wc;
                    let pattern = corners[0].pattern;
                    let (colour, coverage) = pattern.at(uv.to_array(), instance.variant);
                    if coverage < 0.5 {
                        continue;
                    }
                    let normal = corners.map(|corner| Vec3::from(corner.normal));
                    let normal = normal[0] * wa + normal[1] * wb + normal[2] * wc;
                    let tone = weights.dot(Vec3::from(corners.map(|corner| corner.tone)));
                    self.depths[index] = depth;
                    self.samples[index] = Some(Sample {
                        position: points[0] * wa + points[1] * wb + points[2] * wc,
                        normal: instance.turn(normal).normalize(),
                        colour: Vec3::from(colour),
                        tone,
                        leafy: !pattern.is_opaque(),
                    });
                }
            }
        }
    }
}

/// Sun and sky.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    /// Direction to the sun.
    pub sun: Vec3,
    pub sunlight: Vec3,
    pub sky: Vec3,
    pub ground: Vec3,
}

/// The share of light that passes through leaves.
const TRANSMISSION: f32 = 0.35;

impl Light {
    /// A clear day.
    pub fn noon() -> Light {
        Light {
            sun: Vec3::new(0.45, 0.75, 0.5).normalize(),
            sunlight: Vec3::new(2.1, 2.0, 1.8),
            sky: Vec3::new(0.62, 0.75, 0.98),
            ground: Vec3::new(0.22, 0.24, 0.14),
        }
    }

    /// Linear colour of a sample. `lit` is the share of sunlight that reaches it.
    pub fn shade(&self, sample: &Sample, lit: f32) -> Vec3 {
        let share = 0.5 + 0.5 * sample.normal.y;
        let ambient = self.ground.lerp(self.sky, share) * sample.tone;
        let facing = sample.normal.dot(self.sun);
        let through = if sample.leafy { TRANSMISSION * sample.tone } else { 0.0 };
        let sunlight = self.sunlight * lit * (facing.max(0.0) + through * (-facing).max(0.0));
        // Tone also stands for the shadows inside a crown that shadow maps miss.
        linear(sample.colour) * (0.35 + 0.65 * sample.tone) * (ambient + sunlight)
    }
}

/// Decodes sRGB.
pub fn linear(colour: Vec3) -> Vec3 {
    colour.powf(2.2)
}

/// The appearance of a mesh from one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Appearance {
    /// Covered area in square metres.
    pub area: f32,
    /// Mean linear colour of the covered area.
    pub colour: Vec3,
    /// Height of the topmost covered sample in metres.
    pub top: f32,
}

impl Appearance {
    /// The mean over four sides.
    pub fn of(mesh: &Mesh, levels: &Levels, resolution: usize) -> Appearance {
        let half = 0.55 * levels.height.max(2.2 * levels.radius);
        let middle = Vec3::Y * 0.5 * levels.height;
        let mut mean = Appearance::default();
        for side in 0..4 {
            let (sin, cos) = (0.3 + 0.785 * side as f32).sin_cos();
            let eye = middle + Vec3::new(sin, 0.08, cos) * 10.0 * half;
            let camera = Camera::new(eye, middle, half, false);
            let mut canvas = Canvas::new(resolution, resolution);
            canvas.draw(mesh, &camera, Instance::PLAIN);
            let seen: Vec<_> = canvas.samples.iter().flatten().collect();
            let pixel = 2.0 * half / resolution as f32;
            let colour: Vec3 = seen.iter().map(|sample| Light::noon().shade(sample, 1.0)).sum();
            mean.area += 0.25 * seen.len() as f32 * pixel * pixel;
            mean.colour += 0.25 * colour / seen.len().max(1) as f32;
            let top = seen.iter().map(|sample| sample.position.y).fold(0.0, f32::max);
            mean.top = mean.top.max(top);
        }
        mean
    }

    /// The mean colour, encoded as sRGB.
    pub fn encoded(&self) -> Vec3 {
        self.colour.powf(1.0 / 2.2)
    }
}
