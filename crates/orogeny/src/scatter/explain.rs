//! Explains the density of a kind at a position, factor by factor.

use alloc::vec::Vec;

use crate::cover::{CoverKind, CoverPoint};
use crate::derivative::sample::Sample;
use crate::edits::{Edits, Planting};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kind_id::KindId;
use crate::limits::{OutOfLimits, POSITION};
use crate::position::Position;
use crate::region::Region;
use crate::scatter::explanation::{Cause, CoverShare, Explanation, Factor};
use crate::scatter::factors::{Product, all, first, point_factors};
use crate::scatter::ground::ScatterGround;
use crate::scatter::placement::Placement;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::quantity::Quantity;
use crate::scatter::site::{Bilinear, FAR, Site};
use crate::scatter::suitability::{
    bank_distance, distance, edits_near, suits_bank, suits_distance, undisturbed,
};

impl Placement {
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
        let factors = |index: usize| self.factors(&self.kinds[index], position);
        Ok(index.map(|index| Explanation { kind, position, factors: factors(index) }))
    }

    fn factors(&self, kind: &PreparedKind, p: [f64; 2]) -> Vec<Factor> {
        let ground = &self.ground;
        let region = Region::around(p, [0.0; 2]);
        let site = &self.sites.on(ground, &region, self.kinds.len());
        let here = Here {
            ground,
            kind,
            p,
            sample: ground.smooth.sample(p),
            site,
            at: site.bilinear(p),
            edits: edits_near(kind, ground, &region),
        };
        let mut product = Product::new();
        here.multiply_ground(&mut product);
        here.multiply_water(&mut product);
        here.multiply_edits(&mut product);
        product.factors
    }
}

/// A position, and the kind and the ground there.
struct Here<'a> {
    ground: &'a ScatterGround,
    kind: &'a PreparedKind,
    p: [f64; 2],
    /// Its height and slopes.
    sample: Sample<2>,
    site: &'a Site,
    at: Bilinear,
    /// The edits, if any may matter.
    edits: Option<&'a Edits>,
}

impl Here<'_> {
    /// Multiplies by what is known on the lattice. Height, slope and curvature must suit the kind
    /// at the position itself, too.
    fn multiply_ground(&self, product: &mut Product) {
        let Self { ground, kind, p, sample, at, .. } = *self;
        let points = point_factors(kind, self.site);
        let has_hole = self.edits.is_some_and(|edits| edits.has_hole(p));
        // It is NaN beside an end of the terrain, too.
        let is_ground = !sample.value.is_nan() && !all(&points, at).is_nan();
        product.multiply(Cause::Ground, f32::from(is_ground && !has_hole));

        let [x, z] = sample.gradient;
        let slope = (x * x + z * z).sqrt();
        let curvature = CoverPoint::curvature_of(&*ground.smooth, p, CoverPoint::SCALE);
        let climate = ground.climate.at(p, &sample);
        let [suits_height, suits_slope] = kind.in_bands(&sample).map(|band| band > 0.0);
        let coverage = kind.kind.coverage;
        let causes = [
            (Cause::Scatter, true),
            (Cause::Kind, true),
            (self.cover(), true),
            (self.measured(Quantity::Height, sample.value), suits_height),
            (self.measured(Quantity::Slope, slope), suits_slope),
            (self.measured(Quantity::Curvature, curvature), kind.suits_curvature(|| curvature)),
            (self.measured(Quantity::Temperature, climate.temperature), true),
            (self.measured(Quantity::Moisture, climate.moisture), true),
            (Cause::Clusters { coverage }, true),
        ];
        let count = if coverage < 1.0 { causes.len() } else { causes.len() - 1 };
        for (i, (cause, suits)) in causes.into_iter().enumerate().take(count) {
            let left = at.interpolate(|point| first(i + 1, &points[point]));
            let alone = at.interpolate(|point| points[point][i]);
            product.interpolate(cause, left, alone, suits);
        }
    }

    /// Multiplies by what the distance from rivers and lakes and the depth under the sea leave.
    fn multiply_water(&self, product: &mut Product) {
        let Self { ground, kind, p, .. } = *self;
        let decides = bank_distance(kind, self.site, self.at, p, ground);
        if let (Some(rivers), Some(bank)) = (&ground.rivers, decides) {
            let cause = self.measured(Quantity::Bank, rivers.bank_distance(p) as f32);
            product.multiply(cause, f32::from(suits_bank(kind, bank)));
        }
        let depth = ground.depth(p, self.sample.value);
        let known = if depth == -FAR { f32::NEG_INFINITY } else { depth };
        product.multiply(self.measured(Quantity::Depth, known), f32::from(kind.suits_depth(depth)));
    }

    /// Multiplies by what edits leave.
    fn multiply_edits(&self, product: &mut Product) {
        let Self { kind, p, edits, .. } = *self;
        if let Some(distance) = distance(kind, edits, p) {
            let cause = self.measured(Quantity::Edit, distance as f32);
            product.multiply(cause, f32::from(suits_distance(kind, Some(distance))));
        }
        let found = edits.map_or(0.0, |edits| edits.disturbance(p));
        let cause = Cause::Disturbance { found, disturbed: kind.kind.disturbed };
        product.multiply(cause, undisturbed(kind, edits, p));
        product.multiply(Cause::Cleared, f32::from(!self.is_cleared()));
    }

    fn measured(&self, quantity: Quantity, value: f32) -> Cause {
        Cause::Measured(quantity.measured(value, &self.kind.kind))
    }

    fn cover(&self) -> Cause {
        let kind = &self.kind.kind;
        let mut found: Vec<CoverShare> = Vec::new();
        for (i, layer) in self.ground.appearance.cover.layers.iter().enumerate() {
            let weight = self.site.at(self.at, |point| point.cover[i]);
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

    /// Whether an edit has cleared the ground of the kind.
    fn is_cleared(&self) -> bool {
        let mut is_cleared = false;
        self.ground.edits().each_planting(&Region::around(self.p, [0.0; 2]), |planting| {
            if let Planting::Clear(clear) = planting {
                is_cleared |= clear.removes(self.kind.kind.id(), self.p);
            }
        });
        is_cleared
    }
}
