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
use bevy_light::cascade::{Cascade, CascadeShadowConfig, Cascades};
use bevy_light::{DirectionalLight, SimulationLightSystems, check_dir_light_mesh_visibility};
use bevy_math::{DVec3, Mat3A, Mat4, Vec2, Vec3, Vec3A, Vec4};
use bevy_platform::collections::HashMap;
use bevy_transform::components::GlobalTransform;

use crate::base::drawn_for::DrawnFor;

/// The planes of a cascade.
pub const PLANES: usize = 18;
/// All is on the positive side of this.
pub const ALL: Vec4 = Vec4::W;

/// For each sun, view and cascade: planes, on the positive side of which casters stand.
#[derive(Resource, Clone, Debug, Default)]
pub struct CascadePlanes(pub HashMap<(Entity, Entity, u32), [Vec4; PLANES]>);

/// How far the filters of shadows reach, in texels of their maps. Penumbras of Bevy's soft shadows
/// (the feature `experimental_pbr_pcss`) are wider: beside the view their casters may be missing.
const FILTER: f32 = 16.0;

pub(super) fn build(app: &mut App) {
    app.init_resource::<CascadePlanes>().add_systems(
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

/// The lines through the corners of a picture, along which a camera looks, in the world.
pub(super) struct Rays {
    /// A point of each line, and by how much it advances for each metre along the view direction.
    lines: [(DVec3, DVec3); 4],
    /// The distance along the view direction at which the picture begins.
    nearest: f64,
}

impl Rays {
    /// Those of the picture that is drawn: `clip_from_view` knows of lenses and of parts of larger
    /// pictures.
    pub fn new(clip_from_view: Mat4, eye: &GlobalTransform) -> Self {
        // In 64 bits: the rays are extended from the near plane to kilometres.
        let view_from_clip = clip_from_view.as_dmat4().inverse();
        let from_eye = eye.affine();
        let turned = |v: DVec3| from_eye.matrix3.mul_vec3a(v.as_vec3a()).as_dvec3();
        let at = from_eye.translation.as_dvec3();
        let mut nearest = f64::INFINITY;
        let corners = [[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let lines = corners.map(|[x, y]| {
            let [near, far] =
                [1.0, 0.5].map(|z| view_from_clip.project_point3(DVec3::new(x, y, z)));
            nearest = nearest.min(-near.z);
            let advance = (far - near) / (near.z - far.z);
            // The point beside the eye.
            (at + turned(near + near.z * advance), turned(advance))
        });
        Self { lines, nearest }
    }

    /// The corners of the picture at a distance along the view direction.
    fn at(&self, depth: f64) -> [Vec3A; 4] {
        self.lines.map(|(start, advance)| (start + depth * advance).as_vec3a())
    }
}

/// The part of a view that a cascade is for, as the sun sees it.
struct ShadedPart {
    /// Directions across the sun's, in the world, and between which distances along each the part
    /// lies.
    sides: [(Vec3A, [f32; 2]); EDGES.len()],
    /// The normals of the faces that point away from the sun, and how far along each the part ends.
    /// Shadows of what is beyond do not come back.
    faces: [(Vec3A, f32); FACES.len()],
}

/// The edges of the part, between corners, of which the first four are at its beginning: those at
/// its end, with the same directions as those at its beginning, and those between both.
const EDGES: [[usize; 2]; 6] = [[4, 5], [5, 6], [0, 4], [1, 5], [2, 6], [3, 7]];
/// Its faces: its end, its beginning, and those around. By three corners far from each other, so
/// that rounding does not turn their normal, and a corner that lies on them.
const FACES: [[usize; 4]; 6] =
    [[4, 5, 6, 4], [4, 5, 6, 0], [4, 5, 0, 4], [5, 6, 1, 5], [6, 7, 2, 6], [7, 4, 3, 7]];

impl ShadedPart {
    /// The part of a view between two distances along its direction, and so many texels more.
    pub fn new(cascade: &Cascade, rays: &Rays, depths: [f32; 2], texels: f32) -> Self {
        let [near, far] = depths.map(|depth| rays.at(f64::from(depth).max(rays.nearest)));
        let corners: [Vec3A; 8] =
            core::array::from_fn(|k| if k < 4 { near[k] } else { far[k - 4] });
        let [right, up, to_sun] = [
            cascade.world_from_cascade.x_axis,
            cascade.world_from_cascade.y_axis,
            cascade.world_from_cascade.z_axis,
        ]
        .map(Vec3A::from_vec4);
        let margin = texels * cascade.texel_size;
        let range = |direction: Vec3A| {
            let along = corners.map(|corner| direction.dot(corner));
            let low = along.into_iter().fold(f32::INFINITY, f32::min);
            let high = along.into_iter().fold(f32::NEG_INFINITY, f32::max);
            [low - margin, high + margin]
        };
        let sides = EDGES.map(|[a, b]| {
            let edge = corners[b] - corners[a];
            // Whatever rounding leaves of an edge along the sun's direction, this is across it.
            let side = Vec2::new(edge.dot(right), edge.dot(up)).perp().normalize_or_zero();
            let side = side.x * right + side.y * up;
            (side, range(side))
        });
        let faces = FACES.map(|[a, b, c, on]| {
            let normal = (corners[b] - corners[a]).cross(corners[c] - corners[a]);
            let normal = normal.normalize_or_zero();
            // The part is on one side of each face.
            let [low, high] = range(normal);
            let at = normal.dot(corners[on]);
            let (outward, end) =
                if at - low < high - at { (-normal, -low) } else { (normal, high) };
            if outward.dot(to_sun) <= 0.0 { (outward, end) } else { (Vec3A::ZERO, f32::INFINITY) }
        });
        Self { sides, faces }
    }

    /// Planes, on the positive side of all of which is what may cast a shadow into the part.
    pub fn planes(&self) -> [Vec4; PLANES] {
        let sides = self
            .sides
            .iter()
            .flat_map(|&(side, [low, high])| [side.extend(-low), (-side).extend(high)]);
        let faces = self.faces.iter().map(|&(outward, end)| (-outward).extend(end));
        let mut planes = [ALL; PLANES];
        for (plane, found) in planes.iter_mut().zip(sides.chain(faces)) {
            if found.is_finite() && found.truncate() != Vec3::ZERO {
                *plane = found;
            }
        }
        planes
    }

    /// Whether a box may cast a shadow into the part. What is not a number may.
    pub fn may_be_shaded(&self, aabb: &Aabb, place: &GlobalTransform) -> bool {
        let place = place.affine();
        let center = place.transform_point3a(aabb.center);
        let Mat3A { x_axis, y_axis, z_axis } = place.matrix3;
        let half = Mat3A::from_cols(x_axis.abs(), y_axis.abs(), z_axis.abs()) * aabb.half_extents;
        let reach = |direction: Vec3A| (direction.dot(center), direction.abs().dot(half));
        let is_beside = self.sides.iter().any(|&(side, [low, high])| {
            let (along, radius) = reach(side);
            along + radius < low || along - radius > high
        });
        let is_beyond = |&(outward, end): &(Vec3A, f32)| {
            let (along, radius) = reach(outward);
            along - radius > end
        };
        !is_beside && !self.faces.iter().any(is_beyond)
    }
}

#[cfg(test)]
mod tests {
    use bevy_camera::{
        CameraProjection as _, OrthographicProjection, PerspectiveProjection, SubCameraView,
    };
    use bevy_light::CascadeShadowConfigBuilder;
    use bevy_math::{EulerRot, Quat, UVec2};
    use bevy_transform::components::Transform;
    use proptest::prelude::*;

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

    fn part(sun: Quat, clip_from_view: Mat4, eye: Transform, depths: [f32; 2]) -> ShadedPart {
        let world_from_cascade = Mat4::from_quat(sun);
        let cascade = Cascade { world_from_cascade, texel_size: 0.01, ..Cascade::default() };
        ShadedPart::new(&cascade, &Rays::new(clip_from_view, &eye.into()), depths, 1.0)
    }

    fn turned([x, y]: [f32; 2]) -> Quat {
        Quat::from_euler(EulerRot::YXZ, y, x, 0.0)
    }

    const WIDE: PerspectiveProjection = PerspectiveProjection {
        fov: core::f32::consts::FRAC_PI_4,
        aspect_ratio: 1.6,
        near: 0.1,
        far: 1000.0,
        near_clip_plane: bevy_math::Vec4::new(0.0, 0.0, -1.0, -0.1),
    };

    /// The pixels of the whole picture.
    const FULL: [u32; 2] = [160, 100];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        /// A box is kept if something in the picture is behind it, seen from the sun: in parts of
        /// larger pictures, and with the sun along the view or across it, too.
        #[test]
        fn what_shades_the_view_is_kept(
            sun in [-1.5f32..0.1, -3.0f32..3.0],
            aligned in 0..6,
            look in [-1.5f32..1.5, -3.0f32..3.0],
            start in 0.5f32..3_000.0,
            longer in 1.1f32..20.0,
            is_wide in any::<bool>(),
            offset in [0.0f32..50.0, 0.0f32..50.0],
            size in [1u32..50, 1u32..50],
            seen in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
            above in 0.0f32..5_000.0,
            box_size in [0.1f32..500.0, 0.1f32..500.0, 0.1f32..500.0],
            in_box in [0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0],
            box_turned in [-1.0f32..1.0, -1.0f32..1.0],
        ) {
            let look = turned(look);
            let eye = Transform::from_xyz(70.0, 9.0, -300.0).with_rotation(look);
            let sun = match aligned {
                0 => look,
                1 => look * Quat::from_rotation_x(-core::f32::consts::FRAC_PI_2),
                _ => turned(sun),
            };
            let view = SubCameraView {
                full_size: UVec2::from(FULL),
                offset: offset.into(),
                size: size.into(),
            };
            // A point of the picture, from -1 to 1 across the whole one, without any matrix.
            let whole =
                |k: usize| 2.0 * (offset[k] + seen[k] * size[k] as f32) / FULL[k] as f32 - 1.0;
            let depth = start * (1.0 + seen[2] * (longer - 1.0));
            let (clip_from_view, [right, up]) = if is_wide {
                let half = depth * (WIDE.fov / 2.0).tan();
                (WIDE.get_clip_from_view_for_sub(&view), [half * WIDE.aspect_ratio, half])
            } else {
                let mut flat = OrthographicProjection::default_3d();
                flat.update(FULL[0] as f32, FULL[1] as f32);
                (flat.get_clip_from_view_for_sub(&view), FULL.map(|side| 0.5 * side as f32))
            };
            let shaded = Vec3::new(whole(0) * right, -whole(1) * up, -depth);
            let shading = eye.transform_point(shaded) + sun * Vec3::Z * above;
            let box_size = Vec3::from(box_size);
            let aabb = Aabb::from_min_max(Vec3::ZERO, box_size);
            let rotation = turned(box_turned);
            let place = Transform { translation: shading, rotation, ..Transform::IDENTITY };
            let corner = place.transform_point(-Vec3::from(in_box) * box_size);
            let place = Transform { translation: corner, ..place };
            let part = part(sun, clip_from_view, eye, [start, longer * start]);
            prop_assert!(part.may_be_shaded(&aabb, &place.into()));
        }
    }

    /// The first part begins at the near plane, which may be behind the eye.
    #[test]
    fn pictures_begin_at_the_near_plane() {
        let eye = &GlobalTransform::IDENTITY;
        assert!((Rays::new(WIDE.get_clip_from_view(), eye).nearest - 0.1).abs() < 1e-6);
        let flat = OrthographicProjection { near: -50.0, ..OrthographicProjection::default_3d() };
        assert!((Rays::new(flat.get_clip_from_view(), eye).nearest + 50.0).abs() < 1e-3);
    }

    #[test]
    fn what_is_beside_the_view_is_left_out() {
        // The sun is to the right, rising by 0.3 m a metre; the camera looks along -z.
        let sun = Quat::from_rotation_arc(Vec3::Z, Vec3::new(1.0, 0.3, 0.0).normalize());
        let part = part(sun, WIDE.get_clip_from_view(), Transform::IDENTITY, [500.0, 2000.0]);
        let aabb = Aabb::from_min_max(Vec3::splat(-10.0), Vec3::splat(10.0));
        let kept = |x, y, z| part.may_be_shaded(&aabb, &Transform::from_xyz(x, y, z).into());
        // In the view, and at the sun's side of it: low enough, and not too low.
        assert!(
            kept(0.0, 0.0, -1000.0) && kept(600.0, 0.0, -600.0) && kept(2000.0, 300.0, -1000.0)
        );
        assert!(!kept(2000.0, 1500.0, -1000.0) && !kept(2000.0, -300.0, -1000.0));
        // Behind the camera, before and beyond the part, and at its shaded side.
        assert!(!kept(0.0, 0.0, 100.0) && !kept(0.0, 0.0, -400.0) && !kept(0.0, 0.0, -2100.0));
        assert!(!kept(-1000.0, 0.0, -600.0) && !kept(-3000.0, -600.0, -1000.0));
        // What has no place.
        assert!(kept(f32::NAN, 0.0, 0.0));
    }
}
