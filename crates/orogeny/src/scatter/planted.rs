//! What edits have planted.

use core::cell::Cell;

use crate::edits::{EditId, Plant, Planting};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::instance::{Instance, InstanceId};
use crate::scatter::placement::Placement;
use crate::scatter::wanted::Wanted;

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
