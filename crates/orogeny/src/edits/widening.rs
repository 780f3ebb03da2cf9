//! Bounds of edited ground without a look at each place: what edits can do to bounds at most.

use crate::derivative::bounds::{Bounds, times, union};

/// What edits can do to the bounds of any field, in any order. Each number is a sum over edits, and
/// between places the larger one counts.
///
/// With h' = h + w (t - h) and the bounds G and H of the weight's derivatives, D that of |t - h|,
///
/// L' <= L + L_t + G D,  C' <= C + C_t + H D + 2 G (L + L_t).
///
/// All steps are taken with the largest L and D, those after the last edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Widening {
    /// How far edits move the ground up, and down.
    pub up: f64,
    pub down: f64,
    /// The range of all targets that the ground is blended with.
    pub targets: [f64; 2],
    /// The factor of all slopes.
    pub factor: f64,
    /// Added to slopes.
    pub slope: f64,
    /// Added to slopes for each metre of the ground's range: G.
    pub blend: f64,
    /// Added to second derivatives.
    pub curvature: f64,
    /// Added to them for each metre of the range, for each unit of slope, and for its square: H,
    /// 2 G, and the largest second derivative of a remap.
    pub bend: [f64; 3],
}

impl Widening {
    pub const NONE: Self = Self {
        up: 0.0,
        down: 0.0,
        targets: [f64::INFINITY, f64::NEG_INFINITY],
        factor: 1.0,
        slope: 0.0,
        blend: 0.0,
        curvature: 0.0,
        bend: [0.0; 3],
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
        let Bounds { lipschitz: slope, curvature: bend, .. } = weight;
        Self {
            targets: [target.min, target.max],
            slope: target.lipschitz,
            blend: slope,
            curvature: target.curvature + 2.0 * times(slope, target.lipschitz),
            bend: [bend, 2.0 * slope, 0.0],
            ..Self::NONE
        }
    }

    /// That of blending with the base, or with a field of the same bounds.
    ///
    /// No step lowers the bound on slopes, so that of the base is at most L, and L' <= L + G D. In
    /// the same way C' <= C + H D + 4 G L.
    pub fn blending_with_base(weight: Bounds) -> Self {
        let Bounds { lipschitz: slope, curvature: bend, .. } = weight;
        Self { blend: slope, bend: [bend, 4.0 * slope, 0.0], ..Self::NONE }
    }

    /// That of edits which all touch one place.
    pub fn with(self, other: Self) -> Self {
        Self {
            up: self.up + other.up,
            down: self.down + other.down,
            targets: union(self.targets, other.targets),
            factor: product(self.factor, other.factor),
            slope: self.slope + other.slope,
            blend: self.blend + other.blend,
            curvature: self.curvature + other.curvature,
            bend: [0, 1, 2].map(|k| self.bend[k] + other.bend[k]),
        }
    }

    /// That of edits at different places.
    pub fn or(self, other: Self) -> Self {
        Self {
            up: self.up.max(other.up),
            down: self.down.max(other.down),
            targets: union(self.targets, other.targets),
            factor: self.factor.max(other.factor),
            slope: self.slope.max(other.slope),
            blend: self.blend.max(other.blend),
            curvature: self.curvature.max(other.curvature),
            bend: [0, 1, 2].map(|k| self.bend[k].max(other.bend[k])),
        }
    }

    /// The bounds of an edited field.
    pub fn bounds(&self, base: Bounds) -> Bounds {
        let [min, max] = union(self.targets, [base.min, base.max]);
        let (min, max) = (min - self.down, max + self.up);
        let added = self.slope + times(self.blend, max - min);
        let lipschitz = product(self.factor, base.lipschitz + added);
        let edited = Bounds { min, max, lipschitz, ..base };
        let curvature = times(self.factor, base.curvature + self.added_curvature(edited));
        Bounds { curvature, ..edited }
    }

    /// What edits add to second derivatives, given the range and the slopes after all of them.
    fn added_curvature(&self, edited: Bounds) -> f64 {
        let Bounds { min, max, lipschitz, .. } = edited;
        let [range, slope, square] = self.bend;
        self.curvature
            + times(range, max - min)
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
        let added = times(self.added_curvature(edited), radius * radius / 2.0);
        times(self.factor, error + added).min(edited.interpolation_error(radius))
    }
}

/// The product of two bounds, at most the largest number: the slopes of terraces on terraces
/// multiply, and no sample is steeper than that.
fn product(a: f64, b: f64) -> f64 {
    let is_known = a.is_finite() && b.is_finite();
    if is_known { times(a, b).min(f64::MAX) } else { times(a, b) }
}
