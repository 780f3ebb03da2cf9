//! Blends the ground with a plane.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::widening::Widening;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::region::Region;

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
            slope: [self.slope_x, self.slope_z].map(f64::from),
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
        let [x, z] = [0, 1].map(|k| self.slope[k] * (p[k] - self.center[k]));
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
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], weight: Jet64) -> T {
        let plane = Jet64 { value: self.height_at(p), gradient: self.slope, second: [0.0; 3] };
        lerp(ground, plane.rounded(), weight.rounded())
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64, weight: Bounds) -> Bounds {
        lerp_bounds(ground, self.around(self.height_at(p), radius), weight)
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        let Region { min, max } = area.region();
        let [x, z] = [0, 1].map(|k| max[k] - min[k]);
        Widening::blending(area.bounds(), self.around(self.height, (x * x + z * z).sqrt()))
    }
}
