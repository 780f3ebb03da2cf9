//! What all water has in common: how it absorbs and scatters light, how it is blended over what is
//! drawn before it, and how its materials are set up.

use bevy_asset::{Assets, Handle};
use bevy_ecs::change_detection::ResMut;
use bevy_material::AlphaMode;
use bevy_math::{IVec4, Vec4};
use bevy_pbr::{ExtendedMaterial, MaterialExtension, StandardMaterial};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_render::render_resource::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, RenderPipelineDescriptor, ShaderType,
};
use serde::{Deserialize, Serialize};

use super::scene::Scene;
use crate::base::origin::{ORIGIN_STEP, TerrainOrigin};

/// How water colours what is seen through it: the ground, plants, and whatever a game has put
/// there.
///
/// Light loses the part 1 - exp(-a s) of each colour on s metres, by the Beer-Lambert law. Of the
/// light that falls on endlessly deep water, the part `deep` is scattered back out of it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct WaterOptics {
    /// The absorption per metre, for red, green and blue: 0.001 to 100.
    pub absorption: [f32; 3],
    /// The colour of endlessly deep water: linear RGB, 0 to 1.
    pub deep: [f32; 3],
}

impl Default for WaterOptics {
    fn default() -> Self {
        Self::SEA
    }
}

impl WaterOptics {
    /// Clear water of a sea.
    pub const SEA: Self = Self { absorption: [0.36, 0.085, 0.06], deep: [0.004, 0.026, 0.04] };
    /// Water of rivers and lakes, with humus and algae.
    pub const RIVER: Self = Self { absorption: [0.9, 0.42, 0.4], deep: [0.014, 0.045, 0.04] };

    pub(super) fn uniform(&self) -> OpticsUniform {
        let limited = |[r, g, b]: [f32; 3], [min, max]: [f32; 2]| {
            // `max` turns NaN into the minimum.
            Vec4::from([r, g, b, 0.0].map(|x| x.max(min).min(max)))
        };
        OpticsUniform {
            absorption: limited(self.absorption, [1e-3, 100.0]),
            deep: limited(self.deep, [0.0, 1.0]),
        }
    }
}

/// [`WaterOptics`] in the format of `surface.wgsl`.
#[derive(ShaderType, Clone, Default)]
pub(super) struct OpticsUniform {
    absorption: Vec4,
    deep: Vec4,
}

/// The standard material that all water extends.
pub(super) fn surface() -> StandardMaterial {
    StandardMaterial {
        alpha_mode: AlphaMode::Premultiplied,
        // That of water: 0.02 at normal incidence.
        reflectance: 0.354,
        double_sided: true,
        cull_mode: None,
        ..Default::default()
    }
}

/// What a pipeline depends on: whether the device blends with a factor for each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByColour(pub(super) bool);

/// Lets a pipeline keep a part of what is behind for each colour, where the device can.
pub(super) fn blend(descriptor: &mut RenderPipelineDescriptor, by_colour: ByColour) {
    let Some(fragment) = &mut descriptor.fragment else { return };
    if !by_colour.0 {
        // Premultiplied alpha: the mean of the three parts.
        return;
    }
    fragment.shader_defs.push("WATER_BY_COLOUR".into());
    let (src_factor, operation) = (BlendFactor::One, BlendOperation::Add);
    let color = BlendComponent { src_factor, dst_factor: BlendFactor::Src1, operation };
    let alpha = BlendComponent { src_factor, dst_factor: BlendFactor::OneMinusSrcAlpha, operation };
    for target in fragment.targets.iter_mut().flatten() {
        target.blend = Some(BlendState { color, alpha });
    }
}

/// An extension of [`StandardMaterial`] that is water.
pub(super) trait Water: MaterialExtension + PartialEq {
    /// Passes the images of the scene, and what the device can do with them.
    fn set_scene(&mut self, scene: &Scene);
}

/// Changes what the plugin writes to a material of water, and passes the scene. The material is
/// touched only if that makes a difference, since it is prepared again then.
pub(super) fn update<W: Water>(
    materials: &mut ResMut<Assets<ExtendedMaterial<StandardMaterial, W>>>,
    handle: &Handle<ExtendedMaterial<StandardMaterial, W>>,
    scene: &Scene,
    change: impl FnOnce(&mut W),
) {
    let Some(old) = materials.get(handle) else { return };
    let mut new = old.extension.clone();
    new.set_scene(scene);
    change(&mut new);
    if new != old.extension
        && let Some(mut material) = materials.get_mut(handle)
    {
        material.extension = new;
    }
}

/// The origin of the world in its steps.
pub(super) fn steps(origin: &TerrainOrigin) -> [i64; 2] {
    origin.offset().map(|x| (x / ORIGIN_STEP) as i64)
}

/// Those steps for shaders, which only hash products of them, so overflow does no harm.
pub(super) fn steps_uniform([x, z]: [i64; 2]) -> IVec4 {
    IVec4::new(x as i32, z as i32, 0, 0)
}

/// Makes an extension with the fields `scene_depth`, `haze` and `by_colour` one of water, which a
/// shader draws in the main pass alone. The last argument changes how pipelines test depths.
macro_rules! water {
    ($extension:ident, $shader:literal, $depth:expr) => {
        impl $crate::water::material::Water for $extension {
            fn set_scene(&mut self, scene: &$crate::water::scene::Scene) {
                self.scene_depth.clone_from(&scene.depth);
                self.haze.clone_from(&scene.haze);
                self.by_colour = scene.by_colour;
            }
        }

        impl From<&$extension> for $crate::water::material::ByColour {
            fn from(water: &$extension) -> Self {
                Self(water.by_colour)
            }
        }

        impl bevy_pbr::MaterialExtension for $extension {
            fn vertex_shader() -> bevy_shader::ShaderRef {
                concat!("embedded://bevy_orogeny/water/", $shader).into()
            }

            fn fragment_shader() -> bevy_shader::ShaderRef {
                Self::vertex_shader()
            }

            fn enable_prepass() -> bool {
                false
            }

            fn enable_shadows() -> bool {
                false
            }

            fn specialize(
                _: &bevy_pbr::MaterialExtensionPipeline,
                descriptor: &mut bevy_render::render_resource::RenderPipelineDescriptor,
                _: &bevy_mesh::MeshVertexBufferLayoutRef,
                key: bevy_pbr::MaterialExtensionKey<Self>,
            ) -> Result<(), bevy_render::render_resource::SpecializedMeshPipelineError> {
                $crate::water::material::blend(descriptor, key.bind_group_data);
                if let Some(depth) = &mut descriptor.depth_stencil {
                    let change: fn(&mut bevy_render::render_resource::DepthStencilState) = $depth;
                    change(depth);
                }
                Ok(())
            }
        }
    };
}
pub(super) use water;
