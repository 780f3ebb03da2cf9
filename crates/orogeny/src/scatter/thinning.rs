//! Which candidates stay: decided when somebody asks.

use alloc::vec::Vec;

use crate::edits::Edits;
use crate::region::Region;
use crate::samples::Samples;
use crate::scatter::candidates::Candidates;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::Site;
use crate::scatter::suitability::{edits_near, suitability};

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
            if !own.kind.may_stand(p, &sample, self.ground) {
                own.candidates.kept[index].set(0.0);
            }
        }
    }

    fn decide(&self, number: usize, own: &KindCandidates, index: usize) -> f32 {
        let here = self.density_on_any_ground(number, own, index);
        let p = own.candidates.candidate(index).position;
        let stays = here > 0.0 && own.kind.may_stand(p, &self.ground.smooth.sample(p), self.ground);
        if stays { here } else { 0.0 }
    }

    /// The density where a candidate stands, if it stays whatever the ground under it is.
    fn density_on_any_ground(&self, number: usize, own: &KindCandidates, index: usize) -> f32 {
        let &KindCandidates { kind, ref candidates, region, ref density, edits } = own;
        let candidate = candidates.candidate(index);
        let p = candidate.position;
        // Those of the outermost cells, which do not know their neighbours, are not in it.
        if !region.contains(p) {
            return 0.0;
        }
        let at = self.site.bilinear(p);
        let mut here = at.interpolate(|i| density[i]);
        let is_dense = |here: f32| candidate.threshold() < here;
        if !is_dense(here) || !candidates.has_priority(index) {
            return 0.0;
        }
        here *= suitability(kind, self.site, at, p, self.ground, edits);
        let is_near = |earlier| self.is_near(earlier, p, kind.cells.width);
        if is_dense(here) && !(0..number).any(is_near) { here } else { 0.0 }
    }

    /// Whether one of an earlier kind stands too near.
    fn is_near(&self, earlier: usize, p: [f64; 2], radius: f64) -> bool {
        let Some(candidates) = self.of(earlier) else { return false };
        candidates.any_near(p, radius, |index| self.kept(earlier, index) > 0.0)
    }
}
