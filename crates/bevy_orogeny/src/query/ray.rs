//! Ray casts against the triangles of level 0.

use orogeny::limits::OutOfLimits;
use orogeny::ray::{Cast, Hit, MAX_EVALUATIONS, Ray};
use orogeny::{Bounds, Field};

use super::GroundQuery;
use super::cell::{Cell, Plane};

/// The shortest stretch for which bounds are computed, in cells. Bounds cost about as much as the
/// new vertices of one cell.
const SHORTEST: f64 = 2.0;

/// The maximum number of cells to walk before bounds are tried again.
const PATIENCE: u32 = 16;

/// Bounds prove what is skipped, and the rest is walked.
pub(super) const CLEAR: Cast = Cast::Clear { is_proven: true };

impl GroundQuery {
    /// The first hit of a ray with the triangles of level 0, in the terrain's own coordinates.
    ///
    /// A ray that starts under them hits at distance 0; one that only touches them may pass. It
    /// passes through holes. Below the ground around a hole, it hits at the next triangle. The hit
    /// has the height and the slopes of the triangle. The result has the same form as that of
    /// [`raycast_field`](Self::raycast_field), but needs no tolerance: within a cell, the ray's
    /// depth under a triangle is a linear function. Its zero is found in `f64`, relative to the
    /// cell. There are no gaps between triangles.
    ///
    /// Stretches of the ray are skipped where [`Field::local_bounds`] proves that all vertices of
    /// the cells below are lower than the ray. A margin of 1e-5 of the field's largest height
    /// allows for the rounding of heights to `f32`. The other stretches are walked cell by cell. So
    /// every result is [proven](Cast::is_proven), on any field.
    ///
    /// # Errors
    /// Numbers outside their limits: those of the ray, and points on it outside
    /// [`POSITION`](crate::advanced::POSITION) or more than 2^52 vertices from the origin.
    pub fn raycast_surface(&self, ray: &Ray) -> Result<Cast, OutOfLimits> {
        Walk::new(self, ray)?.run()
    }

    /// [`raycast_surface`](Self::raycast_surface) with another limit of work than
    /// [`MAX_EVALUATIONS`].
    #[cfg(feature = "picking")]
    pub(super) fn raycast_surface_within(
        &self,
        ray: &Ray,
        limit: usize,
    ) -> Result<Cast, OutOfLimits> {
        Walk { limit, ..Walk::new(self, ray)? }.run()
    }
}

/// A ray on its way over the cells.
pub(super) struct Walk<'a> {
    query: &'a GroundQuery,
    ray: Ray,
    whole: Bounds,
    spacing: f64,
    /// Horizontal metres, and cells along x and z, per metre of the ray.
    level: f64,
    pace: [f64; 2],
    /// The cell of the ray's origin, and the origin within it, in cells.
    home: [i64; 2],
    inside: [f64; 2],
    /// The distance up to which the ray is known to be clear, and the cell that it enters there.
    clear: f64,
    cell: Cell,
    pub evaluations: usize,
    /// How many there may be.
    limit: usize,
}

impl<'a> Walk<'a> {
    pub fn new(query: &'a GroundQuery, ray: &Ray) -> Result<Self, OutOfLimits> {
        let ray = ray.checked()?;
        let spacing = query.layout.spacing(0);
        let [x, _, z] = ray.origin;
        query.check([x, z], spacing)?;
        let home = [x, z].map(|x| (x / spacing).floor() as i64);
        let inside = [(x, home[0]), (z, home[1])].map(|(x, i)| (x - i as f64 * spacing) / spacing);
        let [dx, _, dz] = ray.direction;
        Ok(Self {
            query,
            ray,
            whole: query.landscape.bounds(),
            spacing,
            level: dx.hypot(dz),
            pace: [dx / spacing, dz / spacing],
            home,
            inside,
            clear: 0.0,
            cell: Cell::new(home, spacing),
            evaluations: 0,
            limit: MAX_EVALUATIONS,
        })
    }

    pub fn run(&mut self) -> Result<Cast, OutOfLimits> {
        let Some([start, end]) = self.ray.below(self.whole.max + self.rounding(self.whole)) else {
            return Ok(CLEAR);
        };
        self.enter(start)?;
        if start >= end {
            return Ok(self.cross(end).map_or(CLEAR, Cast::Hit));
        }
        let shortest = SHORTEST * self.spacing;
        // The length of the next stretch to skip, in horizontal metres, and the number of cells to
        // walk before the next attempt.
        let (mut stretch, mut wait, mut patience) = (16.0 * shortest, 0, 1);
        while self.clear < end {
            if self.evaluations >= self.limit {
                return Ok(Cast::Unfinished { distance: self.clear, is_proven: true });
            }
            if wait > 0 {
                wait -= 1;
                if let Some(hit) = self.cross(end) {
                    return Ok(Cast::Hit(hit));
                }
            } else if self.skip((self.clear + stretch / self.level).min(end))? {
                (stretch, patience) = (2.0 * stretch, 1);
            } else if stretch > shortest {
                stretch *= 0.5;
            } else {
                (wait, patience) = (patience, PATIENCE.min(2 * patience));
            }
        }
        Ok(CLEAR)
    }

