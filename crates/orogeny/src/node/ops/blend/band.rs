//! Where a piece of a blend lies along one of the fields that decide.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::node::ops::remap::{Function, remapped};

parameters! {
    /// An interval with soft edges.
    ///
    /// At a value x the opacity is s((x - `min`) / `soft` + 1/2) (1 - s((x - `max`) / `soft` +
    /// 1/2)), where s(t) = 6 t^5 - 15 t^4 + 10 t^3 with t clamped to 0 to 1. So an edge is centred
    /// on its end and has continuous second derivatives, and the opacity is exactly 1 between the
    /// edges and exactly 0 beyond them.
    ///
    /// Source: the fade of Ken Perlin, "Improving noise", SIGGRAPH 2002.
    #[derive(Copy)]
    pub struct Band {}
    numbers {
        /// The lower end of the band.
        min: f32 = -1e6 "", -1e6 to 1e6;
        /// The upper end of the band, at least `min` + `soft`.
        max: f32 = 1e6 "", -1e6 to 1e6;
        /// The width of each edge.
        soft: f32 = 1 "", 1e-3 to 1e6;
    }
}

impl Band {
    /// Checks the numbers, and that the edges do not overlap.
    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        // 0.3 - 0.2 is 0.1, in f32 as well.
        let least = self.min + self.soft * (1.0 - 1e-5);
        if self.max < least {
            let problem =
                format!("is {}, but must be at least `min` plus `soft`, {least}", self.max);
            return Err(DataError::at("max", problem));
        }
        Ok(())
    }

    /// The opacity at a value, with its first two derivatives.
    fn at(&self, x: f32) -> [f32; 3] {
        // The edges do not overlap, so at most one of them counts.
        let Self { min, max, soft } = *self;
        let below = x - min < max - x;
        let t = (if below { x - min } else { max - x }) / soft + 0.5;
        let [value, slope, bend] = edge(t);
        let along = if below { 1.0 } else { -1.0 } / soft;
        [value, slope * along, bend * along * along]
    }
}

/// s(t) and its first two derivatives, computed from the nearer end.
pub(crate) fn edge(t: f32) -> [f32; 3] {
    if t <= 0.0 {
        return [0.0; 3];
    }
    if t >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let rest = 1.0 - t;
    let rise = |t: f32| t * t * t * (10.0 + t * (6.0 * t - 15.0));
    let value = if t > 0.5 { 1.0 - rise(rest) } else { rise(t) };
    [value, 30.0 * t * t * rest * rest, 60.0 * t * rest * (rest - t)]
}

/// The largest s' and |s''|: 15/8 at 1/2, and 10 / sqrt 3 at 1/2 +- 1 / sqrt 12.
pub(crate) const SLOPE: f64 = 15.0 / 8.0;
pub(crate) const BEND: f64 = 5.773_502_691_9;

impl Function for Band {
    #[inline]
    fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T {
        remapped(field, |x| self.at(x))
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        let [first, last] = [field.min, field.max].map(|x| f64::from(self.at(x as f32)[0]));
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let half = 0.5 * f64::from(self.soft);
        // Between the edges it is 1, and on either side it is monotonic.
        let crosses = field.min < max - half && field.max > min + half;
        let highest = if crosses { 1.0 } else { first.max(last) };
        let lowest = first.min(last);
        let is_flat = lowest == 1.0 || highest == 0.0;
        let soft = f64::from(self.soft);
        let [slope, bend] = if is_flat { [0.0; 2] } else { [SLOPE / soft, BEND / (soft * soft)] };
        field.mapped([lowest, highest], slope, bend)
    }

    fn largest_term(&self) -> f64 {
        // Of the differences, in units of the edge.
        f64::from(self.min.abs().min(self.max.abs()) / self.soft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_one_between_its_edges_and_nothing_beyond() {
        let band = Band { min: 2.0, max: 5.0, soft: 1.0 };
        for (x, opacity) in
            [(1.5, 0.0), (2.0, 0.5), (2.5, 1.0), (3.5, 1.0), (4.5, 1.0), (5.0, 0.5), (5.5, 0.0)]
        {
            assert_eq!(band.at(x)[0], opacity, "{x}");
        }
        assert_eq!(Band::default().at(1e5), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn derivatives_are_those_of_the_opacity_and_within_their_bounds() {
        let band = Band { min: -1.0, max: 1.0, soft: 2.0 };
        assert!(band.check().is_ok());
        let at = |x: f64| band.at(x as f32).map(f64::from);
        let h = 1.0 / 1024.0;
        for i in -3000..3000 {
            let x = f64::from(i) / 1000.0;
            let [_, slope, bend] = at(x);
            let [before, after] = [at(x - h), at(x + h)];
            assert!(((after[0] - before[0]) / (2.0 * h) - slope).abs() < 1e-4, "{x}");
            assert!(((after[1] - before[1]) / (2.0 * h) - bend).abs() < 2e-2, "{x}");
            assert!(slope.abs() <= SLOPE / 2.0 + 1e-6 && bend.abs() <= BEND / 4.0 + 1e-6, "{x}");
        }
    }

    #[test]
    fn edges_that_overlap_are_refused() {
        let error = Band { min: 2.0, max: 2.5, soft: 1.0 }.check().unwrap_err();
        assert_eq!(error.path, "max");
        assert!(Band { min: 0.2, max: 0.3, soft: 0.1 }.check().is_ok());
    }
}
