//! Where a kind cannot grow: what proven bounds of the ground say about it.

use crate::arrays::Each;
use crate::band::Band;
use crate::cover::{CoverLayer, in_range};
use crate::derivative::bounds::Bounds;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::{SPACING, depth};

/// What bounds say about the ground of a region and the lattice around it.
pub(super) struct Prospect<'a> {
    ground: &'a ScatterGround,
    region: Region,
    /// The mean temperature and the moisture, each from the minimum to the maximum.
    climate: [[f32; 2]; 2],
    /// The minimum and the maximum height.
    height: [f32; 2],
    /// The largest slope.
    slope: f32,
    /// Whether edits change it.
    is_edited: bool,
}

impl ScatterGround {
    /// What bounds say about a region.
    pub(super) fn around(&self, region: &Region) -> Prospect<'_> {
        let center = [0, 1].each(|k| 0.5 * (region.min[k] + region.max[k]));
        let half = [0, 1].each(|k| 0.5 * (region.max[k] - region.min[k]));
        // The points of the lattice around it count.
        let radius = (half[0] * half[0] + half[1] * half[1]).sqrt() + 2.0 * SPACING;
        let Bounds { min, max, lipschitz, .. } = self.smooth.local_bounds(center, radius);
        // Samples are rounded, and so are bands.
        let reach = |x: f64| 1e-2 + 1e-5 * x.abs();
        let height = [min - reach(min), max + reach(max)].each(|x| x as f32);
        let slope = (lipschitz + reach(lipschitz)) as f32;
        Prospect {
            ground: self,
            region: *region,
            climate: self.climate.range(center, radius, height, slope),
            height,
            slope,
            is_edited: self.edits().touch_ground(&region.grown(2.0 * SPACING)),
        }
    }
}

impl PreparedKind {
    /// Whether it may grow somewhere in a region.
    pub fn may_grow(&self, at: &Prospect) -> bool {
        self.has_density()
            && self.may_be_by_edits(at)
            && self.may_be_in_water(at)
            && may_be_in_climate(at, self.climate, 0.0)
            && may_be_in(at, self.bands, 0.0)
            && self.may_have_cover(at)
    }

    /// Kinds that line edits grow only near some.
    fn may_be_by_edits(&self, at: &Prospect) -> bool {
        !self.kind.is_along_edits()
            || at.ground.edits().touch_ground(&at.region.grown(self.kind.edit_reach()))
    }

    /// Floods may be of any depth.
    fn may_be_in_water(&self, at: &Prospect) -> bool {
        let [deepest, shallowest] =
            at.height.each(|height| depth(at.ground.appearance.sea_level, height));
        at.is_edited || self.kind.depth.min <= deepest && shallowest <= self.kind.depth.max
    }

    fn may_have_cover(&self, at: &Prospect) -> bool {
        let may_cover = |layer: &CoverLayer| {
            // Paint and banks lie over all bands.
            let is_anywhere = at.is_edited || layer.is_bank();
            is_anywhere
                || may_be_in(at, layer.bands(), layer.edge_noise)
                    && may_be_in_climate(at, layer.climate_bands(), layer.edge_noise)
        };
        let mut layers = at.ground.appearance.cover.layers.iter().enumerate();
        layers.any(|(i, layer)| {
            self.kind.density_on(&layer.kind) > 0.0 && (i == 0 || may_cover(layer))
        })
    }
}

/// Whether some ground of a region may be within bands of temperature and moisture, if there are
/// some, whose edges are displaced by up to some of their widths.
fn may_be_in_climate(at: &Prospect, bands: Option<[Band; 2]>, displaced: f32) -> bool {
    let mut both = bands.into_iter().flatten().zip(at.climate);
    both.all(|(band, range)| band.overlaps(range, displaced))
}

/// Whether some ground of a region may be within bands of height and slope, whose edges are
/// displaced by up to some of their widths.
fn may_be_in(at: &Prospect, [height, slope, _]: [Band; 3], displaced: f32) -> bool {
    let [_, largest, _] = in_range(0.0, at.slope, 0.0);
    height.overlaps(at.height, displaced) && slope.overlaps([0.0, largest], displaced)
}

#[cfg(test)]
mod tests {
    use crate::band::Band;
    use crate::cover::CoverKind;
    use crate::region::Region;
    use crate::scatter::ScatterKind;
    use crate::tests::scatter::rivers;

    /// What is left out is empty.
    #[test]
    fn bounds_leave_out_only_what_is_bare() {
        let mut recipe = rivers();
        let bands = |kind: &mut ScatterKind, min, max| {
            kind.height = Band { min, max, soft: 10.0 };
        };
        bands(&mut recipe.scatter.kinds[0], 40.0, 45.0);
        bands(&mut recipe.scatter.kinds[1], 90.0, 300.0);
        let layers = recipe.cover.layers.iter_mut();
        let forest = layers.filter(|layer| layer.kind == CoverKind::Forest);
        forest.for_each(|layer| layer.height.max = 35.0);
        recipe.scatter.kinds[2].grass = 0.0;
        recipe.scatter.kinds[2].depth.max = -20.0;
        let ground = recipe.build().unwrap();
        let placement = ground.placement();
        let (mut left_out, mut count) = (0, 0);
        for i in 0..200 {
            let min = [i % 14 - 7, i / 14 - 7].map(|k| f64::from(k) * 200.0);
            let max = min.map(|x| x + 100.0);
            for kind in 0..3 {
                let region = Region { min, max };
                let prospect = placement.ground.around(&region);
                let may_grow = placement.kinds[kind].may_grow(&prospect);
                let places: Vec<_> = (0..1600)
                    .map(|i| [i % 40, i / 40].map(|k| f64::from(k) * 2.5))
                    .map(|p| [min[0] + p[0], min[1] + p[1]])
                    .collect();
                let densities =
                    placement.densities(placement.kinds[kind].kind.id(), &places).unwrap();
                let grows = densities.iter().any(|&density| density > 0.0);
                assert!(may_grow || !grows, "kind {kind} at {min:?}");
                left_out += usize::from(!may_grow);
                count += usize::from(!grows);
            }
        }
        assert!(left_out * 3 > count && count > 100, "{left_out} of {count}");
    }
}
