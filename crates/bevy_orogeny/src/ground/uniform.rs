//! What the shader of the ground knows of the cover, in the format of `bindings.wgsl`.

use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use bevy_math::{UVec2, UVec4, Vec2, Vec3, Vec4};
use bevy_render::render_resource::ShaderType;
use half::f16;
use orogeny::cover::{CoverKind, CoverLayer};
use orogeny::scatter::{Model, Scatter, ScatterKind};
use orogeny::{Appearance, Band, Climate, Cover};

use crate::base::origin::ORIGIN_STEP;
use crate::ground::arrays::{Slot, canopy_slot, slot_of};
use crate::ground::forms;
use crate::render::DrawnParts;
use crate::scatter::{SAPLING, TREES_THIN_OUT};

/// A layer.
#[derive(ShaderType, Clone, Copy, Default)]
struct LayerUniform {
    height: Vec4,
    slope: Vec4,
    curvature: Vec4,
    temperature: Vec4,
    moisture: Vec4,
    texture: UVec4,
    scales: Vec4,
    trees: Vec4,
    forms: Vec2,
}

/// The smallest width of a band's edges.
const SHARPEST: f32 = 1e-3;

/// Where trees of a kind grow, and their colour from afar.
#[derive(ShaderType, Clone, Copy, Default)]
struct TreesUniform {
    height: Vec4,
    slope: Vec4,
    temperature: Vec4,
    moisture: Vec4,
    colour: Vec4,
}

/// The maximum number of kinds of trees in the canopy: the densest ones.
const TREES: usize = 4;

/// All layers.
#[derive(ShaderType, Clone, Default)]
pub(super) struct GroundUniform {
    layers: [LayerUniform; Cover::MAX_LAYERS],
    settings: Vec4,
    canopy: Vec4,
    climate: Vec4,
    trees: [TreesUniform; TREES],
    detail: Vec4,
}

impl LayerUniform {
    fn new(layer: &CoverLayer, slots: &[Slot], woods: &Woods) -> Self {
        let [mut height, slope, curvature] = layer.bands();
        if layer.is_bank() {
            // Chunks have it as paint.
            height.min = NOWHERE;
        }
        // 1 if the climate counts.
        let climate =
            |[temperature, moisture]: [Band; 2]| [with(temperature, 0.0), with(moisture, 1.0)];
        let [temperature, moisture] = layer.climate_bands().map_or([Vec4::ZERO; 2], climate);
        let bands = Self {
            height: with(height, layer.edge_noise),
            slope: with(slope, layer.coverage),
            curvature: with(curvature, layer.strata),
            temperature,
            moisture,
            trees: woods.on(&layer.kind),
            ..Self::default()
        };
        let index = slot_of(slots, layer);
        let Some(slot) = slots.get(index) else {
            let mean = halves(linear(layer.colour()).extend(0.9));
            return Self { texture: UVec4::new(0, 0, mean.x, mean.y), ..bands };
        };
        let texture = Vec3::from(slot.mean());
        let mean = match (layer.colour, slot.tint) {
            (None, Some(tint)) => texture * Vec3::from(tint),
            _ => linear(layer.colour()),
        };
        let forms = forms::of_kind(&layer.kind);
        Self {
            texture: UVec4::from((
                halves(texture.max(Vec3::splat(1e-3)).recip().extend(index as f32)),
                halves(mean.extend(slot.roughness())),
            )),
            scales: Vec4::new(
                tiles_per_metre(slot.width),
                forms.map_or(1.0, |(_, width)| tiles_per_metre(width)),
                slot.bump * layer.detail,
                slot.height_blend,
            ),
            forms: forms.map_or(Vec2::ZERO, |(index, _)| {
                Vec2::new(index as f32, slot.forms * layer.detail)
            }),
            ..bands
        }
    }
}

/// Four numbers of half the precision.
fn halves(v: Vec4) -> UVec2 {
    let [x, y, z, w] = v.to_array().map(|x| u32::from(f16::from_f32(x).to_bits()));
    UVec2::new(x | y << 16, z | w << 16)
}

/// A band, and another number.
fn with(Band { min, max, soft }: Band, other: f32) -> Vec4 {
    Vec4::new(min, max, soft, other)
}

