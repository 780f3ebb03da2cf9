//! Boulders and stones: spheres displaced by noise, cut by planes, and flattened below.

mod sphere;

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    random::Random,
    shade::{Shade, smoothstep},
};
use sphere::Sphere;

/// The shape of a rock, as a displacement of the unit sphere.
struct Rock {
    radii: Vec3,
    /// Waves that displace the sphere: direction and frequency, phase, height.
    waves: Vec<(Vec3, f32, f32)>,
    /// Planes: unit normal, and distance from the centre of the unit sphere.
    cuts: Vec<(Vec3, f32)>,
    /// Depth of the base below the ground.
    sunk: f32,
}

/// A boulder about 1.6 m across.
pub(crate) fn boulder(mut random: Random) -> Vec<Mesh> {
    let rock = Rock::new(0.84, &mut random);
    rock.levels([Sphere::icosahedron(2), Sphere::icosahedron(1), Sphere::icosahedron(0)])
}

/// A stone about 0.35 m across.
pub(crate) fn stone(mut random: Random) -> Vec<Mesh> {
    let rock = Rock::new(0.185, &mut random);
    rock.levels([Sphere::icosahedron(1), Sphere::icosahedron(0), Sphere::octahedron()])
}

impl Rock {
    fn new(size: f32, random: &mut Random) -> Rock {
        let radii =
            Vec3::new(random.vary(0.13), random.range(0.72, 0.95), random.vary(0.13)) * size;
        let waves = (0..14)
            .map(|i| {
                let frequency = 1.4 * 1.22_f32.powi(i);
                let height = 0.16 / frequency.powf(1.05);
                (random.direction() * frequency, random.angle(), height * random.range(0.5, 1.4))
            })
            .collect();
        let cuts = (0..random.count(6, 9))
            .map(|_| {
                let out = random.direction();
                let out = Vec3::new(out.x, 0.75 * out.y + 0.15, out.z).normalize();
                (out, random.range(0.66, 0.88))
            })
            .collect();
        Rock { radii, waves, cuts, sunk: 0.13 * size }
    }

    /// The point of the rock in a direction, in metres, and the plane that it lies on.
    fn at(&self, out: Vec3) -> (Vec3, Option<usize>) {
        let noise: f32 = self
            .waves
            .iter()
            .map(|(wave, phase, height)| {
                // Folded waves have creases, which read as weathered edges.
                let turn = (wave.dot(out) * 3.0 + phase).sin();
                height * (turn + 0.5 - turn.abs())
            })
            .sum();
        let mut p = out * (1.0 + noise);
        let mut plane = None;
        for (i, &(normal, distance)) in self.cuts.iter().enumerate() {
            let over = p.dot(normal) - distance;
            if over > 0.0 {
                // A little of the relief stays on the cut.
                p -= normal * (over * 0.94);
                plane = Some(i);
            }
        }
        (p * self.radii, plane)
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
                let grow = 1.0 + 0.55 / (sphere.triangles.len() as f32).powf(0.75);
                let scale = (bounds.1 - bounds.0) / (own.1 - own.0);
                for (p, _) in &mut points {
                    let fit = bounds.0 + (*p - own.0) * scale;
                    let middle = 0.5 * (bounds.0 + bounds.1);
                    let wide = middle + (fit - middle) * grow;
                    // The base is flat, below the ground.
                    *p = Vec3::new(wide.x, (fit.y - ground).max(-self.sunk), wide.z);
                }
                self.mesh(sphere, &points)
            })
            .collect()
    }

    fn points(&self, sphere: &Sphere) -> Vec<(Vec3, Option<usize>)> {
        sphere.points.iter().map(|&out| self.at(out)).collect()
    }

    fn mesh(&self, sphere: &Sphere, points: &[(Vec3, Option<usize>)]) -> Mesh {
        let face =
            |[a, b, c]: [usize; 3]| (points[b].0 - points[a].0).cross(points[c].0 - points[a].0);
        let mut smooth = vec![Vec3::ZERO; points.len()];
        for &triangle in &sphere.triangles {
            for corner in triangle {
                smooth[corner] += face(triangle);
            }
        }
        let mut mesh = Mesh::default();
        for &triangle in &sphere.triangles {
            let normal = face(triangle);
            let area = normal.length();
            // The flat base can fold coarse triangles to nothing.
            if area < 1e-7 * self.radii.x {
                continue;
            }
            let flat = normal / area;
            let [a, b, c] = triangle.map(|corner| points[corner].1);
            let cut = a.is_some() && a == b && b == c;
            let indices = triangle.map(|corner| {
                let p = points[corner].0;
                // The few low corners of the coarsest stone would all face downwards.
                let lift = if sphere.triangles.len() < 20 { 0.5 } else { 0.0 };
                let soft = smooth[corner].normalize_or(flat) + lift * Vec3::Y;
                let normal = soft.lerp(flat, if cut { 0.85 } else { 0.25 });
                let tone = self.tone(p, normal.normalize_or(flat));
                let shade = Shade { normal, tone, sway: 0.0 };
                mesh.push(p, self.uv(p, flat), Surface::Rock, shade)
            });
            mesh.triangle(indices[0], indices[1], indices[2]);
        }
        mesh
    }

    /// Rock is darker near the ground and where it overhangs.
    fn tone(&self, p: Vec3, normal: Vec3) -> f32 {
        let ground = smoothstep(-0.25, 0.5, p.y / self.radii.y);
        (0.5 + 0.5 * ground) * (0.88 + 0.12 * normal.y)
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

fn extent(points: &[(Vec3, Option<usize>)]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), (p, _)| (low.min(*p), high.max(*p)))
}
