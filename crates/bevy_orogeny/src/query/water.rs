//! The water at a position.

use orogeny::drainage::Water;

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
    /// A position outside [`POSITION`](crate::advanced::POSITION), and one without ground.
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
        Ok(self.landscape.water_over(position, self.sample(position)?.value))
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
    /// A position outside [`POSITION`](crate::advanced::POSITION), and `within` outside 0 to 1e4.
    /// Points around the position that have no ground have no water.
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
        Ok(self.landscape.nearest_water(position, depth, within)?)
    }
}
