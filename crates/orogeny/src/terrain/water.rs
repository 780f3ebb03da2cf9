//! The water on a ground, and the nearest one.

use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::arrays::Each;
use crate::drainage::{Water, WaterKind};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{Limit, OutOfLimits};
use crate::position::Position;
use crate::terrain::landscape::Landscape;

impl Landscape {
    /// The water at a position; `None` where the ground is dry. Where rivers, floods and the sea
    /// overlap, the highest counts; a flood that is not above the other water is a part of it, see
    /// [`Flooding::joins`](crate::edits::Flooding::joins). Rivers do not follow edits that change
    /// the ground: a pad in a river is dry, and a pit beside one is too.
    /// [`Flood`](crate::edits::Flood) edits put water there. Ground at the level of the sea is
    /// sea of no depth: elevation data has the level there, not the bed.
    ///
    /// ```
    /// use orogeny::drainage::WaterKind;
    /// use orogeny::{Fractal, GradientNoise, Recipe};
    ///
    /// let noise = Fractal { frequency: 1e-4, ..Fractal::fbm(4.0, GradientNoise::seeded(1)) };
    /// let recipe = Recipe { sea_level: Some(2000.0), ..Recipe::new(7, 300.0, noise) };
    /// let water = recipe.build()?.water([0.0, 0.0]).expect("a deep sea");
    /// assert_eq!(water.kind, WaterKind::Sea);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn water<T>(&self, at: impl Position<2, T>) -> Option<Water> {
        let p = at.coordinates();
        match self.rivers() {
            // They know the ground.
            Some(rivers) if self.edits().is_empty() => rivers.water(p),
            _ => self.water_over(p, self.value(p)),
        }
    }

    /// The same, with the height of the ground, if it is known.
    pub fn water_over<T>(&self, at: impl Position<2, T>, ground: f32) -> Option<Water> {
        let (p, ground) = (at.coordinates(), f64::from(ground));
        if ground.is_nan() {
            return None;
        }
        let river = self.rivers().and_then(|rivers| rivers.water(p));
        let river = river.filter(|water| water.kind != WaterKind::Sea);
        let river = river.map(|water| Water { depth: water.surface - ground, ..water });
        let level = self.appearance().sea_level.map(f64::from);
        let sea = level.map(|level| Water::sea(level, ground));
        // Elevation data has the sea at its level, not its bed.
        let sea = sea.filter(|sea| sea.depth >= 0.0);
        let is_deep = |water: &Water| water.depth > 0.0;
        let flooding = self.edits().flooding(p).filter(|flooding| {
            // Beyond the banks the level of a river means nothing.
            let others = [river, sea].into_iter().flatten();
            !others.filter(is_deep).any(|water| flooding.joins(water.surface))
        });
        let flood = flooding.map(|flooding| flooding.water(ground));
        let all = [river, flood].into_iter().flatten().filter(is_deep).chain(sea);
        all.reduce(|one, other| if other.surface > one.surface { other } else { one })
    }

    /// The nearest water to a position that is at least `depth` metres deep, up to `within` metres
    /// away, and where it is. Points are tried that are 2 m apart, and from 64 m on a 32nd of their
    /// distance, so narrow water far away may be missed. The points, and so the answer, are the
    /// same on every machine.
    ///
    /// It takes up to 40,000 [`water`](Self::water) queries where there is none within 10 km: some
    /// milliseconds to a tenth of a second.
    ///
    /// # Errors
    /// `within` outside 0 to 1e4.
    pub fn nearest_water<T>(
        &self,
        at: impl Position<2, T>,
        depth: f64,
        within: f64,
    ) -> Result<Option<([f64; 2], Water)>, OutOfLimits> {
        WITHIN.check(within)?;
        let center = at.coordinates();
        let deep = |p: [f64; 2]| Some(p).zip(self.water(p).filter(|water| water.depth >= depth));
        let mut found = deep(center);
        let mut radius = NEAR_STEP;
        while found.is_none() && radius <= within {
            let step = NEAR_STEP.max(radius / COARSENING);
            found = directions(radius / step)
                .find_map(|[x, z]| deep([center[0] + radius * x, center[1] + radius * z]));
            radius += step;
        }
        Ok(found)
    }
}

/// Directions all around, at most 1 apart on a circle of a radius.
///
/// Sines and cosines differ in their last bits from machine to machine. With q = tan(a / 2), cos a
/// is (1 - q^2) / (1 + q^2) and sin a is 2 q / (1 + q^2), which have the same bits everywhere. In
/// an octant, even steps of q are nearly even steps of a, which are at most twice as long.
fn directions(radius: f64) -> impl Iterator<Item = [f64; 2]> {
    let count = (2.0 * OCTANT * radius).ceil().max(1.0) as u32;
    let within = move |i: u32| {
        let q = OCTANT * f64::from(i) / f64::from(count);
        [1.0 - q * q, 2.0 * q].each(|part| part / (1.0 + q * q))
    };
    OCTANTS.into_iter().flat_map(move |[x, z]| {
        let turned = move |[cos, sin]: [f64; 2]| [x * cos - z * sin, x * sin + z * cos];
        (0..count).map(within).map(turned)
    })
}

/// q at the end of an octant.
const OCTANT: f64 = SQRT_2 - 1.0;
/// The directions in which octants begin.
const OCTANTS: [[f64; 2]; 8] = {
    let h = FRAC_1_SQRT_2;
    [[1.0, 0.0], [h, h], [0.0, 1.0], [-h, h], [-1.0, 0.0], [-h, -h], [0.0, -1.0], [h, -h]]
};

/// The distance between points that are tried, and the distance in steps from which it grows.
const NEAR_STEP: f64 = 2.0;
const COARSENING: f64 = 32.0;

/// Limits of the search for water.
const WITHIN: Limit = Limit::new(
    "within",
    "m",
    [0.0, 1e4],
    1e3,
    "Maximum distance of the water that is searched for",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_go_around_in_steps_that_are_even_enough() {
        for radius in [0.1, 1.0, 7.3, 32.0] {
            let all: Vec<_> = directions(radius).collect();
            for (i, [x, z]) in all.iter().enumerate() {
                assert!((x * x + z * z - 1.0).abs() < 1e-15);
                let [next_x, next_z] = all[(i + 1) % all.len()];
                let apart = radius * (next_x - x).hypot(next_z - z);
                assert!(apart < 1.0 + 1e-9, "{apart} at {i} of {}", all.len());
            }
        }
    }

    /// Sines would differ in their last bits from machine to machine.
    #[test]
    fn directions_have_the_same_bits_everywhere() {
        let all: Vec<_> = directions(10.0).collect();
        assert_eq!(all.len(), 72);
        assert_eq!(all[1], [0.9957725871465498, 0.09185289700094898]);
        assert_eq!(all[24], [-0.5131543633552808, 0.8582963354048744]);
        assert_eq!(all[71], [0.9968157088019965, -0.07973984377695709]);
    }
}
