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
    let bank = bank_distance(kind, site, at, p, ground);
    if !bank.is_none_or(|bank| suits_bank(kind, bank)) {
        return 0.0;
    }
    // As what follows finds, sooner.
    let Some(near) = edits else { return f32::from(!kind.kind.is_along_edits()) };
    if near.has_hole(p) || !suits_distance(kind, distance(kind, edits, p)) {
        return 0.0;
    }
    undisturbed(kind, edits, p)
}

/// What the disturbance of a position by edits leaves of the density of a kind.
pub(super) fn undisturbed(kind: &PreparedKind, edits: Option<&Edits>, p: [f64; 2]) -> f32 {
    let disturbance = edits.map_or(0.0, |edits| edits.disturbance(p));
    1.0 - disturbance * (1.0 - kind.kind.disturbed)
}

/// The distance of a position from edits in metres, if it matters to a kind: infinite if it is
/// larger than the distance that does.
pub(super) fn distance(
    PreparedKind { kind, .. }: &PreparedKind,
    edits: Option<&Edits>,
    p: [f64; 2],
) -> Option<f64> {
    let reach = kind.edit_reach();
    // A distance equal to the limit is found, too.
    let distance = |edits: &Edits| edits.disturbed_distance(p, reach.next_up());
    let matters = reach > 0.0 || kind.is_along_edits();
    matters.then(|| edits.map_or(f64::INFINITY, distance))
}

/// Whether the distance of a position from edits suits a kind.
pub(super) fn suits_distance(
    PreparedKind { kind, .. }: &PreparedKind,
    distance: Option<f64>,
) -> bool {
    distance.is_none_or(|distance| {
        let is_near = distance <= kind.edit_reach() || !kind.is_along_edits();
        f64::from(kind.edit.min) <= distance && is_near
    })
}

/// The distance of a position from rivers and lakes in metres, if the ground has some: exact where
/// it decides whether a kind grows.
pub(super) fn bank_distance(
    PreparedKind { kind, .. }: &PreparedKind,
    site: &Site,
    at: Bilinear,
    p: [f64; 2],
    ground: &ScatterGround,
) -> Option<f64> {
    let rivers = ground.rivers.as_ref()?;
    let bank = f64::from(site.at(at, |point| point.bank));
    // The lattice misses brooks that are narrower than its cells, and ends at `FAR`.
    let near = SPACING * 2.0;
    let is_far = kind.has_bank_max() && bank > f64::from(FAR) - near;
    let decides = bank < near + f64::from(kind.bank.min.max(0.0)) || is_far;
    Some(if decides { rivers.bank_distance(p) } else { bank })
}

/// Whether a distance from rivers and lakes suits a kind.
pub(super) fn suits_bank(PreparedKind { kind, .. }: &PreparedKind, bank: f64) -> bool {
    kind.bank.contains(bank)
}
