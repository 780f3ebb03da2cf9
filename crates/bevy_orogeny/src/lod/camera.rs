//! What a viewer's camera adds: its resolution, the sector that it sees, and its far plane.

use bevy_camera::{Camera, Projection};
use bevy_ecs::query::{Changed, Or};
use bevy_ecs::system::Query;
use bevy_log::info;
use bevy_math::Vec3;

use crate::lod::view::{ViewSector, Zoom};
use crate::lod::viewer::{TerrainViewer, VIEW_RANGE};

/// The viewport height in pixels, and the vertical field of view, of a viewer without a perspective
/// camera.
const PIXELS: f64 = 1080.0;
const FOV: f64 = core::f64::consts::FRAC_PI_4;

/// Half the height of an image at distance 1, with a field of view of 45 degrees.
pub(crate) const HALF_HEIGHT: f64 = core::f64::consts::SQRT_2 - 1.0;

/// Magnifications below this are none.
const SMALLEST: f64 = 1.01;

/// The largest magnification that counts. The number of plants grows with it.
const LARGEST: f64 = 12.0;

/// The maximum number of pixels per radian that counts. It limits the detail for telescopes and
/// video walls.
const SHARPEST: f64 = 1e5;

/// The far plane, in view ranges. A viewer high above the ground also sees terrain beyond its
/// range.
const FAR_RANGES: f32 = 2.0;

/// Pixels per radian at the centre of a camera's image.
pub(super) fn pixels_per_radian(camera: Option<(&Camera, &Projection)>) -> f64 {
    camera.and_then(own_pixels_per_radian).unwrap_or(per_radian(PIXELS, FOV))
}

fn own_pixels_per_radian((camera, projection): (&Camera, &Projection)) -> Option<f64> {
    let Projection::Perspective(perspective) = projection else { return None };
    let pixels = per_radian(f64::from(camera.physical_viewport_size()?.y), perspective.fov.into());
    (pixels > 0.0).then_some(pixels.min(SHARPEST))
}

fn per_radian(pixels: f64, fov: f64) -> f64 {
    pixels / (2.0 * (fov / 2.0).tan())
}

/// The sector of the ground that a perspective camera sees. `None` if it looks steeply down or up.
pub(crate) fn sector(
    forward: Vec3,
    (camera, projection): (&Camera, &Projection),
) -> Option<ViewSector> {
    let Projection::Perspective(perspective) = projection else { return None };
    let size = camera.physical_viewport_size()?.as_dvec2();
    let [x, z] = [forward.x, forward.z].map(f64::from);
    let along = x.hypot(z);
    let half = ((f64::from(perspective.fov) / 2.0).tan() * size.x / size.y.max(1.0)).atan();
    // If the camera is tilted, the corners of the image see a wider sector than its middle.
    (along > 0.7)
        .then(|| ViewSector { direction: [x / along, z / along], half_angle: half / along })
}

/// How a perspective camera magnifies. Telescopes see a narrow sector, so what they see farther
/// away does not cost much more.
pub(crate) fn zoom(forward: Vec3, (camera, projection): (&Camera, &Projection)) -> Zoom {
    if !matches!(projection, Projection::Perspective(_)) {
        return Zoom::NONE;
    }
    // As the shader reads it, so that both agree.
    let clip_from_view = match &camera.sub_camera_view {
        Some(part) => projection.get_clip_from_view_for_sub(part),
        None => projection.get_clip_from_view(),
    };
    let [x, y] = [clip_from_view.x_axis.x, clip_from_view.y_axis.y].map(|x| f64::from(x.abs()));
    let factor = (y * HALF_HEIGHT).min(LARGEST);
    if !(factor > SMALLEST && x > 0.0) {
        return Zoom::NONE;
    }
    // A cone around the pyramid of the view, and its shadow on the plane. A part of an image may be
    // off its middle.
    let off = f64::from(clip_from_view.z_axis.x.abs().max(clip_from_view.z_axis.y.abs()));
    let cone = ((1.0 + off) / x).hypot((1.0 + off) / y).atan();
    let forward = forward.as_dvec3().normalize_or_zero();
    let along = forward.x.hypot(forward.z);
    let turn = cone.sin() / along.max(1e-9);
    let sector = (turn < 1.0 && along > 0.0).then(|| ViewSector {
        direction: [forward.x / along, forward.z / along],
        half_angle: turn.asin(),
    });
    let steep = (forward.y.abs().min(1.0).asin() - cone).max(0.0);
    Zoom { factor, sector, along: steep.cos() }
}

