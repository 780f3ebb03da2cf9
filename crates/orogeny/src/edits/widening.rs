//! Bounds of edited ground without a look at each place: what edits can do to bounds at most.

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, times, union};
use crate::edits::falloff::{STEEPEST, STEEPEST_BY_ROOT};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// What edits can do to the bounds of any field, in any order. Most numbers are sums over edits,
/// and between places the larger one counts.
///
/// A blend h' = h + w (t - h) takes slopes to
///
/// L' <= (1 - w) L + w L_t + |grad w| D
///
/// with D that of |t - h|. So the base and all targets together add no more than the steepest of
/// them, and each blend leaves of the |grad w| D of earlier ones the share 1 - w. With p_k the
/// share of w_k that is left at the end, all p_k together are at most 1. As |grad w| <= R sqrt(w),
///
/// sum |grad w_k| (1 - w_k+1) .. <= sum R_k sqrt(p_k) <= sqrt(sum R_k^2).
///
/// That is less than the sum of all |grad w_k| where many blends overlap: it grows like the root of
/// their number. For second derivatives, with the bounds G and H of those of the weight,
///
/// C' <= (1 - w) C + w C_t + H D + 2 G (L + L_t).
///
/// All steps are taken with the largest L and D, those after the last edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Widening {
    /// How far edits move the ground up, and down.
    pub up: f64,
    pub down: f64,
    /// The range of all targets that the ground is blended with.
    pub targets: [f64; 2],
    /// The steepest slope of these targets.
    pub target_slope: f64,
    /// Whether the ground is also blended with the base.
    pub to_base: bool,
    /// The factor of all slopes.
    pub factor: f64,
    /// Added to slopes.
    pub slope: f64,
    /// Added to slopes for each metre of the ground's range: the sum of all G, and that of all R^2.
    pub blend: f64,
    pub root_blend: f64,
    /// Added to second derivatives.
    pub curvature: f64,
    /// Added to them for each metre of the range, for each unit of slope, and for its square: H,
    /// what blends with 2 G do not add, and the largest second derivative of a remap.
    pub second: [f64; 3],
}

impl Widening {
    pub const NONE: Self = Self {
        up: 0.0,
        down: 0.0,
        targets: [f64::INFINITY, f64::NEG_INFINITY],
        target_slope: 0.0,
        to_base: false,
        factor: 1.0,
        slope: 0.0,
        blend: 0.0,
        root_blend: 0.0,
        curvature: 0.0,
        second: [0.0; 3],
    };

    /// That of adding a field with these bounds.
    pub fn adding(field: Bounds) -> Self {
        Self {
            up: field.max.max(0.0),
            down: (-field.min).max(0.0),
            slope: field.lipschitz,
            curvature: field.curvature,
            ..Self::NONE
        }
    }

    /// That of blending with a target of these bounds.
    pub fn blending(weight: Bounds, target: Bounds) -> Self {
        Self {
            targets: [target.min, target.max],
            target_slope: target.lipschitz,
            curvature: target.curvature,
            ..Self::weighted(weight, 1.0)
        }
    }

    /// That of blending with the base, or with a field of the same bounds, by a share of a weight.
    pub fn blending_with_base(weight: Bounds, share: f64) -> Self {
        Self { to_base: true, ..Self::weighted(weight, share) }
    }

    /// The square of R for a share s of a weight follows from |grad (s w)| <= sqrt(s) R sqrt(s w).
    fn weighted(weight: Bounds, share: f64) -> Self {
        let root = STEEPEST_BY_ROOT / STEEPEST * weight.lipschitz;
        Self {
            blend: share * weight.lipschitz,
            root_blend: share * root * root,
            second: [share * weight.curvature, 0.0, 0.0],
            ..Self::NONE
        }
    }

    /// That of edits which all touch one place.
    pub fn with(self, other: Self) -> Self {
        Self {
            up: self.up + other.up,
            down: self.down + other.down,
            targets: union(self.targets, other.targets),
            target_slope: self.target_slope.max(other.target_slope),
            to_base: self.to_base || other.to_base,
            factor: product(self.factor, other.factor),
            slope: self.slope + other.slope,
            blend: self.blend + other.blend,
            root_blend: self.root_blend + other.root_blend,
            curvature: self.curvature + other.curvature,
            second: [0, 1, 2].each(|k| self.second[k] + other.second[k]),
        }
    }

    /// That of edits at different places.
    pub fn or(self, other: Self) -> Self {
        Self {
            up: self.up.max(other.up),
            down: self.down.max(other.down),
            targets: union(self.targets, other.targets),
            target_slope: self.target_slope.max(other.target_slope),
            to_base: self.to_base || other.to_base,
            factor: self.factor.max(other.factor),
            slope: self.slope.max(other.slope),
            blend: self.blend.max(other.blend),
            root_blend: self.root_blend.max(other.root_blend),
            curvature: self.curvature.max(other.curvature),
            second: [0, 1, 2].each(|k| self.second[k].max(other.second[k])),
        }
    }

    /// The bounds of an edited field.
    pub fn bounds(&self, base: Bounds) -> Bounds {
        let [min, max] = union(self.targets, [base.min, base.max]);
        let (min, max) = (min - self.down, max + self.up);
        let steepest = base.lipschitz.max(self.target_slope);
        let added = self.slope + times(self.blends(), max - min);
        let lipschitz = product(self.factor, steepest + added);
        let edited = Bounds { min, max, lipschitz, ..base };
        let added = self.added_curvature(base, edited);
        Bounds { curvature: times(self.factor, base.curvature + added), ..edited }
    }

    /// What blends add to slopes for each metre of the range.
    fn blends(&self) -> f64 {
        self.blend.min(self.root_blend.sqrt())
    }

    /// What edits add to second derivatives, given the range and the slopes after all of them.
    fn added_curvature(&self, base: Bounds, edited: Bounds) -> f64 {
        let Bounds { min, max, lipschitz, .. } = edited;
        let [range, slope, square] = self.second;
        let of_base = if self.to_base { base.lipschitz } else { 0.0 };
        self.curvature
            + times(range, max - min)
            + times(2.0 * self.blends(), lipschitz + of_base.max(self.target_slope))
            + times(slope, lipschitz)
            + times(square, lipschitz * lipschitz)
    }

    /// A bound on the distance of an edited field from its linear interpolation over simplices with
    /// this `radius`, given the bounds of the base and its own `error`, in the notation of
    /// `node/interpolation_error.rs`.
    ///
    /// A blend with the weight w and d = t - h has the error of (1 - w) (h - Ih) + w (t - It) +
    /// Id (w - Iw) + (Iw Id - I(wd)). So e' <= max(e, e_t) + D e_w + s_w s_d / 4. With C R^2 / 2
    /// for each error but e, and 2 R L for each swing, this is e plus R^2 / 2 times what the edit
    /// adds to second derivatives. For a remap m of the ground e' <= sup|m'| e + sup|m''| s^2 / 8,
    /// so that it is the same.
    pub fn interpolation_error(&self, base: Bounds, error: f64, radius: f64) -> f64 {
        let edited = self.bounds(base);
        let added = times(self.added_curvature(base, edited), radius * radius / 2.0);
        times(self.factor, error + added).min(edited.interpolation_error(radius))
    }
}

/// The product of two bounds, at most the largest number: the slopes of terraces on terraces
/// multiply, and no sample is steeper than that.
fn product(a: f64, b: f64) -> f64 {
    let is_known = a.is_finite() && b.is_finite();
    if is_known { times(a, b).min(f64::MAX) } else { times(a, b) }
}
