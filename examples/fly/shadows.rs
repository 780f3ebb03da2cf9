//! Shadow cascades that fit the view.

use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder};
use bevy::prelude::*;
use bevy_orogeny::TerrainQuality;

/// How far receivers are moved along their normals, in texels divided by the square root of two.
/// Bevy's default of 1.8 detaches more of a shadow. Less than the width of the filter would shade
/// sunlit slopes.
pub const NORMAL_BIAS: f32 = 1.0;

/// The end of the first cascade: this many times the camera's height above the ground, within
/// `FIRST`.
const NEAREST: f32 = 1.5;
const FIRST: core::ops::RangeInclusive<f32> = 64.0..=640.0;

/// The cascades of a quality for a camera at a height above the ground, in metres. The first one
/// ends close to a walking camera, and where the ground begins for a flying one. It changes in
/// steps by a factor of the square root of two, so that shadows do not crawl.
pub fn cascades(height: f32, quality: &TerrainQuality) -> CascadeShadowConfig {
    let quality = quality.clamped();
    let wanted = (NEAREST * height).clamp(*FIRST.start(), *FIRST.end());
    let first = ((2.0 * wanted.log2()).round() / 2.0).exp2();
    CascadeShadowConfigBuilder {
        num_cascades: quality.shadow_cascades,
        minimum_distance: 0.5,
        first_cascade_far_bound: first,
        maximum_distance: quality.shadow_range,
        ..default()
    }
    .build()
}
