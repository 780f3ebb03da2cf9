//! Areas: where an edit has how much weight.

use crate::arrays::Each;
use crate::derivative::affine::Affine;
use crate::derivative::bounds::Bounds;
use crate::edits::falloff::{Jet64, along, along_if_any, steepest};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::real::Real;
use crate::region::Region;

/// Where an edit has how much weight: 1 in a core, falling to 0 around it by a quintic curve.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Area {
    /// A disc.
    Disc(Disc),
    /// A rectangle, turned by any angle.
    Rectangle(Rectangle),
}

impl Default for Area {
    fn default() -> Self {
        Self::Disc(Disc::default())
    }
}

parameters! {
    /// A disc. At the distance d from the centre the weight is 1 up to `radius`, and beyond it
    /// u(1 - (d - radius) / falloff) with the quintic fade u.
    #[derive(Copy, PartialOrd)]
    pub struct Disc {
        /// The centre (x, z) in metres.
        center: [f64; 2] = [0.0; 2],
    }
    numbers {
        /// The radius of the core.
        radius: f64 = 10 "m", 0 to 1e5;
        /// The distance over which the weight falls to 0.
        falloff: f64 = 10 "m", 0.01 to 1e5;
    }
}

parameters! {
    /// A rectangle. The weight is the product of two, one along each of its sides; each is 1 up to
    /// half the side's length from the centre, and falls as that of a [`Disc`] beyond.
    #[derive(Copy, PartialOrd)]
    pub struct Rectangle {
        /// The centre (x, z) in metres.
        center: [f64; 2] = [0.0; 2],
    }
    numbers {
        /// The length of the core along its own x axis.
        length: f64 = 20 "m", 0 to 1e5;
        /// The width of the core, along its own z axis.
        width: f64 = 10 "m", 0 to 1e5;
        /// The angle from the x axis of the world to the rectangle's own, towards z.
        angle: f64 = 0 "degrees", -360 to 360;
        /// The distance over which the weight falls to 0.
        falloff: f64 = 10 "m", 0.01 to 1e5;
    }
}

/// An area, prepared for evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PreparedArea {
    Disc(Disc),
    Rectangle {
        center: [f64; 2],
        /// The directions of the rectangle's own axes.
        axes: [[f64; 2]; 2],
        /// Half the lengths of the sides.
        half: [f64; 2],
        falloff: f64,
    },
}

/// Where a line meets an area.
pub(super) struct Section {
    /// The smallest and the largest coordinate at which there may be a weight.
    pub touched: [f64; 2],
    pub middle: f64,
    /// The distance from the middle up to which points are in the core; negative if none is, or if
    /// that is not known.
    pub core: f64,
}

impl Area {
    /// The centre.
    pub(super) fn center(&self) -> [f64; 2] {
        match self {
            Self::Disc(disc) => disc.center,
            Self::Rectangle(rectangle) => rectangle.center,
        }
    }

    /// The centre (x, z) in metres, to be moved.
    pub fn center_mut(&mut self) -> &mut [f64; 2] {
        match self {
            Self::Disc(disc) => &mut disc.center,
            Self::Rectangle(rectangle) => &mut rectangle.center,
        }
    }

    pub(super) fn prepared(&self) -> PreparedArea {
        match *self {
            Self::Disc(disc) => PreparedArea::Disc(disc),
            Self::Rectangle(rectangle) => PreparedArea::Rectangle {
                center: rectangle.center,
                axes: rectangle.axes(),
                half: [rectangle.length / 2.0, rectangle.width / 2.0],
                falloff: rectangle.falloff,
            },
        }
    }
}

impl Rectangle {
    /// The directions of its own axes.
    pub(super) fn axes(&self) -> [[f64; 2]; 2] {
        // They are the rows of the inverse rotation.
        let inverse = Affine::<2>::rotation(-self.angle, [0.0; 3]);
        let [x, z] = [inverse.apply([1.0, 0.0]), inverse.apply([0.0, 1.0])];
        [[x[0], z[0]], [x[1], z[1]]]
    }
}

impl PreparedArea {
    /// All places with a weight above 0 are in it.
    pub fn region(&self) -> Region {
        let (Self::Disc(Disc { falloff, .. }) | Self::Rectangle { falloff, .. }) = *self;
        self.region_within(falloff)
    }

    /// All places in the core are in it.
    pub fn core_region(&self) -> Region {
        // More than rounding, and no falloff is less.
        self.region_within(0.01)
    }

