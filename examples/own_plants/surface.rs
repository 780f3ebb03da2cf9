//! The triangles of one material: tapered tubes for wood, and cards for leaves.

use std::f32::consts::TAU;

use serde_json::{Value, json};

use super::glb::Glb;
use super::numbers::*;

/// How wide the bark's image is on wood, in metres. It is twice as long.
const BARK: f32 = 0.5;

/// A bent branch that tapers to a point.
pub struct Branch {
    /// The control points of a cubic Bézier curve.
    pub points: [Vector; 4],
    /// The radius at the foot, and by which factor it widens there.
    pub radius: f32,
    pub flare: f32,
    /// How far wind moves the foot. It moves the tip by 1.
    pub sway: f32,
}

impl Branch {
    /// The place at a part of the length.
    pub fn at(&self, t: f32) -> Vector {
        let s = 1.0 - t;
        self.sum([s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t])
    }

    pub fn radius_at(&self, t: f32) -> f32 {
        self.radius * (1.0 - t).powf(0.8) * (1.0 + (self.flare - 1.0) * (-25.0 * t).exp())
    }

    pub fn sway_at(&self, t: f32) -> f32 {
        mix(self.sway, 1.0, t * t)
    }

    fn direction_at(&self, t: f32) -> Vector {
        let s = 1.0 - t;
        unit(self.sum([-s * s, s * s - 2.0 * s * t, 2.0 * s * t - t * t, t * t]))
    }

    fn sum(&self, weights: [f32; 4]) -> Vector {
        let add = |sum, (&point, weight)| along(sum, point, weight);
        self.points.iter().zip(weights).fold([0.0; 3], add)
    }
}

/// A square card of leaves.
pub struct Card {
    pub centre: Vector,
    /// Where the image's top and right are.
    pub up: Vector,
    pub right: Vector,
    pub size: f32,
}

#[derive(Default)]
pub struct Surface {
    positions: Vec<Vector>,
    normals: Vec<Vector>,
    uvs: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Surface {
    /// Adds a branch.
    pub fn tube(&mut self, branch: &Branch, sides: u32, segments: u32) {
        let first = self.positions.len() as u32;
        let turns = (TAU * branch.radius / BARK).round().max(1.0);
        let bark_length = 2.0 * TAU * branch.radius / turns;
        let mut right = across([0.0, 0.1, 1.0], branch.direction_at(0.0));
        let (mut passed, mut before) = (0.0, branch.at(0.0));
        for ring in 0..=segments {
            // Rings are closer to each other at the foot.
            let t = (ring as f32 / segments as f32).powf(1.3);
            let (centre, axis) = (branch.at(t), branch.direction_at(t));
            // Carrying the vector along keeps the tube from twisting.
            right = across(right, axis);
            passed += length(difference(centre, before));
            before = centre;
            for side in 0..=sides {
                let part = side as f32 / sides as f32;
                let (sin, cos) = (part * TAU).sin_cos();
                let normal = along(right.map(|x| x * cos), cross(axis, right), sin);
                let position = along(centre, normal, branch.radius_at(t));
                let uv = [part * turns, passed / bark_length];
                self.push(position, normal, uv, branch.sway_at(t));
            }
        }
        for ring in 0..segments {
            for side in 0..sides {
                let a = first + ring * (sides + 1) + side;
                let c = a + sides + 1;
                self.indices.extend([a, a + 1, c]);
                // The last ring is a point.
                if ring + 1 < segments {
                    self.indices.extend([a + 1, c + 1, c]);
                }
            }
        }
    }

    /// Adds a card with normals away from the crown's middle. `sway` gives how far wind moves a
    /// place.
    pub fn card(&mut self, card: &Card, middle: Vector, sway: impl Fn(Vector) -> f32) {
        let first = self.positions.len() as u32;
        // The front is on the side of the normals.
        let outwards = difference(card.centre, middle);
        let is_front = dot(cross(card.right, card.up), outwards) >= 0.0;
        let right = if is_front { card.right } else { card.right.map(|x| -x) };
        for uv in [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]] {
            let corner = along(card.centre, right, card.size * (uv[0] - 0.5));
            let corner = along(corner, card.up, card.size * (0.5 - uv[1]));
            self.push(corner, unit(difference(corner, middle)), uv, sway(corner));
        }
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }

    /// A primitive of a mesh.
    pub fn primitive(&self, glb: &mut Glb, material: usize) -> Value {
        json!({
            "attributes": {
                "POSITION": glb.accessor("VEC3", self.positions.as_flattened()),
                "NORMAL": glb.accessor("VEC3", self.normals.as_flattened()),
                "TEXCOORD_0": glb.accessor("VEC2", self.uvs.as_flattened()),
                "COLOR_0": glb.accessor("VEC4", self.colours.as_flattened()),
            },
            "indices": glb.accessor("SCALAR", &self.indices),
            "material": material,
        })
    }

    fn push(&mut self, position: Vector, normal: Vector, uv: [f32; 2], sway: f32) {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        self.colours.push([sway, 1.0, 1.0, 1.0]);
    }
}
