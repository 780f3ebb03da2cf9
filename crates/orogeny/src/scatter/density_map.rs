//! How dense a kind is, for maps of it.

use alloc::vec::Vec;

use crate::edits::Planting;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::placement::Placement;
use crate::scatter::site::FARTHEST;
use crate::scatter::suitability::{edits_near, suitability};

/// The width in metres of the squares that are evaluated at a time.
const SQUARE: f64 = 256.0;

impl Placement {
    /// The density of a kind at positions, 0 to 1: as its cover, its bands, its clusters, water and
    /// edits decide, before instances keep their distance from others. `kind` is an index; a kind
    /// that there is not has density 0 everywhere.
    ///
    /// Positions may be anywhere. Those near each other share their work: it evaluates the ground
    /// around those in each square of 256 m. Beyond 1e15 m from the origin nothing grows.
    pub fn densities(&self, kind: usize, positions: &[[f64; 2]]) -> Vec<f32> {
        let mut densities = vec![0.0; positions.len()];
        let square = |i: &usize| positions[*i].map(|x| (x / SQUARE).floor() as i64);
        let is_valid = |i: &usize| positions[*i].iter().all(|x| x.abs() < FARTHEST);
        let mut order: Vec<usize> = (0..positions.len()).filter(is_valid).collect();
        order.sort_unstable_by_key(|i| (square(i), *i));
        for part in order.chunk_by(|i, j| square(i) == square(j)) {
            self.densities_of(kind, positions, part, &mut densities);
        }
        densities
    }

    /// Those of some positions near each other.
    fn densities_of(
        &self,
        kind: usize,
        positions: &[[f64; 2]],
        part: &[usize],
        densities: &mut [f32],
    ) {
        let area = part.iter().map(|&i| positions[i]).fold(Region::EMPTY, |area, p| Region {
            min: [0, 1].map(|k| area.min[k].min(p[k])),
            max: [0, 1].map(|k| area.max[k].max(p[k])),
        });
        let Some(kind) = self.kinds.get(kind) else { return };
        let site = self.sites.on(&self.ground, &area);
        let Some(on_site) = kind.on(&site) else { return };
        let edits = edits_near(kind, &self.ground, &area);
        for &i in part {
            let p = positions[i];
            let place = site.place(p);
            let here = place.among(|i| on_site[i]);
            if here > 0.0 {
                let here = here * suitability(kind, &site, place, p, &self.ground, edits);
                let stands = || kind.may_stand(p, &self.ground.smooth.sample(p), &self.ground);
                densities[i] = if here > 0.0 && stands() { here } else { 0.0 };
            }
        }
        self.ground.edits.each_planting(&area, |planting| {
            let Planting::Clear(clear) = planting else { return };
            for &i in part {
                if clear.removes(kind.kind.seed, positions[i]) {
                    densities[i] = 0.0;
                }
            }
        });
    }
}
