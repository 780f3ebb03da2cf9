//! Bakes the textures of the plugin's own plants on tasks, when they are first drawn.

use std::collections::VecDeque;

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;

use super::material::{PlantMaterial, PlantMaterials};
use super::part::Textures;
use super::textures;
use crate::slices;

/// The textures that are baked, or were.
#[derive(Resource, Default)]
pub(crate) struct Baking {
    started: Vec<Textures>,
    waiting: VecDeque<Textures>,
    task: Option<(Textures, Task<Image>)>,
}

impl Baking {
    /// Starts to bake textures, unless that has been done.
    pub(super) fn start(&mut self, wanted: Textures) {
        if self.started.contains(&wanted) {
            return;
        }
        self.started.push(wanted);
        self.waiting.push_back(wanted);
        // Impostors are baked of the surfaces.
        self.start(Textures::Surfaces);
    }

    /// Starts the next task. One at a time leaves threads for the ground.
    fn proceed(&mut self) {
        if self.task.is_some() {
            return;
        }
        let surfaces = self.waiting.iter().position(|wanted| *wanted == Textures::Surfaces);
        let Some(next) = self.waiting.remove(surfaces.unwrap_or(0)) else { return };
        let task = async move {
            match next {
                Textures::Surfaces => textures::surfaces().await,
                Textures::Impostors(model) => textures::impostors(model).await,
            }
        };
        self.task = Some((next, slices::spawn(task)));
    }

    /// The number of textures that are being baked.
    pub(crate) fn unfinished(&self) -> usize {
        self.waiting.len() + usize::from(self.task.is_some())
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
    mut plants: ResMut<Assets<PlantMaterial>>,
) {
    let baking = &mut *baking;
    if let Some((textures, task)) = &mut baking.task
        && let Some(image) = check_ready(task)
    {
        materials.show(*textures, image, &mut images, &mut plants);
        baking.task = None;
    }
    baking.proceed();
}
