//! What tasks find out about each kind of plants: how many stand around a viewer, and why they grow
//! at a place or do not.

use std::sync::Arc;
use std::time::Duration;

use bevy::platform::time::Instant;
use orogeny::limits::OutOfLimits;
use orogeny::scatter::{KindId, Placement, ScatterKind};

use crate::worker::PlacementWorker;

/// The radius in metres of the circle in which kinds are counted.
pub const REACH: f64 = 100.0;
/// The same in radii of a kind: grass is counted in a smaller circle.
pub const REACH_IN_RADII: f64 = 40.0;
/// A viewer that moves less than about this, in metres, changes no count.
const STEP: f64 = 10.0;
/// The minimum time between two counts.
const PAUSE: Duration = Duration::from_millis(500);
/// The accuracy of the place of reasons in metres: moving less than about this changes nothing.
const REASON_STEP: f64 = 1.0;

/// How many of a kind there are on a hectare, unless that would take too long to count.
type Count = Result<f64, OutOfLimits>;

/// A number of steps along both axes.
type Steps = [i64; 2];

/// The newest counts, and the task that counts again when the ground or the viewer has moved.
#[derive(Default)]
pub struct Counts {
    worker: PlacementWorker<Steps, Vec<(KindId, Count)>>,
    /// The newest request, and its time.
    asked: Option<(Arc<Placement>, Steps, Instant)>,
}

impl Counts {
    /// Counts around a position (x, z), in metres from the terrain's origin, if that is due.
    pub fn update(&mut self, placement: Arc<Placement>, position: [f64; 2]) {
        let place = steps(position, STEP);
        let is_new = |(own, old, begun): &(Arc<Placement>, Steps, Instant)| {
            (*old != place || !Arc::ptr_eq(own, &placement)) && begun.elapsed() >= PAUSE
        };
        if self.asked.as_ref().is_none_or(is_new) {
            self.asked = Some((placement, place, Instant::now()));
        }
        if let Some((placement, place, _)) = &self.asked {
            self.worker.ask(placement, *place, counts);
        }
    }

    /// How many of a kind there are on a hectare, once they are counted.
    pub fn of(&self, kind: KindId) -> Option<Count> {
        of(self.worker.newest()?, kind).copied()
    }
}

/// The newest reasons, and the task that finds others when the ground or the place has changed.
#[derive(Default)]
pub struct Reasons(PlacementWorker<Steps, Vec<(KindId, String)>>);

impl Reasons {
    /// Finds the reasons at a position (x, z), in metres from the terrain's origin.
    pub fn update(&mut self, placement: &Arc<Placement>, position: [f64; 2]) {
        self.0.ask(placement, steps(position, REASON_STEP), reasons);
    }

    /// Why there is none of a kind, or its density, once it is known.
    pub fn of(&self, kind: KindId) -> Option<&str> {
        of(self.0.newest()?, kind).map(String::as_str)
    }
}

fn steps(position: [f64; 2], step: f64) -> Steps {
    position.map(|x| (x / step).round() as i64)
}

fn of<T>(all: &[(KindId, T)], kind: KindId) -> Option<&T> {
    all.iter().find(|(own, _)| *own == kind).map(|(_, own)| own)
}

/// Each kind, and how many there are on a hectare around a place.
fn counts(placement: &Placement, place: Steps) -> Vec<(KindId, Count)> {
    let place = place.map(|i| i as f64 * STEP);
    let count = |kind: &ScatterKind| {
        let (reach, mut count) = (REACH.min(REACH_IN_RADII * kind.radius), 0.0);
        let is_one = |other: &ScatterKind| other.id() == kind.id();
        let counted = placement.each_in_circle(place, reach, is_one, |_| count += 1.0);
        (kind.id(), counted.map(|()| 1e4 * count / (core::f64::consts::PI * reach * reach)))
    };
    placement.kinds().map(count).collect()
}

/// Each kind, and why there is none of it at a place, or its density.
fn reasons(placement: &Placement, place: Steps) -> Vec<(KindId, String)> {
    let place = place.map(|i| i as f64 * REASON_STEP);
    let reason = |kind: &ScatterKind| {
        let explanation = placement.explain(kind.id(), place).transpose()?;
        let text = explanation.map_or_else(|error| error.to_string(), |it| it.to_string());
        Some((kind.id(), text))
    };
    placement.kinds().filter_map(reason).collect()
}

#[cfg(test)]
mod tests {
    use orogeny::cover::{CoverKind, CoverLayer};
    use orogeny::scatter::Scatter;
    use orogeny::{Appearance, Cover, Landscape, Node, SharedField};

    use super::*;

    /// Kinds on a level meadow.
    fn meadow(kinds: Vec<ScatterKind>) -> Arc<Placement> {
        let field: SharedField<2> = Arc::new(Node::<2>::Constant(5.0).build().unwrap());
        let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
        let scatter = Scatter { kinds, ..Scatter::default() };
        let appearance = Appearance { cover, scatter, ..Appearance::default() };
        Landscape::new(field, &appearance, 1).unwrap().placement().clone()
    }

    #[test]
    fn counts_are_those_of_a_full_meadow() {
        // The small ones hardly notice the few large ones.
        let expected = [(3, 4.0, 0.5), (8, 0.3, 1.0)];
        let kind = |(seed, radius, density)| ScatterKind {
            seed,
            radius,
            density,
            grass: 1.0,
            ..ScatterKind::default()
        };
        let counts = counts(&meadow(expected.map(kind).to_vec()), [30, -20]);
        for ((kind, count), (seed, radius, density)) in counts.into_iter().zip(expected) {
            assert_eq!(kind, KindId(seed));
            let count = count.unwrap();
            let full = 0.35 * 1e4 / (radius * radius) * f64::from(density);
            assert!((0.8..1.2).contains(&(count / full)), "{kind}: {count} of {full}");
        }
    }

    #[test]
    fn each_kind_has_its_reason_or_its_density() {
        let grass = ScatterKind { seed: 3, grass: 0.5, ..ScatterKind::default() };
        let temperature = ScatterKind::TEMPERATURE.above(20.0);
        let palm = ScatterKind { seed: 8, temperature, ..grass.clone() };
        let placement = meadow(vec![grass, palm]);
        let palm = "temperature: 10 °C, the kind needs at least 20 °C";
        let expected = [(KindId(3), "density 0.5".into()), (KindId(8), palm.into())];
        assert_eq!(reasons(&placement, [300, -200]), expected);
        let outside = &reasons(&placement, [10_000_000_000_000_000, 0])[0].1;
        assert!(outside.starts_with("a coordinate is "), "{outside}");
    }
}
