//! Adds noise.

use alloc::format;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::fractal::Fractal;
use crate::fractal::octaves::Octaves;
use crate::lattice::MAX_CELL;
use crate::limits::parameters;
use crate::node::ops::Operator;
use crate::noise::GradientNoise;
use crate::region::Region;

parameters! {
    /// Adds noise: h' = h + w n(p), with fBm of gradient noise. The last octave may have 2^60 cells
    /// between the origin and the area.
    #[derive(Copy, PartialOrd)]
    pub struct Roughen {
        /// Where.
        area: Area = Area::default(),
        /// The seed. Different seeds give unrelated noise.
        seed: u64 = 0,
    }
    numbers {
        /// The amplitude of the first octave.
        amplitude: f32 = 0.5 "m", 0 to 1e4;
        /// The size of the largest features.
        wavelength: f64 = 8 "m", 0.1 to 1e5;
        /// The number of octaves.
        octaves: f64 = 4 "", 1 to 8;
    }
}

impl Roughen {
    fn fractal(&self) -> Fractal<2> {
        let fbm = Fractal::fbm(self.octaves, GradientNoise::seeded(self.seed));
        Fractal { frequency: 1.0 / self.wavelength, amplitude: self.amplitude, ..fbm }
    }
}

impl Operation for Roughen {
    type Prepared = AreaEdit<Octaves<2>>;

    fn check_rest(&self) -> Result<(), DataError> {
        // Noise has no value beyond a number of its cells. One cell less leaves room for offsets.
        let Region { min, max } = self.area.prepared().region();
        let farthest = min.into_iter().chain(max).fold(0.0, |far, x| x.abs().max(far));
        let cells = farthest * self.fractal().last_frequency();
        if cells > MAX_CELL * (1.0 - f64::EPSILON) {
            let problem = format!(
                "is {} m, but must be at least {} m so far from the origin, with {} octaves",
                self.wavelength,
                self.wavelength * (cells / MAX_CELL),
                self.octaves
            );
            return Err(DataError::at("wavelength", problem));
        }
        Ok(())
    }

    fn prepared(&self) -> AreaEdit<Octaves<2>> {
        AreaEdit::new(&self.area, self.fractal().build(self.seed))
    }
}

impl Effect for Octaves<2> {
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], weight: Jet64) -> T {
        ground + weight.rounded::<T>() * self.at::<T>(p)
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64, weight: Bounds) -> Bounds {
        let noise = Operator::local_bounds(self, p, radius);
        let noise = noise.map_or(Bounds::UNKNOWN, |near| near.and(Operator::bounds(self)));
        ground + weight * noise
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        Widening::adding(area.bounds() * Operator::bounds(self))
    }
}
