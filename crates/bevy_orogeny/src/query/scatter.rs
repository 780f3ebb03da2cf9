//! What stands on the ground.

use std::sync::{Arc, OnceLock};

use orogeny::climate::ClimatePoint;
use orogeny::edits::EditedField;
use orogeny::scatter::{Placement, ScatterGround, ScatterKind};
use orogeny::{Region, SharedField};

use super::{GroundQuery, QueryError};

/// A scatter that is prepared when it is first asked for.
#[derive(Clone)]
pub(super) struct LazyScatter {
    /// The seed of the world.
    seed: u64,
    /// One of the same ground with other edits, which keeps what these do not change.
    before: Option<Arc<Placement>>,
    placement: Arc<OnceLock<Option<Arc<Placement>>>>,
}

impl LazyScatter {
    pub fn new(seed: u64) -> Self {
        Self { seed, before: None, placement: Arc::default() }
    }

    /// The scatter of the same ground with another appearance.
    pub fn with_other_appearance(&self) -> Self {
        Self::new(self.seed)
    }

    /// The scatter of the same ground with other edits.
    pub fn with_other_edits(&self) -> Self {
        let prepared = self.placement.get().cloned().flatten();
        Self { before: prepared.or_else(|| self.before.clone()), ..Self::new(self.seed) }
    }
}

impl GroundQuery {
    /// What stands on the ground: trees, grass and rocks. It answers at once and on any thread, a
    /// server's too, and needs no chunks; drawn are the same instances. `None` if the scatter is
    /// not valid.
    ///
    /// ```
    /// use bevy_orogeny::orogeny::scatter::{Scatter, ScatterKind};
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let spruce = ScatterKind { grass: 0.2, forest: 1.0, ..ScatterKind::default() };
    /// let scatter = Scatter { kinds: vec![spruce], ..Scatter::default() };
    /// let ground = GroundQuery::of(&Terrain::default().with_scatter(scatter))?;
    /// let placement = ground.scatter().expect("a valid scatter");
    /// for tree in placement.in_circle([300.0, 0.0], 100.0, |kind| kind.radius > 1.0)? {
    ///     println!("a tree at {:?}, {} m high", tree.position, 16.0 * tree.size);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scatter(&self) -> Option<Arc<Placement>> {
        let prepare = || {
            let appearance = &self.appearance;
            if let Some(before) = &self.scatter.before {
                return Some(Arc::new(before.with_edits(self.edits().clone())));
            }
            let base: SharedField<2> = self.edited.base().clone();
            let edited = EditedField::new(base, self.edits().clone());
            let ground = ScatterGround::new(edited, appearance.cover.clone())
                .with_rivers(self.rivers.clone())
                .with_sea(appearance.sea_level)
                .with_climate(self.climate.clone());
            Placement::new(&appearance.scatter, self.scatter.seed, ground).ok().map(Arc::new)
        };
        self.scatter.placement.get_or_init(prepare).clone()
    }
}

impl GroundQuery {
    /// Temperature and moisture at a position: what the kinds that grow there depend on, see
    /// [`Climate`](orogeny::Climate).
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::POSITION), and one without ground.
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
        // Adopted terrain has a scatter that passed its check.
        let placement = self.scatter().ok_or(QueryError::NoGround { position })?;
        Ok(placement.climate(position))
    }

    /// Whether both share what stands on the ground, rather than an equal one.
    pub(crate) fn has_scatter_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scatter.placement, &other.scatter.placement)
    }

    /// The regions in which other things may stand than on another ground; `None` if that may be
    /// everywhere.
    pub(crate) fn scatter_since(&self, old: &Self) -> Option<Vec<Region>> {
        let same = Arc::ptr_eq(self.edited.base(), old.edited.base())
            && self.layout == old.layout
            && self.scatter.seed == old.scatter.seed
            && self.appearance.grows_as(&old.appearance);
        let differences = |placement: Arc<Placement>| placement.differences(old.edits());
        same.then(|| self.scatter().map(differences).unwrap_or_default())
    }

    /// What stands on the ground, if any of it is solid.
    pub(crate) fn solid_scatter(&self) -> Option<Arc<Placement>> {
        self.solid_kinds().next().and_then(|_| self.scatter())
    }

    /// The radius of the widest solid thing that grows, in metres; 0 if there is none.
    pub(crate) fn widest_solid(&self) -> f64 {
        self.solid_kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max)
    }

    fn solid_kinds(&self) -> impl Iterator<Item = &ScatterKind> {
        self.appearance.scatter.kinds.iter().filter(|kind| kind.is_solid())
    }

    /// The regions in which other solid things may stand than on another ground; `None` if that may
    /// be everywhere.
    pub(crate) fn solids_since(&self, old: &Self) -> Option<Vec<Region>> {
        if self.has_scatter_of(old) {
            return Some(Vec::new());
        }
        let is_bare = |ground: &Self| ground.solid_kinds().next().is_none();
        if is_bare(self) && is_bare(old) {
            return Some(Vec::new());
        }
        self.scatter_since(old)
    }
}