    /// All places up to a distance from the sides of the core are in it.
    fn region_within(&self, distance: f64) -> Region {
        match *self {
            Self::Disc(Disc { center, radius, .. }) => {
                Region::around(center, [radius + distance; 2])
            }
            Self::Rectangle { center, axes, half, .. } => {
                let reach = half.each(|half| half + distance);
                // A little more, for rounding.
                let along = |k: usize| {
                    1.000_000_1 * (axes[0][k].abs() * reach[0] + axes[1][k].abs() * reach[1])
                };
                Region::around(center, [along(0), along(1)])
            }
        }
    }

    /// The width of the core where it is narrowest.
    pub fn width(&self) -> f64 {
        match self {
            Self::Disc(Disc { radius, .. }) => 2.0 * radius,
            Self::Rectangle { half, .. } => 2.0 * half[0].min(half[1]),
        }
    }

    /// The weight at a point; `None` where it is 0.
    #[inline]
    pub fn weight(&self, p: [f64; 2]) -> Option<Jet64> {
        match self {
            Self::Disc(Disc { center, radius, falloff }) => {
                let offset = [p[0] - center[0], p[1] - center[1]];
                let distance = (offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
                if distance <= *radius {
                    return Some(Jet64::ONE);
                }
                let weight = along_if_any(distance - radius, *falloff)?;
                Some(Jet64::radial(weight, offset, distance))
            }
            Self::Rectangle { center, axes, half, falloff } => {
                let offset = [p[0] - center[0], p[1] - center[1]];
                let side = |k: usize| {
                    let own = axes[k][0] * offset[0] + axes[k][1] * offset[1];
                    let [value, slope, second] = along_if_any(own.abs() - half[k], *falloff)?;
                    Some(Jet64::straight([value, slope * own.signum(), second], axes[k]))
                };
                Some(side(0)?.product(side(1)?))
            }
        }
    }

    /// The weight at several points, and where it is above 0: with the bits of
    /// [`weight`](Self::weight).
    #[inline(always)]
    pub fn weights<R: Real>(&self, [x, z]: [R; 2]) -> (R::Mask, Jet64<R>) {
        match self {
            Self::Disc(Disc { center, radius, falloff }) => {
                let offset = [x - center[0], z - center[1]];
                let distance = (offset[0] * offset[0] + offset[1] * offset[1]).root();
                let beyond = distance - *radius;
                let weight = Jet64::radial(along(beyond, *falloff), offset, distance);
                (beyond.is_below(*falloff), weight.or_one(beyond.is_above(0.0)))
            }
            Self::Rectangle { center, axes: [u, v], half, falloff } => {
                let offset = [x - center[0], z - center[1]];
                let (is_in, along_u) = side(offset, *u, half[0], *falloff);
                let (is_in_too, along_v) = side(offset, *v, half[1], *falloff);
                (R::and(is_in, is_in_too), along_u.product(along_v))
            }
        }
    }

    /// Whether two points, and so all between them, are well within the core.
    #[inline]
    pub fn core_contains_line(&self, ends: [[f64; 2]; 2]) -> bool {
        // More than rounding.
        const MARGIN: f64 = 1e-12;
        ends.into_iter().all(|p| match self {
            Self::Disc(Disc { center, radius, .. }) => {
                let [x, z] = [p[0] - center[0], p[1] - center[1]];
                x * x + z * z < radius * radius * (1.0 - MARGIN)
            }
            Self::Rectangle { center, axes, half, .. } => {
                let [x, z] = [p[0] - center[0], p[1] - center[1]];
                let margin = MARGIN * (x.abs() + z.abs());
                (0..2).all(|k| (axes[k][0] * x + axes[k][1] * z).abs() + margin < half[k])
            }
        })
    }

    /// Where a line along an axis meets the area. `across` is the coordinate of the line along the
    /// other axis.
    #[inline]
    pub fn section(&self, axis: usize, across: f64) -> Section {
        match self {
            Self::Disc(Disc { center, radius, falloff }) => {
                let (middle, offset) = (center[axis], across - center[1 - axis]);
                let reach = radius + falloff;
                // A little more, and a little less, than rounding can change.
                let square = reach * reach - offset * offset;
                let touched = reach.min(square.max(0.0).sqrt() + 1e-6 * reach);
                let square = radius * radius * (1.0 - 1e-12) - offset * offset;
                let core = if square > 0.0 { square.sqrt() * (1.0 - 1e-12) } else { -1.0 };
                Section { touched: [middle - touched, middle + touched], middle, core }
            }
            Self::Rectangle { center, .. } => {
                let Region { min, max } = self.region();
                Section { touched: [min[axis], max[axis]], middle: center[axis], core: -1.0 }
            }
        }
    }

    /// Whether a point is in the core: whether its weight is 1 and level.
    #[inline]
    pub fn core_contains(&self, p: [f64; 2]) -> bool {
        // More than the part of a falloff over which rounding keeps the weight at 1.
        const SLIGHT: f64 = 1e-9;
        let distance = self.signed_distance(p);
        distance <= 0.0 || (distance < SLIGHT && self.weight(p) == Some(Jet64::ONE))
    }

    /// The distance of a point from the core, where the weight is 1.
    pub fn distance(&self, p: [f64; 2]) -> f64 {
        self.signed_distance(p).max(0.0)
    }

    /// The same; within the core, minus the distance from its edge.
    fn signed_distance(&self, p: [f64; 2]) -> f64 {
        match self {
            Self::Disc(Disc { center, radius, .. }) => {
                let [x, z] = [p[0] - center[0], p[1] - center[1]];
                (x * x + z * z).sqrt() - radius
            }
            Self::Rectangle { center, axes, half, .. } => {
                let offset = [p[0] - center[0], p[1] - center[1]];
                let beyond = |k: usize| {
                    let own = axes[k][0] * offset[0] + axes[k][1] * offset[1];
                    own.abs() - half[k]
                };
                let [x, z] = [beyond(0), beyond(1)];
                if x <= 0.0 && z <= 0.0 {
                    return x.max(z);
                }
                let [x, z] = [x.max(0.0), z.max(0.0)];
                (x * x + z * z).sqrt()
            }
        }
    }

    /// The distance from the core at which the weight is 0 everywhere: the corners of a rectangle
    /// are the last.
    fn reach(&self) -> f64 {
        match *self {
            Self::Disc(Disc { falloff, .. }) => falloff,
            Self::Rectangle { falloff, .. } => core::f64::consts::SQRT_2 * falloff,
        }
    }

    /// Proven bounds of the weight, over the whole plane.
    ///
    /// For a disc the second derivative across the radius, |w'| / d, is below that along it: with d
    /// >= falloff (1 - t) it is at most 30 t^2 (1 - t) / falloff^2 <= 4.45 / falloff^2.
    pub fn bounds(&self) -> Bounds {
        let (&falloff, sides) = match self {
            Self::Disc(Disc { falloff, .. }) => (falloff, 1.0),
            Self::Rectangle { falloff, .. } => (falloff, 2.0),
        };
        let [slope, second] = steepest(falloff);
        let curvature = second + (sides - 1.0) * slope * slope;
        Bounds { min: 0.0, max: 1.0, lipschitz: sides.sqrt() * slope, curvature }
    }

    /// Proven bounds of the weight within `radius` of a point.
    pub fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        let distance = self.signed_distance(p);
        if distance + radius <= 0.0 {
            return Bounds::constant(1.0);
        }
        if distance - radius >= self.reach() {
            return Bounds::constant(0.0);
        }
        let all = self.bounds();
        let value = match self {
            Self::Disc(Disc { falloff, .. }) => {
                along_if_any(distance, *falloff).map_or(0.0, |[value, ..]| value)
            }
            Self::Rectangle { .. } => self.weight(p).map_or(0.0, |weight| weight.value),
        };
        all.near(value, all.lipschitz * radius + 1e-6)
    }
}

/// The weight along one side of a rectangle at several points, and where it is above 0.
#[inline(always)]
fn side<R: Real>(offset: [R; 2], axis: [f64; 2], half: f64, falloff: f64) -> (R::Mask, Jet64<R>) {
    let own = offset[0] * axis[0] + offset[1] * axis[1];
    let beyond = own.abs() - half;
    let [value, slope, second] = along(beyond, falloff);
    let is_sloped = beyond.is_above(0.0);
    let zero = value.splat(0.0);
    let weight = [
        R::select(is_sloped, value, value.splat(1.0)),
        R::select(is_sloped, slope, zero) * own.signum(),
        R::select(is_sloped, second, zero),
    ];
    let axis = [value.splat(axis[0]), value.splat(axis[1])];
    (beyond.is_below(falloff), Jet64::straight(weight, axis))
}
