//! How many plants of each kind stand around a viewer, counted in a task.

use std::sync::Arc;
use std::time::Duration;

use bevy::platform::time::Instant;
use orogeny::limits::OutOfLimits;
use orogeny::scatter::{KindId, Placement, ScatterKind};

use crate::map::worker::Worker;

/// The radius in metres of the circle in which kinds are counted.
pub const REACH: f64 = 100.0;
/// The same in radii of a kind: grass is counted in a smaller circle.
pub const REACH_IN_RADII: f64 = 40.0;
/// A viewer that moves less than about this, in metres, changes nothing.
const STEP: f64 = 10.0;
/// The minimum time between two counts.
const PAUSE: Duration = Duration::from_millis(500);

/// A kind, and how many there are on a hectare, unless that would take too long to count.
type KindCount = (KindId, Result<f64, OutOfLimits>);

/// The newest counts, and the task that counts again when the ground or the viewer has moved.
#[derive(Default)]
pub struct Counts {
    worker: Worker<[i64; 2], Vec<KindCount>>,
    placement: Option<Arc<Placement>>,
    /// Counts changes of the ground.
    revision: u64,
    /// The place of the newest request, in steps.
    place: [i64; 2],
    asked: Option<Instant>,
}

impl Counts {
    /// Counts around a position (x, z), in metres from the terrain's origin, if that is due.
    pub fn update(&mut self, placement: Arc<Placement>, position: [f64; 2]) {
        let place = position.map(|x| (x / STEP).round() as i64);
        let is_old = self.placement.as_ref().is_some_and(|own| Arc::ptr_eq(own, &placement));
        let is_due = self.asked.is_none_or(|asked| asked.elapsed() >= PAUSE);
        if is_due && (!is_old || place != self.place) {
            self.revision += u64::from(!is_old);
            self.placement = Some(placement);
            self.place = place;
            self.asked = Some(Instant::now());
        }
        if let Some(placement) = self.placement.clone() {
            let count =
                |place: [i64; 2]| async move { count(&placement, place.map(|i| i as f64 * STEP)) };
            self.worker.ask(self.revision, self.place, count);
        }
    }

    /// How many of a kind there are on a hectare, once they are counted.
    pub fn of(&self, kind: KindId) -> Option<Result<f64, OutOfLimits>> {
        let (_, count) = self.worker.newest()?.iter().find(|(own, _)| *own == kind)?;
        Some(*count)
    }
}

/// Each kind, and how many there are on a hectare around a place.
fn count(placement: &Placement, place: [f64; 2]) -> Vec<KindCount> {
    let count = |kind: &ScatterKind| {
        let (reach, mut count) = (REACH.min(REACH_IN_RADII * kind.radius), 0.0);
        let is_one = |other: &ScatterKind| other.id() == kind.id();
        let counted = placement.each_in_circle(place, reach, is_one, |_| count += 1.0);
        (kind.id(), counted.map(|()| 1e4 * count / (core::f64::consts::PI * reach * reach)))
    };
    placement.kinds().map(count).collect()
}

#[cfg(test)]
mod tests {
    use orogeny::cover::{CoverKind, CoverLayer};
    use orogeny::scatter::Scatter;
    use orogeny::{Appearance, Cover, Landscape, Node, SharedField};

    use super::*;

    #[test]
    fn counts_are_those_of_a_full_meadow() {
        let kind = |seed, radius, density| ScatterKind {
            seed,
            radius,
            density,
            grass: 1.0,
            ..ScatterKind::default()
        };
        // The small ones hardly notice the few large ones.
        let kinds = vec![kind(3, 4.0, 0.5), kind(8, 0.3, 1.0)];
        let field: SharedField<2> = Arc::new(Node::<2>::Constant(5.0).build().unwrap());
        let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
        let scatter = Scatter { kinds, ..Scatter::default() };
        let appearance = Appearance { cover, scatter, ..Appearance::default() };
        let ground = Landscape::new(field, &appearance, 1).unwrap();
        let placement = ground.placement();
        let counts = count(placement, [300.0, -200.0]);
        for ((kind, count), (expected, radius, density)) in
            counts.into_iter().zip([(3, 4.0f64, 0.5), (8, 0.3, 1.0)])
        {
            assert_eq!(kind, KindId(expected));
            let count = count.unwrap();
            let full = 0.35 * 1e4 / (radius * radius) * density;
            assert!((0.8..1.2).contains(&(count / full)), "{kind}: {count} of {full}");
        }
    }
}
