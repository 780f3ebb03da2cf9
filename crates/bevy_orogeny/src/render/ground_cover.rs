//! The default material: draws the layers of cover.

use bevy_asset::{Asset, Handle};
use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use bevy_image::Image;
use bevy_math::{Vec3, Vec4};
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, ShaderType,
    SpecializedMeshPipelineError,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;
use orogeny::Cover;
use orogeny::cover::{CoverKind, CoverLayer};
use orogeny::scatter::{Climate, Model, Scatter, ScatterKind};

use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::paint::ATTRIBUTE_PAINT;
use crate::render::geomorph;
use crate::scatter::tiers::TIERS;
use crate::terrain::Appearance;

/// The material of terrains that are spawned without one: [`StandardMaterial`] with the colours and
/// bumps of the cover.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, GroundCover>;

/// Draws each layer of the terrain's [`Cover`](orogeny::Cover) with its colour and procedural
/// bumps. Below the sea level it adds wet sand, foam and absorption.
///
/// It needs no textures. Textures, if given, are mapped triplanar and replace the bumps. Each
/// terrain needs a material of its own, even if you supply it, because the plugin writes the
/// terrain's cover and sea level to it.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, GroundUniform)]
pub struct GroundCover {
    /// The layers of cover and the sea level. The plugin copies them from the terrain.
    #[reflect(ignore)]
    pub appearance: Appearance,
    /// An array texture: image k is multiplied by the colour of layer k. Its sampler must repeat
    /// (Bevy's default does not), and it should have mipmaps.
    #[texture(101, dimension = "2d_array")]
    #[sampler(102)]
    pub colours: Option<Handle<Image>>,
    /// An array of normal maps (linear RGB, x to the right, y down). Used only with `colours`.
    #[texture(103, dimension = "2d_array")]
    #[sampler(104)]
    pub normals: Option<Handle<Image>>,
    /// The width of a texture in metres: a power of two from 1/64 to 8192, so that textures stay in
    /// place when the origin moves. Other values are rounded to the nearest one.
    pub texture_width: f32,
}

impl Default for GroundCover {
    fn default() -> Self {
        Self { appearance: Appearance::default(), colours: None, normals: None, texture_width: 4.0 }
    }
}

impl GroundCover {
    /// The texture width, rounded to a power of two.
    fn whole_width(&self) -> f32 {
        let exponent = self.texture_width.log2().round();
        // NaN, zero and negative widths become the default.
        let exponent = if exponent.is_finite() { exponent } else { 2.0 };
        exponent.clamp(-6.0, 13.0).exp2()
    }
}

/// One layer in the format of `cover.wgsl`.
#[derive(ShaderType, Clone, Copy, Default)]
struct LayerUniform {
    colour: Vec4,
    height: Vec4,
    slope: Vec4,
    curvature: Vec4,
    surface: Vec4,
    trees: Vec4,
}

/// Where trees of a kind grow, in the format of `canopy.wgsl`.
#[derive(ShaderType, Clone, Copy, Default)]
struct TreesUniform {
    height: Vec4,
    slope: Vec4,
    temperature: Vec4,
}

/// The maximum number of kinds of trees in the canopy: the densest ones.
const TREES: usize = 4;

/// [`GroundCover`] in the format of `ground.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct GroundUniform {
    layers: [LayerUniform; Cover::MAX_LAYERS],
    settings: Vec4,
    absorption: Vec4,
    deep: Vec4,
    canopy: Vec4,
    climate: Vec4,
    trees: [TreesUniform; TREES],
}

impl LayerUniform {
    fn new(layer: &CoverLayer, scatter: &Scatter) -> Self {
        let [r, g, b] = layer.colour();
        let colour = LinearRgba::from(Srgba::rgb(r, g, b)).to_vec3();
        let [mut height, slope, curvature] = layer.bands();
        if layer.is_bank() {
            // Chunks have it as paint.
            height[0] = NOWHERE;
        }
        let with = |[min, max, soft]: [f32; 3], other| Vec4::new(min, max, soft, other);
        Self {
            colour: colour.extend(f32::from(layer.kind as u8)),
            height: with(height, layer.edge_noise),
            slope: with(slope, layer.coverage),
            curvature: with(curvature, layer.strata),
            surface: Vec4::new(layer.detail, 0.0, 0.0, 0.0),
            trees: trees_on(scatter, layer.kind),
        }
    }
}

impl TreesUniform {
    fn new(kind: &ScatterKind, scatter: &Scatter, sea_level: Option<f32>) -> Self {
        // None grow deeper under the sea than that.
        let shore = sea_level.map_or(f32::NEG_INFINITY, |level| level - kind.depth_max);
        let lowest = kind.height_min.max(shore);
        let blurred = kind.temperature_soft + 2.0 * scatter.climate.warm_patches;
        Self {
            height: Vec4::new(lowest, kind.height_max, kind.height_soft, 0.0),
            slope: Vec4::new(kind.slope_min, kind.slope_max, kind.slope_soft, 0.0),
            temperature: Vec4::new(kind.temperature_min, kind.temperature_max, blurred, 0.0),
        }
    }
}

/// The kinds of trees that a canopy has from afar, the densest first.
fn trees(scatter: &Scatter) -> impl Iterator<Item = &ScatterKind> {
    use Model::{Birch, Broadleaf, Pine, Spruce};
    let is_tree = |kind: &&ScatterKind| matches!(kind.model, Spruce | Pine | Broadleaf | Birch);
    // Those along roads and rivers are few.
    let trees = scatter.kinds.iter().filter(is_tree).filter(|kind| !kind.is_local());
    let mut trees: Vec<&ScatterKind> = trees.collect();
    let densest = |kind: &ScatterKind| {
        let all = CoverKind::ALL.map(|cover| kind.density_on(cover));
        kind.density * all.into_iter().fold(0.0, f32::max)
    };
    trees.sort_by(|a, b| densest(b).total_cmp(&densest(a)));
    trees.into_iter().take(TREES)
}

