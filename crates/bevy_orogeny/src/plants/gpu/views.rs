//! The views in which plants are drawn, as planes around what is seen.

use bevy_camera::primitives::Frustum;
use bevy_camera::visibility::RenderLayers;
use bevy_core_pipeline::core_3d::Opaque3d;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Mat4, Vec3, Vec4, Vec4Swizzles};
use bevy_pbr::{LightEntity, Shadow};
use bevy_platform::collections::HashMap;
use bevy_render::render_phase::ViewBinnedRenderPhases;
use bevy_render::render_resource::ShaderType;
use bevy_render::view::{ExtractedView, RenderShadowLodOrigin, RetainedViewEntity};

use super::extract::Extracted;
use crate::lod::camera::HALF_HEIGHT;

/// A view.
#[derive(ShaderType, Clone, Copy, Default)]
pub struct GpuView {
    /// What is seen is on the positive side of all planes.
    pub planes: [Vec4; PLANES],
    /// Where distances are measured from.
    pub eye: Vec3,
    pub magnification: f32,
    pub plane_count: u32,
    pub is_camera: u32,
}

/// The most planes around a view.
pub const PLANES: usize = 24;

type View = (
    &'static ExtractedView,
    Option<&'static LightEntity>,
    Option<&'static Frustum>,
    Option<&'static RenderLayers>,
);

/// All views of the renderer.
#[derive(SystemParam)]
pub(super) struct Views<'w, 's> {
    views: Query<'w, 's, View>,
    cameras: Res<'w, ViewBinnedRenderPhases<Opaque3d>>,
    shadows: Res<'w, ViewBinnedRenderPhases<Shadow>>,
    shadow_eye: Option<Res<'w, RenderShadowLodOrigin>>,
}

impl Views<'_, '_> {
    /// The rows of those that draw plants, with their numbers. A camera that only draws the arms of
    /// a player, on a layer of their own, has none.
    pub fn rows(
        &self,
        extracted: &Extracted,
        rows: &mut Vec<GpuView>,
        numbers: &mut HashMap<RetainedViewEntity, u32>,
    ) {
        rows.clear();
        numbers.clear();
        for (view, light, frustum, layers) in &self.views {
            let id = view.retained_view_entity;
            if !layers.unwrap_or_default().intersects(&extracted.layers) {
                continue;
            }
            let is_camera = self.cameras.contains_key(&id);
            if !is_camera && !self.shadows.contains_key(&id) || numbers.contains_key(&id) {
                continue;
            }
            let mut row = GpuView {
                eye: self.eye(view, is_camera),
                magnification: if is_camera { magnification(view, extracted) } else { 1.0 },
                is_camera: u32::from(is_camera),
                ..GpuView::default()
            };
            add_planes(&mut row, view, light, frustum, extracted);
            numbers.insert(id, rows.len() as u32);
            rows.push(row);
        }
    }

    /// Where distances are measured from, as Bevy does: shadows are those of what a camera sees.
    fn eye(&self, view: &ExtractedView, is_camera: bool) -> Vec3 {
        let own = view.world_from_view.translation();
        let Some(shared) = self.shadow_eye.as_ref().filter(|_| !is_camera) else { return own };
        let camera = view.retained_view_entity.auxiliary_entity;
        if camera.id() == Entity::PLACEHOLDER {
            return shared.0;
        }
        // A camera has other views, too, as that of its user interface.
        let camera = RetainedViewEntity::new(camera, None, 0);
        let is_it = |other: &ExtractedView| other.retained_view_entity == camera;
        let mut cameras = self.views.iter().map(|(other, ..)| other);
        cameras
            .find(|other| is_it(other))
            .map_or(shared.0, |camera| camera.world_from_view.translation())
    }
}

/// By how much a camera magnifies: what is seen larger has finer levels, and is drawn farther away.
/// Orthographic ones do not.
fn magnification(view: &ExtractedView, extracted: &Extracted) -> f32 {
    let is_perspective = view.clip_from_view.w_axis.w == 0.0;
    let height = view.clip_from_view.y_axis.y.abs();
    if is_perspective && height.is_finite() {
        (height * HALF_HEIGHT as f32).clamp(1.0, extracted.magnification.max(1.0))
    } else {
        1.0
    }
}

/// Adds the planes around what a view sees, or around what may cast shadows into it.
fn add_planes(
    row: &mut GpuView,
    view: &ExtractedView,
    light: Option<&LightEntity>,
    frustum: Option<&Frustum>,
    extracted: &Extracted,
) {
    let from_world = view.clip_from_world.unwrap_or_else(|| {
        view.clip_from_view * Mat4::from(view.world_from_view.affine().inverse())
    });
    let rows = from_world.transpose();
    let sides = [
        rows.w_axis + rows.x_axis,
        rows.w_axis - rows.x_axis,
        rows.w_axis + rows.y_axis,
        rows.w_axis - rows.y_axis,
    ];
    // Depth is 1 at the near plane, and 0 at the far one.
    let (near, far) = (rows.w_axis - rows.z_axis, rows.z_axis);
    let is_sun = matches!(light, Some(LightEntity::Directional { .. }));
    // Casters may be between the sun and its map. Other projections have no far plane, but a camera
    // has one all the same, and a lamp its range.
    let ends = match frustum {
        _ if is_sun => [far, Vec4::ZERO],
        Some(frustum) => [near, frustum.half_spaces[5].normal_d()],
        None => [near, Vec4::ZERO],
    };
    let id = view.retained_view_entity;
    let key = (id.main_entity.id(), id.auxiliary_entity.id(), id.subview_index);
    let casters = extracted.cascades.0.get(&key).filter(|_| is_sun);
    let all = sides.into_iter().chain(ends).filter_map(normalised);
    for plane in all.chain(casters.into_iter().flatten().copied()) {
        if let Some(free) = row.planes.get_mut(row.plane_count as usize) {
            *free = plane;
            row.plane_count += 1;
        }
    }
}

/// A plane whose normal has length 1; `None` if it has none, as that at infinity.
fn normalised(plane: Vec4) -> Option<Vec4> {
    let length = plane.xyz().length();
    let plane = plane / length;
    (length > 1e-12 && plane.is_finite()).then_some(plane)
}
