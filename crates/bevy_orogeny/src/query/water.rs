//! The water at a position.

use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use orogeny::drainage::{Water, WaterKind};
use orogeny::limits::Limit;

use super::{GroundQuery, QueryError};
use crate::lod::viewer::POSITION;

impl GroundQuery {
    /// The water at a position; `None` where the ground is dry. Where rivers, floods and the sea
    /// overlap, the highest counts; a flood that is not above the other water is a part of it, see
    /// [`Flooding::joins`](orogeny::edits::Flooding::joins). Rivers do not follow edits that change
    /// the ground: a pad in a river is dry, and a pit beside one is too.
    /// [`Flood`](orogeny::edits::Flood) edits put water there. Ground at the level of the sea is
    /// sea of no depth: elevation data has the level there, not the bed.
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::POSITION), and one without ground.
    ///
    /// ```
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let ground = GroundQuery::of(&Terrain::default().with_sea(5000.0))?;
    /// let water = ground.water([120.0, -40.0])?.expect("a sea over mountains");
    /// assert!(water.depth > 100.0 && water.surface == 5000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn water(&self, position: [f64; 2]) -> Result<Option<Water>, QueryError> {
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        let ground = f64::from(self.sample(position)?.value);
        let river = self.rivers.as_ref().and_then(|rivers| rivers.water(position));
        let river = river.filter(|water| water.kind != WaterKind::Sea);
        let river = river.map(|water| Water { depth: water.surface - ground, ..water });
        let level = self.appearance.sea_level.map(f64::from);
        let sea = level.map(|level| Water::sea(level, ground));
        // Elevation data has the sea at its level, not its bed.
        let sea = sea.filter(|sea| sea.depth >= 0.0);
        let is_deep = |water: &Water| water.depth > 0.0;
        let flooding = self.edits().flooding(position).filter(|flooding| {
            // Beyond the banks the level of a river means nothing.
            let others = [river, sea].into_iter().flatten();
            !others.filter(is_deep).any(|water| flooding.joins(water.surface))
        });
        let flood = flooding.map(|flooding| flooding.water(ground));
        let all = [river, flood].into_iter().flatten().filter(is_deep).chain(sea);
        Ok(all.reduce(|one, other| if other.surface > one.surface { other } else { one }))
    }

    /// The nearest water to a position that is at least `depth` metres deep, up to `within` metres
    /// away: where to drink, to fish or to land a boat. Points are tried that are 2 m apart, and
    /// from 64 m on a 32nd of their distance, so narrow water far away may be missed. The points,
    /// and so the answer, are the same on every machine.
    ///
    /// It takes up to 40,000 [`water`](Self::water) queries where there is none within 10 km: some
    /// milliseconds to a tenth of a second.
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::POSITION), and `within` outside 0 to 1e4. Points
    /// around the position that have no ground have no water.
    ///
    /// ```
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let ground = GroundQuery::of(&Terrain::default().with_sea(300.0))?;
    /// let (swimming, within) = (1.5, 5000.0);
    /// let found = ground.nearest_water([120.0, -40.0], swimming, within)?;
    /// if let Some((shore, water)) = found {
    ///     println!("swim at {shore:?}, in water {} m deep", water.depth);
    /// }
    /// # assert!(found.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_water(
        &self,
        position: [f64; 2],
        depth: f64,
        within: f64,
    ) -> Result<Option<([f64; 2], Water)>, QueryError> {
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        WITHIN.check(within)?;
        let deep = |at| {
            let water = self.water(at).ok().flatten()?;
            (water.depth >= depth).then_some((at, water))
        };
        let mut found = deep(position);
        let mut radius = NEAR_STEP;
        while found.is_none() && radius <= within {
            let step = NEAR_STEP.max(radius / COARSENING);
            found = directions(radius / step)
                .find_map(|[x, z]| deep([position[0] + radius * x, position[1] + radius * z]));
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
        [1.0 - q * q, 2.0 * q].map(|part| part / (1.0 + q * q))
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
const WITHIN: Limit = Limit {
    name: "within",
    unit: "m",
    min: 0.0,
    max: 1e4,
    default: 1e3,
    help: "Maximum distance of the water that is searched for",
};

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
