//! Leaves out of each shadow cascade what casts no shadow into the view.
//!
//! Bevy's cascades are squares around a part of the view, which it fills to a quarter or less. A
//! terrain fills the rest, too: chunks behind the camera, and for far cascades the finest ones
//! around it. Seen from the sun, a caster lies over all that it shades. So it is needed only if, in
//! this direction, it overlaps the part of the view that the cascade is for.

use bevy_app::{App, PostUpdate};
use bevy_camera::Projection;
use bevy_camera::primitives::Aabb;
use bevy_camera::visibility::CascadesVisibleEntities;
use bevy_ecs::prelude::*;
use bevy_light::cascade::{Cascade, CascadeShadowConfig, Cascades};
use bevy_light::{DirectionalLight, SimulationLightSystems, check_dir_light_mesh_visibility};
use bevy_math::{Mat3A, Vec3A};
use bevy_transform::components::GlobalTransform;

use crate::streaming::drawn_for::DrawnFor;

/// How far the filters of shadows reach, in texels of their maps.
const FILTER: f32 = 16.0;

pub(super) fn build(app: &mut App) {
    app.add_systems(
        PostUpdate,
        leave_out
            .in_set(SimulationLightSystems::CheckLightVisibility)
            .after(check_dir_light_mesh_visibility),
    );
}

fn leave_out(
    mut suns: Query<
        (&Cascades, &CascadeShadowConfig, &mut CascadesVisibleEntities),
        With<DirectionalLight>,
    >,
    views: Query<(&Projection, &GlobalTransform)>,
    drawn: Query<(&Aabb, &GlobalTransform), With<DrawnFor>>,
) {
    for (cascades, config, mut casters) in &mut suns {
        for (&view, casters) in &mut casters.entities {
            let (Ok((projection, eye)), Some(cascades)) =
                (views.get(view), cascades.cascades.get(&view))
            else {
                continue;
            };
            for ((cascade, depths), casters) in cascades.iter().zip(depths(config)).zip(casters) {
                let part = ShadedPart::new(cascade, projection, eye, depths);
                casters.entities.retain(|&caster| {
                    drawn.get(caster).map_or(true, |(aabb, place)| part.may_be_shaded(aabb, place))
                });
            }
        }
    }
}

/// The smallest and the largest distance along the view direction that each cascade is used for.
fn depths(config: &CascadeShadowConfig) -> impl Iterator<Item = [f32; 2]> {
    let starts = config.bounds.iter().map(|bound| (1.0 - config.overlap_proportion) * bound);
    let starts = core::iter::once(config.minimum_distance).chain(starts);
    starts.zip(&config.bounds).map(|(start, &end)| [start, end])
}

/// The part of a view that a cascade is for, as the sun sees it.
struct ShadedPart {
    /// Directions across the sun's, in the world, and between which distances along each the part
    /// lies.
    sides: [(Vec3A, [f32; 2]); SIDES.len()],
    /// The direction to the sun, and the distance along it at which the part begins.
    deepest: (Vec3A, f32),
}

/// The edges of a view between the corners that Bevy lists: those of the near plane, with the same
/// direction as those of the far plane, and those between both planes.
const SIDES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 4], [1, 5], [2, 6], [3, 7]];

impl ShadedPart {
    fn new(
        cascade: &Cascade,
        projection: &Projection,
        eye: &GlobalTransform,
        [start, end]: [f32; 2],
    ) -> Self {
        let from_eye = eye.affine();
        let corners = projection.get_frustum_corners(-start, -end);
        let corners = corners.map(|corner| from_eye.transform_point3a(corner));
        let to_sun = Vec3A::from_vec4(cascade.world_from_cascade.z_axis);
        let margin = FILTER * cascade.texel_size;
        let sides = SIDES.map(|[a, b]| {
            // Across the sun's direction and the edge. None if the sun looks along the edge: then
            // everything overlaps.
            let side = (corners[b] - corners[a]).cross(to_sun).normalize_or_zero();
            let along = corners.map(|corner| side.dot(corner));
            let low = along.into_iter().fold(f32::INFINITY, f32::min);
            let high = along.into_iter().fold(f32::NEG_INFINITY, f32::max);
            (side, [low - margin, high + margin])
        });
        let along = corners.map(|corner| to_sun.dot(corner));
        let deepest = along.into_iter().fold(f32::INFINITY, f32::min) - margin;
        Self { sides, deepest: (to_sun, deepest) }
    }

