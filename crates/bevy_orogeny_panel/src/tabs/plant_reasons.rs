//! Why plants of each kind grow at a place, or do not, found in a task.

use std::sync::Arc;

use orogeny::scatter::{KindId, Placement, ScatterKind};

use crate::map::worker::Worker;

/// The accuracy of the place in metres: moving less than about this changes nothing.
const STEP: f64 = 1.0;

/// The newest reasons, and the task that finds others when the ground or the place has changed.
#[derive(Default)]
pub struct Reasons {
    worker: Worker<[i64; 2], Vec<(KindId, String)>>,
    placement: Option<Arc<Placement>>,
    /// Counts changes of the ground.
    revision: u64,
}

impl Reasons {
    /// Finds the reasons at a position (x, z), in metres from the terrain's origin.
    pub fn update(&mut self, placement: Arc<Placement>, position: [f64; 2]) {
        let is_old = self.placement.as_ref().is_some_and(|own| Arc::ptr_eq(own, &placement));
        if !is_old {
            self.revision += 1;
            self.placement = Some(placement.clone());
        }
        let place = position.map(|x| (x / STEP).round() as i64);
        let find =
            |place: [i64; 2]| async move { reasons(&placement, place.map(|i| i as f64 * STEP)) };
        self.worker.ask(self.revision, place, find);
    }

    /// Why there is none of a kind, or its density, once it is known.
    pub fn of(&self, kind: KindId) -> Option<&str> {
        let (_, reason) = self.worker.newest()?.iter().find(|(own, _)| *own == kind)?;
        Some(reason)
    }
}

/// Each kind, and why there is none of it at a place, or its density.
fn reasons(placement: &Placement, place: [f64; 2]) -> Vec<(KindId, String)> {
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

    #[test]
    fn each_kind_has_its_reason_or_its_density() {
        let grass = ScatterKind { seed: 3, grass: 0.5, ..ScatterKind::default() };
        let palm = ScatterKind { seed: 8, temperature_min: 20.0, ..grass.clone() };
        let field: SharedField<2> = Arc::new(Node::<2>::Constant(5.0).build().unwrap());
        let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
        let scatter = Scatter { kinds: vec![grass, palm], ..Scatter::default() };
        let appearance = Appearance { cover, scatter, ..Appearance::default() };
        let ground = Landscape::new(field, &appearance, 1).unwrap();
        let placement = ground.placement();
        let palm = "temperature: 10 °C, the kind needs at least 20 °C";
        let expected = [(KindId(3), "density 0.5".into()), (KindId(8), palm.into())];
        assert_eq!(reasons(placement, [300.0, -200.0]), expected);
        let outside = &reasons(placement, [1e16, 0.0])[0].1;
        assert!(outside.starts_with("a coordinate is "), "{outside}");
    }
}
