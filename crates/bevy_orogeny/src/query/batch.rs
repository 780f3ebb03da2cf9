//! Many queries at once, into the caller's buffers.

use std::cell::Cell;

use orogeny::limits::OutOfLimits;
use orogeny::ray::{Cast, Ray};
use orogeny::{Curvature, Field, Jet, Jets, Sample, Samples};

use super::{GroundQuery, POSITION, QueryError, curvature, finite};

/// Each batch clears its buffer and writes one answer for each question, in their order. An error
/// does not affect the other answers. Once a buffer has grown to the largest batch, nothing is
/// allocated.
impl GroundQuery {
    /// [`field`](Self::field) at many positions.
    pub fn fields(&self, positions: &[[f64; 2]], out: &mut Vec<Result<Sample<2>, QueryError>>) {
        thread_local!(static SAMPLES: Cell<Samples<2>> = Cell::default());
        // Taken, not borrowed: the field's own code may run a batch, too.
        let mut samples = SAMPLES.take();
        self.landscape.sample_points(positions, &mut samples);
        let answer = |(&position, sample): (&[f64; 2], Sample<2>)| {
            position.into_iter().try_for_each(|x| POSITION.check(x))?;
            finite(position, sample)
        };
        out.clear();
        out.extend(positions.iter().zip(samples.iter()).map(answer));
        SAMPLES.set(samples);
    }

    /// [`curvature`](Self::curvature) at many positions.
    pub fn curvatures(&self, positions: &[[f64; 2]], out: &mut Vec<Result<Curvature, QueryError>>) {
        thread_local!(static JETS: Cell<Jets<2>> = Cell::default());
        let mut jets = JETS.take();
        self.landscape.jet_points(positions, &mut jets);
        let answer = |(&position, jet): (&[f64; 2], Jet<2>)| {
            position.into_iter().try_for_each(|x| POSITION.check(x))?;
            curvature(position, jet)
        };
        out.clear();
        out.extend(positions.iter().zip(jets.iter()).map(answer));
        JETS.set(jets);
    }

    /// [`surface_at_level`](Self::surface_at_level) at many positions.
    pub fn surfaces(
        &self,
        lod: u8,
        positions: &[[f64; 2]],
        out: &mut Vec<Result<Sample<2>, QueryError>>,
    ) {
        fill(out, positions, |&position| self.surface_at_level(lod, position));
    }

    /// [`raycast_field`](Self::raycast_field) of many rays.
    pub fn raycasts_field(
        &self,
        rays: &[Ray],
        tolerance: f64,
        out: &mut Vec<Result<Cast, OutOfLimits>>,
    ) {
        fill(out, rays, |ray| self.raycast_field(ray, tolerance));
    }

    /// [`raycast_surface`](Self::raycast_surface) of many rays.
    pub fn raycasts_surface(&self, rays: &[Ray], out: &mut Vec<Result<Cast, OutOfLimits>>) {
        fill(out, rays, |ray| self.raycast_surface(ray));
    }
}

fn fill<Q, A>(out: &mut Vec<A>, questions: &[Q], answer: impl FnMut(&Q) -> A) {
    out.clear();
    out.extend(questions.iter().map(answer));
}
