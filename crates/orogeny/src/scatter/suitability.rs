//! What edits and water leave of the density of a kind at a position.

use crate::edits::Edits;
use crate::region::Region;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::{Bilinear, FAR, SPACING, Site};

/// The edits of the ground, if any may change the density of a kind in a region. Those that clear
/// and plant do not.
pub(super) fn edits_near<'a>(
    PreparedKind { kind, .. }: &PreparedKind,
    ground: &'a ScatterGround,
    region: &Region,
) -> Option<&'a Edits> {
    let edits = ground.edits();
    edits.touch_ground(&region.grown(kind.edit_reach())).then_some(edits)
}

/// What edits and water leave of the density of a kind at a position: 0 to 1. `edits` are those of
/// the ground, unless none is near.
pub(super) fn suitability(
    kind: &PreparedKind,
    site: &Site,
    at: Bilinear,
    p: [f64; 2],
    ground: &ScatterGround,
    edits: Option<&Edits>,
) -> f32 {
    if !suits_banks(kind, site, at, p, ground) {
        return 0.0;
    }
    let Some(edits) = edits else { return f32::from(!kind.kind.is_along_edits()) };
    if edits.has_hole(p) || !suits_distance(kind, edits, p) {
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

/// Whether the distance of a position from rivers and lakes suits a kind.
fn suits_banks(
    PreparedKind { kind, .. }: &PreparedKind,
    site: &Site,
    at: Bilinear,
    p: [f64; 2],
    ground: &ScatterGround,
) -> bool {
    let Some(rivers) = &ground.rivers else { return true };
    let mut bank = f64::from(site.at(at, |point| point.bank));
    // The lattice misses brooks that are narrower than its cells, and ends at `FAR`.
    let near = SPACING * 2.0;
    let is_far = kind.has_bank_max() && bank > f64::from(FAR) - near;
    if bank < near + f64::from(kind.bank_min.max(0.0)) || is_far {
        bank = rivers.bank_distance(p);
    }
    (f64::from(kind.bank_min)..=f64::from(kind.bank_max)).contains(&bank)
}
