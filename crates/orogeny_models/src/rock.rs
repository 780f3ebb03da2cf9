//! Boulders and stones: blocks that broke along joints and weathered until their edges were round.

mod block;
mod sphere;

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    form::Form,
    random::Random,
    shade::{Shade, smoothstep},
};
use block::Block;
use sphere::Sphere;

/// A block in its place.
struct Rock {
    block: Block,
    radii: Vec3,
    /// Depth of the base below the ground.
    sunk: f32,
}

/// A point of a rock, and the direction that the weathered surface has there.
#[derive(Clone, Copy)]
struct Point {
    place: Vec3,
    normal: Vec3,
}

/// A boulder about 1.6 m across.
pub(crate) fn boulder(mut random: Random, form: Form) -> Vec<Mesh> {
    let rock = Rock::new(0.84, form, &mut random);
    rock.levels([Sphere::icosahedron(2), Sphere::icosahedron(1), Sphere::icosahedron(0)])
}

/// A stone about 0.35 m across.
pub(crate) fn stone(mut random: Random, form: Form) -> Vec<Mesh> {
    let rock = Rock::new(0.185, form, &mut random);
    rock.levels([Sphere::icosahedron(1), Sphere::icosahedron(0), Sphere::octahedron()])
}

impl Rock {
    fn new(size: f32, form: Form, random: &mut Random) -> Rock {
        let block = Block::new(form, random);
        let flat = form.pick([0.88, 0.95, 0.7, 0.95]) * random.vary(0.08);
        let long = random.range(0.0, 0.16);
        let radii = Vec3::new(0.89 + long, flat, 0.89 - long) * size;
        Rock { block, radii, sunk: 0.13 * size }
    }

    fn levels(&self, spheres: [Sphere; 3]) -> Vec<Mesh> {
        let fine = self.points(&spheres[0]);
        let bounds = extent(&fine);
        // All levels get the extent of the finest, with the ground at the same place.
        let ground = bounds.0.y + 0.3 * (bounds.1.y - bounds.0.y);
        spheres
            .iter()
            .map(|sphere| {
                let mut points = self.points(sphere);
                let own = extent(&points);
                // Coarse meshes cut the corners, so they grow a little beyond the extent.
                let few = sphere.triangles.len() as f32;
                let grow = if few < 20.0 { 1.02 } else { 1.0 + 0.55 / few.powf(0.75) };
                let scale = (bounds.1 - bounds.0) / (own.1 - own.0);
                for Point { place, .. } in &mut points {
                    let fit = bounds.0 + (*place - own.0) * scale;
                    let middle = 0.5 * (bounds.0 + bounds.1);
                    let wide = middle + (fit - middle) * grow;
                    // The base is flat, below the ground.
                    *place = Vec3::new(wide.x, (fit.y - ground).max(-self.sunk), wide.z);
                }
                self.mesh(sphere, &points)
            })
            .collect()
    }

    fn points(&self, sphere: &Sphere) -> Vec<Point> {
        let point = |&out: &Vec3| Point {
            place: self.block.at(out) * self.radii,
            normal: (self.block.normal(out) / self.radii).normalize_or(out),
        };
        sphere.points.iter().map(point).collect()
    }

    fn mesh(&self, sphere: &Sphere, points: &[Point]) -> Mesh {
        let mut mesh = Mesh::default();
        for &triangle in &sphere.triangles {
            let [a, b, c] = triangle.map(|corner| points[corner].place);
            let face = (b - a).cross(c - a);
            let area = face.length();
            // The flat base can fold coarse triangles to nothing.
            if area < 1e-7 * self.radii.x {
                continue;
            }
            let flat = face / area;
            let indices = triangle.map(|corner| {
                let Point { place, normal } = points[corner];
                // The few low corners of the coarsest stone would all face downwards.
                let lift = if sphere.triangles.len() < 20 { 0.3 } else { 0.0 };
                // The weathered surface is smooth across faces: a flat face would look painted.
                let normal = normal.lerp(flat, 0.12) + lift * Vec3::Y;
                let tone = self.tone(place, normal.normalize_or(flat));
                let shade = Shade { normal, tone, sway: 0.0 };
                mesh.push(place, self.uv(place, flat), Surface::Rock, shade)
            });
            mesh.triangle(indices[0], indices[1], indices[2]);
        }
        mesh
    }

    /// Rock is darker near the ground and where it overhangs.
    fn tone(&self, p: Vec3, normal: Vec3) -> f32 {
        let ground = smoothstep(-0.25, 0.5, p.y / self.radii.y);
        (0.5 + 0.5 * ground) * (0.86 + 0.14 * normal.y)
    }

    /// Projects along the main axis of the face, so that the pattern is nowhere stretched much.
    fn uv(&self, p: Vec3, normal: Vec3) -> [f32; 2] {
        let size = normal.abs();
        let flat = if size.y >= size.x && size.y >= size.z {
            Vec2::new(p.x, p.z)
        } else if size.x >= size.z {
            Vec2::new(p.z, p.y)
        } else {
            Vec2::new(p.x, p.y)
        };
        (flat / (3.2 * self.radii.max_element()) + 0.5).to_array()
    }
}

fn extent(points: &[Point]) -> (Vec3, Vec3) {
    let places = points.iter().map(|point| point.place);
    places.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)))
}
