//! Collects the assets of a model.

use bevy_asset::{Asset, AssetId, Assets, Handle};
#[cfg(not(target_family = "wasm"))]
use bevy_asset::{AssetPath, AssetServer};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_image::Image;
use bevy_math::Affine3A;
use bevy_mesh::Mesh;
use bevy_pbr::StandardMaterial;
use bevy_platform::collections::HashMap;
use bevy_world_serialization::WorldAsset;
use orogeny::limits::OutOfLimits;

use super::drawn_material::DrawnMaterial;
use super::plant_model::{PlantModel, PlantPart, PlantSource};
use super::scene::{Found, meshes};
use crate::base::assets::{AssetFollower, Followed, Missing};

/// The most levels that a game may give, and the most materials and meshes in all of them.
const MOST_LEVELS: usize = 8;
const MOST_MATERIALS: usize = 256;
const MOST_PIECES: usize = 100_000;

/// Where assets are.
#[derive(SystemParam)]
pub(in crate::plants) struct Sources<'w> {
    pub scenes: Res<'w, Assets<WorldAsset>>,
    pub meshes: Res<'w, Assets<Mesh>>,
    pub materials: Res<'w, Assets<StandardMaterial>>,
    pub images: Res<'w, Assets<Image>>,
    pub follower: AssetFollower<'w>,
}

/// What a model is made of. The same parts look the same, unless an asset has changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    /// The finest level first.
    levels: Vec<Vec<Piece>>,
    meshes: Vec<Handle<Mesh>>,
    materials: Vec<DrawnMaterial>,
    /// The last change of the scene, the meshes and the images.
    version: u64,
    /// What was guessed, and what is not drawn.
    pub notes: Vec<String>,
    /// The names of nodes that are not drawn, since they are colliders.
    pub colliders: Vec<String>,
}

/// A file, and the server that reads it.
#[cfg(not(target_family = "wasm"))]
pub(super) type File = (AssetServer, AssetPath<'static>);
#[cfg(target_family = "wasm")]
pub(super) type File = ();

/// A mesh at a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// The indices of the mesh and its material.
    pub mesh: usize,
    pub material: usize,
    pub place: Affine3A,
}

/// Copies of the assets of a model.
pub(super) struct Gathered {
    pub levels: Vec<Vec<Piece>>,
    pub meshes: Vec<Mesh>,
    /// The materials of pieces, each with the image of its base colour.
    pub materials: Vec<(DrawnMaterial, Option<Image>)>,
}

/// Why a model cannot be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    #[error("has {0} that is being loaded")]
    Loading(&'static str),
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    #[error("{0}")]
    Wrong(String),
}

/// Names what is missing. An error of Bevy names the file.
fn named(what: &'static str) -> impl Fn(Missing) -> Unusable {
    move |missing| match missing {
        Missing::Loading => Unusable::Loading(what),
        Missing::Failed(_) => Unusable::Wrong(missing.to_string()),
        Missing::Removed | Missing::Unknown => {
            Unusable::Wrong(format!("has {what} that {missing}"))
        }
    }
}

impl Sources<'_> {
    /// Finds out what a model is made of. Its assets are `followed`.
    ///
    /// # Errors
    /// The first asset that is missing, or what is wrong with the model.
    pub(super) fn find(
        &self,
        model: &PlantModel,
        followed: &mut Followed,
    ) -> Result<Parts, Unusable> {
        model.check()?;
        followed.begin();
        let mut finder = Finder {
            sources: self,
            followed,
            parts: Parts::default(),
            known_meshes: HashMap::default(),
            known_materials: HashMap::default(),
        };
        match &model.source {
            PlantSource::Scene(handle) => {
                let scene = self.follower.find(handle, &self.scenes, finder.followed);
                let scene = scene.map_err(named("a scene"))?;
                finder.notice(handle);
                let all = meshes(&scene.world);
                finder.parts.notes = all.notes;
                finder.parts.colliders = all.colliders;
                for Found { part, place, level } in &all.found {
                    finder.add(*level, part, *place)?;
                }
                // A file may begin with LOD1.
                finder.parts.levels.retain(|level| !level.is_empty());
            }
            PlantSource::Levels(levels) => {
                if levels.iter().any(Vec::is_empty) {
                    return Err(Unusable::Wrong("has a level without meshes".into()));
                }
                for (level, parts) in levels.iter().enumerate() {
                    for part in parts {
                        finder.add(level, part, Affine3A::IDENTITY)?;
                    }
                }
            }
        }
        let parts = finder.parts;
        if parts.levels.is_empty() {
            return Err(Unusable::Wrong(match parts.colliders.first() {
                Some(name) => format!("has no meshes but colliders, such as \"{name}\""),
                None => "has no meshes".into(),
            }));
        }
        Ok(parts)
    }

    /// The file of a model's scene.
    pub(super) fn file(&self, model: &PlantModel) -> Option<File> {
        match &model.source {
            #[cfg(not(target_family = "wasm"))]
            PlantSource::Scene(scene) => self.follower.file(scene),
            _ => None,
        }
    }

    /// Copies the assets of parts that were found in this frame.
    pub(super) fn copy(&self, parts: &Parts) -> Gathered {
        let image = |material: &DrawnMaterial| self.images.get(material.image.as_ref()?).cloned();
        Gathered {
            levels: parts.levels.clone(),
            meshes: parts.meshes.iter().filter_map(|mesh| self.meshes.get(mesh).cloned()).collect(),
            materials: parts.materials.iter().map(|found| (found.clone(), image(found))).collect(),
        }
    }
}

