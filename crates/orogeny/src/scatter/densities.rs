//! How dense a kind is at positions, and why.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::cover::CoverKind;
use crate::derivative::sample::Sample;
use crate::edits::Planting;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kind_id::KindId;
use crate::limits::{OutOfLimits, POSITION};
use crate::position::Position;
use crate::region::Region;
use crate::scatter::criteria::{Criterion, Here, edits_near, product};
use crate::scatter::explanation::{Cause, CoverShare, Explanation, Factor, Quantity};
use crate::scatter::placement::Placement;

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
        let square = |i: &usize| positions[*i].each(|x| (x / SQUARE).floor() as i64);
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
                let place = Here { kind, ground: &self.ground, site: &site, edits, p, at };
                let here = here * place.suitability();
                let stands = || place.may_stand(&self.ground.smooth.sample(p));
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

    /// Why a kind grows at a position, or does not: all factors of its density there, with what was
    /// found and what the kind needs. `None` if the scatter has no such kind.
    ///
    /// The density is that of [`densities`](Self::densities), so instances that keep their distance
    /// from others do not count: where it is above 0 and nothing stands, what does is that of
    /// earlier kinds.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use orogeny::scatter::{Scatter, ScatterKind};
    /// use orogeny::{Appearance, Climate, Landscape, Node};
    ///
    /// // Level ground at a height of 200 m, covered with grass and some forest.
    /// let plain = Node::<2>::Constant(200.0).build()?;
    /// let climate = Climate { temperature: 6.2, ..Climate::default() };
    /// let temperature = ScatterKind::TEMPERATURE.above(7.0);
    /// let palm = ScatterKind { grass: 1.0, forest: 1.0, temperature, ..ScatterKind::default() };
    /// let scatter = Scatter { kinds: vec![palm.clone()], ..Scatter::default() };
    /// let appearance = Appearance { climate, scatter, ..Appearance::default() };
    /// let ground = Landscape::new(Arc::new(plain), &appearance, 42)?;
    ///
    /// let placement = ground.placement();
    /// let explanation = placement.explain(palm.id(), [300.0, -80.0])?.expect("a known kind");
    /// assert_eq!(explanation.density(), 0.0);
    /// let reason = explanation.reason().expect("there is none");
    /// assert_eq!(reason, "temperature: 4.9 °C, the kind needs at least 7 °C");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate beyond [`POSITION`].
    pub fn explain<T>(
        &self,
        kind: KindId,
        at: impl Position<2, T>,
    ) -> Result<Option<Explanation>, OutOfLimits> {
        let position = at.coordinates();
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        let index = self.kinds.iter().position(|own| own.kind.id() == kind);
        let factors = index.map(|index| self.factors(index, position));
        Ok(factors.map(|factors| Explanation { kind, position, factors }))
    }

    fn factors(&self, index: usize, p: [f64; 2]) -> Vec<Factor> {
        let (kind, ground) = (&self.kinds[index], &self.ground);
        let region = Region::around(p, [0.0; 2]);
        let site = &self.sites.on(ground, &region, self.kinds.len());
        let (at, edits) = (site.bilinear(p), edits_near(kind, ground, &region));
        let here = Here { kind, ground, site, edits, p, at };
        let sample = ground.smooth.sample(p);
        let clusters = kind.clusters_on(&site.grid);
        let on_site = |criterion: Criterion, i: usize| match (criterion, &clusters) {
            (Criterion::Clusters, Some(clusters)) => clusters[i],
            _ => criterion.at(kind, &site.points[i]),
        };
        // As if all other factors were 1.
        let of_first = |count: usize| {
            let first = &Criterion::ALL[..count];
            let one = |criterion: Criterion, i| {
                if first.contains(&criterion) { on_site(criterion, i) } else { 1.0 }
            };
            at.interpolate(|i| product(|criterion| one(criterion, i)) * one(Criterion::Clusters, i))
        };
        let is_ground = !of_first(Criterion::ALL.len()).is_nan();

        let mut factors = Vec::new();
        // What is left at the points of the lattice, and at the position itself.
        let (mut before, mut kept) = (1.0, 1.0);
        for (i, criterion) in Criterion::ALL.into_iter().enumerate() {
            if !here.matters(criterion) {
                continue;
            }
            let suits =
                here.suits(criterion, &sample) && (is_ground || criterion != Criterion::Ground);
            let own = here.by_position(criterion) * f32::from(suits);
            let left = of_first(i + 1);
            let factor = if before * kept > 0.0 {
                left / before
            } else {
                at.interpolate(|i| on_site(criterion, i))
            };
            kept *= own;
            // NaN, where there is no ground, counts as 0; quotients may be rounded to above 1.
            let factor = if factor * own > 0.0 { (factor * own).min(1.0) } else { 0.0 };
            let total = if kept > 0.0 { left * kept } else { 0.0 };
            factors.push(Factor { cause: here.cause(criterion, &sample), factor, left: total });
            before = left;
        }
        factors
    }
}

impl Here<'_> {
    /// Whether a factor can differ from 1 for the kind on this ground.
    fn matters(&self, criterion: Criterion) -> bool {
        match criterion {
            Criterion::Clusters => self.kind.kind.coverage < 1.0,
            Criterion::Within(Quantity::Bank) => self.ground.rivers.is_some(),
            Criterion::Within(Quantity::Edit) => self.edit_distance().is_some(),
            _ => true,
        }
    }

    fn cause(&self, criterion: Criterion, sample: &Sample<2>) -> Cause {
        let kind = &self.kind.kind;
        match criterion {
            Criterion::Ground => Cause::Ground,
            Criterion::Scatter => Cause::Scatter,
            Criterion::Kind => Cause::Kind,
            Criterion::Cover => self.cover(),
            Criterion::Within(quantity) => {
                Cause::Measured(quantity.measured(self.value(quantity, sample), kind))
            }
            Criterion::Clusters => Cause::Clusters { coverage: kind.coverage },
            Criterion::Disturbance => {
                Cause::Disturbance { found: self.disturbance(), disturbed: kind.disturbed }
            }
            Criterion::Cleared => Cause::Cleared,
        }
    }

    fn cover(&self) -> Cause {
        let (kind, at) = (&self.kind.kind, self.at);
        let mut found: Vec<CoverShare> = Vec::new();
        for (i, layer) in self.ground.appearance.cover.layers.iter().enumerate() {
            let weight = self.site.at(at, |point| point.cover[i]);
            let same = found.iter_mut().find(|share| share.cover == layer.kind);
            match same {
                _ if weight.is_nan() || weight <= 0.0 => {}
                Some(share) => share.weight += weight,
                None => found.push(CoverShare {
                    cover: layer.kind.clone(),
                    weight,
                    density: kind.density_on(&layer.kind),
                }),
            }
        }
        let custom = kind.custom.keys().cloned().map(CoverKind::Custom);
        let any = CoverKind::ALL.into_iter().chain(custom);
        let wanted = any.filter(|cover| kind.density_on(cover) > 0.0).collect();
        Cause::Cover { found, wanted }
    }
}
