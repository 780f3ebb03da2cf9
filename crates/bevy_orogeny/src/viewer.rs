//! Viewers: where terrain is needed, how far, and how fine.

use bevy_camera::{Camera, Projection};
use bevy_ecs::component::Component;
use bevy_ecs::query::{Changed, Or};
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::Query;
use bevy_log::info;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::limits::{Limit, OutOfLimits};

use crate::select::View;

/// Put it on the camera, or on anything with a `Transform` around which terrain is needed. There may be several.
///
/// On a camera with perspective, the distances of the levels follow the height of the viewport and the field of
/// view, so that detail looks the same at every resolution: at detail 1 and 64 cells a chunk, a cell spans about five pixels
/// where its level ends. Without a viewport (a headless server, a plain entity) and with other projections,
/// they are those of 1080 pixels and 45 degrees.
///
/// A camera's `far` plane is raised to twice the range where it is nearer; Bevy's default of 1,000 m would cut the terrain off.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainViewer {
    /// How far terrain reaches from the viewer at least, in metres, 16 to 1e7. The coarsest chunks, which are wider than
    /// this, reach beyond.
    pub range: f64,
    /// Scales the distances up to which each level is used, 0.25 to 8: the one quality knob. Distances never fall below
    /// those that keep neighbouring chunks within one level of each other, about 2.8 chunk widths, so that small numbers
    /// may change nothing.
    pub detail: f64,
}

/// Limits of [`TerrainViewer::range`].
pub const VIEW_RANGE: Limit = Limit {
    name: "range",
    unit: "m",
    min: 16.0,
    max: 1e7,
    default: 16_000.0,
    help: "Distance from the viewer to the end of the terrain",
};

/// Limits of [`TerrainViewer::detail`].
pub const DETAIL: Limit = Limit {
    name: "detail",
    unit: "",
    min: 0.25,
    max: 8.0,
    default: 1.0,
    help: "Scales the distances up to which fine levels are used, down to a floor that keeps neighbours within one level",
};

/// Limits of the place of a viewer or a terrain, in metres along either axis.
pub const PLACE: Limit = Limit {
    name: "position",
    unit: "m",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Distance from the origin",
};

/// The viewport height and vertical field of view at which `detail` is taken as it is.
const REFERENCE_PIXELS: f64 = 1080.0;
const REFERENCE_FOV: f64 = core::f64::consts::FRAC_PI_4;

/// The far plane in view ranges: room for a viewer that looks down from high above. Chunks beyond the range are not needed.
const FAR_RANGES: f32 = 2.0;

impl Default for TerrainViewer {
    /// 16 km at detail 1.
    fn default() -> Self {
        Self { range: 16_000.0, detail: 1.0 }
    }
}

impl TerrainViewer {
    /// The viewer as selection sees it, at (x, z).
    ///
    /// # Errors
    /// The first number outside its limits.
    pub(crate) fn view(
        &self,
        position: [f64; 2],
        camera: Option<(&Camera, &Projection)>,
    ) -> Result<View, OutOfLimits> {
        VIEW_RANGE.check(self.range)?;
        DETAIL.check(self.detail)?;
        position.into_iter().try_for_each(|coordinate| PLACE.check(coordinate))?;
        let detail = self.detail * camera.and_then(magnification).unwrap_or(1.0);
        // A telescope or a wall of screens must not ask for more than the largest detail itself would.
        Ok(View { position, range: self.range, detail: detail.min(DETAIL.max) })
    }

    /// The far plane that a projection needs to show the whole range, where its own is nearer.
    fn far(&self, projection: &Projection) -> Option<f32> {
        let far = match projection {
            Projection::Perspective(perspective) => perspective.far,
            Projection::Orthographic(orthographic) => orthographic.far,
            Projection::Custom(_) => return None,
        };
        let wanted = FAR_RANGES * self.range as f32;
        (VIEW_RANGE.check(self.range).is_ok() && far < wanted).then_some(wanted)
    }
}

/// Pixels per radian relative to the reference, at the centre of the picture.
fn magnification((camera, projection): (&Camera, &Projection)) -> Option<f64> {
    let Projection::Perspective(perspective) = projection else { return None };
    let pixels = f64::from(camera.physical_viewport_size()?.y);
    let scale = pixels / REFERENCE_PIXELS * (REFERENCE_FOV / 2.0).tan()
        / (f64::from(perspective.fov) / 2.0).tan();
    (scale.is_finite() && scale > 0.0).then_some(scale)
}

/// Raises far planes that would cut the terrain off.
pub(crate) fn raise_far(
    mut cameras: Query<
        (&TerrainViewer, &mut Projection),
        Or<(Changed<TerrainViewer>, Changed<Projection>)>,
    >,
) {
    for (viewer, mut projection) in &mut cameras {
        let Some(wanted) = viewer.far(&projection) else { continue };
        match &mut *projection {
            Projection::Perspective(perspective) => perspective.far = wanted,
            Projection::Orthographic(orthographic) => orthographic.far = wanted,
            Projection::Custom(_) => continue,
        }
        info!("the far plane of a terrain viewer's camera is raised to {wanted} m");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_camera::{OrthographicProjection, PerspectiveProjection, Viewport};
    use bevy_math::UVec2;

    fn detail(camera: Option<(&Camera, &Projection)>) -> f64 {
        TerrainViewer::default().view([0.0, 0.0], camera).unwrap().detail
    }

    #[test]
    fn detail_follows_the_viewport_and_falls_back_without_one() {
        let sized = |y| Camera {
            viewport: Some(Viewport { physical_size: UVec2::new(640, y), ..Viewport::default() }),
            ..Camera::default()
        };
        let perspective = |degrees: f32| {
            Projection::from(PerspectiveProjection {
                fov: degrees.to_radians(),
                ..Default::default()
            })
        };
        let orthographic = Projection::from(OrthographicProjection::default_3d());
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        close(detail(Some((&sized(1080), &perspective(45.0)))), 1.0);
        close(detail(Some((&sized(540), &perspective(45.0)))), 0.5);
        assert!(detail(Some((&sized(1080), &perspective(20.0)))) > 2.0);
        close(detail(Some((&sized(1080), &perspective(0.01)))), DETAIL.max);
        close(detail(Some((&sized(540), &orthographic))), 1.0);
        close(detail(Some((&Camera::default(), &perspective(45.0)))), 1.0);
        close(detail(None), 1.0);
    }

    #[test]
    fn numbers_outside_their_limits_are_named() {
        let name =
            |viewer: TerrainViewer, position| viewer.view(position, None).unwrap_err().limit.name;
        let viewer = TerrainViewer::default();
        assert_eq!(name(TerrainViewer { range: f64::NAN, ..viewer }, [0.0; 2]), "range");
        assert_eq!(name(TerrainViewer { detail: 0.0, ..viewer }, [0.0; 2]), "detail");
        assert_eq!(name(viewer, [0.0, f64::INFINITY]), "position");
    }

    #[test]
    fn near_far_planes_are_raised() {
        let viewer = TerrainViewer { range: 5000.0, ..TerrainViewer::default() };
        let near = Projection::from(PerspectiveProjection::default());
        assert_eq!(viewer.far(&near), Some(10_000.0));
        let far = Projection::from(PerspectiveProjection { far: 50_000.0, ..Default::default() });
        assert_eq!(viewer.far(&far), None);
    }
}
