//! Leaves out of each shadow cascade what casts no shadow into the view.
//!
//! Bevy's cascades are squares around a part of the view, which fills half of one at most. Terrain
//! fills the rest, too: chunks behind the camera, and for far cascades the finest ones around it.
//! Seen from the sun, a caster lies over all that it shades. So it is needed only if, in this
//! direction, it overlaps the part of the view that the cascade is for. Plants are left out one by
//! one on the device, by the same planes.

use core::f32::consts::SQRT_2;

use bevy_app::{App, PostUpdate};
use bevy_camera::Camera;
use bevy_camera::primitives::Aabb;
use bevy_camera::visibility::{CascadesVisibleEntities, NoFrustumCulling};
use bevy_ecs::prelude::*;
use bevy_light::cascade::{CascadeShadowConfig, Cascades};
use bevy_light::{DirectionalLight, SimulationLightSystems, check_dir_light_mesh_visibility};
use bevy_transform::components::GlobalTransform;

use crate::base::drawn_for::DrawnFor;
use crate::render::cascade_planes::CascadePlanes;
use crate::render::shaded_part::{Rays, ShadedPart};

/// How far the filters of shadows reach, in texels of their maps. Penumbras of Bevy's soft shadows
/// (the feature `experimental_pbr_pcss`) are wider: beside the view their casters may be missing.
const FILTER: f32 = 16.0;

pub(super) fn build(app: &mut App) {
    app.add_systems(
        PostUpdate,
        leave_out
            .in_set(SimulationLightSystems::CheckLightVisibility)
            .after_ignore_deferred(check_dir_light_mesh_visibility),
    );
}

fn leave_out(
    mut suns: Query<(
        Entity,
        &DirectionalLight,
        &Cascades,
        &CascadeShadowConfig,
        &mut CascadesVisibleEntities,
    )>,
    views: Query<(&Camera, &GlobalTransform)>,
    drawn: Query<(&Aabb, &GlobalTransform), (With<DrawnFor>, Without<NoFrustumCulling>)>,
    mut planes: ResMut<CascadePlanes>,
) {
    planes.0.clear();
    if drawn.is_empty() {
        return;
    }
    for (entity, sun, cascades, config, mut casters) in &mut suns {
        // Receivers are moved along their normals.
        let texels = FILTER + SQRT_2 * sun.shadow_normal_bias.abs();
        for (&view, casters) in &mut casters.entities {
            let (Ok((camera, eye)), Some(cascades)) =
                (views.get(view), cascades.cascades.get(&view))
            else {
                continue;
            };
            let rays = Rays::new(camera.clip_from_view(), eye);
            let parts = cascades.iter().zip(depths(config)).zip(casters);
            for (number, ((cascade, depths), casters)) in (0..).zip(parts) {
                let part = ShadedPart::new(cascade, &rays, depths, texels);
                planes.0.insert((entity, view, number), part.planes());
                casters.entities.retain(|&caster| {
                    drawn.get(caster).map_or(true, |(aabb, place)| part.may_be_shaded(aabb, place))
                });
            }
        }
    }
}

/// The smallest and the largest distance along the view direction that each cascade is used for.
/// The first one is used for all that is nearer, too.
fn depths(config: &CascadeShadowConfig) -> impl Iterator<Item = [f32; 2]> {
    let starts = config.bounds.iter().map(|bound| (1.0 - config.overlap_proportion) * bound);
    let starts = core::iter::once(f32::NEG_INFINITY).chain(starts);
    starts.zip(&config.bounds).map(|(start, &end)| [start, end])
}

#[cfg(test)]
mod tests {
    use bevy_light::CascadeShadowConfigBuilder;

    use super::*;

    #[test]
    fn cascades_overlap_and_the_first_has_all_that_is_near() {
        let config = CascadeShadowConfigBuilder {
            num_cascades: 2,
            minimum_distance: 1.0,
            first_cascade_far_bound: 10.0,
            maximum_distance: 100.0,
            overlap_proportion: 0.25,
        };
        let depths: Vec<[f32; 2]> = depths(&config.build()).collect();
        assert_eq!(depths, [[f32::NEG_INFINITY, 10.0], [7.5, 100.0]]);
    }
}
