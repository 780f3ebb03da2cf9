//! The map and the profile of the tab Preview, computed in tasks.
//!
//! `picture` draws a map, `profile` samples a line, `worker` runs one task at a time.

mod picture;
mod profile;
pub mod worker;

use std::sync::Arc;

use bevy::prelude::*;
use bevy_egui::egui::TextureHandle;
use bevy_orogeny::{HeightField, Terrain};

pub use picture::{MapStyle, Picture, View};
pub use profile::{Profile, Section};
use worker::Worker;

/// What the preview shows, and the tasks that compute it.
#[derive(Resource)]
pub struct Preview {
    pub view: View,
    /// Whether the map follows the camera.
    pub follow: bool,
    /// The length of the profile in metres.
    pub length: f64,
    /// The field of the terrain, rebuilt when the terrain changes.
    pub field: Option<Arc<dyn HeightField>>,
    /// Counts changes of the field.
    revision: u64,
    picture: Worker<View, Picture>,
    profile: Worker<Section, Profile>,
    /// The newest picture on the GPU.
    pub texture: Option<(View, TextureHandle)>,
}

impl Default for Preview {
    fn default() -> Self {
        Self {
            view: View::default(),
            follow: true,
            length: 5000.0,
            field: None,
            revision: 0,
            picture: Worker::default(),
            profile: Worker::default(),
            texture: None,
        }
    }
}

impl Preview {
    /// Requests a picture. Returns the newest finished one, once.
    pub fn picture(&mut self, wanted: View) -> Option<&Picture> {
        let field = self.field.clone()?;
        self.picture.ask(self.revision, wanted, move |view| Picture::draw(&*field, view));
        self.picture.fresh()
    }

    /// Requests a profile. Returns the newest finished one.
    pub fn profile(&mut self, wanted: Section) -> Option<&Profile> {
        let field = self.field.clone()?;
        self.profile.ask(self.revision, wanted, move |section| Profile::draw(&*field, section));
        self.profile.newest()
    }
}

/// Keeps the field up to date with the terrain.
pub fn follow_field(mut preview: ResMut<Preview>, terrains: Query<Ref<Terrain>>) {
    let Some(terrain) = terrains.iter().next() else { return };
    if (terrain.is_changed() || preview.field.is_none())
        && let Ok(field) = terrain.build()
    {
        preview.field = Some(field);
        preview.revision += 1;
    }
}
