//! What the textures of a terrain are packed from, and whether that has changed.

use bevy_asset::{AssetEvent, AssetId, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_platform::collections::HashMap;
use orogeny::cover::CoverKind;

use crate::ground::arrays::Source;
use crate::ground::ground_material::GroundMaterial;
use crate::ground::ground_textures::GroundTextures;
use crate::terrain::Appearance;

/// How often each image and each material of a game has changed.
#[derive(Resource, Default)]
pub(super) struct Versions {
    images: HashMap<AssetId<Image>, u64>,
    /// Changes of any of them.
    pub all: u64,
}

pub(super) fn count_changes(
    mut versions: ResMut<Versions>,
    mut images: MessageReader<AssetEvent<Image>>,
    mut changed: MessageReader<AssetEvent<GroundMaterial>>,
    materials: Res<Assets<GroundMaterial>>,
) {
    versions.all += changed.read().count() as u64;
    if materials.is_empty() {
        images.clear();
        return;
    }
    for event in images.read() {
        // A game may change other images in every frame.
        let (AssetEvent::Modified { id } | AssetEvent::Removed { id }) = event else { continue };
        let uses = |material: &GroundMaterial| {
            material.images().into_iter().flatten().any(|image| image.id() == *id)
        };
        if materials.iter().any(|(_, material)| uses(material)) {
            *versions.images.entry(*id).or_default() += 1;
            versions.all += 1;
        }
    }
}

/// Where sources are looked up.
pub(super) struct Look<'a> {
    pub materials: &'a Assets<GroundMaterial>,
    pub images: &'a Assets<Image>,
    pub server: &'a AssetServer,
    pub versions: &'a Versions,
}

/// The sources of a terrain.
#[derive(Default)]
pub(super) struct Found {
    pub sources: Vec<Source>,
    pub loads: bool,
    pub error: Option<String>,
}

/// The images of a material; none for other sources.
pub(super) type Input = [Option<Box<Image>>; 5];

impl Look<'_> {
    /// The sources beside the plugin's own textures: of recipes, and of materials whose images are
    /// loaded.
    pub fn sources(
        &self,
        shown: Option<&Appearance>,
        textures: Option<&GroundTextures>,
        before: &[Source],
    ) -> Found {
        let mut found = Found::default();
        let layers = shown.map_or(&[][..], |shown| &shown.cover.layers);
        for layer in layers {
            if let Some(recipe) = &layer.texture {
                let source = Source::Recipe(recipe.clone());
                if !found.sources.contains(&source) {
                    found.sources.push(source);
                }
            }
        }
        // Kinds that the cover does not have take no memory.
        let materials = textures.iter().flat_map(|textures| &textures.materials);
        let used = materials.filter(|(kind, _)| layers.iter().any(|layer| layer.kind == *kind));
        for (kind, handle) in used {
            // The first of a kind counts.
            if found.sources.iter().any(|source| source.is_of(kind)) {
                continue;
            }
            match self.own(kind, handle) {
                Ok(Some(source)) => found.sources.push(source),
                Ok(None) => found.loads = true,
                Err(error) => {
                    // The old one stays.
                    found.error = Some(format!("{}: {error}", kind.name()));
                    found.sources.extend(before.iter().find(|old| old.is_of(kind)).cloned());
                }
            }
        }
        found
    }

    /// A material with its images; `None` while they are loading.
    fn own(
        &self,
        kind: &CoverKind,
        handle: &Handle<GroundMaterial>,
    ) -> Result<Option<Source>, String> {
        let failed = |state: Option<LoadState>| match state {
            Some(LoadState::Failed(error)) => Err(error.to_string()),
            None => Err("is not among the assets of the app".into()),
            _ => Ok(None),
        };
        let Some(material) = self.materials.get(handle) else {
            return failed(self.server.get_load_state(handle));
        };
        material.check().map_err(|error| error.to_string())?;
        let mut version = 0;
        for image in material.images().into_iter().flatten() {
            if self.images.get(image).is_none() {
                return failed(self.server.get_load_state(image));
            }
            version += self.versions.images.get(&image.id()).copied().unwrap_or(0);
        }
        let material = Box::new(material.clone());
        Ok(Some(Source::Own { kind: kind.clone(), material, version }))
    }

    pub fn input(&self, source: &Source) -> Input {
        let Source::Own { material, .. } = source else { return Input::default() };
        material.images().map(|image| {
            let image = image.as_ref().and_then(|image| self.images.get(image));
            image.map(|image| Box::new(image.clone()))
        })
    }
}
