//! Bakes the textures of the plugin's own plants on tasks, when they are first drawn.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};

use super::material::PlantMaterials;
use super::textures;

/// Textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Textures {
    /// Those of meshes.
    Surfaces,
    /// Those of the impostors of a model, by its index in
    /// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
    Impostors(u8),
}

/// The textures that are baked, or were.
#[derive(Resource, Default)]
pub(crate) struct Baking {
    started: Vec<Textures>,
    tasks: Vec<(Textures, Task<Image>)>,
}

impl Baking {
    /// Starts to bake textures, unless that has been done.
    pub(super) fn start(&mut self, wanted: Textures) {
        if self.started.contains(&wanted) {
            return;
        }
        self.started.push(wanted);
        let task = async move {
            match wanted {
                Textures::Surfaces => textures::surfaces(),
                Textures::Impostors(model) => textures::impostors(model),
            }
        };
        self.tasks.push((wanted, AsyncComputeTaskPool::get().spawn(task)));
    }

    /// The number of textures that are being baked.
    pub(crate) fn unfinished(&self) -> usize {
        self.tasks.len()
    }

    /// Forgets what was baked: it is on the device alone, which was lost.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Shows what has been baked.
pub(crate) fn receive(
    mut baking: ResMut<Baking>,
    materials: Res<PlantMaterials>,
    mut images: ResMut<Assets<Image>>,
) {
    baking.bypass_change_detection().tasks.retain_mut(|(textures, task)| {
        let Some(image) = check_ready(task) else { return true };
        materials.show(*textures, image, &mut images);
        false
    });
}
