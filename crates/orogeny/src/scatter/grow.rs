//! Places all kinds in a box.

use alloc::vec::Vec;

use crate::region::Region;
use crate::scatter::candidate::Candidate;
use crate::scatter::felled::fell;
use crate::scatter::ground::ScatterGround;
use crate::scatter::instance::{Instance, InstanceId};
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site_cache::SiteCache;
use crate::scatter::thinning::Thinning;

/// Adds what grows in a box, without its upper ends, to a list: the instances of the wanted kinds
/// with a rank below `rank` that no edit has cleared.
pub(super) fn grow(
    kinds: &[PreparedKind],
    ground: &ScatterGround,
    sites: &SiteCache,
    area: &Region,
    rank: f32,
    is_wanted: impl Fn(usize) -> bool,
    out: &mut Vec<Instance>,
) {
    let margins = margins(kinds, &is_wanted);
    let Some(widest) = margins.iter().copied().flatten().reduce(f64::max) else { return };
    let around = area.grown(widest);
    let prospect = ground.around(&around);
    let may_grow: Vec<bool> = kinds.iter().map(|kind| kind.may_grow(&prospect)).collect();
    if !(0..kinds.len()).any(|kind| may_grow[kind] && is_wanted(kind)) {
        return;
    }
    let site = sites.on(ground, &around);
    let mut thinning = Thinning::new(&site, ground);
    for ((kind, margin), may_grow) in kinds.iter().zip(margins).zip(may_grow) {
        thinning.push(kind, margin.filter(|_| may_grow).map(|margin| area.grown(margin)));
    }
    let start = out.len();
    for (index, kind) in kinds.iter().enumerate().filter(|&(index, _)| is_wanted(index)) {
        let Some(candidates) = thinning.of(index) else { continue };
        let is_asked = |&(at, _): &(usize, _)| {
            let candidate = candidates.candidate(at);
            area.contains_below(candidate.position) && (rank >= 1.0 || candidate.rank() < rank)
        };
        thinning.decide_all(index, candidates.inner().filter(is_asked).map(|(at, _)| at));
        for (at, cell) in candidates.inner().filter(is_asked) {
            let candidate = candidates.candidate(at);
            let density = thinning.kept(index, at);
            if density > 0.0 {
                let climate = || site.climate(site.place(candidate.position));
                let climate = kind.in_climate(climate);
                out.push(instance(index, kind, cell, candidate, [density, climate]));
            }
        }
    }
    fell(kinds, ground, area, out, start);
}

/// How far around a box each kind must be known, so that the wanted ones are known in it. `None`
/// for kinds that no wanted one depends on.
pub(super) fn margins(
    kinds: &[PreparedKind],
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<Option<f64>> {
    let mut margins: Vec<Option<f64>> = vec![None; kinds.len()];
    for i in (0..kinds.len()).rev() {
        let radius = kinds[i].cells.width;
        let own = is_wanted(i).then_some(0.0);
        let later = kinds[i + 1..].iter().zip(&margins[i + 1..]);
        let needed = later.filter_map(|(later, margin)| {
            let margin = (*margin)?;
            Some(margin + radius.min(later.cells.width))
        });
        margins[i] = own.into_iter().chain(needed).reduce(f64::max);
    }
    margins
}

fn instance(
    index: usize,
    kind: &PreparedKind,
    cell: [i64; 2],
    candidate: &Candidate,
    [density, climate]: [f32; 2],
) -> Instance {
    let [rank, turn, size, tint, lean] = candidate.numbers();
    let slope = kind.kind.lean * (2.0 * lean - 1.0);
    // Any direction will do, as long as it is not that of the turn.
    let part = 2.0 * tint - 1.0;
    Instance {
        id: InstanceId::Natural { kind: kind.kind.seed, cell },
        kind: index,
        position: candidate.position,
        size: kind.size(size, density, climate),
        turn,
        lean: [slope * part, slope * (1.0 - part.abs())],
        tint,
        rank,
    }
}
