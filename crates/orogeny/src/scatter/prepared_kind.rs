//! A kind, prepared for a world and its cover.

use alloc::vec::Vec;

use crate::band::{Band, cubic};
use crate::cover::{Cover, in_range, patches, with_edges};
use crate::error::DataError;
use crate::field::Field;
use crate::fractal::Fractal;
use crate::lattice::hash::derive;
use crate::node::Node;
use crate::node::tree::Tree;
use crate::noise::GradientNoise;
use crate::samples::positions::Grid;
use crate::scatter::candidates::Cells;
use crate::scatter::explanation::Quantity;
use crate::scatter::kind::ScatterKind;
use crate::scatter::site::Site;

/// A kind, prepared for evaluation.
#[derive(Clone, Debug)]
pub(super) struct PreparedKind {
    pub kind: ScatterKind,
    pub cells: Cells,
    /// The density of the scatter.
    pub of_scatter: f32,
    /// The product of its density and that of the scatter.
    density: f32,
    /// The density on each layer of cover.
    on_layers: [f32; Cover::MAX_LAYERS],
    /// The bands of height, slope and curvature.
    pub bands: [Band; 3],
    /// Those of temperature and moisture; `None` if it grows in any climate.
    pub climate: Option<[Band; 2]>,
    /// The noise of its clusters.
    clusters: Option<Tree<2>>,
}

impl PreparedKind {
    /// A checked kind in a world with a cover, with the density of its scatter.
    ///
    /// # Errors
    /// None for numbers within their limits.
    pub fn new(
        kind: &ScatterKind,
        world: u64,
        cover: &Cover,
        density: f32,
    ) -> Result<Self, DataError> {
        let seed = derive(world, kind.seed);
        let clusters = || {
            let noise = GradientNoise::seeded(derive(seed, CLUSTERS));
            let frequency = 1.0 / f64::from(kind.cluster_size);
            Node::from(Fractal { frequency, ..Fractal::fbm(3.0, noise) }).build()
        };
        let bands = with_edges([kind.height, kind.slope, kind.curvature]);
        let mut on_layers = [0.0; Cover::MAX_LAYERS];
        for (density, layer) in on_layers.iter_mut().zip(&cover.layers) {
            *density = kind.density_on(&layer.kind);
        }
        Ok(Self {
            on_layers,
            cells: Cells::new(world, kind.seed, kind.radius),
            of_scatter: density,
            density: density * kind.density,
            bands,
            climate: kind.climate_bands(),
            clusters: (kind.coverage < 1.0).then(clusters).transpose()?,
            kind: kind.clone(),
        })
    }

    /// The part of its density that its clusters leave, at each point of a grid; `None` if it has
    /// even density.
    pub fn clusters_on(&self, grid: &Grid<2>) -> Option<Vec<f32>> {
        let mut parts = vec![0.0; grid.len()];
        self.clusters.as_ref()?.value_grid(grid, &mut parts);
        for part in &mut parts {
            *part = patches(self.kind.coverage, (SPREAD * *part).clamp(-1.0, 1.0));
        }
        Some(parts)
    }

    /// Its density on cover with these weights.
    #[inline]
    pub fn on_cover(&self, weights: &[f32; Cover::MAX_LAYERS]) -> f32 {
        let on_layers = self.on_layers.iter().zip(weights);
        on_layers.map(|(density, weight)| density * weight).sum()
    }

    /// What its band of a number leaves of its density: 1 without one that is soft.
    #[inline]
    pub fn within(&self, quantity: Quantity, x: f32) -> f32 {
        let at = in_range(x, x, x);
        let in_band = |i: usize| self.bands[i].opacity(at[i]);
        let in_climate = |i: usize| self.climate.map_or(1.0, |bands| bands[i].opacity(x));
        match quantity {
            Quantity::Height => in_band(0),
            Quantity::Slope => in_band(1),
            Quantity::Curvature => in_band(2),
            Quantity::Temperature => in_climate(0),
            Quantity::Moisture => in_climate(1),
            Quantity::Bank | Quantity::Edit | Quantity::Depth => 1.0,
        }
    }

    /// Whether there is any of it.
    pub fn has_density(&self) -> bool {
        self.density > 0.0 && self.kind.coverage > 0.0
    }

    /// Whether any curvature suits it.
    #[inline]
    pub fn suits_any_curvature(&self) -> bool {
        let [_, _, band] = self.bands;
        band.min <= -1.0 && 1.0 <= band.max
    }

    /// The part of its density that the climate at a position of a site leaves.
    pub fn in_climate(&self, site: &Site, p: [f64; 2]) -> f32 {
        let Some([temperature, moisture]) = self.climate else { return 1.0 };
        let climate = site.climate(site.bilinear(p));
        temperature.opacity(climate.temperature) * moisture.opacity(climate.moisture)
    }

    /// Its size, given a random number, the density where it stands, and the part of it that the
    /// climate has left.
    pub fn size(&self, number: f32, density: f32, climate: f32) -> f32 {
        let ScatterKind { size_min, size_max, stunting, .. } = self.kind;
        let share = cubic(density / (self.density * climate));
        (size_min + number * (size_max - size_min)) * (1.0 - stunting * (1.0 - share))
    }
}

/// Keeps clusters apart from other noises of the same seed.
const CLUSTERS: u64 = 0xc105;
/// The sum of octaves is mostly near 0. This factor, with a clamp, spreads it over -1 to 1.
const SPREAD: f32 = 2.5;
