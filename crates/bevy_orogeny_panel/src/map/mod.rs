//! The map and the profile of the tab Map, computed in tasks.
//!
//! `view` is a part of the ground, what to show of it and what lies over it, `picture` draws it;
//! `diagram` shows where lands lie in their climate.

pub mod diagram;
mod picture;
mod view;

use std::sync::Arc;

use bevy::prelude::*;
use bevy_egui::egui::TextureHandle;
use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::{Field, Samples};

use crate::worker::Worker;
pub use picture::Picture;
pub use view::{COARSEST, MapStyle, Overlay, View};

/// The number of samples of a profile.
const POINTS: usize = 400;

/// What the map shows, and the tasks that compute it.
#[derive(Resource)]
pub struct TerrainMap {
    pub view: View,
    /// Whether the map follows the camera.
    pub follows_camera: bool,
    /// The length of the profile in metres.
    pub length: f64,
    /// The terrain's ground with its edits.
    pub ground: Option<GroundQuery>,
    /// Counts changes of the ground.
    revision: u64,
    picture: Worker<View, Picture>,
    profile: Worker<Section, Profile>,
    /// The newest picture.
    pub texture: Option<Shown>,
}

/// A picture on the GPU.
pub struct Shown {
    /// The revision of the ground, and what it shows of it.
    pub view: (u64, View),
    pub texture: TextureHandle,
    /// What lies over it.
    pub overlay: Overlay,
}

impl Default for TerrainMap {
    fn default() -> Self {
        Self {
            view: View::default(),
            follows_camera: true,
            length: 5000.0,
            ground: None,
            revision: 0,
            picture: Worker::default(),
            profile: Worker::default(),
            texture: None,
        }
    }
}

impl TerrainMap {
    /// Shows this ground from now on.
    pub fn follow(&mut self, ground: &GroundQuery) {
        // A clone shares its parts.
        let is_same = self.ground.as_ref().is_some_and(|old| {
            Arc::ptr_eq(old.height_field(), ground.height_field())
                && std::ptr::eq(old.appearance(), ground.appearance())
        });
        if !is_same {
            self.ground = Some(ground.clone());
            self.revision += 1;
        }
    }

    /// Requests a picture, first a coarse one. Returns the newest finished one, once, and the
    /// revision of the ground that it shows.
    pub fn picture(&mut self, wanted: View) -> Option<(u64, &Picture)> {
        let ground = self.ground.clone()?;
        let finished = self.picture.newest_of(self.revision).map(|picture| picture.view);
        let step = match finished.filter(|view| view.at_step(1) == wanted.at_step(1)) {
            Some(view) => (view.step / 4).max(1),
            None => COARSEST,
        };
        let wanted = wanted.at_step(step);
        self.picture
            .ask(self.revision, wanted, |view| async move { Picture::draw(&ground, view).await });
        self.picture.fresh()
    }

    /// Requests a profile. Returns the newest finished one.
    pub fn profile(&mut self, wanted: Section) -> Option<&Profile> {
        let field = self.ground.as_ref()?.height_field().clone();
        self.profile
            .ask(self.revision, wanted, |section| async move { Profile::draw(&*field, section) });
        self.profile.newest()
    }
}

/// A line over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// The start (x, z) in metres.
    pub from: [f64; 2],
    /// The direction, a unit vector.
    pub towards: [f64; 2],
    /// The length in metres.
    pub length: f64,
}

impl Section {
    /// The line, rounded to a fraction of its length, so that a slow flight requests few profiles.
    pub fn in_steps(self) -> Self {
        let step = self.length / 200.0;
        let angle = (self.towards[1].atan2(self.towards[0]) * 100.0).round() / 100.0;
        let (z, x) = angle.sin_cos();
        Self { from: self.from.map(|at| (at / step).round() * step), towards: [x, z], ..self }
    }
}

/// Heights over distances, in metres.
pub struct Profile(Vec<[f64; 2]>);

impl Profile {
    /// Samples a field along a line.
    pub fn draw(field: &dyn Field<2>, section: Section) -> Self {
        let Section { from, towards, length } = section;
        let distance = |i: usize| length * i as f64 / (POINTS - 1) as f64;
        let points: Vec<[f64; 2]> =
            (0..POINTS).map(|i| [0, 1].map(|k| from[k] + distance(i) * towards[k])).collect();
        let mut samples = Samples::values_only();
        field.sample_points(&points, &mut samples);
        let heights = samples.values().iter().map(|&height| f64::from(height));
        Self(heights.enumerate().map(|(i, height)| [distance(i), height]).collect())
    }

    /// The lines to plot: those between places without a height, which egui does not draw but
    /// panics with in dev builds.
    pub fn lines(&self) -> impl Iterator<Item = Vec<[f64; 2]>> {
        let pieces = self.0.split(|[_, height]| !height.is_finite());
        pieces.filter(|piece| piece.len() > 1).map(<[_]>::to_vec)
    }
}

#[cfg(test)]
mod tests {
    use bevy_orogeny::orogeny::Sample;

    use super::*;

    struct Ramp;

    impl Field<2> for Ramp {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            Sample { value: (x + 2.0 * z) as f32, gradient: [1.0, 2.0] }
        }
    }

    #[test]
    fn a_profile_goes_along_its_line() {
        let section = Section { from: [10.0, 20.0], towards: [0.0, 1.0], length: 100.0 };
        let Profile(points) = Profile::draw(&Ramp, section);
        assert_eq!((points[0], points[POINTS - 1]), ([0.0, 50.0], [100.0, 250.0]));
    }

    /// Ground with a hole in its middle.
    struct Ring;

    impl Field<2> for Ring {
        fn sample(&self, [_, z]: [f64; 2]) -> Sample<2> {
            let hole = (40.0..60.0).contains(&z);
            if hole { Sample::OUTSIDE } else { Sample { value: z as f32, gradient: [0.0, 1.0] } }
        }
    }

    #[test]
    fn a_profile_is_interrupted_by_holes() {
        let section = Section { from: [0.0; 2], towards: [0.0, 1.0], length: 100.0 };
        let lines: Vec<_> = Profile::draw(&Ring, section).lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().flatten().all(|[at, height]| (at - height).abs() < 1e-3));
        assert!(lines[0].last().unwrap()[0] < 40.0 && lines[1][0][0] >= 60.0);
    }
}
