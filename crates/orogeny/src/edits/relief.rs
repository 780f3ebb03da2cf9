//! How finely a mesh must sample an edit.

use alloc::vec::Vec;

use crate::edits::bounds::Reach;
use crate::edits::falloff::{SHARPEST, STEEPEST};
use crate::edits::index::Edits;
use crate::edits::operations::{Apply, Prepared};
use crate::edits::region::Region;

/// An estimate of the height and the sharpness of what an edit adds to the ground: what a mesh
/// needs to know to show it. Not a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Relief {
    /// How far the ground moves, in metres.
    pub height: f64,
    /// The second derivative of that, in 1/m.
    pub bend: f64,
}

impl Relief {
    /// An edit that moves the ground by `height` over a distance of `width`, both in metres.
    fn new(height: f64, width: f64) -> Self {
        Self { height, bend: SHARPEST * height / (width * width) }
    }

    /// That of an operation.
    pub(super) fn of(operation: &Prepared) -> Self {
        if let Prepared::Hole(_) = operation {
            // A mesh can open it only if triangles are smaller.
            let region = operation.region();
            let side = (0..2).map(|k| region.max[k] - region.min[k]).fold(0.0, f64::max);
            return Self::new(0.25 * side, 0.25 * side);
        }
        let Reach { up, down, blend, curvature, .. } = operation.reach();
        if blend == 0.0 {
            return Self { height: up.max(down), bend: curvature };
        }
        // How far a blend moves the ground is not known from the edit alone: banks are taken to
        // rise by half as much as they are wide.
        let width = STEEPEST / blend;
        Self::new(0.5 * width, width)
    }

    /// How far the ground is from triangles whose vertices are `spacing` metres apart, in metres:
    /// min(height, bend spacing^2 / 8), as for the chord of a parabola.
    pub fn error(&self, spacing: f64) -> f64 {
        self.height.min(self.bend * spacing * spacing / 8.0)
    }
}

impl Edits {
    /// The regions of all edits that meet a region, in the order of their ids, and how sharp each
    /// is. For a mesh that must show them.
    pub fn reliefs(&self, region: &Region) -> Vec<(Region, Relief)> {
        let within = self.within(region).into_iter();
        within.map(|edit| (edit.region, Relief::of(&edit.operation))).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::edits::{Area, Disc, Edit, EditLog, Flatten, Hole, Raise, Region};

    #[test]
    fn sharp_and_high_edits_need_fine_meshes() {
        let area = |falloff| Area::Disc(Disc { center: [0.0; 2], radius: 10.0, falloff });
        let relief = |edit: Edit| {
            let mut log = EditLog::new();
            log.add(1, edit).unwrap();
            log.edits().reliefs(&Region::around([0.0; 2], [5.0; 2]))[0].1
        };
        let raise = |falloff, height| relief(Raise { area: area(falloff), height }.into());
        // Between vertices as far apart as the falloff is wide, a bank is off by 0.72 of its height
        // at most; far coarser ones miss it altogether.
        assert!((raise(8.0, 3.0).error(8.0) - 3.0 * 5.773_502_7 / 8.0).abs() < 1e-6);
        assert_eq!(raise(8.0, 3.0).error(100.0), 3.0);
        assert!(raise(2.0, 3.0).error(1.0) > raise(8.0, 3.0).error(1.0));
        assert!(raise(8.0, -6.0).error(1.0) > raise(8.0, 3.0).error(1.0));
        let pad = relief(Flatten { area: area(8.0), ..Flatten::default() }.into());
        assert!((pad.error(100.0) - 4.0).abs() < 1e-6 && pad.error(1.0) < 0.1);
        let hole = relief(Hole { area: area(0.01) }.into());
        assert!((hole.error(100.0) - 5.0).abs() < 0.1);
        // Elsewhere there is nothing.
        let mut log = EditLog::new();
        log.add(1, Raise { area: area(2.0), height: 1.0 }.into()).unwrap();
        assert!(log.edits().reliefs(&Region::around([99.0; 2], [5.0; 2])).is_empty());
    }
}
