//! The water at a position.

use orogeny::drainage::{Water, WaterKind};
use orogeny::limits::Limit;

use super::{GroundQuery, QueryError};
use crate::lod::viewer::POSITION;

impl GroundQuery {
    /// The water at a position; `None` where the ground is dry. Where rivers, floods and the sea
    /// overlap, the highest counts. Rivers do not follow edits that change the ground: a pad in a
    /// river is dry, and a pit beside one is too. [`Flood`](orogeny::edits::Flood) edits put water
    /// there.
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
        let flooding = self.edits().flooding(position);
        let flood = flooding.map(|flooding| flooding.water(ground));
        let level = self.appearance.sea_level.map(f64::from);
        let sea = level.map(|level| Water::sea(level, ground));
        let all = [river, flood, sea].into_iter().flatten().filter(|water| water.depth > 0.0);
        Ok(all.reduce(|one, other| if other.surface > one.surface { other } else { one }))
    }

    /// The nearest water to a position that is at least `depth` metres deep, up to `within` metres
    /// away: where to drink, to fish or to land a boat. Points are tried that are 2 m apart, and
    /// from 64 m on a 32nd of their distance, so narrow water far away may be missed.
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
        let mut radius = 0.0;
        while radius <= within {
            let step = NEAR_STEP.max(radius / COARSENING);
            let count = (core::f64::consts::TAU * radius / step).ceil().max(1.0) as u32;
            let found = (0..count).find_map(|i| {
                let angle = core::f64::consts::TAU * f64::from(i) / f64::from(count);
                let (sin, cos) = angle.sin_cos();
                deep([position[0] + radius * cos, position[1] + radius * sin])
            });
            if found.is_some() {
                return Ok(found);
            }
            radius += step;
        }
        Ok(None)
    }
}

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
