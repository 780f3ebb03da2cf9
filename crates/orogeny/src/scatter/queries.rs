//! Queries: what stands in a region or a circle, and what is nearest.

use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use crate::arrays::Each;
use crate::edits::{EditId, Plant, Planting};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{OutOfLimits, POSITION};
use crate::position::Position;
use crate::region::Region;
use crate::scatter::kind::ScatterKind;
use crate::scatter::placement::{Instance, InstanceId, Placement};
use crate::scatter::squares::{Wanted, whole};

/// All ranks.
pub(super) const ALL: Range<f32> = 0.0..1.0;

/// The first radius in metres in which the nearest one is looked for.
const FIRST: f64 = 8.0;

impl Placement {
    /// Visits all instances of some kinds in a region, without its upper ends: what grows, in any
    /// order, and then what edits have planted. Only those whose rank is in `ranks`: `0.0..1.0` for
    /// all, fewer for a fraction of the time. What edits have planted has rank 0. Regions that
    /// share a border share no instance. An empty region has none.
    ///
    /// Time grows with the number of instances, and with the ground on which some may grow: parts
    /// of large regions in which nothing does are left out. Ask for trees, not for blades of grass,
    /// in large regions.
    ///
    /// # Errors
    /// Before anything is visited: a NaN, a region that lies beyond [`POSITION`], or one with more
    /// places than [`SCATTER_PLACES`](crate::limits::SCATTER_PLACES) or
    /// [`SCATTER_PLACES_TOGETHER`](crate::limits::SCATTER_PLACES_TOGETHER) allow.
    pub fn each_in_region(
        &self,
        region: Region,
        ranks: Range<f32>,
        is_wanted: impl Fn(&ScatterKind) -> bool,
        mut visit: impl FnMut(Instance),
    ) -> Result<(), OutOfLimits> {
        check(&region)?;
        let Some(wanted) = Wanted::new(&self.kinds, is_wanted) else { return Ok(()) };
        for part in self.parts(&region, whole(&ranks), &wanted, |_| true)? {
            self.grow(&part, &ranks, &wanted, &mut visit);
        }
        if ranks.contains(&0.0) {
            self.each_planted(&region, &wanted, visit);
        }
        Ok(())
    }

