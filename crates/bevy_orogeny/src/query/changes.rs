//! Where two grounds differ.

use std::sync::Arc;

use orogeny::Region;

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
        if self.appearance.sea_level != old.appearance.sea_level {
            return None;
        }
        let mut changes = self.edited_since(old)?;
        changes.extend(self.solids_since(old)?);
        Some(changes)
    }

    /// The regions in which chunks differ from those of another ground, if they differ in their
    /// edits and the level of the sea alone: with the floods that are a part of one sea only.
    pub(crate) fn rebuilt_since(&self, old: &Self) -> Option<Vec<Region>> {
        let mut regions = self.edited_since(old)?;
        let seas = [old, self].map(|ground| ground.appearance.sea_level.map(f64::from));
        regions.extend(self.edits().floods_between(seas));
        Some(regions)
    }

    /// The regions in which this ground differs from another one, if they differ in their edits
    /// alone.
    pub(crate) fn edited_since(&self, old: &Self) -> Option<Vec<Region>> {
        let same = Arc::ptr_eq(self.edited.base(), old.edited.base()) && self.layout == old.layout;
        same.then(|| self.edits().differences(old.edits()))
    }
}
