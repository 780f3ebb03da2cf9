//! Models that a game provides, drawn as the plugin's own.
//!
//! `plant_model` says what a game gives. This module follows its assets, which `gather` collects:
//! the meshes of a `scene` with the levels that its names give them, and their `drawn_material`s. A
//! task makes a model of them in `prepare`: `geometry` reads meshes, and makes levels that the game
//! has not got; `extensions` says what a file has that is not read.

mod drawn_material;
#[cfg(not(target_family = "wasm"))]
mod extensions;
mod gather;
mod geometry;
pub(crate) mod plant_model;
mod prepare;
mod scene;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_log::info;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;

#[cfg(not(target_family = "wasm"))]
use self::extensions::not_read;
use self::gather::{File, Gathered, Parts, Sources, Unusable};
use self::plant_model::{PlantModel, PlantModelState, PlantModels};
use self::prepare::{Prepared, Texture, prepare};
use super::library::{Library, OwnModel, OwnPart};
use super::material::PlantMaterial;
use crate::base::assets::Followed;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::slices;

/// What is being done for the models of a game.
#[derive(Resource, Default)]
pub(crate) struct Following {
    models: HashMap<String, FollowedModel>,
    /// The number of the next model.
    next: u32,
}

impl Following {
    /// Prepares all models again: their meshes were on a device that was lost.
    pub fn start_again(&mut self) {
        for model in self.models.values_mut() {
            (model.parts, model.is_stale) = (None, true);
        }
    }
}

/// What a task makes.
struct Done {
    prepared: Result<Prepared, String>,
    not_read: Vec<String>,
}

/// A model of a game.
struct FollowedModel {
    model: PlantModel,
    assets: Followed,
    /// Whether its assets are to be looked at: once the task is done, if one runs.
    is_stale: bool,
    /// Whether one of them is being loaded.
    loads: bool,
    /// What it was prepared from, or is being.
    parts: Option<Parts>,
    task: Option<Task<Done>>,
    /// What of its files is not read.
    not_read: Vec<String>,
    /// What is wrong with its assets, and with what was prepared.
    unusable: Option<String>,
    refused: Option<String>,
}

impl FollowedModel {
    fn new(model: PlantModel) -> Self {
        Self {
            model,
            assets: Followed::default(),
            is_stale: true,
            loads: false,
            parts: None,
            task: None,
            not_read: Vec::new(),
            unusable: None,
            refused: None,
        }
    }

    fn error(&self) -> Option<&String> {
        self.unusable.as_ref().or(self.refused.as_ref())
    }

    fn state(&self) -> PlantModelState {
        if self.unusable.is_none() && (self.is_stale || self.loads || self.task.is_some()) {
            PlantModelState::Loading
        } else if self.error().is_some() {
            PlantModelState::Refused
        } else {
            PlantModelState::Ready
        }
    }

    /// Looks at its assets, and prepares them if they differ from those of the last time.
    fn check_assets(&mut self, name: &str, sources: &Sources) {
        (self.is_stale, self.loads, self.unusable) = (false, false, None);
        match sources.find(&self.model, &mut self.assets) {
            Err(Unusable::Loading(_)) => self.loads = true,
            Err(error) => self.unusable = Some(error.to_string()),
            Ok(parts) if self.parts.as_ref() == Some(&parts) => {}
            Ok(parts) => {
                if let Some(first) = parts.colliders.first() {
                    let count = parts.colliders.len();
                    info!("{name}: {count} colliders of its scene are not drawn, as \"{first}\"");
                }
                let task =
                    make(self.model.clone(), sources.copy(&parts), sources.file(&self.model));
                (self.parts, self.refused) = (Some(parts), None);
                self.task = Some(slices::spawn(task));
            }
        }
    }
}

/// Prepares a model: what a task does.
async fn make(model: PlantModel, gathered: Gathered, file: Option<File>) -> Done {
    #[cfg(not(target_family = "wasm"))]
    let not_read = match file {
        Some((server, path)) => not_read(&server, &path).await,
        None => Vec::new(),
    };
    // The futures that read files stay in one thread there.
    #[cfg(target_family = "wasm")]
    let not_read = {
        let _ = file;
        Vec::new()
    };
    // A fault of the library that reduces meshes must not end the game.
    let prepare = AssertUnwindSafe(|| prepare(&model, gathered));
    let failed = |_| Err("cannot be reduced to levels of detail".into());
    Done { prepared: catch_unwind(prepare).unwrap_or_else(failed), not_read }
}

/// Where models are put.
type Sinks<'w> =
    (ResMut<'w, Library>, ResMut<'w, Assets<PlantMaterial>>, ResMut<'w, TerrainProblems>);

pub(super) fn follow(
    mut following: ResMut<Following>,
    mut wanted: ResMut<PlantModels>,
    mut sources: ParamSet<(Sources, ResMut<Assets<Mesh>>, ResMut<Assets<Image>>)>,
    (mut library, mut materials, mut problems): Sinks,
) {
    let following = &mut *following;
    let mut is_settled = !wanted.is_changed();
    if !is_settled {
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
                following.models.insert(name.clone(), FollowedModel::new(model.clone()));
            }
        }
    }
    let mut done: Vec<(&String, Prepared)> = Vec::new();
    for (name, followed) in &mut following.models {
        let sources = sources.p0();
        followed.is_stale |= sources.follower.update(&mut followed.assets);
        is_settled &= !followed.is_stale && followed.task.is_none();
        // What changes all the time would never be prepared if that began again each time.
        if followed.is_stale && followed.task.is_none() {
            followed.check_assets(name, &sources);
        }
        if let Some(Done { prepared, not_read }) = followed.task.as_mut().and_then(check_ready) {
            (followed.task, followed.not_read) = (None, not_read);
            match prepared {
                Ok(prepared) => done.push((name, prepared)),
                Err(error) => followed.refused = Some(error),
            }
        }
    }
    if is_settled {
        return;
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

/// Tells the game how far its models are, and what is wrong with them.
fn report(following: &Following, wanted: &mut ResMut<PlantModels>, problems: &mut TerrainProblems) {
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    for (name, followed) in &following.models {
        let state = followed.state();
        if wanted.states.get(name) != Some(&state) {
            wanted.states.insert(name.clone(), state);
        }
        errors.extend(followed.error().map(|error| format!("{name} {error}")));
        if let Some(parts) = followed.parts.as_ref().filter(|_| followed.error().is_none()) {
            let all = parts.notes.iter().chain(&followed.not_read);
            notes.extend(all.map(|note| format!("{name}: {note}")));
        }
    }
    errors.sort();
    notes.sort();
    if errors.is_empty() {
        problems.clear(None, |problem| matches!(problem, TerrainProblem::PlantModel { .. }));
    } else {
        problems.report(None, TerrainProblem::PlantModel { error: errors.join("; ") });
    }
    if notes.is_empty() {
        problems.clear(None, |problem| matches!(problem, TerrainProblem::PlantModelNote { .. }));
    } else {
        problems.report(None, TerrainProblem::PlantModelNote { note: notes.join("; ") });
    }
}
