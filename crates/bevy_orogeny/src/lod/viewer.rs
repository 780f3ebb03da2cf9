//! Viewers: where terrain is needed, up to which distance, and how fine.

use bevy_camera::{Camera, Projection};
use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::limits::{Limit, OutOfLimits};

use crate::lod::camera::pixels_per_radian;
use crate::lod::motion::Motion;
use crate::lod::view::View;

/// Terrain is built around this entity. Put it on the camera, or on any entity with a `Transform`.
/// There may be several viewers.
///
/// The error of a chunk is the distance of the field from its triangles, along their normals. It is
/// used from the distance at which its error is at most
/// [`pixel_error`](Self::pixel_error) on the screen. For a perspective camera that depends on the
/// height of the viewport and the field of view, so that detail looks the same at every resolution.
/// A viewer without a viewport (a plain entity, a headless server) or with another projection
/// counts as one of 1080 pixels and 45 degrees.
///
/// A camera that is not active (`Camera::is_active`) needs no terrain.
///
/// If a camera's `far` plane is nearer than twice the range, it is raised to that: Bevy's default
/// of 1,000 m would cut the terrain off.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform, Motion)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct TerrainViewer {
    /// The distance up to which terrain is needed, in metres, 16 to 1e7. The coarsest chunks are
    /// wider than this and reach beyond. Default: 16,000.
    pub range: f64,
    /// The maximum error of the ground on the screen, in pixels, 0.25 to 64: how far a silhouette
    /// may be off. 999 of 1000 points are within 1.1 times that, in some views within 1.2 times; 9
    /// of 10 are within less than half of it. It sets the quality: half of it needs about twice as
    /// many triangles. A level never ends nearer than some widths of its chunks, which balance
    /// requires (1.25 at the finest level, nearly 2.5 at coarse ones), nor beyond 32, so very large
    /// and very small numbers have no further effect. Default: 3.
    pub pixel_error: f64,
    /// Whether the pixel error is guaranteed, by proven bounds of the field's errors, which may be
    /// much larger than the actual errors. Otherwise they are estimated from the chunks' own
    /// vertices. Default: false.
    pub guarantee: bool,
    /// The level of all chunks within the range, whatever their distance (up to 32 of their
    /// widths), for views from high above, as in a strategy game. `None`, the default, makes levels
    /// follow the distance.
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
    default: 3.0,
    help: "How far the triangles may be from the exact ground, in pixels on the screen. Smaller \
           is finer",
};

/// Limits of the position of a viewer or a terrain, in metres along each axis.
pub const POSITION: Limit = Limit {
    name: "position",
    unit: "m",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Distance from the origin",
};

impl Default for TerrainViewer {
    /// 16 km at a pixel error of 3.
    fn default() -> Self {
        let (range, pixel_error) = (VIEW_RANGE.default, PIXEL_ERROR.default);
        Self { range, pixel_error, guarantee: false, uniform: None }
    }
}

impl TerrainViewer {
    /// The viewer as selection sees it, at (x, height, z), with errors larger by a factor.
    ///
    /// # Errors
    /// The first number outside its limits.
    pub(crate) fn view(
        &self,
        [x, height, z]: [f64; 3],
        coarseness: f64,
        camera: Option<(&Camera, &Projection)>,
    ) -> Result<View, OutOfLimits> {
        VIEW_RANGE.check(self.range)?;
        PIXEL_ERROR.check(self.pixel_error)?;
        [x, height, z].into_iter().try_for_each(|coordinate| POSITION.check(coordinate))?;
        let errors_per_radian = pixels_per_radian(camera) / (self.pixel_error * coarseness);
        Ok(View {
            height,
            guarantee: self.guarantee,
            uniform: self.uniform,
            ..View::at([x, z], self.range, errors_per_radian)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_limits_are_named() {
        let name = |viewer: TerrainViewer, position| {
            viewer.view(position, 1.0, None).unwrap_err().limit.name
        };
        let viewer = TerrainViewer::default();
        assert_eq!(name(TerrainViewer { range: f64::NAN, ..viewer }, [0.0; 3]), "range");
        assert_eq!(name(TerrainViewer { pixel_error: 0.0, ..viewer }, [0.0; 3]), "pixel error");
        assert_eq!(name(viewer, [0.0, 0.0, f64::INFINITY]), "position");
    }

    #[test]
    fn errors_per_radian_are_pixels_per_radian_over_the_pixel_error() {
        let errors_per_radian = |pixel_error| {
            let viewer = TerrainViewer { pixel_error, ..TerrainViewer::default() };
            viewer.view([0.0; 3], 1.0, None).unwrap().errors_per_radian
        };
        assert_eq!(errors_per_radian(2.0), pixels_per_radian(None) / 2.0);
        assert_eq!(errors_per_radian(4.0), errors_per_radian(2.0) / 2.0);
    }
}