    /// By how much rounded samples may exceed the bounds.
    fn rounding(&self, near: Bounds) -> f64 {
        let max = self.whole.max_abs();
        1e-5 * if max.is_finite() { max } else { near.max_abs() }
    }

    /// The ray at a distance, in cells from the corner of the origin's cell.
    fn point(&self, distance: f64) -> [f64; 2] {
        [0, 1].map(|k| self.inside[k] + distance * self.pace[k])
    }

    /// Continues the walk at a distance.
    fn enter(&mut self, distance: f64) -> Result<(), OutOfLimits> {
        let [x, _, z] = self.ray.at(distance);
        self.query.check([x, z], self.spacing)?;
        let point = self.point(distance);
        let index = [0, 1].map(|k| self.home[k] + point[k].floor() as i64);
        self.clear = distance;
        if self.cell.index != index {
            self.cell = Cell::new(index, self.spacing);
        }
        Ok(())
    }

    /// Continues at distance `b` if all vertices of the cells up to there are proven to be below
    /// the ray. Returns whether they are.
    fn skip(&mut self, b: f64) -> Result<bool, OutOfLimits> {
        let half = 0.5 * (b - self.clear);
        let [x, _, z] = self.ray.at(self.clear + half);
        // A vertex is at most one diagonal away from the point where the ray crosses its cell.
        // Positions are rounded.
        let rounding = 4.0 * f64::EPSILON * x.abs().max(z.abs());
        let diagonal = (2f64.sqrt() + 1e-3) * self.spacing + rounding;
        self.evaluations += 1;
        let near = self.query.landscape.local_bounds([x, z], self.level * half + diagonal);
        let low = self.ray.at(self.clear)[1].min(self.ray.at(b)[1]);
        let above = near.max + self.rounding(near) <= low;
        if above {
            self.enter(b)?;
        }
        Ok(above)
    }

    /// Walks through the current cell and enters the next one.
    fn cross(&mut self, end: f64) -> Option<Hit> {
        let within = [0, 1].map(|k| self.cell.index[k] - self.home[k]);
        let borders = [0, 1].map(|k| {
            let pace = self.pace[k];
            let border = within[k] + i64::from(pace > 0.0);
            if pace == 0.0 { f64::INFINITY } else { (border as f64 - self.inside[k]) / pace }
        });
        let a = self.clear;
        let b = borders[0].min(borders[1]).min(end).max(a);
        // How far the ray is to the right of the diagonal, at both ends.
        let [from, to] = [a, b].map(|t| {
            let [u, v] = self.in_cell(t);
            u - v
        });
        let hit = if from * to < 0.0 {
            let middle = a + (b - a) * (from / (from - to));
            match self.cross_triangle(a, middle, from > 0.0) {
                None => self.cross_triangle(middle, b, to > 0.0),
                hit => hit,
            }
        } else {
            self.cross_triangle(a, b, from + to >= 0.0)
        };
        self.clear = b;
        let step = [0, 1].map(|k| {
            let forward = if self.pace[k] > 0.0 { 1 } else { -1 };
            if borders[k] <= b { forward } else { 0 }
        });
        self.cell = self.cell.neighbour(step);
        hit
    }

    /// The first point, between two distances, where the ray is under a triangle of the current
    /// cell.
    fn cross_triangle(&mut self, a: f64, b: f64, right: bool) -> Option<Hit> {
        let (query, evaluations) = (self.query, &mut self.evaluations);
        let mut height = |vertex: [f64; 2]| {
            *evaluations += 1;
            query.vertex(vertex)
        };
        // The ray passes through holes.
        let Ok(plane) = self.cell.plane(right, &mut height) else { return None };
        let [above, under] = [a, b].map(|t| self.depth(&plane, t));
        let distance = if above > 0.0 {
            a
        } else if under > 0.0 {
            a + (b - a) * (-above / (under - above))
        } else {
            return None;
        };
        let ground = plane.sample(self.in_cell(distance));
        Some(Hit { distance, position: self.ray.at(distance), ground, is_proven: true })
    }

    /// The ray at a distance, within the current cell.
    fn in_cell(&self, distance: f64) -> [f64; 2] {
        let point = self.point(distance);
        [0, 1].map(|k| point[k] - (self.cell.index[k] - self.home[k]) as f64)
    }

    fn depth(&self, plane: &Plane, distance: f64) -> f64 {
        plane.at(self.in_cell(distance)) - self.ray.at(distance)[1]
    }
}
