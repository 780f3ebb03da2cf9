//! How much drawing terrain may cost.

use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// How much drawing terrain may cost, for all terrains together. Choose one of four, or set its
/// numbers; you may change it at any time. [`HoldFrameTime`](crate::advanced::HoldFrameTime)
/// chooses by itself.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_orogeny::TerrainQuality;
/// # let mut app = App::new();
/// app.insert_resource(TerrainQuality::LOW);
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainQuality {
    /// Multiplies the [`pixel_error`](crate::TerrainViewer::pixel_error) of all viewers: 2 needs
    /// about half as many triangles as 1. 0.1 to 10.
    pub coarseness: f64,
    /// The layers of cover that a pixel blends at most, the heaviest ones, 1 or 2. Of others it has
    /// the mean colour.
    pub layers: u32,
    /// The texels along a pixel's footprint that textures are filtered with, 1 to 16.
    pub anisotropy: u16,
    /// The side of the largest texture that a game's own images are resampled to: a power of two,
    /// 512 to 8192.
    pub texture_size: u32,
    /// The side of a cascade's shadow map in texels. The plugin has no light: give it to Bevy's
    /// `DirectionalLightShadowMap`. 64 to 16,384.
    pub shadow_map_size: usize,
    /// The number of shadow cascades, for the `CascadeShadowConfig` of your sun, 1 to 4.
    pub shadow_cascades: usize,
    /// How far shadows are cast in metres, for the same, 1,000 to 1e6.
    pub shadow_range: f32,
}

impl TerrainQuality {
    /// For the small GPUs of handhelds and laptops.
    pub const LOW: Self = Self {
        coarseness: 2.0,
        layers: 1,
        anisotropy: 2,
        texture_size: 512,
        shadow_map_size: 1024,
        shadow_cascades: 2,
        shadow_range: 1_500.0,
    };
    /// Between low and high.
    pub const MEDIUM: Self = Self {
        coarseness: 1.4,
        layers: 2,
        anisotropy: 4,
        texture_size: 512,
        shadow_map_size: 2048,
        shadow_cascades: 3,
        shadow_range: 5_000.0,
    };
    /// The default.
    pub const HIGH: Self = Self {
        coarseness: 1.0,
        layers: 2,
        anisotropy: 8,
        texture_size: 1024,
        shadow_map_size: 4096,
        shadow_cascades: 4,
        shadow_range: 12_000.0,
    };
    /// For pictures, and for large GPUs.
    pub const ULTRA: Self =
        Self { coarseness: 0.6, anisotropy: 16, texture_size: 2048, ..Self::HIGH };

    /// All four, the cheapest first, with their names.
    pub const ALL: [(&str, Self); 4] = [
        ("low", Self::LOW),
        ("medium", Self::MEDIUM),
        ("high", Self::HIGH),
        ("ultra", Self::ULTRA),
    ];

    /// The same with all numbers within their limits.
    pub fn clamped(mut self) -> Self {
        let coarseness = if self.coarseness.is_nan() { 1.0 } else { self.coarseness };
        self.coarseness = coarseness.clamp(0.1, 10.0);
        self.layers = self.layers.clamp(1, 2);
        self.anisotropy = self.anisotropy.clamp(1, 16);
        self.texture_size = self.texture_size.clamp(512, 8192).next_power_of_two();
        self.shadow_map_size = self.shadow_map_size.clamp(64, 16_384);
        self.shadow_cascades = self.shadow_cascades.clamp(1, 4);
        let range = if self.shadow_range.is_nan() { 0.0 } else { self.shadow_range };
        self.shadow_range = range.clamp(1_000.0, 1e6);
        self
    }
}

impl Default for TerrainQuality {
    fn default() -> Self {
        Self::HIGH
    }
}