/// The part of a kind of cover that each kind of trees covers.
fn trees_on(scatter: &Scatter, cover: CoverKind) -> Vec4 {
    let moisture = |kind: &ScatterKind| {
        let soft = kind.moisture_soft + 2.0 * scatter.climate.moist_patches;
        let edge = |x: f32| (x / soft.max(1e-3) + 0.5).clamp(0.0, 1.0);
        let mean = scatter.climate.moisture;
        edge(mean - kind.moisture_min) * edge(kind.moisture_max - mean)
    };
    let mut parts = [0.0; TREES];
    for (part, kind) in parts.iter_mut().zip(trees(scatter)) {
        *part = scatter.density * kind.density * kind.density_on(cover) * moisture(kind);
    }
    Vec4::from_array(parts)
}

/// Absorption of clear water per metre, for red, green and blue; and the colour of deep water.
const ABSORPTION: [f32; 3] = [0.36, 0.085, 0.06];
const DEEP: Vec4 = Vec4::new(0.004, 0.026, 0.04, 0.0);
/// The depth in metres below which the ground cannot be seen. Deeper ground is drawn at this depth.
pub(crate) const DARK: f32 = 40.0;
/// The distances in metres between which a canopy takes the place of trees, as these thin out.
const CANOPY: [f32; 2] = {
    let [near, far] = TIERS[TIERS.len() - 1].range;
    [near * 1.3, far]
};
/// A height above all ground.
const NOWHERE: f32 = 1e9;
/// The sea level of a terrain without a sea: below all ground.
const NO_SEA: f32 = -1e9;

impl AsBindGroupShaderType<GroundUniform> for GroundCover {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> GroundUniform {
        let Appearance { cover, sea_level, scatter } = &self.appearance;
        let mut layers = [LayerUniform::default(); Cover::MAX_LAYERS];
        for (uniform, layer) in layers.iter_mut().zip(&cover.layers) {
            *uniform = LayerUniform::new(layer, scatter);
        }
        let count = cover.layers.len().min(Cover::MAX_LAYERS) as f32;
        let mut grown = [TreesUniform::default(); TREES];
        for (uniform, kind) in grown.iter_mut().zip(trees(scatter)) {
            *uniform = TreesUniform::new(kind, scatter, *sea_level);
        }
        let Climate { temperature, lapse_rate, sunny_side, .. } = scatter.climate;
        let width = if self.colours.is_some() { self.whole_width() } else { 0.0 };
        let bumps = f32::from(u8::from(self.normals.is_some()));
        GroundUniform {
            layers,
            settings: Vec4::new(sea_level.unwrap_or(NO_SEA), count, width, bumps),
            absorption: Vec3::from(ABSORPTION).extend(DARK),
            deep: DEEP,
            canopy: Vec4::new(CANOPY[0], CANOPY[1], scatter.density, 0.0),
            climate: Vec4::new(temperature, lapse_rate / 1000.0, sunny_side, 0.0),
            trees: grown,
        }
    }
}

impl MaterialExtension for GroundCover {
    fn vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_orogeny/render/ground.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        geomorph::specialize(descriptor, layout)?;
        if layout.0.contains(ATTRIBUTE_CURVATURE) {
            let chunk = layout.0.get_layout(&[ATTRIBUTE_CURVATURE.at_shader_location(11)])?;
            for buffer in descriptor.vertex.buffers.iter_mut().take(1) {
                buffer.attributes.extend_from_slice(&chunk.attributes);
            }
            descriptor.vertex.shader_defs.push("TERRAIN_COVER".into());
        }
        if layout.0.contains(ATTRIBUTE_PAINT) {
            let chunk = layout.0.get_layout(&[ATTRIBUTE_PAINT.at_shader_location(12)])?;
            for buffer in descriptor.vertex.buffers.iter_mut().take(1) {
                buffer.attributes.extend_from_slice(&chunk.attributes);
            }
            // The weights travel in Bevy's fields for colours and texture coordinates.
            let fields = ["VERTEX_COLORS", "VERTEX_UVS_A", "VERTEX_UVS_B"];
            let fragment = descriptor.fragment.iter_mut().map(|state| &mut state.shader_defs);
            for defs in fragment.chain([&mut descriptor.vertex.shader_defs]) {
                defs.extend(["TERRAIN_PAINT"].into_iter().chain(fields).map(Into::into));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ScatterKind { bank_max: 20.0, ..kind(Model::Broadleaf, 5, 1.0) },
            ScatterKind { edit_max: 5.0, ..kind(Model::Pine, 6, 1.0) },
        ];
        let scatter = Scatter { kinds, density: 0.5, ..Scatter::default() };
        let on = |cover| trees_on(&scatter, cover);
        // The densest first.
        assert_eq!(on(CoverKind::Forest), Vec4::new(0.35, 0.3, 0.0, 0.0));
        assert_eq!(on(CoverKind::Snow), Vec4::ZERO);
        // Two kinds of trees; those that line rivers and roads do not count.
        assert!((on(CoverKind::Grass).element_sum() - 0.1).abs() < 1e-6);
        assert_eq!(CANOPY[1], TIERS.map(|tier| tier.range[1]).into_iter().fold(0.0, f32::max));
    }
}
