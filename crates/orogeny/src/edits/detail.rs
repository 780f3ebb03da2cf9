//! How finely a mesh must sample an edit.

use crate::edits::edited_field::EditedField;
use crate::edits::falloff::{SHARPEST, STEEPEST};
use crate::edits::operations::PreparedEdit;
use crate::edits::steps::Step;
use crate::edits::widening::Widening;
use crate::field::Field;
use crate::region::Region;

/// The least by which an edit is taken to move the ground, over the width of its falloff.
const LEAST: f64 = 0.1;

/// The most edits of a region whose detail is looked at.
const LOOKED_AT: usize = 64;

/// An estimate of the height and the sharpness of what an edit adds to the ground: what a mesh
/// needs to know to show it. Not a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct EditDetail {
    /// How far the ground moves, in metres.
    height: f64,
    /// The second derivative of that, in 1/m.
    second: f64,
}

impl EditDetail {
    /// An edit that moves the ground by `height` over a distance of `width`, both in metres.
    fn new(height: f64, width: f64) -> Self {
        Self { height, second: SHARPEST * height / (width * width) }
    }

    /// That of an operation that moves the ground by `shift` where that was looked at. Only those
    /// that blend the ground look.
    fn of(operation: &PreparedEdit, shift: impl FnOnce() -> f64) -> Self {
        if let PreparedEdit::Hole(_) = operation {
            // A mesh can open it only if triangles are smaller.
            let region = operation.region();
            let side = (0..2).map(|k| region.max[k] - region.min[k]).fold(0.0, f64::max);
            return Self::new(0.25 * side, 0.25 * side);
        }
        let Widening { up, down, blend, curvature, .. } = operation.widening();
        if blend == 0.0 {
            return Self { height: up.max(down), second: curvature };
        }
        // Between these places it may move the ground by more than that.
        let width = STEEPEST / blend;
        Self::new(shift().max(LEAST * width), width)
    }

    /// How far the ground is from triangles whose vertices are `spacing` metres apart, in metres:
    /// min(height, second spacing^2 / 8), as for the chord of a parabola.
    fn error(&self, spacing: f64) -> f64 {
        self.height.min(self.second * spacing * spacing / 8.0)
    }
}

impl<F: Field<2>> EditedField<F> {
    /// How far the edited ground may be from triangles whose vertices are `spacing` metres apart,
    /// in metres, in a region where such a mesh may miss edits: the largest error of those that are
    /// no wider than `widest` metres. 0 without any. Not a bound.
    ///
    /// How far an edit that blends moves the ground follows from the ground. It is looked at where
    /// the edit is widest, on ground without any edits. Of more than 64 edits, that many
    /// are looked at, evenly chosen: a region that wide has finer parts, each with fewer edits.
    pub fn detail_error(&self, region: &Region, spacing: f64, widest: f64) -> f64 {
        let steps = self.edits().within(region);
        let stride = steps.len().div_ceil(LOOKED_AT).max(1);
        let narrow = |step: &Step| {
            let Region { min, max } = step.region();
            (0..2).all(|k| max[k] - min[k] <= widest)
        };
        let narrow = steps.into_iter().step_by(stride).filter(narrow);
        narrow.map(|step| self.detail(step).error(spacing)).fold(0.0, f64::max)
    }

    /// How sharp what a step adds to the ground is.
    fn detail(&self, step: Step) -> EditDetail {
        EditDetail::of(&step.operation(), || self.shift(step))
    }

    /// How far a step moves the base, in metres, at some places.
    fn shift(&self, step: Step) -> f64 {
        let at = |p: [f64; 2]| {
            let base = self.base().value(p);
            f64::from((self.overlay.value_after(step, base, p) - base).abs())
        };
        // Where there is no ground, the shift is NaN, which does not count.
        step.first().operation.probes().into_iter().map(at).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use crate::derivative::sample::Sample;
    use crate::edits::{Area, Disc, Edit, EditedField, Flatten, Hole, Path, Raise};
    use crate::field::Field;
    use crate::region::Region;
    use crate::tests::edits::edited;

    /// Ground that rises by one half along x.
    struct Ramp;

    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: 0.5 * x as f32, gradient: [0.5, 0.0] }
        }
    }

    #[test]
    fn sharp_and_high_edits_need_fine_meshes() {
        let area = |falloff| Area::Disc(Disc { center: [0.0; 2], radius: 10.0, falloff });
        let detail = |edit: Edit| {
            let ground = EditedField::new(Ramp, edited([edit]));
            let steps = ground.edits().within(&Region::around([0.0; 2], [5.0; 2]));
            ground.detail(steps[0])
        };
        let raise = |falloff, height| detail(Raise { area: area(falloff), height }.into());
        // Between vertices as far apart as the falloff is wide, a bank is off by 0.72 of its height
        // at most; far coarser ones miss it altogether.
        assert!((raise(8.0, 3.0).error(8.0) - 3.0 * 5.773_502_7 / 8.0).abs() < 1e-6);
        assert_eq!(raise(8.0, 3.0).error(100.0), 3.0);
        assert!(raise(2.0, 3.0).error(1.0) > raise(8.0, 3.0).error(1.0));
        assert!(raise(8.0, -6.0).error(1.0) > raise(8.0, 3.0).error(1.0));
        // A pad cuts into the ramp by 4.5 m at the places that are looked at, 9 m from its centre.
        let pad = |height| detail(Flatten { area: area(8.0), height, ..Flatten::default() }.into());
        assert!((pad(0.0).error(100.0) - 4.5).abs() < 1e-6 && pad(0.0).error(1.0) < 0.1);
        assert!((pad(-50.0).error(100.0) - 54.5).abs() < 1e-6);
        let points = vec![[-60.0, 0.0, -10.0], [-10.0, 0.0, -10.0], [60.0, 0.0, 30.0]];
        let road = detail(Path { points, falloff: 8.0, ..Path::default() }.into());
        assert!((15.0..40.0).contains(&road.error(100.0)), "{road:?}");
        let hole = detail(Hole { area: area(0.01) }.into());
        assert!((hole.error(100.0) - 5.0).abs() < 0.1);
        // Elsewhere there is nothing.
        let ground = EditedField::new(Ramp, edited([Raise { area: area(2.0), height: 1.0 }]));
        let error =
            |at, widest| ground.detail_error(&Region::around([at; 2], [5.0; 2]), 100.0, widest);
        assert_eq!([error(0.0, 100.0), error(0.0, 10.0), error(99.0, 100.0)], [1.0, 0.0, 0.0]);
    }
}
