//! Raises and lowers the ground, and blends it with a plane or with terraces.

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::steps::{metres, units};
use crate::edits::widening::Widening;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::node::ops::remap::Function;
use crate::node::ops::terraces::Terraces;
use crate::region::Region;

parameters! {
    /// Raises or lowers the ground: h' = h + w height. Where raises of the same area follow each
    /// other, with no other change of the height there in between, they count as one, of the sum of
    /// their heights, rounded to `f32`.
    #[derive(Copy, PartialOrd)]
    pub struct Raise {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {
        /// How far the ground rises, or falls if it is negative.
        height: f32 = 1 "m", -1e4 to 1e4;
    }
}

impl Operation for Raise {
    type Prepared = AreaEdit<Self>;

    /// Its height is a whole number of the units in which raises are summed.
    fn prepared(&self) -> AreaEdit<Self> {
        AreaEdit::new(&self.area, Self { height: metres(units(self.height)), ..*self })
    }
}

impl Effect for Raise {
    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
        ground + weight.rounded::<T>() * self.height
    }

    fn bounds(&self, ground: Bounds, _p: [f64; 2], _radius: f64, weight: Bounds) -> Bounds {
        ground + weight.scaled(self.height.into())
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        Widening::adding(area.bounds().scaled(self.height.into()))
    }
}

parameters! {
    /// Blends the ground with a plane: h' = h + w (t - h), t(p) = height + slope . (p - center). In
    /// the core of the area the ground is the plane.
    #[derive(Copy, PartialOrd)]
    pub struct Flatten {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {
        /// The height of the plane at the centre of the area.
        height: f32 = 0 "m", -1e6 to 1e6;
        /// How far the plane rises along x, per metre.
        slope_x: f32 = 0 "", -10 to 10;
        /// How far the plane rises along z, per metre.
        slope_z: f32 = 0 "", -10 to 10;
    }
}

impl Operation for Flatten {
    type Prepared = AreaEdit<Plane>;

    fn prepared(&self) -> AreaEdit<Plane> {
        let plane = Plane {
            center: self.area.center(),
            height: self.height.into(),
            slope: [self.slope_x, self.slope_z].each(f64::from),
        };
        AreaEdit::new(&self.area, plane)
    }
}

/// The plane that the ground is blended with.
#[derive(Clone, Debug)]
pub(in crate::edits) struct Plane {
    center: [f64; 2],
    height: f64,
    slope: [f64; 2],
}

impl Plane {
    /// Its bounds within `reach` of a place where it has this value.
    fn around(&self, value: f64, reach: f64) -> Bounds {
        let [x, z] = self.slope;
        let lipschitz = (x * x + z * z).sqrt();
        let (min, max) = (value - lipschitz * reach, value + lipschitz * reach);
        Bounds { min, max, lipschitz, curvature: 0.0 }
    }

    fn height_at(&self, p: [f64; 2]) -> f64 {
        let [x, z] = [0, 1].each(|k| self.slope[k] * (p[k] - self.center[k]));
        self.height + (x + z)
    }
}

impl AreaEdit<Plane> {
    /// Whether nothing is left of the ground before the edit at all points of a span that have
    /// ground: blending with a weight of 1 is exact, unless the plane has a number of -0, whose
    /// sign may be lost.
    pub fn hides(&self, span: &Span) -> bool {
        let Plane { height, slope: [x, z], .. } = self.effect;
        let has_sign = [height, x, z].iter().any(|n| *n == 0.0 && n.is_sign_negative());
        !has_sign && self.area.core_contains_line([span.point(0), span.point(span.len - 1)])
    }
}

impl Effect for Plane {
    const DISTURBS: bool = true;

    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2], weight: Jet64) -> T {
        let plane = Jet64 { value: self.height_at(p), gradient: self.slope, second: [0.0; 3] };
        lerp(ground, plane.rounded(), weight.rounded())
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64, weight: Bounds) -> Bounds {
        lerp_bounds(ground, self.around(self.height_at(p), radius), weight)
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        let Region { min, max } = area.region();
        let [x, z] = [0, 1].each(|k| max[k] - min[k]);
        Widening::blending(area.bounds(), self.around(self.height, (x * x + z * z).sqrt()))
    }
}

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
    fn apply<T: Differentiated<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
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
        let Bounds { lipschitz: factor, curvature: second, .. } = Function::bounds(self, whole);
        let factor = factor.max(1.0);
        Widening {
            up: step,
            down: step,
            factor,
            slope: weight.lipschitz * step,
            curvature: weight.curvature * step,
            second: [0.0, 2.0 * weight.lipschitz * (factor + 1.0), second],
            ..Widening::NONE
        }
    }
}
