//! The map and the profile of the tab Map, computed in tasks.
//!
//! `view` is a part of the ground and what to show of it, `picture` draws it, `colours` has its
//! colours, `overlay` finds rivers and edits; `profile` samples a line, `diagram` shows where lands
//! lie in their climate; `worker` runs one task at a time.

mod colours;
pub mod diagram;
mod overlay;
mod picture;
mod profile;
mod view;
pub mod worker;

use std::sync::Arc;

use bevy::prelude::*;
use bevy_egui::egui::TextureHandle;
use bevy_orogeny::GroundQuery;

pub use overlay::Overlay;
pub use picture::Picture;
pub use profile::{Profile, Section};
pub use view::{COARSEST, MapStyle, View};
use worker::Worker;

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
