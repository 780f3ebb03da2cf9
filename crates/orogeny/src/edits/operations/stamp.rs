//! Stamps a raster onto the ground.

use alloc::format;

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea, Rectangle};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::raster::{Raster, RasterSpline};
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::limits::parameters;
use crate::region::Region;

/// How a stamp and the ground are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Blend {
    /// Adds the stamp to the ground: h' = h + w s.
    #[default]
    Add,
    /// Replaces the ground by the stamp: h' = h + w (s - h).
    Replace,
    /// Raises the ground to the stamp, where that is higher. There is a crease where both meet.
    Max,
    /// Lowers the ground to the stamp, where that is lower. There is a crease where both meet.
    Min,
}

parameters! {
    /// Stamps a raster onto the ground: s(p) = level + height b(p), with the cubic B-spline b
    /// through the samples of the raster (twice continuously differentiable). Between samples that
    /// differ much it may overshoot them. The weight w is 1 inside, and falls to 0 at the border of
    /// the raster over `falloff`.
    #[derive(PartialOrd)]
    pub struct Stamp {
        /// The middle of the raster (x, z) in metres.
        center: [f64; 2] = [0.0; 2],
        /// The samples. Rows run along the stamp's own x axis.
        raster: Raster = Raster::default(),
        /// How the stamp and the ground are combined.
        blend: Blend = Blend::default(),
    }
    numbers {
        /// The distance between neighbouring samples.
        cell: f64 = 4 "m", 0.01 to 100;
        /// The angle from the x axis of the world to the stamp's own, towards z.
        angle: f64 = 0 "degrees", -360 to 360;
        /// The height of a sample of 1 above `level`.
        height: f32 = 10 "m", -1e4 to 1e4;
        /// The height of a sample of 0.
        level: f32 = 0 "m", -1e6 to 1e6;
        /// The distance over which the weight falls to 0: at most half the shorter side.
        falloff: f64 = 4 "m", 0.01 to 1e5;
    }
}

impl Stamp {
    /// The lengths of the raster's sides in metres.
    fn sides(&self) -> [f64; 2] {
        self.raster.size().each(|count| (count as f64 - 1.0) * self.cell)
    }

    pub(in crate::edits) fn region(&self) -> Region {
        Area::Rectangle(self.rectangle()).prepared().region()
    }

    fn rectangle(&self) -> Rectangle {
        let [length, width] = self.sides().each(|side| (side - 2.0 * self.falloff).max(0.0));
        let Self { center, angle, falloff, .. } = *self;
        Rectangle { center, length, width, angle, falloff }
    }
}

impl Operation for Stamp {
    type Prepared = AreaEdit<StampSurface>;

    fn check_rest(&self) -> Result<(), DataError> {
        self.raster.check().map_err(|e| e.under("raster"))?;
        let [length, width] = self.sides();
        let most = 0.5 * length.min(width);
        if self.falloff > most {
            let problem =
                format!("is {}, but must be at most half the shorter side, {most} m", self.falloff);
            return Err(DataError::at("falloff", problem));
        }
        Ok(())
    }

    fn prepared(&self) -> AreaEdit<StampSurface> {
        let (cell, height) = (self.cell, f64::from(self.height));
        let level = Bounds::constant(self.level.into());
        let spline = RasterSpline::through(&self.raster);
        let unit = spline.bounds();
        let stretched = Bounds {
            lipschitz: unit.lipschitz / cell,
            curvature: unit.curvature / (cell * cell),
            ..unit
        };
        let rectangle = self.rectangle();
        let surface = StampSurface {
            center: self.center,
            axes: rectangle.axes(),
            size: self.raster.size(),
            spline,
            blend: self.blend,
            cell,
            height,
            level: self.level.into(),
            all: stretched.scaled(height) + level,
        };
        AreaEdit::new(&Area::Rectangle(rectangle), surface)
    }
}

/// The surface s, and how it is combined with the ground.
#[derive(Clone, Debug)]
pub(in crate::edits) struct StampSurface {
    center: [f64; 2],
    /// The directions of the stamp's own axes.
    axes: [[f64; 2]; 2],
    size: [usize; 2],
    spline: RasterSpline,
    blend: Blend,
    cell: f64,
    height: f64,
    level: f64,
    /// Its bounds over the whole plane.
    all: Bounds,
}

impl StampSurface {
    /// The surface at a point.
    fn at(&self, p: [f64; 2]) -> Jet64 {
        let offset = [p[0] - self.center[0], p[1] - self.center[1]];
        let own = self.axes.each(|[x, z]| (x * offset[0] + z * offset[1]) / self.cell);
        let middle = self.size.each(|count| 0.5 * (count as f64 - 1.0));
        let Jet64 { value, gradient: [du, dv], second: [uu, uv, vv] } =
            self.spline.at([own[0] + middle[0], own[1] + middle[1]]);
        // u and v are linear in x and z, with the axes over the cell as gradients.
        let [[ux, uz], [vx, vz]] = self.axes.each(|axis| axis.each(|x| x / self.cell));
        let spline = Jet64 {
            value,
            gradient: [du * ux + dv * vx, du * uz + dv * vz],
            second: [
                uu * ux * ux + 2.0 * uv * ux * vx + vv * vx * vx,
                uu * ux * uz + uv * (ux * vz + uz * vx) + vv * vx * vz,
                uu * uz * uz + 2.0 * uv * uz * vz + vv * vz * vz,
            ],
        };
        let level = Jet64 { value: self.level, gradient: [0.0; 2], second: [0.0; 3] };
        spline.times(self.height).plus(level)
    }

    /// Its bounds within `radius` of a point.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        let reach = self.all.lipschitz * radius + 1e-6 * self.all.max_abs();
        self.all.near(self.at(p).value, reach)
    }
}

impl Effect for StampSurface {
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2], weight: Jet64) -> T {
        let surface = self.at(p);
        if self.blend == Blend::Add {
            return ground + weight.product(surface).rounded();
        }
        let target = surface.rounded::<T>();
        let is_left = match self.blend {
            Blend::Max => target.value() <= ground.value(),
            Blend::Min => target.value() >= ground.value(),
            Blend::Add | Blend::Replace => false,
        };
        if is_left { ground } else { lerp(ground, target, weight.rounded()) }
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64, weight: Bounds) -> Bounds {
        let surface = self.local_bounds(p, radius);
        let blended = lerp_bounds(ground, surface, weight);
        match self.blend {
            Blend::Add => ground + weight * surface,
            Blend::Replace => blended,
            Blend::Max if surface.max <= ground.min => ground,
            Blend::Min if surface.min >= ground.max => ground,
            // Between the ground and the blend, with a crease where they meet.
            Blend::Max | Blend::Min => Bounds { curvature: f64::INFINITY, ..ground.or(blended) },
        }
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        let weight = area.bounds();
        match self.blend {
            Blend::Add => Widening::adding(weight * self.all),
            Blend::Replace => Widening::blending(weight, self.all),
            Blend::Max | Blend::Min => {
                let creased = Bounds { curvature: f64::INFINITY, ..self.all };
                Widening::blending(weight, creased)
            }
        }
    }
}
