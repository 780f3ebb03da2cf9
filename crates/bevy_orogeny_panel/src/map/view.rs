//! A part of the ground, looked at from above, and what lies over it.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::edits::Edits;
use bevy_orogeny::orogeny::{Grid, Region};
use strum::{EnumIter, EnumMessage, IntoStaticStr};

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumMessage, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MapStyle {
    /// Heights, lit from the north-west and coloured from the lowest to the highest on the map.
    #[default]
    Shaded,
    /// The lands, in their colours.
    Lands,
    /// The mean temperature on the ground: blue below 0 °C, white at 0 °C, red at 30 °C.
    Temperature,
    /// The moisture: yellow is dry, blue is moist.
    Moisture,
    /// Heights: black is the lowest on the map, white the highest.
    Height,
    /// Slopes: black is level, red is 30 degrees, yellow 45 degrees, white vertical.
    Slope,
    /// Mean curvature: hollows are blue, ridges are red, flat ground is white.
    Curvature,
}

/// The points of the screen between samples of the coarsest pictures.
pub const COARSEST: usize = 16;
/// The widest map with rivers, in metres. Each river takes some microseconds, and a line.
const WIDEST: f64 = 60_000.0;
/// The maximum number of edits on a map.
const MAX_EDITS: usize = 2000;

/// A part of the ground. North, towards -z, is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub style: MapStyle,
    /// The middle (x, z) in metres.
    pub centre: [f64; 2],
    /// Metres from point to point of the screen.
    pub spacing: f64,
    /// Points.
    pub size: [usize; 2],
    /// The points between samples: 1 for a picture with a sample at each point.
    pub step: usize,
}

impl Default for View {
    fn default() -> Self {
        let (style, size) = (MapStyle::default(), [320, 240]);
        Self { style, centre: [0.0; 2], spacing: 20.0, size, step: 1 }
    }
}

impl View {
    /// The terrain position (x, z) of a point of the picture, given in points from its middle.
    pub fn position(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.centre[0] + self.spacing * x, self.centre[1] + self.spacing * y]
    }

    /// The point of the picture, in points from its middle, that shows a terrain position (x, z).
    pub fn point(&self, position: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| (position[k] - self.centre[k]) / self.spacing)
    }

    /// The same view, its middle rounded to steps of some points, so that a slow flight requests
    /// few pictures.
    pub fn in_steps(self, points: f64) -> Self {
        let step = points * self.spacing;
        Self { centre: self.centre.map(|at| (at / step).round() * step), ..self }
    }

    /// Whether a finer picture of another view shows most of this one as well.
    pub fn is_shown_by(&self, finer: &Self) -> bool {
        let moved = [0, 1].map(|k| (self.centre[k] - finer.centre[k]).abs() / self.spacing);
        let is_near = (0..2).all(|k| moved[k] < 0.25 * self.size[k] as f64);
        finer.step < self.step
            && (self.style, self.spacing) == (finer.style, finer.spacing)
            && is_near
    }

    /// The same view with other points between samples.
    pub fn at_step(self, step: usize) -> Self {
        Self { step, ..self }
    }

    /// The part of the ground that it shows.
    pub fn region(&self) -> Region {
        let half = self.size.map(|side| 0.5 * side as f64);
        Region { min: self.position(half.map(|x| -x)), max: self.position(half) }
    }

    /// The samples: each in the middle of the points that it stands for.
    pub fn grid(&self) -> Grid<2> {
        let step = self.step as f64;
        let counts = self.size.map(|side| side.div_ceil(self.step).max(1));
        let first = [0, 1].map(|k| 0.5 * (step - self.size[k] as f64));
        Grid::new(self.position(first), self.spacing * step, counts)
    }
}

/// Rivers and edits on a map, in metres.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The ends of straight parts of rivers, and their width.
    pub rivers: Vec<([[f64; 2]; 2], f32)>,
    /// The regions of edits.
    pub edits: Vec<Region>,
    /// Whether the map shows too much ground for its rivers.
    pub leaves_out_rivers: bool,
}

impl Overlay {
    /// What lies over a view.
    pub fn find(ground: &GroundQuery, view: &View) -> Self {
        let region = view.region();
        let mut overlay = Self::default();
        if let Some(rivers) = ground.rivers() {
            let side = (region.max[0] - region.min[0]).max(region.max[1] - region.min[1]);
            overlay.leaves_out_rivers = side > WIDEST;
            // Far away there are none.
            if !overlay.leaves_out_rivers
                && let Ok(reaches) = rivers.reaches(region)
            {
                let wet = reaches.iter().filter(|reach| reach.width[1] > 0.0);
                overlay.rivers = wet.map(|reach| (reach.ends, reach.width[1] as f32)).collect();
            }
        }
        let all = ground.edits().all_differences(&Edits::new());
        let seen = all.into_iter().filter(|edit| edit.meets(&region));
        overlay.edits = seen.take(MAX_EDITS).collect();
        overlay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_points_are_each_others_inverse() {
        let view = View { centre: [100.0, -50.0], spacing: 2.0, size: [5, 3], ..View::default() };
        assert_eq!(view.point(view.position([7.0, -3.0])), [7.0, -3.0]);
        assert_eq!(view.in_steps(16.0).centre, [96.0, -64.0]);
        assert_eq!(view.region(), Region { min: [95.0, -53.0], max: [105.0, -47.0] });
    }

    #[test]
    fn a_finer_picture_stays_while_the_map_moves_a_little() {
        let coarse = View { step: COARSEST, ..View::default() };
        let shown = View { centre: [400.0, 0.0], ..View::default() };
        assert!(coarse.is_shown_by(&shown) && !shown.is_shown_by(&coarse));
        assert!(!coarse.is_shown_by(&View { centre: [4000.0, 0.0], ..shown }));
        assert!(!coarse.is_shown_by(&View { spacing: 21.0, ..shown }));
        assert!(!coarse.is_shown_by(&View { style: MapStyle::Slope, ..shown }));
    }

    /// Whatever the step, samples cover the picture.
    #[test]
    fn samples_are_in_the_middle_of_what_they_stand_for() {
        let view = View { spacing: 2.0, size: [320, 160], ..View::default() };
        for step in [1, 4, 16] {
            let grid = view.at_step(step).grid();
            assert_eq!(grid.size, [320 / step, 160 / step]);
            let region = view.region();
            let half = step as f64;
            assert_eq!(grid.origin, region.min.map(|x| x + half));
            assert_eq!(grid.coordinate(0, grid.size[0] - 1), region.max[0] - half);
        }
    }
}
