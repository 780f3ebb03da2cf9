//! Which candidates stay: decided one by one, when somebody asks.

use alloc::vec::Vec;

use crate::edits::{Edits, Region};
use crate::scatter::density::PreparedKind;
use crate::scatter::ground::ScatterGround;
use crate::scatter::layer::Layer;
use crate::scatter::site::{Place, SPACING, Site};

/// The candidates of all kinds in and around an area.
pub(super) struct Layers<'a> {
    site: &'a Site,
    ground: &'a ScatterGround,
    kinds: Vec<Option<KindLayer<'a>>>,
}

/// Those of one kind.
struct KindLayer<'a> {
    kind: &'a PreparedKind,
    /// Where it must be known.
    area: Region,
    layer: Layer,
    /// Its density at each point of the site.
    density: Vec<f32>,
    /// The edits, if any disturb the area.
    edits: Option<&'a Edits>,
}

impl<'a> Layers<'a> {
    /// Nothing on a site.
    pub fn new(site: &'a Site, ground: &'a ScatterGround) -> Self {
        Self { site, ground, kinds: Vec::new() }
    }

    /// Adds the next kind, in an area; `None` if nobody needs it.
    pub fn push(&mut self, kind: &'a PreparedKind, area: Option<Region>) {
        let layer = area.and_then(|area| {
            let edits = edits_near(kind, self.ground, &area);
            if edits.is_none() && kind.kind.is_along_edits() {
                return None;
            }
            let density = kind.on(self.site)?;
            let layer = Layer::new(kind.cells, &area)?;
            Some(KindLayer { kind, area, layer, density, edits })
        });
        self.kinds.push(layer);
    }

    /// The candidates of a kind; `None` if there are none.
    #[inline]
    pub fn of(&self, kind: usize) -> Option<&Layer> {
        Some(&self.kinds[kind].as_ref()?.layer)
    }

    /// The density where a candidate of a kind stands; 0 if it does not stay.
    #[inline]
    pub fn kept(&self, kind: usize, index: usize) -> f32 {
        let Some(layer) = &self.kinds[kind] else { return 0.0 };
        let kept = &layer.layer.kept[index];
        if kept.get().is_nan() {
            kept.set(self.decide(kind, layer, index));
        }
        kept.get()
    }

    fn decide(&self, number: usize, layer: &KindLayer, index: usize) -> f32 {
        let &KindLayer { kind, ref layer, area, ref density, edits } = layer;
        let candidate = layer.candidate(index);
        let p = candidate.position;
        // Those of the outermost cells, which do not know their neighbours, are not in it.
        if !area.contains(p) {
            return 0.0;
        }
        let place = self.site.place(p);
        let mut here = place.among(|i| density[i]);
        let is_dense = |here: f32| candidate.threshold() < here;
        if !is_dense(here) || !layer.has_priority(index) {
            return 0.0;
        }
        here *= suitability(kind, self.site, place, p, self.ground, edits);
        let is_near = |earlier| self.is_near(earlier, p, kind.cells.width);
        if is_dense(here) && !(0..number).any(is_near) { here } else { 0.0 }
    }

    /// Whether one of an earlier kind stands too near.
    fn is_near(&self, earlier: usize, p: [f64; 2], radius: f64) -> bool {
        let Some(layer) = self.of(earlier) else { return false };
        layer.any_near(p, radius, |index| self.kept(earlier, index) > 0.0)
    }
}

/// The edits of the ground, if any may change the density of a kind in an area.
pub(super) fn edits_near<'a>(
    PreparedKind { kind, .. }: &PreparedKind,
    ground: &'a ScatterGround,
    area: &Region,
) -> Option<&'a Edits> {
    let edits = &ground.edits;
    edits.touch(&area.grown(kind.edit_reach())).then_some(edits)
}

/// What edits and water leave of the density of a kind at a place: 0 to 1. `edits` are those of the
/// ground, unless none is near.
pub(super) fn suitability(
    kind: &PreparedKind,
    site: &Site,
    place: Place,
    p: [f64; 2],
    ground: &ScatterGround,
    edits: Option<&Edits>,
) -> f32 {
    let is_dry = is_dry_enough(kind, site, place, p, ground)
        && edits.is_none_or(|edits| suits_flood(kind, edits, p, ground));
    if !is_dry {
        return 0.0;
    }
    let Some(edits) = edits else { return f32::from(!kind.kind.is_along_edits()) };
    if !suits_distance(kind, edits, p) {
        return 0.0;
    }
    1.0 - edits.disturbance(p) * (1.0 - kind.kind.disturbed)
}

/// Whether the distance of a position from edits suits a kind.
fn suits_distance(PreparedKind { kind, .. }: &PreparedKind, edits: &Edits, p: [f64; 2]) -> bool {
    let (min, reach) = (f64::from(kind.edit_min), kind.edit_reach());
    if reach == 0.0 && !kind.is_along_edits() {
        return true;
    }
    // A distance equal to the limit is found, too.
    let distance = edits.disturbed_distance(p, reach.next_up());
    min <= distance && (distance <= reach || !kind.is_along_edits())
}

/// Whether the water at a place suits a kind.
fn is_dry_enough(
    PreparedKind { kind, .. }: &PreparedKind,
    site: &Site,
    place: Place,
    p: [f64; 2],
    ground: &ScatterGround,
) -> bool {
    let depth = site.at(place, |point| point.depth);
    if !(kind.depth_min..=kind.depth_max).contains(&depth) {
        return false;
    }
    let Some(rivers) = &ground.rivers else { return true };
    let mut bank = f64::from(site.at(place, |point| point.bank));
    // The lattice misses brooks that are narrower than its cells.
    let near = SPACING * 2.0;
    if bank < near + f64::from(kind.bank_min.max(0.0)) {
        bank = rivers.bank_distance(p);
    }
    (f64::from(kind.bank_min)..=f64::from(kind.bank_max)).contains(&bank)
}

/// Whether the depth of a flood at a position suits a kind.
fn suits_flood(
    PreparedKind { kind, .. }: &PreparedKind,
    edits: &Edits,
    p: [f64; 2],
    ground: &ScatterGround,
) -> bool {
    let Some(flood) = edits.flooding(p) else { return true };
    let depth = (flood.level - f64::from(ground.field.value(p))) as f32;
    (kind.depth_min..=kind.depth_max).contains(&depth)
}
