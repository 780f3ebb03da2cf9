//! One snapshot of a ground.

use alloc::sync::Arc;
use core::fmt;

use crate::climate::ClimateField;
use crate::cover::{Cover, CoverPoint};
use crate::drainage::RiverGround;
use crate::edits::{EditedField, Edits};
use crate::error::DataError;
use crate::field::{Field, SharedField, at_positions, forward_field};
use crate::position::Position;
use crate::scatter::Placement;
use crate::scatter::ground::Appearance;
use crate::scatter::ground::ScatterGround;
use crate::terrain::lands_field::LandsField;

/// A snapshot of a ground: all that is known of it, with its edits. It never changes; an edit makes
/// [another one](Self::with_edits), and [`changes_since`](Self::changes_since) tells where two
/// differ. A clone shares everything.
///
/// It is a field, height in metres over (x, z) in metres, and so can be sampled on grids, hit by
/// [rays](crate::ray::raycast) and drawn. [`Recipe::build`](crate::Recipe::build) makes one of a
/// recipe, [`new`](Self::new) one of any field.
///
/// ```
/// use orogeny::edits::{Crater, EditLog};
/// use orogeny::{Landscape, Node};
///
/// let hills = Node::<2>::noise(7).fbm(6).frequency(1.0 / 900.0).amplitude(90.0).build()?;
/// let ground = Landscape::of(hills);
/// let mut log = EditLog::new();
/// log.add(1, Crater { center: [40.0, 0.0], radius: 5.0, ..Crater::default() })?;
/// let edited = ground.with_edits(log.edits());
/// assert!(edited.value([40.0, 0.0]) < ground.value([40.0, 0.0]));
/// let changes = edited.changes_since(&ground).expect("only edits differ");
/// assert!(changes.iter().any(|region| region.contains([40.0, 0.0])));
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone)]
pub struct Landscape {
    /// The heights with their edits; without edits it is the field alone, which is faster.
    field: SharedField<2>,
    /// What stands on the ground, and all that this depends on.
    placement: Arc<Placement>,
    lands: LandsField,
    /// The seed of the world.
    seed: u64,
}

impl fmt::Debug for Landscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Landscape").field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl Landscape {
    /// The ground of a field, whose values are heights in metres, in the world of a seed.
    ///
    /// # Errors
    /// The first number of the appearance that is outside its limits, and a climate that does not
    /// build.
    pub fn new(
        field: SharedField<2>,
        appearance: &Appearance,
        seed: u64,
    ) -> Result<Self, DataError> {
        appearance.check()?;
        let climate = appearance.climate.build(seed)?;
        // Trees of any depth can be built, but only those that build cloned.
        let ground = ScatterGround::new(field, None, climate, appearance.clone());
        Self::on(ground, LandsField::default(), seed)
    }

    /// The ground of a field with the default appearance.
    pub fn of(field: impl Field<2> + Send + Sync + 'static) -> Self {
        let ground = Self::new(Arc::new(field), &Appearance::default(), 0);
        ground.expect("default numbers are valid")
    }

    /// A ground whose parts are checked.
    pub(super) fn on(
        ground: ScatterGround,
        lands: LandsField,
        seed: u64,
    ) -> Result<Self, DataError> {
        let field = heights(&ground.field);
        Ok(Self { field, placement: Arc::new(Placement::new(seed, ground)?), lands, seed })
    }

    /// The same ground with these edits, instead of those that it has.
    pub fn with_edits(&self, edits: Edits) -> Self {
        if edits.is_same(self.edits()) {
            return self.clone();
        }
        let placement = Arc::new(self.placement.with_edits(edits));
        Self { field: heights(&placement.ground().field), placement, ..self.clone() }
    }

    /// The same ground with another appearance, whose climate has been built. Of ground with
    /// rivers the level of the sea must stay.
    ///
    /// # Errors
    /// The first number of the appearance that is outside its limits.
    pub fn with_appearance(
        &self,
        appearance: Appearance,
        climate: ClimateField,
    ) -> Result<Self, DataError> {
        appearance.check()?;
        let appearance = Arc::new(appearance);
        let ground = ScatterGround { climate, appearance, ..self.ground().clone() };
        Ok(Self { placement: Arc::new(Placement::new(self.seed, ground)?), ..self.clone() })
    }

    pub(super) fn ground(&self) -> &ScatterGround {
        self.placement.ground()
    }

    /// Its heights, for code that takes any field.
    pub fn field(&self) -> &SharedField<2> {
        &self.field
    }

    /// The field with its edits, and its parts.
    pub fn edited(&self) -> &EditedField<SharedField<2>> {
        &self.ground().field
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        self.edited().edits()
    }

    /// The rivers on it, without edits; `None` if it has none.
    pub fn rivers(&self) -> Option<&RiverGround> {
        self.ground().rivers.as_ref()
    }

    /// How warm and how moist it is.
    pub fn climate(&self) -> &ClimateField {
        &self.ground().climate
    }

    /// Which lands are where; there are none unless a recipe has some.
    pub fn lands(&self) -> &LandsField {
        &self.lands
    }

    /// What covers it, the level of the sea, and the kinds of things that stand on it.
    pub fn appearance(&self) -> &Arc<Appearance> {
        &self.ground().appearance
    }

    /// What stands on it.
    pub fn placement(&self) -> &Arc<Placement> {
        &self.placement
    }

    /// The seed of the world.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The weight of each layer of cover at a position, see [`Cover::weights`], with the banks of
    /// rivers and with what is painted over it. `mean` is the ground there in its mean climate, as
    /// [`ClimateField::at`] has it. Its position is that in the patterns of the cover.
    pub fn cover<T>(&self, at: impl Position<2, T>, mean: &CoverPoint) -> [f32; Cover::MAX_LAYERS] {
        let (position, cover) = (at.coordinates(), &self.appearance().cover);
        let point = CoverPoint { climate: self.climate().in_season(mean.climate), ..*mean };
        let mut painting = self.edits().painting(position);
        if let Some(rivers) = self.rivers().filter(|_| cover.has_banks()) {
            // As on chunks, in coordinates of the terrain.
            let point = CoverPoint { position, curvature: 0.0, ..*mean };
            painting = cover.banks(&point, rivers.bank_distance(position)).under(&painting);
        }
        painting.over(cover.weights(&point), cover.layers.len())
    }
}

/// A field with its edits, or the field alone if there are none.
fn heights(edited: &EditedField<SharedField<2>>) -> SharedField<2> {
    if edited.edits().is_empty() { edited.base().clone() } else { Arc::new(edited.clone()) }
}

at_positions!([] Landscape, 2);

impl Field<2> for Landscape {
    forward_field!(2, self => self.field);
}
