//! One layer of cover.

use alloc::boxed::Box;
use alloc::string::String;

use super::CoverPoint;
use crate::arrays::Each;
use crate::band::{Band, cubic, with_ground_bands};
use crate::climate::ClimatePoint;
use crate::error::DataError;
use crate::limits::Parameters;
use crate::texture::{COLOUR, TextureRecipe};

/// The material of a layer: its colour and detail up close, and a tag for games.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum CoverKind {
    /// Bare rock with cracks.
    #[default]
    Rock,
    /// Loose stones.
    Scree,
    /// Grass and herbs.
    Grass,
    /// The floor of a forest: needles, moss and low shrubs.
    Forest,
    /// Sand with ripples.
    Sand,
    /// Snow.
    Snow,
    /// A kind of the game's own, by its name. The game provides its texture, or the layer does.
    Custom(String),
}

impl CoverKind {
    /// All kinds but the custom ones.
    pub const ALL: [Self; 6] =
        [Self::Rock, Self::Scree, Self::Grass, Self::Forest, Self::Sand, Self::Snow];

    /// Its name: that of the variant, or a custom one.
    pub fn name(&self) -> &str {
        match self {
            Self::Rock => "Rock",
            Self::Scree => "Scree",
            Self::Grass => "Grass",
            Self::Forest => "Forest",
            Self::Sand => "Sand",
            Self::Snow => "Snow",
            Self::Custom(name) => name,
        }
    }

    /// The default colour: sRGB, 0 to 1.
    pub const fn colour(&self) -> [f32; 3] {
        match self {
            Self::Rock => [0.37, 0.355, 0.34],
            Self::Scree => [0.43, 0.41, 0.375],
            Self::Grass => [0.29, 0.33, 0.17],
            Self::Forest => [0.25, 0.245, 0.14],
            Self::Sand => [0.66, 0.60, 0.46],
            Self::Snow => [0.93, 0.95, 0.98],
            Self::Custom(_) => [0.5; 3],
        }
    }
}

with_ground_bands! {
    /// One layer of a [`Cover`](crate::Cover).
    ///
    /// The layer covers points whose height, slope, curvature, temperature and moisture are all
    /// within its bands: its opacity is the product of those of its [`Band`]s at x. Here x is the
    /// height, the slope (at most 100), the curvature (clamped to -1 to 1), the temperature of the
    /// season (for banks, the mean one) or the moisture of the [`Climate`](crate::Climate), plus
    /// `edge_noise` * `soft` * n, and n is a noise from -1 to 1 with features of 1 to 200 m. Where
    /// `coverage` is less than 1, patches of some 10 to 300 m inside the bands stay bare.
    ///
    /// A layer with a `bank.max` below its default is one of the banks of rivers and lakes: it
    /// covers only ground up to that distance from the water, with edges `bank.soft` wide, and lies
    /// over all layers that are not. Curvature does not count for it.
    pub struct CoverLayer {
        /// The material of the layer.
        kind: CoverKind = CoverKind::Rock,
        /// The colour: sRGB, each component 0 to 1. `None` for the colour of the kind.
        colour: Option<[f32; 3]> = None,
        /// The recipe of the texture. `None` for the texture of the kind.
        texture: Option<Box<TextureRecipe>> = None,
    }
    numbers {}
    ground {
        height.soft: 40,
        slope.max: 1000,
        slope.soft: 0.2,
        moisture.soft: 0.1,
    }
    bands {
        /// The distance from rivers and lakes.
        bank: Band = BANK {
            /// There is no minimum.
            min: -1e6 "m", -1e6 to -1e6;
            /// The maximum distance from rivers and lakes. Including the edge, it must be at most
            /// 1.5 times the spacing of the finest rivers.
            max: 1e6 "m", -1e3 to 1e6;
            /// The width of the edge at the maximum distance.
            soft: 5 "m", 0 to 1e5;
        }
    }
    numbers {
        /// How far noise displaces the edges of the bands, in edge widths.
        edge_noise: f32 = 1 "", 0 to 8;
        /// The fraction of the ground inside the bands that the layer covers, in patches. With 0,
        /// it appears only where it is painted, see [`Paint`](crate::edits::Paint).
        coverage: f32 = 1 "", 0 to 1;
        /// The contrast of strata: folded bands of colour about ten metres high.
        strata: f32 = 0 "", 0 to 1;
        /// The roughness of the surface up close, relative to the kind.
        detail: f32 = 1 "", 0 to 4;
    }
}

