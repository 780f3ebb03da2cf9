//! Blends the ground with a plane.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::edits::smoothed_bases::Targets;
use crate::edits::widening::Widening;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{Parameters, parameters};
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
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Flatten(Flattened {
            area: self.area.prepared(),
            center: self.area.center(),
            height: self.height.into(),
            slope: [self.slope_x, self.slope_z].map(f64::from),
        })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Flattened {
    area: PreparedArea,
    center: [f64; 2],
    height: f64,
    slope: [f64; 2],
}

impl Flattened {
    /// The bounds of the plane within `reach` of a place where it has this value.
    fn plane(&self, value: f64, reach: f64) -> Bounds {
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

impl Apply for Flattened {
    fn region(&self) -> Region {
        self.area.region()
    }

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], _: &mut impl Targets<T>) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        let plane = Jet64 { value: self.height_at(p), gradient: self.slope, second: [0.0; 3] };
        lerp(ground, plane.rounded(), weight.rounded())
    }

    fn bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        _: &mut impl Targets<Bounds>,
    ) -> Bounds {
        let plane = self.plane(self.height_at(p), radius);
        lerp_bounds(ground, plane, self.area.local_bounds(p, radius))
    }

    fn widening(&self) -> Widening {
        let Region { min, max } = self.region();
        let [x, z] = [0, 1].map(|k| max[k] - min[k]);
        let plane = self.plane(self.height, (x * x + z * z).sqrt());
        Widening::blending(self.area.bounds(), plane)
    }

    fn disturbance(&self, p: [f64; 2]) -> f32 {
        self.area.weight(p).map_or(0.0, |weight| weight.value as f32)
    }

    fn distance(&self, p: [f64; 2], _: f64) -> f64 {
        self.area.distance(p)
    }
}
