//! Boulders and stones: blocks that broke along joints and weathered until their edges were round.

use std::collections::HashMap;

use glam::{Quat, Vec2, Vec3};

use crate::mesh::{Shade, horizontal, smoothstep};
use crate::model::{Form, Random};
use crate::{Mesh, Pattern};

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
                mesh.push(place, self.uv(place, flat), Pattern::Rock, shade)
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

/// A block between planes, whose edges are round.
struct Block {
    /// Joints along which it broke: unit normals, and distances from the centre.
    planes: Vec<(Vec3, f32)>,
    /// How often the weight of a plane is squared: the more, the sharper the edges.
    sharpness: u32,
    /// Waves that roughen it: direction and frequency, phase, height.
    waves: Vec<(Vec3, f32, f32)>,
    /// A corner that broke off and left a ledge: its direction, and how deep it is.
    ledge: (Vec3, f32),
}

impl Block {
    fn new(form: Form, random: &mut Random) -> Block {
        // Joints run in three directions, nearly at right angles.
        let tilt = Quat::from_rotation_y(random.angle())
            * Quat::from_axis_angle(horizontal(random.angle()), random.range(0.08, 0.4));
        let mut planes: Vec<(Vec3, f32)> = [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .flat_map(|axis| [axis, -axis])
            .map(|axis| {
                let out = tilt * axis + 0.16 * random.direction();
                (out.normalize_or(axis), random.range(0.76, 0.98))
            })
            .collect();
        // Edges and corners that have broken off.
        for _ in 0..form.pick([5, 4, 6, 8]) {
            let out = random.direction();
            planes.push((out, random.range(0.86, 1.02)));
        }
        let roughness = form.pick([0.022, 0.018, 0.025, 0.03]);
        let waves = (0..9)
            .map(|i| {
                let frequency = 1.6 * 1.32_f32.powi(i);
                let height = roughness * 3.2 / frequency;
                (random.direction() * frequency, random.angle(), height * random.range(0.5, 1.4))
            })
            .collect();
        let corner = horizontal(random.angle()) + random.range(0.2, 0.9) * Vec3::Y;
        Block {
            planes,
            sharpness: form.pick([3, 2, 3, 4]),
            waves,
            ledge: (corner.normalize(), form.pick([0.12, 0.0, 0.1, 0.26]) * random.vary(0.2)),
        }
    }

    /// The point in a direction.
    fn at(&self, out: Vec3) -> Vec3 {
        // Near an edge several planes count, which rounds it: a norm with a high exponent.
        let mut sum = 0.0;
        for &(normal, distance) in &self.planes {
            let share = (out.dot(normal) / distance).max(0.0);
            sum += (0..self.sharpness).fold(share * share, |power, _| power * power);
        }
        let root = (0..=self.sharpness).fold(sum, |root, _| root.sqrt());
        let noise: f32 = self
            .waves
            .iter()
            .map(|(wave, phase, height)| height * (wave.dot(out) * 3.0 + phase).sin())
            .sum();
        let (corner, deep) = self.ledge;
        let broken = deep * smoothstep(0.62, 0.74, out.dot(corner));
        out * ((1.0 + noise - broken) / root)
    }

    /// The normal in a direction, from differences as far apart as fine vertices.
    fn normal(&self, out: Vec3) -> Vec3 {
        const STEP: f32 = 0.07;
        let (a, b) = out.any_orthonormal_pair();
        let along = |side: Vec3| {
            self.at((out + STEP * side).normalize()) - self.at((out - STEP * side).normalize())
        };
        let normal = along(a).cross(along(b));
        if normal.dot(out) < 0.0 { -normal } else { normal }
    }
}

/// A mesh of the unit sphere.
struct Sphere {
    points: Vec<Vec3>,
    /// Counter-clockwise from outside.
    triangles: Vec<[usize; 3]>,
}

impl Sphere {
    fn octahedron() -> Sphere {
        // It lies on a face: on a corner it would look like a cut gem.
        let up = Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::Y);
        let points = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
        let points = points.map(|p| up * p).into();
        let triangles = (0..8)
            .map(|i: usize| {
                let [x, y, z] = [i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1)];
                // An odd number of mirrored axes turns the triangle around.
                if (i.count_ones() & 1) == 0 { [x, y, z] } else { [x, z, y] }
            })
            .collect();
        Sphere { points, triangles }
    }

    /// An icosahedron whose triangles are split into four `splits` times.
    fn icosahedron(splits: u32) -> Sphere {
        let golden = 0.5 + 1.25_f32.sqrt();
        let mut points = Vec::new();
        for [a, b] in [[1.0, golden], [-1.0, golden], [1.0, -golden], [-1.0, -golden]] {
            points.push(Vec3::new(a, b, 0.0).normalize());
            points.push(Vec3::new(0.0, a, b).normalize());
            points.push(Vec3::new(b, 0.0, a).normalize());
        }
        // Faces are the triples of neighbours, which are nearer than any other points.
        let near = |a: usize, b: usize| points[a].dot(points[b]) > 0.4;
        let mut triangles = Vec::new();
        for a in 0..12 {
            for b in a + 1..12 {
                for c in b + 1..12 {
                    if near(a, b) && near(b, c) && near(a, c) {
                        let out = points[a].dot(points[b].cross(points[c])) > 0.0;
                        triangles.push(if out { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        let mut sphere = Sphere { points, triangles };
        for _ in 0..splits {
            sphere.split();
        }
        sphere
    }

    fn split(&mut self) {
        let mut middles = HashMap::new();
        let mut middle = |points: &mut Vec<Vec3>, a: usize, b: usize| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                points.push((points[a] + points[b]).normalize());
                points.len() - 1
            })
        };
        let mut triangles = Vec::new();
        for &[a, b, c] in &self.triangles {
            let ab = middle(&mut self.points, a, b);
            let bc = middle(&mut self.points, b, c);
            let ca = middle(&mut self.points, c, a);
            triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        self.triangles = triangles;
    }
}
