//! Keeps the models of a game as it asks: waits for assets, and prepares them on tasks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_asset::{AssetEvent, AssetId, Assets};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use bevy_world_serialization::WorldAsset;

use super::gather::{Missing, Sources};
use super::plant_model::{PlantModel, PlantModelState, PlantModels, PlantSource};
use super::prepare::{Prepared, Texture, prepare};
use crate::plants::library::{Library, OwnModel, OwnPart};
use crate::plants::material::PlantMaterial;
use crate::slices;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};

/// What is being done for the models of a game.
#[derive(Resource, Default)]
pub(crate) struct Following {
    models: HashMap<String, Followed>,
    /// The number of the next model.
    next: u32,
}

impl Following {
    /// Prepares all models again: their meshes were on a device that was lost.
    pub fn start_again(&mut self) {
        self.models.values_mut().for_each(|model| model.is_stale = true);
    }
}

/// A model of a game.
struct Followed {
    model: PlantModel,
    /// Whether its assets are to be looked at.
    is_stale: bool,
    task: Option<Task<Result<Prepared, String>>>,
    images: Vec<AssetId<Image>>,
    error: Option<String>,
}

impl Followed {
    fn new(model: PlantModel) -> Self {
        Self { model, is_stale: true, task: None, images: Vec::new(), error: None }
    }

    fn state(&self) -> PlantModelState {
        match self.error {
            Some(_) => PlantModelState::Refused,
            None if self.is_stale || self.task.is_some() => PlantModelState::Loading,
            None => PlantModelState::Ready,
        }
    }

    /// Whether it is made of a scene or an image that has changed.
    fn is_of(&self, scenes: &[AssetId<WorldAsset>], images: &[AssetId<Image>]) -> bool {
        let is_scene = match &self.model.source {
            PlantSource::Scene(scene) => scenes.contains(&scene.id()),
            PlantSource::Levels(_) => false,
        };
        is_scene || self.images.iter().any(|image| images.contains(image))
    }
}

/// Where models are put.
pub(in crate::plants) type Sinks<'w> =
    (ResMut<'w, Library>, ResMut<'w, Assets<PlantMaterial>>, ResMut<'w, TerrainProblems>);

pub(in crate::plants) fn follow(
    mut following: ResMut<Following>,
    mut wanted: ResMut<PlantModels>,
    mut sources: ParamSet<(Sources, ResMut<Assets<Mesh>>, ResMut<Assets<Image>>)>,
    (mut library, mut materials, mut problems): Sinks,
    mut scene_events: MessageReader<AssetEvent<WorldAsset>>,
    mut image_events: MessageReader<AssetEvent<Image>>,
) {
    let following = &mut *following;
    if following.models.is_empty() && wanted.models.is_empty() {
        scene_events.clear();
        image_events.clear();
        return;
    }
    let scenes = modified(&mut scene_events);
    let images = modified(&mut image_events);
    following.models.retain(|name, _| {
        let stays = wanted.models.contains_key(name);
        if !stays {
            library.remove(name);
        }
        stays
    });
    for (name, model) in &wanted.models {
        let known = following.models.get(name);
        if known.is_none_or(|known| known.model != *model) {
            following.models.insert(name.clone(), Followed::new(model.clone()));
        }
    }
    let mut done: Vec<(&String, Prepared)> = Vec::new();
    for (name, followed) in &mut following.models {
        followed.is_stale |= followed.is_of(&scenes, &images);
        if followed.is_stale {
            match sources.p0().gather(&followed.model) {
                Err(Missing::Loading) => {}
                Err(Missing::Wrong(error)) => {
                    (followed.is_stale, followed.error) = (false, Some(error));
                }
                Ok(gathered) => {
                    (followed.is_stale, followed.error) = (false, None);
                    followed.images.clone_from(&gathered.images);
                    let model = followed.model.clone();
                    // A fault of the library that reduces meshes must not end the game.
                    let task = async move {
                        let prepare = AssertUnwindSafe(|| prepare(&model, gathered));
                        let failed = |_| Err("cannot be reduced to levels of detail".into());
                        catch_unwind(prepare).unwrap_or_else(failed)
                    };
                    followed.task = Some(slices::spawn(task));
                }
            }
        }
        match followed.task.as_mut().and_then(check_ready) {
            None => {}
            Some(Err(error)) => (followed.task, followed.error) = (None, Some(error)),
            Some(Ok(prepared)) => {
                followed.task = None;
                done.push((name, prepared));
            }
        }
    }
    for (name, prepared) in done {
        let Prepared { class, height, radius, larger, levels, materials: textures } = prepared;
        let handles: Vec<_> = textures
            .into_iter()
            .map(|Texture { layer, coverage, roughness, reflectance, transmission }| {
                let layers = sources.p2().add(layer);
                let surface = [roughness, reflectance, transmission];
                materials.add(PlantMaterial::new(layers, coverage, surface))
            })
            .collect();
        let levels = levels.into_iter().map(|level| {
            let part = |(mesh, material): (Mesh, usize)| OwnPart {
                mesh: sources.p1().add(mesh),
                material: handles[material].clone(),
            };
            level.into_iter().map(part).collect()
        });
        let levels = levels.collect();
        let number = following.next;
        following.next += 1;
        library.insert(name.clone(), OwnModel { number, class, height, radius, larger, levels });
    }
    report(following, &mut wanted, &mut problems);
}

/// The assets that have changed.
fn modified<A: bevy_asset::Asset>(events: &mut MessageReader<AssetEvent<A>>) -> Vec<AssetId<A>> {
    let id = |event: &AssetEvent<A>| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    };
    events.read().filter_map(id).collect()
}

/// Tells the game how far its models are, and what is wrong with them.
fn report(following: &Following, wanted: &mut ResMut<PlantModels>, problems: &mut TerrainProblems) {
    let mut errors = Vec::new();
    for (name, followed) in &following.models {
        let state = followed.state();
        if wanted.states.get(name) != Some(&state) {
            wanted.states.insert(name.clone(), state);
        }
        if let Some(error) = &followed.error {
            errors.push(format!("{name} {error}"));
        }
    }
    errors.sort();
    if errors.is_empty() {
        problems.clear(None, |problem| matches!(problem, TerrainProblem::PlantModel { .. }));
    } else {
        problems.report(None, TerrainProblem::PlantModel { error: errors.join("; ") });
    }
}
