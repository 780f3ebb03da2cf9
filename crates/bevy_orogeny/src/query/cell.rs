//! A cell of the grid of vertices: its two triangles, split as in the meshes.

use bevy_math::DVec2;
use orogeny::Sample;

use crate::query::footing::Footing;

/// A square between four vertices, at `index` times the spacing from the terrain's origin.
///
/// It is split along the diagonal from (0, 0) to (1, 1). With u and v from 0 to 1 along x and z,
/// the triangle with u >= v has the corners (0, 0), (1, 1), (1, 0), and the other one (0, 0), (0,
/// 1), (1, 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub index: [i64; 2],
    spacing: f64,
    /// The heights computed so far, indexed by u + 2 v of their corner.
    heights: [Option<f32>; 4],
}

/// A triangle as a plane over its cell: `height + u * along[0] + v * along[1]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    height: f64,
    along: [f64; 2],
    spacing: f64,
}

impl Plane {
    pub fn at(&self, [u, v]: [f64; 2]) -> f64 {
        self.height + u * self.along[0] + v * self.along[1]
    }

    /// The height at (u, v), with the slopes of the triangle.
    pub fn sample(&self, inside: [f64; 2]) -> Sample<2> {
        let gradient = self.along.map(|rise| (rise / self.spacing) as f32);
        Sample { value: self.at(inside) as f32, gradient }
    }

    /// The same, without rounding.
    pub fn footing(&self, inside: [f64; 2]) -> Footing {
        Footing { height: self.at(inside), gradient: DVec2::from(self.along) / self.spacing }
    }
}

impl Cell {
    pub fn new(index: [i64; 2], spacing: f64) -> Self {
        Self { index, spacing, heights: [None; 4] }
    }

    /// The neighbour `step` cells away along each axis, with the heights of the corners that it
    /// shares.
    pub fn neighbour(&self, step: [i64; 2]) -> Self {
        let mut next = Self::new([self.index[0] + step[0], self.index[1] + step[1]], self.spacing);
        for corner in 0..4 {
            let [u, v] = [(corner & 1) as i64 + step[0], (corner >> 1) as i64 + step[1]];
            if (0..2).contains(&u) && (0..2).contains(&v) {
                next.heights[corner] = self.heights[(u + 2 * v) as usize];
            }
        }
        next
    }

    /// The triangle with u >= v, or the other one. `height` returns the field's height at a vertex.
    pub fn plane<E>(
        &mut self,
        right: bool,
        height: &mut impl FnMut([f64; 2]) -> Result<f32, E>,
    ) -> Result<Plane, E> {
        let low = self.corner(0, height)?;
        let high = self.corner(3, height)?;
        let along = if right {
            let middle = self.corner(1, height)?;
            [middle - low, high - middle]
        } else {
            let middle = self.corner(2, height)?;
            [high - middle, middle - low]
        };
        Ok(Plane { height: low, along, spacing: self.spacing })
    }

    /// The triangle that contains (u, v).
    pub fn plane_at<E>(
        &mut self,
        inside: [f64; 2],
        height: &mut impl FnMut([f64; 2]) -> Result<f32, E>,
    ) -> Result<Plane, E> {
        self.plane(inside[0] >= inside[1], height)
    }

    /// The height of a corner, computed once.
    fn corner<E>(
        &mut self,
        corner: usize,
        height: &mut impl FnMut([f64; 2]) -> Result<f32, E>,
    ) -> Result<f64, E> {
        if let Some(known) = self.heights[corner] {
            return Ok(known.into());
        }
        // Multiples of a power of two are exact, so these are the positions of the meshes.
        let steps = [(corner & 1) as i64, (corner >> 1) as i64];
        let vertex = [0, 1].map(|k| (self.index[k] + steps[k]) as f64 * self.spacing);
        let found = height(vertex)?;
        self.heights[corner] = Some(found);
        Ok(found.into())
    }
}