/// Tiles per metre: a whole number in a step of the origin, so that textures stay in place when it
/// moves.
fn tiles_per_metre(width: f32) -> f32 {
    let step = ORIGIN_STEP as f32;
    (step / width).round().max(1.0) / step
}

fn linear([r, g, b]: [f32; 3]) -> Vec3 {
    LinearRgba::from(Srgba::rgb(r, g, b)).to_vec3()
}

/// What stands on the ground, and the climate in which it does.
struct Woods<'a> {
    scatter: &'a Scatter,
    climate: &'a Climate,
    /// Whether chunks know the climate of their place. Otherwise only its mean counts.
    has_climates: bool,
}

impl Woods<'_> {
    fn uniform(&self, kind: &ScatterKind, sea_level: Option<f32>) -> TreesUniform {
        // None grow deeper under the sea than that.
        let shore = sea_level.map_or(f32::NEG_INFINITY, |level| level - kind.depth.max);
        let height = kind.height.above(kind.height.min.max(shore));
        let patches = if self.has_climates { 0.0 } else { 2.0 * self.climate.warm_patches };
        // No edge is sharp: a quotient of 0 and 0 would be black.
        let blurred = |band: Band, by: f32| band.soft(band.soft.max(SHARPEST) + by);
        let anywhere = Band { min: -1.0, max: 2.0, soft: 0.1 };
        let moisture = if self.has_climates { blurred(kind.moisture, 0.0) } else { anywhere };
        TreesUniform {
            height: with(height, 0.0),
            slope: with(kind.slope, 0.0),
            temperature: with(blurred(kind.temperature, patches), 0.0),
            moisture: with(moisture, 0.0),
            colour: crowns(kind).extend(1.0),
        }
    }
}

/// The colour of the crowns of a kind from afar, linear.
fn crowns(kind: &ScatterKind) -> Vec3 {
    let [r, g, b] = match kind.model {
        Model::Pine => [0.19, 0.21, 0.125],
        Model::Broadleaf => [0.18, 0.225, 0.1],
        Model::Birch => [0.21, 0.245, 0.12],
        _ => [0.16, 0.2, 0.11],
    };
    linear([r * kind.red, g * kind.green, b * kind.blue])
}

/// The kinds of trees that a canopy has from afar, the densest first.
fn trees(scatter: &Scatter) -> impl Iterator<Item = &ScatterKind> {
    use Model::{Birch, Broadleaf, Pine, Spruce};
    let is_tree = |kind: &&ScatterKind| {
        matches!(kind.model, Spruce | Pine | Broadleaf | Birch) && kind.size_max >= SAPLING
    };
    // Those along roads and rivers are few.
    let trees = scatter.kinds.iter().filter(is_tree).filter(|kind| !kind.is_local());
    let mut trees: Vec<&ScatterKind> = trees.collect();
    let densest = |kind: &ScatterKind| {
        let all = CoverKind::ALL.iter().map(|cover| kind.density_on(cover));
        kind.density * all.chain(kind.custom.values().copied()).fold(0.0, f32::max)
    };
    trees.sort_by(|a, b| densest(b).total_cmp(&densest(a)));
    trees.into_iter().take(TREES)
}

impl Woods<'_> {
    /// The part of a kind of cover that each kind of trees covers, in a suitable climate.
    fn on(&self, cover: &CoverKind) -> Vec4 {
        let mut parts = [0.0; TREES];
        for (part, kind) in parts.iter_mut().zip(trees(self.scatter)) {
            let moisture = if self.has_climates { 1.0 } else { self.mean_moisture(kind) };
            *part = self.scatter.density * kind.density * kind.density_on(cover) * moisture;
        }
        Vec4::from_array(parts)
    }

    /// What the mean moisture leaves of a kind.
    fn mean_moisture(&self, kind: &ScatterKind) -> f32 {
        let soft = kind.moisture.soft + 2.0 * self.climate.moist_patches;
        let edge = |x: f32| (x / soft.max(1e-3) + 0.5).clamp(0.0, 1.0);
        let mean = self.climate.moisture;
        edge(mean - kind.moisture.min) * edge(kind.moisture.max - mean)
    }
}