    /// Evaluates the ground on which some kinds may grow in a region, a square of 64 m x 64 m at
    /// each step of the iterator, and keeps it for the queries that follow. They do so themselves
    /// at once: this is for tasks that share a thread with frames, and pause between the steps.
    /// There are no steps where nothing may grow, nor for regions of some 300 m or more, which
    /// would push out what smaller ones need.
    ///
    /// # Errors
    /// A NaN, or a region that lies beyond [`POSITION`].
    pub fn warm_up<F: Fn(&ScatterKind) -> bool>(
        &self,
        region: Region,
        is_wanted: F,
    ) -> Result<impl Iterator<Item = ()> + use<'_, F>, OutOfLimits> {
        check(&region)?;
        let inside = |end: [f64; 2]| end.each(|x| x.clamp(POSITION.min, POSITION.max));
        let region = Region { min: inside(region.min), max: inside(region.max) };
        let wanted = Wanted::new(&self.kinds, is_wanted).filter(|_| !region.is_empty());
        let around = wanted.and_then(|wanted| {
            let around = region.grown(wanted.widest);
            self.may_grow(&around, &wanted).map(|_| around)
        });
        let kinds = self.kinds.len();
        let steps = around.map(|around| self.sites.find_blocks(&self.ground, &around, kinds));
        Ok(steps.into_iter().flatten())
    }

    /// The instances that [`each_in_region`](Self::each_in_region) visits, of any rank.
    ///
    /// # Errors
    /// As [`each_in_region`](Self::each_in_region).
    pub fn in_region(
        &self,
        region: Region,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Vec<Instance>, OutOfLimits> {
        let mut found = Vec::new();
        self.each_in_region(region, ALL, is_wanted, |instance| found.push(instance))?;
        Ok(found)
    }

    /// Visits all instances of some kinds at most `radius` metres from a point, as
    /// [`each_in_region`](Self::each_in_region). A circle with a negative radius has none.
    ///
    /// # Errors
    /// As [`each_in_region`](Self::each_in_region), for the square around the circle; and a center
    /// beyond [`POSITION`].
    pub fn each_in_circle<T>(
        &self,
        center: impl Position<2, T>,
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
        mut visit: impl FnMut(Instance),
    ) -> Result<(), OutOfLimits> {
        let center = center.coordinates();
        check_circle(center, radius)?;
        let Some(wanted) = Wanted::new(&self.kinds, is_wanted) else { return Ok(()) };
        self.each_grown_in_circle(center, radius, &wanted, &mut visit)?;
        self.each_planted(&around(center, radius), &wanted, |instance| {
            if distance(center, instance.position) <= radius {
                visit(instance);
            }
        });
        Ok(())
    }

    /// The instances that [`each_in_circle`](Self::each_in_circle) visits.
    ///
    /// # Errors
    /// As [`each_in_circle`](Self::each_in_circle).
    pub fn in_circle<T>(
        &self,
        center: impl Position<2, T>,
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Vec<Instance>, OutOfLimits> {
        let mut found = Vec::new();
        self.each_in_circle(center, radius, is_wanted, |instance| found.push(instance))?;
        Ok(found)
    }

    /// Visits the solid things whose cylinder comes within `radius` metres of a point on the map,
    /// including what edits have planted of any size.
    ///
    /// # Errors
    /// As [`each_in_circle`](Self::each_in_circle).
    pub fn each_solid_near<T>(
        &self,
        center: impl Position<2, T>,
        radius: f64,
        mut visit: impl FnMut(Instance),
    ) -> Result<(), OutOfLimits> {
        let center = center.coordinates();
        check_circle(center, radius)?;
        let Some(solids) = Wanted::new(&self.kinds, ScatterKind::is_solid) else { return Ok(()) };
        let mut near = |instance: &Instance| {
            let kind = self.kind(instance.kind).map_or(0.0, |kind| kind.solid_radius);
            let own = f64::from(kind * instance.size);
            if distance(center, instance.position) <= radius + own {
                visit(*instance);
            }
        };
        let widest = self.kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max);
        self.each_grown_in_circle(center, radius + widest, &solids, |it| near(&it))?;
        let is_near = |region: &Region| distance(center, nearest_in(region, center)) <= radius;
        self.each_planted_solid(&solids, is_near, near);
        Ok(())
    }

    /// Visits what grows at most `radius` metres from a point.
    fn each_grown_in_circle(
        &self,
        center: [f64; 2],
        radius: f64,
        wanted: &Wanted,
        mut visit: impl FnMut(Instance),
    ) -> Result<(), OutOfLimits> {
        // Rounding may move the distance of a part, but not by as much.
        let is_near = |part: &Region| distance(center, nearest_in(part, center)) <= radius + 1.0;
        for part in self.parts(&around(center, radius), whole(&ALL), wanted, is_near)? {
            self.grow(&part, &ALL, wanted, &mut |instance| {
                if distance(center, instance.position) <= radius {
                    visit(instance);
                }
            });
        }
        Ok(())
    }

    /// The instance of some kinds that is nearest to a point, at most `radius` metres away.
    ///
    /// What edits have planted is found by their index, and ground on which nothing can grow is
    /// passed over as a whole. So a lone tree is found in a wide circle, too.
    ///
    /// # Errors
    /// As [`in_circle`](Self::in_circle), but there are too many places only if there is nothing
    /// within some kilometres, although it may grow there.
    pub fn nearest<T>(
        &self,
        center: impl Position<2, T>,
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Result<Option<Instance>, OutOfLimits> {
        let center = center.coordinates();
        check_circle(center, radius)?;
        let wanted = Wanted::new(&self.kinds, is_wanted).filter(|_| radius >= 0.0);
        let Some(wanted) = wanted else { return Ok(None) };
        let planted = self.nearest_planted(center, radius, &wanted);
        // No two positions are farther apart.
        let radius = radius.min(3.0 * POSITION.max);
        // What grows counts if it is not farther away.
        let radius = planted.map_or(radius, |planted| distance(center, planted.position));
        // Larger and larger circles, so that only the last one is mostly in vain.
        let mut reach = radius.min(FIRST);
        loop {
            let (mut nearest, mut smallest) = (None, f64::INFINITY);
            self.each_grown_in_circle(center, reach, &wanted, |instance| {
                let distance = distance(center, instance.position);
                if distance < smallest {
                    (nearest, smallest) = (Some(instance), distance);
                }
            })?;
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

/// Checks that a region has no NaN, and that it is empty or has a position within the limits.
fn check(region: &Region) -> Result<(), OutOfLimits> {
    let mut ends = [region.min, region.max].into_iter().flatten();
    ends.find(|x| x.is_nan()).map_or(Ok(()), |nan| POSITION.check(nan))?;
    if !region.is_empty() {
        region.min.into_iter().try_for_each(|x| POSITION.check(x.max(POSITION.min)))?;
        region.max.into_iter().try_for_each(|x| POSITION.check(x.min(POSITION.max)))?;
    }
    Ok(())
}

/// Checks that a circle has no NaN, and that its center is within the limits.
fn check_circle(center: [f64; 2], radius: f64) -> Result<(), OutOfLimits> {
    center.into_iter().try_for_each(|x| POSITION.check(x))?;
    check(&Region::around(center, [radius; 2]))
}

/// A region around a circle.
fn around(center: [f64; 2], radius: f64) -> Region {
    // A little more, since regions are searched without their upper ends.
    Region::around(center, [radius + 1.0; 2])
}

/// The position in a region that is nearest to a point.
fn nearest_in(region: &Region, p: [f64; 2]) -> [f64; 2] {
    [0, 1].each(|k| p[k].max(region.min[k]).min(region.max[k]))
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    (x * x + z * z).sqrt()
}

impl Placement {
    /// Visits what edits have planted in a region, without its upper ends.
    pub(super) fn each_planted(
        &self,
        region: &Region,
        wanted: &Wanted,
        mut visit: impl FnMut(Instance),
    ) {
        self.ground.edits().each_planting(region, |planting| {
            let Planting::Plant(id, plant) = planting else { return };
            if region.contains_below(plant.center) {
                self.planted(id, plant, wanted).into_iter().for_each(&mut visit);
            }
        });
    }

    /// What edits have planted of solid kinds, wherever a cylinder of the largest size would be in
    /// regions that a function accepts.
    pub(super) fn each_planted_solid(
        &self,
        solids: &Wanted,
        is_near: impl Fn(&Region) -> bool,
        mut visit: impl FnMut(&Instance),
    ) {
        let kinds = self.kinds().filter(|kind| kind.is_solid());
        let widest = kinds.map(|kind| kind.solid_radius).fold(0.0, f32::max);
        let widest = f64::from(widest * Plant::MAX_SIZE);
        let visit = &mut |id, plant: &Plant| {
            if let Some(instance) = self.planted(id, plant, solids) {
                visit(&instance);
            }
        };
        self.ground.edits().each_planted(&|region| is_near(&region.grown(widest)), visit);
    }

    /// The nearest one of some kinds that edits have planted, at most `radius` metres away.
    pub(super) fn nearest_planted(
        &self,
        center: [f64; 2],
        radius: f64,
        wanted: &Wanted,
    ) -> Option<Instance> {
        let nearest = Cell::new(None);
        // One that is exactly as far away is found, too.
        self.ground.edits().nearest_planted(center, radius.next_up(), |id, plant| {
            let instance = self.planted(id, plant, wanted);
            instance.inspect(|instance| nearest.set(Some(*instance))).is_some()
        });
        nearest.get()
    }

    /// What an edit has planted, if it is of a wanted kind and no later edit has cleared it.
    fn planted(&self, id: EditId, plant: &Plant, wanted: &Wanted) -> Option<Instance> {
        let index = self.kinds.iter().position(|kind| kind.kind.id() == plant.kind)?;
        let stands = wanted.is_wanted[index] && !self.ground.edits().is_cleared_after(id, plant);
        stands.then(|| Instance {
            id: InstanceId::Planted(id),
            kind: plant.kind,
            position: plant.center,
            size: plant.size,
            turn: plant.turn / 360.0 - (plant.turn / 360.0).floor(),
            lean: [0.0; 2],
            tint: 0.5,
            // Planted by hand, so seen from afar.
            rank: 0.0,
        })
    }
}
