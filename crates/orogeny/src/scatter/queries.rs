//! Queries: what stands in a box or a circle, and what is nearest.

use alloc::vec::Vec;

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::instance::Instance;
use crate::scatter::kind::ScatterKind;
use crate::scatter::placement::Placement;
use crate::scatter::squares::TooLarge;

/// The first radius in metres in which the nearest one is looked for.
const FIRST: f64 = 8.0;

impl Placement {
    /// All instances of some kinds in a box, without its upper ends: what grows, and then what
    /// edits have planted.
    ///
    /// Time and memory grow with the number of instances, and time with the area on which some may
    /// grow: ask for trees, not for blades of grass, in large boxes. There is nothing in a box that
    /// is empty or has a NaN, and nothing farther than 1e15 m from the origin.
    ///
    /// # Errors
    /// [`TooLarge`], before anything is placed.
    pub fn in_box(
        &self,
        min: [f64; 2],
        max: [f64; 2],
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Vec<Instance>, TooLarge> {
        let (mut found, area) = (Vec::new(), Region { min, max });
        let is_wanted = |kind: usize| is_wanted(&self.kinds[kind].kind);
        for square in self.squares(&area, is_wanted, |_| true)? {
            self.grow(&square, 1.0, is_wanted, &mut found);
        }
        self.planted_in(&area, is_wanted, &mut found);
        Ok(found)
    }

    /// All instances of some kinds at most `radius` metres from a point, as
    /// [`in_box`](Self::in_box).
    ///
    /// # Errors
    /// [`TooLarge`], before anything is placed.
    pub fn in_circle(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Vec<Instance>, TooLarge> {
        let is_wanted = |kind: usize| is_wanted(&self.kinds[kind].kind);
        let is_in = |instance: &Instance| distance(center, instance.position) <= radius;
        let mut found = self.grown_in_circle(center, radius, is_wanted)?;
        let start = found.len();
        self.planted_in(&around(center, radius), is_wanted, &mut found);
        let mut index = 0;
        found.retain(|instance| {
            index += 1;
            index <= start || is_in(instance)
        });
        Ok(found)
    }

    /// What grows at most `radius` metres from a point.
    fn grown_in_circle(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Instance>, TooLarge> {
        let mut found = Vec::new();
        // Rounding may move the distance of a square, but not by as much.
        let is_near =
            |square: &Region| distance(center, nearest_in(square, center)) <= radius + 1.0;
        for square in self.squares(&around(center, radius), &is_wanted, is_near)? {
            let start = found.len();
            self.grow(&square, 1.0, &is_wanted, &mut found);
            let mut index = 0;
            found.retain(|instance| {
                index += 1;
                index <= start || distance(center, instance.position) <= radius
            });
        }
        Ok(found)
    }

    /// The instance of some kinds that is nearest to a point, at most `radius` metres away.
    ///
    /// What edits have planted is found by their index, and ground on which nothing can grow is
    /// passed over as a whole. So a lone tree is found in a wide circle, too.
    ///
    /// # Errors
    /// [`TooLarge`], if there is nothing within some kilometres, although it may grow there.
    pub fn nearest(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Option<Instance>, TooLarge> {
        // Also if the radius or the center is NaN.
        let is_circle = radius >= 0.0 && center.iter().all(|x| x.is_finite());
        if !is_circle {
            return Ok(None);
        }
        let planted = self.nearest_planted(center, radius, &is_wanted);
        // What grows counts if it is not farther away.
        let radius = planted.map_or(radius, |planted| distance(center, planted.position));
        let is_wanted = |kind: usize| is_wanted(&self.kinds[kind].kind);
        // Larger and larger circles, so that only the last one is mostly in vain.
        let mut reach = radius.min(FIRST);
        loop {
            let found = self.grown_in_circle(center, reach, is_wanted)?;
            let nearest = found.into_iter().min_by(|a, b| {
                let [a, b] = [a, b].map(|instance| distance(center, instance.position));
                a.total_cmp(&b)
            });
            if nearest.is_some() {
                return Ok(nearest);
            }
            if reach >= radius {
                return Ok(planted);
            }
            reach = (4.0 * reach).min(radius);
        }
    }
}

/// A box around a circle.
fn around(center: [f64; 2], radius: f64) -> Region {
    // A little more, since boxes have no upper ends.
    Region::around(center, [radius + 1.0; 2])
}

/// The place of a region that is nearest to a point.
fn nearest_in(region: &Region, p: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|k| p[k].max(region.min[k]).min(region.max[k]))
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    (x * x + z * z).sqrt()
}
