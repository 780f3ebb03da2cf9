//! Applies the edits that clear and plant.

use alloc::vec::Vec;
use core::cell::Cell;

use crate::edits::{Area, Clear, Disc, EditId, Plant, Planting};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::ground::ScatterGround;
use crate::scatter::instance::{Instance, InstanceId};
use crate::scatter::kind::ScatterKind;
use crate::scatter::placement::Placement;
use crate::scatter::prepared_kind::PreparedKind;

/// Removes what edits have cleared from the natural instances of a box, which begin at `start` in a
/// list.
pub(super) fn fell(
    kinds: &[PreparedKind],
    ground: &ScatterGround,
    area: &Region,
    out: &mut Vec<Instance>,
    start: usize,
) {
    ground.edits.each_planting(area, |planting| {
        let Planting::Clear(clear) = planting else { return };
        let mut index = 0;
        out.retain(|instance| {
            index += 1;
            let seed = kinds[instance.kind].kind.seed;
            index <= start || !clear.removes(seed, instance.position)
        });
    });
}

impl Placement {
    /// The edit that fells a single instance.
    ///
    /// # Panics
    /// As [`kind`](Self::kind).
    pub fn felling(&self, instance: &Instance) -> Clear {
        let disc = Disc { center: instance.position, radius: 0.01, falloff: 0.01 };
        Clear { area: Area::Disc(disc), kind: Some(self.kind(instance).seed) }
    }

    /// Adds what edits have planted in a box, without its upper ends, to a list.
    pub(super) fn planted_in(
        &self,
        area: &Region,
        is_wanted: impl Fn(usize) -> bool,
        out: &mut Vec<Instance>,
    ) {
        self.ground.edits.each_planting(area, |planting| {
            let Planting::Plant(id, plant) = planting else { return };
            if area.contains_below(plant.center) {
                out.extend(self.planted(id, plant, &is_wanted));
            }
        });
    }

    /// What edits have planted of solid kinds, wherever a cylinder of the largest size would be in
    /// regions that a function accepts.
    pub(super) fn planted_solids(
        &self,
        is_near: impl Fn(&Region) -> bool,
        mut visit: impl FnMut(&Instance),
    ) {
        let solids = self.kinds().filter(|kind| kind.is_solid());
        let Some(widest) = solids.map(|kind| kind.solid_radius).reduce(f32::max) else { return };
        let widest = f64::from(widest * Plant::MAX_SIZE);
        let is_wanted = |kind: usize| self.kinds[kind].kind.is_solid();
        self.ground.edits.each_planted(
            &|region| is_near(&region.grown(widest)),
            &mut |id, plant| {
                if let Some(instance) = self.planted(id, plant, is_wanted) {
                    visit(&instance);
                }
            },
        );
    }

    /// The nearest one of some kinds that edits have planted, at most `radius` metres away.
    pub(super) fn nearest_planted(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: &impl Fn(&ScatterKind) -> bool,
    ) -> Option<Instance> {
        let nearest = Cell::new(None);
        let is_wanted = |kind: usize| is_wanted(&self.kinds[kind].kind);
        // One that is exactly as far away is found, too.
        self.ground.edits.nearest_planted(center, radius.next_up(), |id, plant| {
            let instance = self.planted(id, plant, is_wanted);
            instance.inspect(|instance| nearest.set(Some(*instance))).is_some()
        });
        nearest.get()
    }

    /// What an edit has planted, if it is of a wanted kind and no later edit has cleared it.
    fn planted(
        &self,
        id: EditId,
        plant: &Plant,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<Instance> {
        let kind = self.kinds.iter().position(|kind| kind.kind.seed == plant.kind);
        let kind = kind.filter(|&kind| is_wanted(kind))?;
        let stands = !self.ground.edits.is_cleared_after(id, plant);
        stands.then(|| Instance {
            id: InstanceId::Planted(id),
            kind,
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
