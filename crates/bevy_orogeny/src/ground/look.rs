//! What the textures of a terrain are packed from.

use bevy_asset::{Assets, Handle};
use bevy_image::Image;
use orogeny::Appearance;
use orogeny::cover::CoverKind;
use orogeny::limits::OutOfLimits;

use crate::base::assets::{AssetFollower, Followed, Missing};
use crate::ground::arrays::Source;
use crate::ground::ground_material::GroundMaterial;
use crate::ground::ground_textures::GroundTextures;

/// Where sources are looked up.
pub(super) struct Look<'a> {
    pub materials: &'a Assets<GroundMaterial>,
    pub images: &'a Assets<Image>,
    pub follower: &'a AssetFollower<'a>,
}

/// The sources of a terrain.
#[derive(Default)]
pub(super) struct Found {
    pub sources: Vec<Source>,
    /// The kinds of the cover's layers of which the plugin has textures.
    pub kinds: Vec<CoverKind>,
    pub loads: bool,
    pub error: Option<String>,
}

/// The images of a material; none for other sources.
pub(super) type Input = [Option<Box<Image>>; 5];

impl Look<'_> {
    /// The sources beside the plugin's own textures: of recipes, and of materials whose images are
    /// loaded. Their assets are `followed`.
    pub fn sources(
        &self,
        shown: Option<&Appearance>,
        textures: Option<&GroundTextures>,
        before: &[Source],
        followed: &mut Followed,
    ) -> Found {
        let mut found = Found::default();
        followed.begin();
        let mut errors = Vec::new();
        let layers = shown.map_or(&[][..], |shown| &shown.cover.layers);
        let is_used = |kind: &CoverKind| layers.iter().any(|layer| layer.kind == *kind);
        found.kinds.extend(CoverKind::ALL.into_iter().filter(is_used));
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
        let used = materials.filter(|(kind, _)| is_used(kind));
        for (kind, handle) in used {
            // The first of a kind counts.
            if found.sources.iter().any(|source| source.is_of(kind)) {
                continue;
            }
            match self.own(kind, handle, followed) {
                Ok(source) => found.sources.push(source),
                Err(Refused::Missing(Missing::Loading)) => found.loads = true,
                Err(error) => {
                    // The old one stays.
                    errors.push(format!("{}: {error}", kind.name()));
                    found.sources.extend(before.iter().find(|old| old.is_of(kind)).cloned());
                }
            }
        }
        found.error = (!errors.is_empty()).then(|| errors.join("; "));
        found
    }

    /// A material with its images.
    fn own(
        &self,
        kind: &CoverKind,
        handle: &Handle<GroundMaterial>,
        followed: &mut Followed,
    ) -> Result<Source, Refused> {
        let material = self.follower.find(handle, self.materials, followed)?;
        material.check()?;
        let mut version = 0;
        for image in material.images().into_iter().flatten() {
            self.follower.find(image, self.images, followed)?;
            version = followed.version(image).max(version);
        }
        let material = Box::new(material.clone());
        Ok(Source::Own { kind: kind.clone(), material, version })
    }

    pub fn input(&self, source: &Source) -> Input {
        let Source::Own { material, .. } = source else { return Input::default() };
        material.images().map(|image| {
            let image = image.as_ref().and_then(|image| self.images.get(image));
            image.map(|image| Box::new(image.clone()))
        })
    }
}

/// Why a material cannot be used.
#[derive(thiserror::Error, Debug)]
enum Refused {
    #[error("{0}")]
    Missing(#[from] Missing),
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
}
