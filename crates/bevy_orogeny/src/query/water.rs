//! The water at a position.

use orogeny::drainage::{Water, WaterKind};

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
}
