//! What is drawn of the materials of a game.

use bevy_asset::Handle;
use bevy_color::{Color, LinearRgba};
use bevy_image::Image;
use bevy_material::AlphaMode;
use bevy_math::Affine2;
use bevy_mesh::UvChannel;
use bevy_pbr::StandardMaterial;

/// What is drawn of a [`StandardMaterial`]. The rest of it may change in every frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnMaterial {
    pub base_color: Color,
    pub image: Option<Handle<Image>>,
    /// The texture coordinates of the image.
    pub channel: UvChannel,
    pub uv_transform: Affine2,
    alpha_mode: AlphaMode,
    pub roughness: f32,
    pub reflectance: f32,
}

impl DrawnMaterial {
    pub fn of(material: &StandardMaterial) -> Self {
        let part = |x: f32| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.5 };
        Self {
            base_color: material.base_color,
            image: material.base_color_texture.clone(),
            channel: material.base_color_channel.clone(),
            uv_transform: material.uv_transform,
            alpha_mode: material.alpha_mode,
            roughness: part(material.perceptual_roughness),
            reflectance: part(material.reflectance),
        }
    }

    /// Whether one sees through some of it.
    pub fn is_masked(&self) -> bool {
        self.alpha_mode != AlphaMode::Opaque
    }

    /// An alpha as one of which a half and more covers what is behind. It is a power law: of a
    /// product of alphas, such as that of a texel and a vertex, it is the product.
    pub fn covering(&self, alpha: f32) -> f32 {
        let cutoff = match self.alpha_mode {
            AlphaMode::Opaque => return 1.0,
            AlphaMode::Mask(cutoff) if cutoff.is_finite() => cutoff.clamp(0.01, 1.0),
            _ => 0.5,
        };
        alpha.powf(core::f32::consts::LN_2 / cutoff.recip().ln()).min(1.0)
    }

    /// The base colour: linear, finite, at least 0.
    pub fn colour(&self) -> LinearRgba {
        let part = |x: f32| if x.is_finite() { x.max(0.0) } else { 1.0 };
        let LinearRgba { red, green, blue, alpha } = self.base_color.into();
        LinearRgba::new(part(red), part(green), part(blue), part(alpha))
    }
}
