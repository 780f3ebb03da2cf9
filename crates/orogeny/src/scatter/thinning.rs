//! Places all kinds in a region: which candidates stay is decided when somebody asks.

use alloc::vec::Vec;
use core::ops::Range;

use crate::edits::{Edits, Planting};
use crate::region::Region;
use crate::samples::Samples;
use crate::scatter::candidates::{Candidate, Candidates};
use crate::scatter::criteria::{Here, edits_near};
use crate::scatter::ground::ScatterGround;
use crate::scatter::placement::{Instance, InstanceId, Placement};
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::queries::ALL;
use crate::scatter::site::Site;
use crate::scatter::squares::Wanted;

/// The candidates of all kinds in and around a region.
pub(super) struct Thinning<'a> {
    site: &'a Site,
    ground: &'a ScatterGround,
    kinds: Vec<Option<KindCandidates<'a>>>,
}

/// Those of one kind.
struct KindCandidates<'a> {
    kind: &'a PreparedKind,
    /// Where it must be known.
    region: Region,
    candidates: Candidates,
    /// Its density at each point of the site.
    density: Vec<f32>,
    /// The edits, if any disturb the region.
    edits: Option<&'a Edits>,
}

impl<'a> Thinning<'a> {
    /// Nothing on a site.
    pub fn new(site: &'a Site, ground: &'a ScatterGround) -> Self {
        Self { site, ground, kinds: Vec::new() }
    }

    /// Adds the next kind, in a region; `None` if nobody needs it.
    pub fn push(&mut self, kind: &'a PreparedKind, region: Option<Region>) {
        let candidates = region.and_then(|region| {
            let edits = edits_near(kind, self.ground, &region);
            if edits.is_none() && kind.kind.is_along_edits() {
                return None;
            }
            let density = self.site.density(self.kinds.len(), kind)?;
            let candidates = Candidates::new(kind.cells, &region)?;
            Some(KindCandidates { kind, region, candidates, density, edits })
        });
        self.kinds.push(candidates);
    }

    /// The candidates of a kind; `None` if there are none.
    #[inline]
    pub fn of(&self, kind: usize) -> Option<&Candidates> {
        Some(&self.kinds[kind].as_ref()?.candidates)
    }

    /// The density where a candidate of a kind stands; 0 if it does not stay.
    #[inline]
    pub fn kept(&self, kind: usize, index: usize) -> f32 {
        let Some(own) = &self.kinds[kind] else { return 0.0 };
        let kept = &own.candidates.kept[index];
        if kept.get().is_nan() {
            kept.set(self.decide(kind, own, index));
        }
        kept.get()
    }

    /// Decides some candidates of a kind at once, which is faster: the ground under all that may
    /// stay is sampled together.
    pub fn decide_all(&self, kind: usize, indices: impl Iterator<Item = usize>) {
        let Some(own) = &self.kinds[kind] else { return };
        let (mut chosen, mut points) = (Vec::new(), Vec::new());
        for index in indices {
            let here = self.density_on_any_ground(kind, own, index);
            own.candidates.kept[index].set(here);
            if here > 0.0 {
                chosen.push(index);
                points.push(own.candidates.candidate(index).position);
            }
        }
        let mut samples = Samples::new();
        self.ground.smooth.sample_points(&points, &mut samples);
        for ((index, p), sample) in chosen.into_iter().zip(points).zip(samples.iter()) {
            if !self.here(own, p).may_stand(&sample) {
                own.candidates.kept[index].set(0.0);
            }
        }
    }

    fn decide(&self, number: usize, own: &KindCandidates<'a>, index: usize) -> f32 {
        let here = self.density_on_any_ground(number, own, index);
        let p = own.candidates.candidate(index).position;
        let stays = here > 0.0 && self.here(own, p).may_stand(&self.ground.smooth.sample(p));
        if stays { here } else { 0.0 }
    }

    #[inline]
    fn here(&self, own: &KindCandidates<'a>, p: [f64; 2]) -> Here<'a> {
        let &KindCandidates { kind, edits, .. } = own;
        Here { kind, ground: self.ground, site: self.site, edits, p, at: self.site.bilinear(p) }
    }

    /// The density where a candidate stands, if it stays whatever the ground under it is.
    fn density_on_any_ground(&self, number: usize, own: &KindCandidates<'a>, index: usize) -> f32 {
        let KindCandidates { kind, candidates, region, density, .. } = own;
        let candidate = candidates.candidate(index);
        let p = candidate.position;
        // Those of the outermost cells, which do not know their neighbours, are not in it.
        if !region.contains(p) {
            return 0.0;
        }
        let place = self.here(own, p);
        let mut here = place.at.interpolate(|i| density[i]);
        let is_dense = |here: f32| candidate.threshold() < here;
        if !is_dense(here) || !candidates.has_priority(index) {
            return 0.0;
        }
        here *= place.suitability();
        let is_near = |earlier| self.is_near(earlier, p, kind.cells.width);
        if is_dense(here) && !(0..number).any(is_near) { here } else { 0.0 }
    }

    /// Whether one of an earlier kind stands too near.
    fn is_near(&self, earlier: usize, p: [f64; 2], radius: f64) -> bool {
        let Some(candidates) = self.of(earlier) else { return false };
        candidates.any_near(p, radius, |index| self.kept(earlier, index) > 0.0)
    }
}

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
                    let climate = kind.in_climate(&site, candidate.position);
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