    /// Whether a box may cast a shadow into the part.
    fn may_be_shaded(&self, aabb: &Aabb, place: &GlobalTransform) -> bool {
        let place = place.affine();
        let center = place.transform_point3a(aabb.center);
        let Mat3A { x_axis, y_axis, z_axis } = place.matrix3;
        let half = Mat3A::from_cols(x_axis.abs(), y_axis.abs(), z_axis.abs()) * aabb.half_extents;
        let reach = |direction: Vec3A| (direction.dot(center), direction.abs().dot(half));
        let (along, radius) = reach(self.deepest.0);
        along + radius >= self.deepest.1
            && self.sides.iter().all(|&(side, [low, high])| {
                let (along, radius) = reach(side);
                along + radius >= low && along - radius <= high
            })
    }
}

#[cfg(test)]
mod tests {
    use bevy_camera::{OrthographicProjection, PerspectiveProjection};
    use bevy_math::{EulerRot, Mat4, Quat, Vec3};
    use bevy_transform::components::Transform;
    use proptest::prelude::*;

    use super::*;

    fn part(sun: Quat, projection: Projection, eye: Transform, depths: [f32; 2]) -> ShadedPart {
        let world_from_cascade = Mat4::from_quat(sun);
        let cascade = Cascade { world_from_cascade, texel_size: 0.01, ..Cascade::default() };
        ShadedPart::new(&cascade, &projection, &eye.into(), depths)
    }

    fn turned([x, y]: [f32; 2]) -> Quat {
        Quat::from_euler(EulerRot::YXZ, y, x, 0.0)
    }

    fn projection(is_wide: bool) -> Projection {
        if is_wide {
            Projection::Perspective(PerspectiveProjection {
                aspect_ratio: 1.6,
                ..Default::default()
            })
        } else {
            Projection::Orthographic(OrthographicProjection::default_3d())
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// A box is kept if something in the view is behind it, seen from the sun.
        #[test]
        fn what_shades_the_view_is_kept(
            sun in [-1.5f32..0.1, -3.0f32..3.0],
            look in [-1.5f32..1.5, -3.0f32..3.0],
            start in 0.5f32..3_000.0,
            longer in 1.1f32..20.0,
            is_wide in any::<bool>(),
            within in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
            above in 0.0f32..5_000.0,
            size in [0.1f32..500.0, 0.1f32..500.0, 0.1f32..500.0],
            in_box in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
            box_turned in [-1.0f32..1.0, -1.0f32..1.0],
        ) {
            let eye = Transform::from_xyz(70.0, 9.0, -300.0).with_rotation(turned(look));
            let (sun, projection) = (turned(sun), projection(is_wide));
            let depths = [start, longer * start];
            let corners = projection.get_frustum_corners(-depths[0], -depths[1]);
            let across = |k: usize| {
                let right = corners[k].lerp(corners[k + 1], within[1]);
                corners[k + 3].lerp(corners[k + 2], within[1]).lerp(right, within[0])
            };
            let shaded = across(0).lerp(across(4), within[2]);
            let shaded = eye.compute_affine().transform_point3a(shaded);
            let shading = Vec3::from(shaded) + sun * Vec3::Z * above;
            let size = Vec3::from(size);
            let aabb = Aabb::from_min_max(Vec3::ZERO, size);
            let rotation = turned(box_turned);
            let place = Transform { translation: shading, rotation, ..Transform::IDENTITY };
            let corner = place.transform_point(-Vec3::from(in_box) * size);
            let place = Transform { translation: corner, ..place };
            let part = part(sun, projection, eye, depths);
            prop_assert!(part.may_be_shaded(&aabb, &place.into()));
        }
    }

    #[test]
    fn what_is_beside_the_view_is_left_out() {
        // The sun is to the right, rising by 0.3 m a metre; the camera looks along -z.
        let sun = Quat::from_rotation_arc(Vec3::Z, Vec3::new(1.0, 0.3, 0.0).normalize());
        let part = part(sun, projection(true), Transform::IDENTITY, [500.0, 2000.0]);
        let aabb = Aabb::from_min_max(Vec3::splat(-10.0), Vec3::splat(10.0));
        let kept = |x, y, z| part.may_be_shaded(&aabb, &Transform::from_xyz(x, y, z).into());
        // In the view, and at the sun's side of it: low enough, and not too low.
        assert!(
            kept(0.0, 0.0, -1000.0) && kept(600.0, 0.0, -600.0) && kept(2000.0, 300.0, -1000.0)
        );
        assert!(!kept(2000.0, 1500.0, -1000.0) && !kept(2000.0, -300.0, -1000.0));
        // Behind the camera, before and beyond the part, and at its shaded side.
        assert!(!kept(0.0, 0.0, 100.0) && !kept(0.0, 0.0, -400.0) && !kept(0.0, 0.0, -2100.0));
        assert!(!kept(-3000.0, 0.0, -600.0) && !kept(-3000.0, -600.0, -1000.0));
    }
}
