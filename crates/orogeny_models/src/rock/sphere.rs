//! Spheres of triangles.

use std::collections::HashMap;

use glam::{Quat, Vec3};

/// A mesh of the unit sphere.
pub(super) struct Sphere {
    pub(super) points: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub(super) triangles: Vec<[usize; 3]>,
}

impl Sphere {
    pub(super) fn octahedron() -> Sphere {
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
    pub(super) fn icosahedron(splits: u32) -> Sphere {
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
