//! Lines and circles that lie on the ground.

use core::f64::consts::TAU;

use bevy_color::Color;
use bevy_ecs::system::SystemParam;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::DVec2;

use crate::base::query_error::QueryError;
use crate::query::terrain_query::TerrainQuery;

/// The distance between points of a line in metres, and how many steps a line has.
const STEP: f64 = 0.5;
const FEWEST: f64 = 24.0;
const MOST: f64 = 1024.0;
/// The height of lines over the ground in metres, which keeps them from flickering.
const ABOVE: f32 = 0.1;

/// Draws on the ground with Bevy's [`Gizmos`], for one frame: what a tool is going to change, the
/// range of a tower, a path. All positions are (x, z) in the world, in metres.
///
/// Lines follow the triangles that are drawn up close, of the ground that is
/// [shown](crate::TerrainQuery::shown), with a point every 0.5 m, in at most 1,024 steps. Where
/// there are several terrains they lie on the highest one.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::prelude::*;
///
/// fn show_plan(mut gizmos: TerrainGizmos) -> Result {
///     let (house, radius) = ([120.0, -40.0], 15.0);
///     gizmos.circle(house, radius, Color::WHITE)?;
///     gizmos.line([100.0, 0.0], house, Color::srgb(1.0, 0.8, 0.2))?;
///     Ok(())
/// }
/// ```
#[derive(SystemParam)]
pub struct TerrainGizmos<'w, 's> {
    /// Bevy's own, for what does not lie on the ground.
    pub gizmos: Gizmos<'w, 's>,
    terrains: TerrainQuery<'w, 's>,
}

impl TerrainGizmos<'_, '_> {
    /// A line over the ground between two points. It is interrupted where there is no ground.
    ///
    /// # Errors
    /// No terrain, and those of [`TerrainQuery::get`].
    pub fn line(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        color: impl Into<Color>,
    ) -> Result<(), QueryError> {
        let [from, to] = [from, to].map(DVec2::from);
        self.draw(from.distance(to), |t| from.lerp(to, t), color.into())
    }

    /// A circle over the ground. It is interrupted where there is no ground.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub fn circle(
        &mut self,
        center: [f64; 2],
        radius: f64,
        color: impl Into<Color>,
    ) -> Result<(), QueryError> {
        let at = |t| DVec2::from(center) + radius * DVec2::from_angle(TAU * t);
        self.draw(TAU * radius.abs(), at, color.into())
    }

    /// Draws a curve of a length in metres, which is at `at(t)` for t from 0 to 1.
    fn draw(
        &mut self,
        length: f64,
        at: impl Fn(f64) -> DVec2,
        color: Color,
    ) -> Result<(), QueryError> {
        let grounds = self.terrains.shown().grounds(None)?;
        let over = |at: DVec2| {
            let height = grounds.surface(at.into()).ok()?.value + ABOVE;
            Some(grounds.translation([at.x, height.into(), at.y]))
        };
        let steps = (length / STEP).ceil().clamp(FEWEST, MOST);
        let mut last = over(at(0.0));
        for i in 1..=steps as u32 {
            let next = over(at(f64::from(i) / steps));
            if let (Some(from), Some(to)) = (last, next) {
                self.gizmos.line(from, to, color);
            }
            last = next;
        }
        Ok(())
    }
}
