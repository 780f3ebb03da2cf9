//! Viewers: where terrain is needed, how far, and how fine.

use bevy_camera::{Camera, Projection};
use bevy_ecs::component::Component;
use bevy_ecs::query::{Changed, Or};
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::Query;
use bevy_log::info;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::limits::{Limit, OutOfLimits};

use crate::lod::selection::{Look, View};

/// Put it on the camera, or on anything with a `Transform` around which terrain is needed. There
/// may be several.
///
/// Each level of detail serves from where its error, the vertical distance between its triangles
/// and the field, is no larger on the screen than the pixel error. For a camera with perspective
/// that follows the height of the viewport and the field of view, so that detail looks the same at
/// every resolution. Without a viewport (a headless server, a plain entity) and with other
/// projections, they are taken as 1080 pixels and 45 degrees.
///
/// A camera's `far` plane is raised to twice the range where it is nearer; Bevy's default of 1,000
/// m would cut the terrain off.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform, Motion)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainViewer {
    /// How far terrain reaches from the viewer at least, in metres, 16 to 1e7. The coarsest chunks,
    /// which are wider than this, reach beyond.
    pub range: f64,
    /// The error on the screen, in pixels, that the levels may have, 0.25 to 64: the one quality
    /// knob. Levels never end nearer than neighbours within one level of each other allow,
    /// about 2.5 diagonals of their chunks, nor beyond 32 widths of them, so that very large and
    /// very small numbers change nothing more.
    pub pixel_error: f64,
    /// Whether the pixel error is guaranteed: by the errors that are proven of the field, which may
    /// be much larger than those it has. Otherwise it is kept by the errors that were measured in
    /// many places, for 99 of 100 points.
    pub guarantee: bool,
    /// The level of all chunks within the range, whatever their distance (as long as that is not
    /// more than 32 of their widths): for views from high above, as in a strategy game. None lets
    /// levels follow the distance.
    pub uniform: Option<u8>,
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

/// Limits of [`TerrainViewer::pixel_error`].
pub const PIXEL_ERROR: Limit = Limit {
    name: "pixel error",
    unit: "px",
    min: 0.25,
    max: 64.0,
    default: 2.0,
    help: "How far, on the screen, the triangles may be from the exact ground: smaller is finer",
};

/// Limits of the place of a viewer or a terrain, in metres along either axis.
pub const POSITION: Limit = Limit {
    name: "position",
    unit: "m",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Distance from the origin",
};

/// The viewport height and vertical field of view where there is no camera with perspective.
const PIXELS: f64 = 1080.0;
const FOV: f64 = core::f64::consts::FRAC_PI_4;

/// The most pixels per radian: a telescope or a wall of screens must not ask for more.
const SHARPEST: f64 = 1e5;

/// The far plane in view ranges: room for a viewer that looks down from high above. Chunks beyond
/// the range are not needed.
const FAR_RANGES: f32 = 2.0;

impl Default for TerrainViewer {
    /// 16 km at a pixel error of 2.
    fn default() -> Self {
        Self { range: 16_000.0, pixel_error: 2.0, guarantee: false, uniform: None }
    }
}

