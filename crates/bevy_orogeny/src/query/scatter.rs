//! What stands on the ground.

use std::sync::Arc;

use orogeny::climate::ClimatePoint;
use orogeny::scatter::{Placement, ScatterKind};

use super::{GroundQuery, QueryError};

impl GroundQuery {
    /// What stands on the ground: trees, grass and rocks. It answers at once and on any thread, a
    /// server's too, and needs no chunks; drawn are the same instances.
    ///
    /// ```
    /// use bevy_orogeny::orogeny::scatter::{Scatter, ScatterKind};
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let spruce = ScatterKind { grass: 0.2, forest: 1.0, ..ScatterKind::default() };
    /// let scatter = Scatter { kinds: vec![spruce], ..Scatter::default() };
    /// let ground = GroundQuery::of(&Terrain::default().with_scatter(scatter))?;
    /// let placement = ground.placement();
    /// for tree in placement.in_circle([300.0, 0.0], 100.0, |kind| kind.radius > 1.0)? {
    ///     println!("a tree at {:?}, {} m high", tree.position, 16.0 * tree.size);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placement(&self) -> &Arc<Placement> {
        self.landscape.placement()
    }

    /// Temperature and moisture at a position: what the kinds that grow there depend on, see
    /// [`Climate`](orogeny::Climate).
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::advanced::POSITION), and one without ground.
    ///
    /// ```
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let ground = GroundQuery::of(&Terrain::default())?;
    /// let [valley, summit] = [[-300.0, 100.0], [900.0, 700.0]];
    /// println!("{:.1} C", ground.climate(valley)?.temperature);
    /// # assert!(ground.climate(summit)?.temperature.is_finite());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn climate(&self, position: [f64; 2]) -> Result<ClimatePoint, QueryError> {
        self.field(position)?;
        Ok(self.placement().climate(position))
    }

    /// The radius of the widest solid thing that grows, in metres; 0 if there is none.
    pub(crate) fn widest_solid(&self) -> f64 {
        self.solid_kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max)
    }

    /// What stands on the ground, if any of it is solid.
    pub(crate) fn solid_scatter(&self) -> Option<&Arc<Placement>> {
        self.solid_kinds().next().map(|_| self.placement())
    }

    fn solid_kinds(&self) -> impl Iterator<Item = &ScatterKind> {
        self.placement().kinds().filter(|kind| kind.is_solid())
    }
}