/// Raises far planes that would clip the terrain.
pub(crate) fn raise_far(
    mut cameras: Query<
        (&TerrainViewer, &mut Projection),
        Or<(Changed<TerrainViewer>, Changed<Projection>)>,
    >,
) {
    for (viewer, mut projection) in &mut cameras {
        let Some(wanted) = wanted_far(viewer, &projection) else { continue };
        match &mut *projection {
            Projection::Perspective(perspective) => perspective.far = wanted,
            Projection::Orthographic(orthographic) => orthographic.far = wanted,
            Projection::Custom(_) => continue,
        }
        info!("the far plane of a TerrainViewer's camera is now {wanted} m");
    }
}

/// The far plane that shows the whole range, if the projection's far plane is nearer.
fn wanted_far(viewer: &TerrainViewer, projection: &Projection) -> Option<f32> {
    let far = match projection {
        Projection::Perspective(perspective) => perspective.far,
        Projection::Orthographic(orthographic) => orthographic.far,
        Projection::Custom(_) => return None,
    };
    let wanted = FAR_RANGES * viewer.range as f32;
    (VIEW_RANGE.check(viewer.range).is_ok() && far < wanted).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_camera::{OrthographicProjection, PerspectiveProjection, Viewport};
    use bevy_math::UVec2;

    #[test]
    fn resolution_follows_the_viewport_and_falls_back_without_one() {
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
        let pixels = |camera: &Camera, projection: &Projection| {
            pixels_per_radian(Some((camera, projection)))
        };
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
        // 90 degrees are 540 pixels on either side of the middle: those look 540 pixels away.
        close(pixels(&sized(1080), &perspective(90.0)), 540.0);
        close(pixels(&sized(540), &perspective(90.0)), 270.0);
        let without = pixels_per_radian(None);
        close(pixels(&sized(1080), &perspective(45.0)), without);
        assert!(pixels(&sized(1080), &perspective(20.0)) > 2.0 * without);
        close(pixels(&sized(1080), &perspective(0.01)), SHARPEST);
        close(pixels(&sized(540), &orthographic), without);
        close(pixels(&Camera::default(), &perspective(45.0)), without);
    }

    #[test]
    fn magnification_follows_the_field_of_view() {
        let camera = Camera::default();
        let zoom = |degrees: f32, forward| {
            let fov = degrees.to_radians();
            let perspective = PerspectiveProjection { fov, ..Default::default() };
            zoom(forward, (&camera, &perspective.into()))
        };
        assert_eq!(zoom(45.01, Vec3::X), Zoom::NONE);
        assert_eq!(zoom(70.0, Vec3::X), Zoom::NONE);
        let five = zoom(5.0, Vec3::X);
        assert!((five.factor - 9.49).abs() < 0.01 && five.along == 1.0, "{five:?}");
        let sector = five.sector.unwrap();
        assert!(sector.direction == [1.0, 0.0] && (0.06..0.07).contains(&sector.half_angle));
        // Straight down it sees in all directions, but not far on the map.
        let down = zoom(5.0, Vec3::NEG_Y);
        assert!(down.sector.is_none() && (0.06..0.07).contains(&down.along), "{down:?}");
        assert_eq!(zoom(0.1, Vec3::X).factor, LARGEST);
        let orthographic = OrthographicProjection::default_3d().into();
        assert_eq!(super::zoom(Vec3::X, (&camera, &orthographic)), Zoom::NONE);
    }

    #[test]
    fn near_far_planes_are_raised() {
        let viewer = TerrainViewer { range: 5000.0, ..TerrainViewer::default() };
        let near = Projection::from(PerspectiveProjection::default());
        assert_eq!(wanted_far(&viewer, &near), Some(10_000.0));
        let far = Projection::from(PerspectiveProjection { far: 50_000.0, ..Default::default() });
        assert_eq!(wanted_far(&viewer, &far), None);
    }
}
