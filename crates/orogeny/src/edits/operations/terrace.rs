//! Cuts terraces.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::widening::Widening;
use crate::limits::parameters;
use crate::node::ops::function::Function;
use crate::node::ops::terraces::Terraces;

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
    type Prepared = AreaEdit<Terraces>;

    fn prepared(&self) -> AreaEdit<Terraces> {
        let terraces = Terraces { step: self.step, cliff: self.cliff, strength: 1.0 };
        AreaEdit::new(&self.area, terraces)
    }
}

impl Effect for Terraces {
    const DISTURBS: bool = true;

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
        lerp(ground, Function::apply(self, ground), weight.rounded())
    }

    fn bounds(&self, ground: Bounds, _p: [f64; 2], _radius: f64, weight: Bounds) -> Bounds {
        let blend = lerp_bounds(ground, Function::bounds(self, ground), weight);
        // m(h) is at most one step from h.
        let step = f64::from(self.step);
        let near = Bounds { min: ground.min - step, max: ground.max + step, ..Bounds::UNKNOWN };
        blend.and(near)
    }

    /// With s and b the bounds of m' and m'', and one step that of |m(h) - h|,
    ///
    /// L' <= s L + G step,  C' <= s C + b L^2 + H step + 2 G (s + 1) L.
    fn widening(&self, area: &PreparedArea) -> Widening {
        let (step, weight) = (f64::from(self.step), area.bounds());
        let whole = Bounds { min: 0.0, max: step, lipschitz: 1.0, curvature: 0.0 };
        let Bounds { lipschitz: factor, curvature: bend, .. } = Function::bounds(self, whole);
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
}