impl TerrainViewer {
    /// The viewer as selection sees it, at (x, height, z).
    ///
    /// # Errors
    /// The first number outside its limits.
    pub(crate) fn view(
        &self,
        [x, height, z]: [f64; 3],
        camera: Option<(&Camera, &Projection)>,
    ) -> Result<View, OutOfLimits> {
        VIEW_RANGE.check(self.range)?;
        PIXEL_ERROR.check(self.pixel_error)?;
        [x, height, z].into_iter().try_for_each(|coordinate| POSITION.check(coordinate))?;
        let pixels = camera.and_then(pixels_per_radian).unwrap_or(per_radian(PIXELS, FOV));
        Ok(View {
            height,
            guarantee: self.guarantee,
            uniform: self.uniform,
            ..View::at([x, z], self.range, pixels / self.pixel_error)
        })
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

/// How a viewer moves.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Where it was in the last frame, in metres.
    last: Option<[f64; 2]>,
    /// In metres per second, smoothed.
    velocity: [f64; 2],
}

/// How far ahead streaming looks, in seconds.
const FORESIGHT: f64 = 0.25;
/// The time in which a velocity is taken over, in seconds.
const SMOOTHING: f64 = 0.2;

impl Motion {
    /// Takes note of the place of this frame, and says where the viewer will be in a moment.
    pub(crate) fn ahead(&mut self, position: [f64; 2], range: f64, seconds: f64) -> [f64; 2] {
        let last = self.last.replace(position).unwrap_or(position);
        let way = [0, 1].map(|k| position[k] - last[k]);
        if way[0].hypot(way[1]) > range / 2.0 {
            // A teleport is not a movement.
            self.velocity = [0.0; 2];
        } else if seconds > 0.0 {
            let part = 1.0 - (-seconds / SMOOTHING).exp();
            self.velocity =
                [0, 1].map(|k| self.velocity[k] + part * (way[k] / seconds - self.velocity[k]));
        }
        let speed = self.velocity[0].hypot(self.velocity[1]);
        let time = FORESIGHT.min(range / 4.0 / speed.max(1e-9));
        [0, 1].map(|k| position[k] + time * self.velocity[k])
    }
}

/// Pixels per radian at the centre of a camera's picture.
fn pixels_per_radian((camera, projection): (&Camera, &Projection)) -> Option<f64> {
    let Projection::Perspective(perspective) = projection else { return None };
    let pixels = per_radian(f64::from(camera.physical_viewport_size()?.y), perspective.fov.into());
    (pixels > 0.0).then_some(pixels.min(SHARPEST))
}

fn per_radian(pixels: f64, fov: f64) -> f64 {
    pixels / (2.0 * (fov / 2.0).tan())
}

/// The sector of the ground that a camera with perspective sees, where it does not look too steeply
/// down or up.
pub(crate) fn look(forward: Vec3, (camera, projection): (&Camera, &Projection)) -> Option<Look> {
    let Projection::Perspective(perspective) = projection else { return None };
    let size = camera.physical_viewport_size()?.as_dvec2();
    let [x, z] = [forward.x, forward.z].map(f64::from);
    let along = x.hypot(z);
    let half = ((f64::from(perspective.fov) / 2.0).tan() * size.x / size.y.max(1.0)).atan();
    // Looking down by an angle, the corners of the picture see wider than its middle.
    (along > 0.7).then(|| Look { direction: [x / along, z / along], half_angle: half / along })
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

    fn acuity(camera: Option<(&Camera, &Projection)>) -> f64 {
        TerrainViewer::default().view([0.0; 3], camera).unwrap().acuity
    }

    #[test]
    fn acuity_follows_the_viewport_and_falls_back_without_one() {
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
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
        // 90 degrees are 540 pixels on either side of the middle: those look 540 pixels away.
        close(acuity(Some((&sized(1080), &perspective(90.0)))), 540.0 / 2.0);
        close(acuity(Some((&sized(540), &perspective(90.0)))), 270.0 / 2.0);
        let without = acuity(None);
        close(acuity(Some((&sized(1080), &perspective(45.0)))), without);
        assert!(acuity(Some((&sized(1080), &perspective(20.0)))) > 2.0 * without);
        close(acuity(Some((&sized(1080), &perspective(0.01)))), SHARPEST / 2.0);
        close(acuity(Some((&sized(540), &orthographic))), without);
        close(acuity(Some((&Camera::default(), &perspective(45.0)))), without);
    }

    #[test]
    fn motion_looks_ahead_and_knows_teleports() {
        let mut motion = Motion::default();
        let mut ahead = [0.0; 2];
        for frame in 0..120 {
            ahead = motion.ahead([f64::from(frame), 5.0], 1000.0, 0.01);
        }
        // 100 m/s for a quarter of a second.
        assert!((ahead[0] - 144.0).abs() < 0.5 && (ahead[1] - 5.0).abs() < 1e-9, "{ahead:?}");
        assert_eq!(motion.ahead([5000.0, 0.0], 1000.0, 0.01), [5000.0, 0.0]);
        assert_eq!(motion.ahead([5000.0, 0.0], 1000.0, 0.0), [5000.0, 0.0]);
        for _ in 0..50 {
            ahead = motion.ahead([0, 1].map(|k| motion.last.unwrap()[k] + 300.0), 1000.0, 0.001);
        }
        let way = [0, 1].map(|k| ahead[k] - motion.last.unwrap()[k]);
        assert!(
            (way[0].hypot(way[1]) - 250.0).abs() < 1.0,
            "no farther than a quarter of the range"
        );
    }

    #[test]
    fn numbers_outside_their_limits_are_named() {
        let name =
            |viewer: TerrainViewer, position| viewer.view(position, None).unwrap_err().limit.name;
        let viewer = TerrainViewer::default();
        assert_eq!(name(TerrainViewer { range: f64::NAN, ..viewer }, [0.0; 3]), "range");
        assert_eq!(name(TerrainViewer { pixel_error: 0.0, ..viewer }, [0.0; 3]), "pixel error");
        assert_eq!(name(viewer, [0.0, 0.0, f64::INFINITY]), "position");
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
