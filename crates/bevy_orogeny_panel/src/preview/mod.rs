//! Pictures and profiles of the field, worked out by tasks.

mod picture;
mod profile;
mod worker;

use std::sync::Arc;

use bevy::prelude::*;
use bevy_egui::egui::TextureHandle;
use bevy_orogeny::{HeightField, Terrain};

pub use picture::{Look, Picture, View};
pub use profile::{Profile, Section};
use worker::Worker;

/// What the preview shows, and what is being worked out for it.
#[derive(Resource)]
pub struct Preview {
    pub view: View,
    /// Whether the picture goes where the camera goes.
    pub follow: bool,
    /// The length of the profile in metres.
    pub length: f64,
    /// The field of the terrain. It is built anew when the terrain changes.
    pub field: Option<Arc<dyn HeightField>>,
    /// Counts changes of the field.
    revision: u64,
    picture: Worker<View, Picture>,
    profile: Worker<Section, Profile>,
    /// The newest picture on the graphics card.
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
    /// The newest picture that is finished, if it was not asked for before; asks for the one that
    /// is wanted now.
    pub fn picture(&mut self, wanted: View) -> Option<&Picture> {
        let field = self.field.clone()?;
        self.picture.ask(self.revision, wanted, move |view| Picture::draw(&*field, view));
        self.picture.fresh()
    }

    /// The newest profile that is finished; asks for the one that is wanted now.
    pub fn profile(&mut self, wanted: Section) -> Option<&Profile> {
        let field = self.field.clone()?;
        self.profile.ask(self.revision, wanted, move |section| Profile::draw(&*field, section));
        self.profile.newest()
    }
}

/// Keeps the field of the terrain at hand.
pub fn follow_field(mut preview: ResMut<Preview>, terrains: Query<Ref<Terrain>>) {
    let Some(terrain) = terrains.iter().next() else { return };
    if (terrain.is_changed() || preview.field.is_none())
        && let Ok(field) = terrain.build()
    {
        preview.field = Some(field);
        preview.revision += 1;
    }
}
