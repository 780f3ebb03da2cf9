//! Where two snapshots of a ground differ.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::region::Region;
use crate::scatter::ScatterKind;
use crate::terrain::landscape::Landscape;

/// Each comparison returns regions that contain all that differs from an older snapshot, and `None`
/// if that may be everywhere, because more than edits has changed. It takes microseconds: only
/// edits that both do not share are compared.
impl Landscape {
    /// Whether both share the same heights, rather than equal ones.
    pub fn has_heights_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.field(), other.field())
    }

    /// Whether both share what stands on them, rather than an equal one.
    pub fn has_placement_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.placement(), other.placement())
    }

    /// Whether both have the same answers, because they share all their parts.
    pub fn is_same(&self, other: &Self) -> bool {
        self.has_heights_of(other) && Arc::ptr_eq(self.appearance(), other.appearance())
    }

    /// Where the heights, the water or solid things differ from those of an older snapshot: what is
    /// computed of the ground, such as a navigation mesh, is outdated there.
    pub fn changes_since(&self, old: &Self) -> Option<Vec<Region>> {
        let same_sea = self.appearance().sea_level == old.appearance().sea_level;
        let mut changes = self.edited_since(old).filter(|_| same_sea)?;
        changes.extend(self.solids_since(old)?);
        Some(changes)
    }

    /// Where heights, floods or paint differ: the regions of edits.
    pub fn edited_since(&self, old: &Self) -> Option<Vec<Region>> {
        let same = Arc::ptr_eq(self.edited().base(), old.edited().base());
        same.then(|| self.edits().differences(old.edits()))
    }

    /// Where meshes differ, if they differ in their edits and the level of the sea alone: with the
    /// floods that are a part of one sea only.
    pub fn meshes_since(&self, old: &Self) -> Option<Vec<Region>> {
        let mut regions = self.edited_since(old)?;
        let seas = [old, self].each(|ground| ground.appearance().sea_level.map(f64::from));
        regions.extend(self.edits().floods_between(seas));
        Some(regions)
    }

    /// Where other things may stand.
    pub fn placement_since(&self, old: &Self) -> Option<Vec<Region>> {
        let same = Arc::ptr_eq(self.edited().base(), old.edited().base())
            && self.seed() == old.seed()
            && self.appearance().grows_as(old.appearance());
        same.then(|| self.placement().differences(old.edits()))
    }

    /// Where other solid things may stand.
    pub fn solids_since(&self, old: &Self) -> Option<Vec<Region>> {
        let is_bare = |ground: &Self| !ground.placement().kinds().any(ScatterKind::is_solid);
        if self.has_placement_of(old) || is_bare(self) && is_bare(old) {
            return Some(Vec::new());
        }
        self.placement_since(old)
    }
}

#[cfg(test)]
mod tests {
    use crate::edits::{Area, Disc, EditLog, Flood, Plant, Raise};
    use crate::scatter::{KindId, Scatter};
    use crate::tests::edits::edited;
    use crate::{Appearance, Node, SharedField};

    use super::*;

    fn ground(appearance: Appearance) -> Landscape {
        let field: SharedField<2> = Arc::new(Node::<2>::Constant(5.0).build().unwrap());
        Landscape::new(field, &appearance, 3).unwrap()
    }

    #[test]
    fn edits_differ_where_they_are() {
        let kind =
            ScatterKind { seed: 1, solid_radius: 1.0, solid_height: 2.0, ..Default::default() };
        let scatter = Scatter { kinds: vec![kind], ..Scatter::default() };
        let bare = ground(Appearance { scatter, ..Appearance::default() });
        assert_eq!(bare.changes_since(&bare.clone()), Some(Vec::new()));
        assert!(bare.is_same(&bare.with_edits(bare.edits().clone())));

        let area = Area::Disc(Disc { center: [40.0, 7.0], radius: 5.0, falloff: 1.0 });
        let mut log = EditLog::new();
        log.add(1, Raise { area, height: 2.0 }).unwrap();
        let raised = bare.with_edits(log.edits());
        assert_eq!([[40.0, 7.0], [60.0, 7.0]].map(|p| raised.value(p)), [7.0, 5.0]);
        assert!(!raised.has_heights_of(&bare) && !raised.has_placement_of(&bare));
        let has = |regions: Option<Vec<Region>>, p: [f64; 2]| {
            regions.unwrap().iter().any(|region| region.contains(p))
        };
        assert!(has(raised.edited_since(&bare), [40.0, 7.0]));
        assert!(!has(raised.edited_since(&bare), [60.0, 7.0]));
        assert!(has(bare.changes_since(&raised), [40.0, 7.0]));

        log.add(1, Plant { center: [-300.0, 9.0], kind: KindId(1), ..Plant::default() }).unwrap();
        let planted = bare.with_edits(log.edits());
        assert_eq!(planted.edited_since(&raised), Some(Vec::new()));
        assert!(has(planted.solids_since(&raised), [-300.0, 9.0]));
        assert!(has(planted.changes_since(&raised), [-300.0, 9.0]));
        let undone = planted.with_edits(bare.edits().clone());
        assert!(undone.has_heights_of(&bare), "without edits it is the field alone");
    }

    #[test]
    fn other_seas_differ_everywhere_but_for_meshes() {
        let old = ground(Appearance::default());
        let area = Area::Disc(Disc { center: [0.0; 2], radius: 9.0, falloff: 1.0 });
        let flooded = old.with_edits(edited([Flood { area, level: 7.0 }]));
        let sea = |level| {
            let appearance = Appearance { sea_level: Some(level), ..Appearance::default() };
            flooded.with_appearance(appearance, old.climate().clone()).unwrap()
        };
        assert_eq!(sea(6.0).changes_since(&flooded), None);
        assert_eq!(sea(6.0).meshes_since(&flooded), Some(Vec::new()));
        assert_eq!(sea(8.0).meshes_since(&flooded).map(|regions| regions.len()), Some(1));
        assert_eq!(sea(8.0).meshes_since(&ground(Appearance::default())), None);
        assert_eq!(sea(8.0).placement_since(&flooded), None);
        let drowned = Appearance { sea_level: Some(1e9), ..Appearance::default() };
        assert_eq!(
            old.with_appearance(drowned, old.climate().clone()).unwrap_err().path,
            "sea_level"
        );
    }
}
