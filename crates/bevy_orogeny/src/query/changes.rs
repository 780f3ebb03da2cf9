//! Where two grounds differ.

use orogeny::{Landscape, Region};

use super::GroundQuery;

impl GroundQuery {
    /// The regions in which this ground, its water or what stands on it solidly may differ from an
    /// older ground: those of edits that were added or undone. `None` if that may be everywhere,
    /// because other settings of the terrain have changed. Empty if both are the same.
    ///
    /// What is computed from the ground, such as colliders or a navigation mesh, is outdated there.
    ///
    /// ```
    /// use bevy_orogeny::orogeny::edits::{Crater, EditLog};
    /// use bevy_orogeny::{GroundQuery, Terrain};
    ///
    /// let old = GroundQuery::of(&Terrain::default())?;
    /// let mut log = EditLog::new();
    /// log.add(1, Crater { center: [40.0, 0.0], radius: 5.0, ..Crater::default() })?;
    /// let new = old.with_edits(log.edits());
    /// let changes = new.changes_since(&old).expect("only edits differ");
    /// assert!(changes.iter().any(|region| region.contains([40.0, 0.0])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes_since(&self, old: &Self) -> Option<Vec<Region>> {
        self.with_layout_of(old)?.changes_since(&old.landscape)
    }

    /// The regions in which its chunks differ, see [`Landscape::meshes_since`].
    pub(crate) fn meshes_since(&self, old: &Self) -> Option<Vec<Region>> {
        self.with_layout_of(old)?.meshes_since(&old.landscape)
    }

    /// The regions of edits in which it differs, see [`Landscape::edited_since`].
    pub(crate) fn edited_since(&self, old: &Self) -> Option<Vec<Region>> {
        self.with_layout_of(old)?.edited_since(&old.landscape)
    }

    /// The regions in which other things may stand, see [`Landscape::placement_since`].
    pub(crate) fn scatter_since(&self, old: &Self) -> Option<Vec<Region>> {
        self.with_layout_of(old)?.placement_since(&old.landscape)
    }

    /// The regions in which other solid things may stand, see [`Landscape::solids_since`].
    pub(crate) fn solids_since(&self, old: &Self) -> Option<Vec<Region>> {
        self.with_layout_of(old)?.solids_since(&old.landscape)
    }

    /// Whether both share what stands on the ground, rather than an equal one.
    pub(crate) fn has_scatter_of(&self, other: &Self) -> bool {
        self.landscape.has_placement_of(&other.landscape)
    }

    /// The ground, if its vertices have the layout of another one.
    fn with_layout_of(&self, other: &Self) -> Option<&Landscape> {
        (self.layout == other.layout).then_some(&self.landscape)
    }
}
