//! How dense a kind is, for maps of it.

use alloc::vec::Vec;

use crate::edits::Planting;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kind_id::KindId;
use crate::limits::{OutOfLimits, POSITION};
use crate::region::Region;
use crate::scatter::placement::Placement;
use crate::scatter::suitability::{edits_near, suitability};

/// The width in metres of the squares that are evaluated at a time.
const SQUARE: f64 = 256.0;

impl Placement {
    /// The density of a kind at positions, 0 to 1: as its cover, its bands, its clusters, water and
    /// edits decide, before instances keep their distance from others. A kind that there is
    /// not has density 0 everywhere.
    ///
    /// Positions may be in any order. Those near each other share their work: it evaluates the
    /// ground around those in each square of 256 m.
    ///
    /// # Errors
    /// A coordinate beyond [`POSITION`].
    pub fn densities(&self, kind: KindId, positions: &[[f64; 2]]) -> Result<Vec<f32>, OutOfLimits> {
        positions.as_flattened().iter().try_for_each(|&x| POSITION.check(x))?;
        let mut densities = vec![0.0; positions.len()];
        let index = self.kinds.iter().position(|own| own.kind.id() == kind);
        let Some(index) = index else { return Ok(densities) };
        let square = |i: &usize| positions[*i].map(|x| (x / SQUARE).floor() as i64);
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_unstable_by_key(|i| (square(i), *i));
        for part in order.chunk_by(|i, j| square(i) == square(j)) {
            self.densities_of(index, positions, part, &mut densities);
        }
        Ok(densities)
    }

    /// Those of some positions near each other.
    fn densities_of(
        &self,
        index: usize,
        positions: &[[f64; 2]],
        part: &[usize],
        densities: &mut [f32],
    ) {
        let of = |i: &usize| Region::around(positions[*i], [0.0; 2]);
        let region = part.iter().map(of).fold(Region::EMPTY, |all, one| all.union(&one));
        let kind = &self.kinds[index];
        let site = self.sites.on(&self.ground, &region, self.kinds.len());
        let Some(on_site) = site.density(index, kind) else { return };
        let edits = edits_near(kind, &self.ground, &region);
        for &i in part {
            let p = positions[i];
            let at = site.bilinear(p);
            let here = at.interpolate(|i| on_site[i]);
            if here > 0.0 {
                let here = here * suitability(kind, &site, at, p, &self.ground, edits);
                let stands = || kind.may_stand(p, &self.ground.smooth.sample(p), &self.ground);
                densities[i] = if here > 0.0 && stands() { here } else { 0.0 };
            }
        }
        self.ground.edits().each_planting(&region, |planting| {
            let Planting::Clear(clear) = planting else { return };
            for &i in part {
                if clear.removes(kind.kind.id(), positions[i]) {
                    densities[i] = 0.0;
                }
            }
        });
    }
}
