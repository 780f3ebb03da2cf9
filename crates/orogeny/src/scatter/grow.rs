//! Places all kinds in a region.

use alloc::vec::Vec;
use core::ops::Range;

use crate::edits::Planting;
use crate::region::Region;
use crate::scatter::candidate::Candidate;
use crate::scatter::instance::{Instance, InstanceId};
use crate::scatter::placement::Placement;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::queries::ALL;
use crate::scatter::thinning::Thinning;
use crate::scatter::wanted::Wanted;

impl Placement {
    /// Visits what grows in a region that is small enough, without its upper ends: the instances of
    /// the wanted kinds with a rank in `ranks` that no edit has cleared.
    pub(super) fn grow(
        &self,
        region: &Region,
        ranks: &Range<f32>,
        wanted: &Wanted,
        visit: &mut impl FnMut(Instance),
    ) {
        let (kinds, ground) = (&self.kinds, &self.ground);
        let around = region.grown(wanted.widest);
        let Some(may_grow) = self.may_grow(&around, wanted) else { return };
        let site = self.sites.on(ground, &around, kinds.len());
        let mut thinning = Thinning::new(&site, ground);
        for ((kind, margin), may_grow) in kinds.iter().zip(&wanted.margins).zip(may_grow) {
            let margin = margin.filter(|_| may_grow);
            thinning.push(kind, margin.map(|margin| region.grown(margin)));
        }
        let mut clears = Vec::new();
        ground.edits().each_planting(region, |planting| {
            if let Planting::Clear(clear) = planting {
                clears.push(clear);
            }
        });
        for (index, kind) in kinds.iter().enumerate().filter(|&(index, _)| wanted.is_wanted[index])
        {
            let Some(candidates) = thinning.of(index) else { continue };
            let is_asked = |&(at, _): &(usize, _)| {
                let candidate = candidates.candidate(at);
                region.contains_below(candidate.position)
                    && (*ranks == ALL || ranks.contains(&candidate.rank()))
            };
            thinning.decide_all(index, candidates.inner().filter(is_asked).map(|(at, _)| at));
            for (at, cell) in candidates.inner().filter(is_asked) {
                let (candidate, density) = (candidates.candidate(at), thinning.kept(index, at));
                let removes = |p| clears.iter().any(|clear| clear.removes(kind.kind.id(), p));
                if density > 0.0 && !removes(candidate.position) {
                    let climate = || site.climate(site.bilinear(candidate.position));
                    let climate = kind.in_climate(climate);
                    visit(instance(kind, cell, candidate, [density, climate]));
                }
            }
        }
    }

    /// Whether each kind may grow in a region; `None` if no wanted one does.
    pub(super) fn may_grow(&self, region: &Region, wanted: &Wanted) -> Option<Vec<bool>> {
        let prospect = self.ground.around(region);
        let may_grow: Vec<bool> = self.kinds.iter().map(|kind| kind.may_grow(&prospect)).collect();
        let mut both = may_grow.iter().zip(&wanted.is_wanted);
        both.any(|(may_grow, is_wanted)| *may_grow && *is_wanted).then_some(may_grow)
    }
}

fn instance(
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
        id: InstanceId::Natural { kind: kind.kind.id(), cell },
        kind: kind.kind.id(),
        position: candidate.position,
        size: kind.size(size, density, climate),
        turn,
        lean: [slope * part, slope * (1.0 - part.abs())],
        tint,
        rank,
    }
}