/// The depth in metres below which nobody sees textures of the ground from above.
const DARK: f32 = 100.0;
/// The distances in metres between which a canopy takes the place of trees, as these thin out.
const CANOPY: [f32; 2] = [1.3 * TREES_THIN_OUT[0], TREES_THIN_OUT[1]];
/// A height above all ground.
const NOWHERE: f32 = 1e9;
/// The sea level of a terrain without a sea: below all ground.
const NO_SEA: f32 = -1e9;

impl GroundUniform {
    /// The uniform of a cover with textures, of which a pixel samples so many, beside what is
    /// drawn.
    pub fn new(appearance: &Appearance, slots: &[Slot], layers: u32, drawn: DrawnParts) -> Self {
        let Appearance { cover, sea_level, climate, scatter } = appearance;
        let bare = Scatter::default();
        let scatter = if drawn.plants { scatter } else { &bare };
        let woods = Woods { scatter, climate, has_climates: appearance.has_climates() };
        let drawn_sea = sea_level.filter(|_| drawn.water);
        let mut all = [LayerUniform::default(); Cover::MAX_LAYERS];
        for (uniform, layer) in all.iter_mut().zip(&cover.layers) {
            *uniform = LayerUniform::new(layer, slots, &woods);
        }
        let count = cover.layers.len().min(Cover::MAX_LAYERS) as f32;
        let has_trees = trees(scatter).next().is_some();
        let mut grown = [TreesUniform::default(); TREES];
        for (uniform, kind) in grown.iter_mut().zip(trees(scatter)) {
            *uniform = woods.uniform(kind, *sea_level);
        }
        let &Climate { temperature, lapse_rate, sunny_side, season, season_range, .. } = climate;
        let textured = f32::from(u8::from(!slots.is_empty()));
        let canopy = canopy_slot(slots);
        let [r, g, b] = slots.get(canopy).map_or([1.0; 3], Slot::mean);
        Self {
            layers: all,
            settings: Vec4::new(drawn_sea.unwrap_or(NO_SEA), count, textured, (r + g + b) / 3.0),
            canopy: Vec4::new(
                CANOPY[0],
                CANOPY[1],
                if has_trees { scatter.density } else { 0.0 },
                canopy as f32,
            ),
            climate: Vec4::new(temperature, lapse_rate / 1000.0, sunny_side, season * season_range),
            trees: grown,
            detail: Vec4::new(layers as f32, DARK, 0.0, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Terrain;

    #[test]
    fn trees_and_nothing_else_make_a_canopy() {
        let kind = |model, seed, forest| ScatterKind {
            model,
            seed,
            forest,
            grass: 0.1,
            ..ScatterKind::default()
        };
        let kinds = vec![
            kind(Model::Spruce, 1, 0.6),
            kind(Model::Birch, 2, 0.7),
            kind(Model::Boulder, 3, 1.0),
            kind(Model::Grass, 4, 1.0),
            ScatterKind { bank: ScatterKind::BANK.below(20.0), ..kind(Model::Broadleaf, 5, 1.0) },
            ScatterKind { edit: ScatterKind::EDIT.below(5.0), ..kind(Model::Pine, 6, 1.0) },
        ];
        let scatter = Scatter { kinds, density: 0.5 };
        let climate = &Climate::default();
        let woods = |has_climates| Woods { scatter: &scatter, climate, has_climates };
        let on = |cover| woods(false).on(&cover);
        // The densest first.
        assert_eq!(on(CoverKind::Forest), Vec4::new(0.35, 0.3, 0.0, 0.0));
        assert_eq!(on(CoverKind::Snow), Vec4::ZERO);
        // Two kinds of trees; those that line rivers and roads do not count.
        assert!((on(CoverKind::Grass).element_sum() - 0.1).abs() < 1e-6);
        // In the middle of both bands, the mean climate leaves all.
        assert_eq!(on(CoverKind::Forest), woods(true).on(&CoverKind::Forest));
    }

    #[test]
    fn only_what_is_drawn_has_a_canopy_or_a_bed() {
        let appearance = Terrain::default().with_sea(7.0).ground.appearance();
        for (plants, water) in [(false, false), (false, true), (true, false), (true, true)] {
            let uniform = GroundUniform::new(&appearance, &[], 3, DrawnParts { water, plants });
            assert_eq!(uniform.settings.x, if water { 7.0 } else { NO_SEA });
            assert_eq!(uniform.layers.iter().any(|layer| layer.trees != Vec4::ZERO), plants);
        }
    }
}