/// Finds parts.
struct Finder<'a> {
    sources: &'a Sources<'a>,
    followed: &'a mut Followed,
    parts: Parts,
    known_meshes: HashMap<AssetId<Mesh>, usize>,
    known_materials: HashMap<AssetId<StandardMaterial>, usize>,
}

impl Finder<'_> {
    /// Has the parts change with an asset.
    fn notice<A: Asset>(&mut self, handle: &Handle<A>) {
        self.parts.version = self.followed.version(handle).max(self.parts.version);
    }

    fn add(&mut self, level: usize, part: &PlantPart, place: Affine3A) -> Result<(), Unusable> {
        if level >= MOST_LEVELS {
            return Err(Unusable::Wrong(format!("has more than {MOST_LEVELS} levels")));
        }
        let mesh = self.mesh(&part.mesh)?;
        let material = self.material(&part.material)?;
        if material >= MOST_MATERIALS {
            return Err(Unusable::Wrong(format!("has more than {MOST_MATERIALS} materials")));
        }
        let levels = &mut self.parts.levels;
        if levels.iter().map(Vec::len).sum::<usize>() >= MOST_PIECES {
            return Err(Unusable::Wrong(format!("has more than {MOST_PIECES} meshes")));
        }
        levels.resize_with(levels.len().max(level + 1), Vec::new);
        levels[level].push(Piece { mesh, material, place });
        Ok(())
    }

    fn mesh(&mut self, handle: &Handle<Mesh>) -> Result<usize, Unusable> {
        if let Some(known) = self.known_meshes.get(&handle.id()) {
            return Ok(*known);
        }
        let Sources { follower, meshes, .. } = self.sources;
        follower.find(handle, meshes, self.followed).map_err(named("a mesh"))?;
        self.notice(handle);
        self.parts.meshes.push(handle.clone());
        let index = self.parts.meshes.len() - 1;
        self.known_meshes.insert(handle.id(), index);
        Ok(index)
    }

    fn material(&mut self, handle: &Handle<StandardMaterial>) -> Result<usize, Unusable> {
        if let Some(known) = self.known_materials.get(&handle.id()) {
            return Ok(*known);
        }
        let Sources { follower, materials, images, .. } = self.sources;
        let material = follower.find(handle, materials, self.followed);
        let material = material.map_err(named("a material"))?;
        for (texture, what) in [
            (&material.normal_map_texture, "its normal maps are not drawn"),
            (&material.emissive_texture, "its emissive textures are not drawn"),
        ] {
            if texture.is_some() && !self.parts.notes.iter().any(|note| note == what) {
                self.parts.notes.push(what.into());
            }
        }
        let found = DrawnMaterial::of(material);
        if let Some(image) = &found.image {
            follower.find(image, images, self.followed).map_err(named("an image"))?;
            self.notice(image);
        }
        let known = self.parts.materials.iter().position(|known| *known == found);
        let index = known.unwrap_or_else(|| {
            self.parts.materials.push(found);
            self.parts.materials.len() - 1
        });
        self.known_materials.insert(handle.id(), index);
        Ok(index)
    }
}