/// The width of the edges of a patch, in units of the patch noise.
const PATCH: f32 = 0.25;

impl CoverLayer {
    /// A layer of a kind in its default colour, without bands.
    pub fn of(kind: CoverKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Its colour: sRGB, each component 0 to 1.
    pub fn colour(&self) -> [f32; 3] {
        self.colour.unwrap_or(self.kind.colour())
    }

    /// The bands of height, slope and curvature, with edges that are wider than 0.
    pub fn bands(&self) -> [Band; 3] {
        with_edges([self.height, self.slope, self.curvature])
    }

    /// The bands of temperature and moisture, with edges that are wider than 0; `None` if it covers
    /// ground in any climate.
    pub fn climate_bands(&self) -> Option<[Band; 2]> {
        climate_bands([self.temperature, self.moisture])
    }

    /// Whether it covers banks of rivers and lakes.
    pub fn is_bank(&self) -> bool {
        self.bank.max < 1e6
    }

    /// The distance from the water beyond which it covers no banks, in metres.
    pub(crate) fn bank_reach(&self) -> f64 {
        let Band { max, soft, .. } = self.bank.with_edges();
        // More than rounding errors.
        f64::from(max) + f64::from(soft) * (0.501 + 1.001 * f64::from(self.edge_noise))
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        if let Some(texture) = &self.texture {
            texture.check().map_err(|error| error.under("texture"))?;
        }
        self.colour().into_iter().try_for_each(|part| COLOUR.check(part.into()))?;
        self.check_order()
    }

    /// Its opacity at a point, given the noises at that point.
    pub(crate) fn opacity(&self, point: &CoverPoint, edge: f32, patch: f32) -> f32 {
        let at = in_range(point.height, point.slope, point.curvature);
        let displaced = |(x, band): (f32, Band)| self.displaced(band, x, edge);
        let within: f32 = at.into_iter().zip(self.bands()).map(displaced).product();
        let climate = self.climate_bands().map_or(1.0, |bands| {
            let ClimatePoint { temperature, moisture } = point.climate;
            [temperature, moisture].into_iter().zip(bands).map(displaced).product()
        });
        within * climate * patches(self.coverage, patch)
    }

    /// Its opacity at a distance from the water, if it is one of banks.
    pub(crate) fn bank_opacity(
        &self,
        point: &CoverPoint,
        distance: f32,
        edge: f32,
        patch: f32,
    ) -> f32 {
        let near = self.displaced(self.bank.with_edges(), distance, edge);
        near * self.opacity(&CoverPoint { curvature: 0.0, ..*point }, edge, patch)
    }

    /// The opacity at x of a band whose edges the noise displaces.
    fn displaced(&self, band: Band, x: f32, edge: f32) -> f32 {
        band.opacity(x + self.edge_noise * band.soft * edge)
    }
}

/// Height, slope and curvature in the ranges that meshes and shaders can store.
pub(crate) fn in_range(height: f32, slope: f32, curvature: f32) -> [f32; 3] {
    // `min` would turn NaN into 100.
    let slope = if slope > 100.0 { 100.0 } else { slope };
    [height, slope, curvature.clamp(-1.0, 1.0)]
}

/// Bands of height, slope and curvature with edges that are wider than 0.
pub(crate) fn with_edges([height, mut slope, curvature]: [Band; 3]) -> [Band; 3] {
    // No slope is below 0, so a band from 0 has no lower edge.
    slope.min = if slope.min > 0.0 { slope.min } else { -1e6 };
    [height, slope, curvature].each(Band::with_edges)
}

/// Bands of temperature and moisture with edges that are wider than 0; `None` if neither has an
/// edge.
pub(crate) fn climate_bands([temperature, moisture]: [Band; 2]) -> Option<[Band; 2]> {
    let is_choosy = temperature.min > -1e3
        || temperature.max < 1e3
        || moisture.min > -1.0
        || moisture.max < 2.0;
    is_choosy.then(|| [temperature, moisture].each(Band::with_edges))
}

/// The opacity of patches that cover a fraction of the ground, given a noise from -1 to 1.
pub(crate) fn patches(coverage: f32, noise: f32) -> f32 {
    // Covered where the noise is below a threshold, which goes past both ends of its range.
    let threshold = (2.0 * coverage - 1.0) * (1.0 + PATCH);
    cubic((threshold - noise) / (2.0 * PATCH) + 0.5)
}
