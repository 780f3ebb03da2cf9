//! Cuts terraces.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::edits::smoothed_bases::Targets;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::node::ops::remap::Function;
use crate::node::ops::terraces::Terraces;
use crate::region::Region;

parameters! {
    /// Cuts terraces: h' = h + w (m(h) - h), with the staircase m of
    /// [`Terraces`](crate::node::Terraces).
    #[derive(Copy, PartialOrd)]
    pub struct Terrace {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {
        /// The height of a step.
        step: f32 = 4 "m", 0.01 to 1e4;
        /// The fraction of each step that is cliff: 1 is a gentle wave, small fractions are steep
        /// walls.
        cliff: f32 = 0.3 "", 0.01 to 1;
    }
}

impl Operation for Terrace {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        let terraces = Terraces { step: self.step, cliff: self.cliff, strength: 1.0 };
        PreparedEdit::Terrace(Terraced { area: self.area.prepared(), terraces })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Terraced {
    area: PreparedArea,
    terraces: Terraces,
}

impl Apply for Terraced {
    fn region(&self) -> Region {
        self.area.region()
    }

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], _: &mut impl Targets<T>) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        lerp(ground, self.terraces.apply(ground), weight.rounded())
    }

    fn bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        _: &mut impl Targets<Bounds>,
    ) -> Bounds {
        let weight = self.area.local_bounds(p, radius);
        let blend = lerp_bounds(ground, self.terraces.bounds(ground), weight);
        // m(h) is at most one step from h.
        let step = f64::from(self.terraces.step);
        let near = Bounds { min: ground.min - step, max: ground.max + step, ..Bounds::UNKNOWN };
        blend.and(near)
    }

    /// With s and b the bounds of m' and m'', and one step that of |m(h) - h|,
    ///
    /// L' <= s L + G step,  C' <= s C + b L^2 + H step + 2 G (s + 1) L.
    fn widening(&self) -> Widening {
        let (step, weight) = (f64::from(self.terraces.step), self.area.bounds());
        let whole = Bounds { min: 0.0, max: step, lipschitz: 1.0, curvature: 0.0 };
        let Bounds { lipschitz: factor, curvature: bend, .. } = self.terraces.bounds(whole);
        let factor = factor.max(1.0);
        Widening {
            up: step,
            down: step,
            factor,
            slope: weight.lipschitz * step,
            curvature: weight.curvature * step,
            bend: [0.0, 2.0 * weight.lipschitz * (factor + 1.0), bend],
            ..Widening::NONE
        }
    }

    fn disturbance(&self, p: [f64; 2]) -> f32 {
        self.area.weight(p).map_or(0.0, |weight| weight.value as f32)
    }

    fn distance(&self, p: [f64; 2], _: f64) -> f64 {
        self.area.distance(p)
    }
}
