//! Keeps the textures of terrains as they ask: finds out what they are made from, and has them
//! packed on tasks, whenever that changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageSampler};
use bevy_pbr::MeshMaterial3d;
use bevy_render::renderer::RenderDevice;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use orogeny::Appearance;
use orogeny::cover::CoverKind;
use orogeny::limits::OutOfLimits;

use super::arrays::{self, GroundArrays, Packed, Slot, Source, edges};
use super::ground_textures::{
    GroundMaterial, GroundTextures, GroundTexturesProgress, GroundTexturesReady,
};
use super::pack::{Done, Input, Request, pack};
use super::terrain_material::TerrainMaterial;
use crate::base::assets::{self, AssetFollower, Followed, Missing};
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::images::sampler;
use crate::lod::quality::TerrainQuality;
use crate::render::decals::TerrainDecals;
use crate::slices;
use crate::streaming::components::ShownAppearance;
use crate::terrain::Terrain;

pub(super) fn build(app: &mut App) {
    assets::follow::<GroundMaterial>(app);
    assets::follow::<Image>(app);
    app.init_resource::<DefaultTextures>().add_systems(
        StreamTerrain,
        (filter, want, receive, show_progress).chain().in_set(TerrainSystems::Follow),
    );
}

/// The plugin's own textures on the device, which all terrains share that have no others.
#[derive(Resource)]
pub(crate) struct DefaultTextures {
    pub(super) arrays: GroundArrays,
    pub(super) edges: Handle<Image>,
}

impl FromWorld for DefaultTextures {
    fn from_world(world: &mut World) -> Self {
        let images = &mut *world.resource_mut::<Assets<Image>>();
        let anisotropy = TerrainQuality::default().anisotropy;
        let arrays = Packed::new(arrays::baked_slots().into()).into_arrays(images, anisotropy);
        Self { arrays, edges: edges(images) }
    }
}

/// What a terrain's textures are packed from, and the task that packs them.
#[derive(Component, Default)]
struct Packing {
    wanted: Vec<Source>,
    /// The kinds of which it has the plugin's textures beside those.
    kinds: Vec<CoverKind>,
    /// The textures of the terrain's own that were packed last.
    own: Vec<Slot>,
    task: Option<Task<Done>>,
    /// How many textures the task has packed.
    progress: Arc<AtomicUsize>,
    /// The materials and images of the last search, and whether there were [`GroundTextures`].
    assets: Followed,
    had_textures: bool,
    /// Whether to look again: once the task is done, if one runs.
    is_stale: bool,
    /// Whether the game has asked for something since it was last told that its textures are ready.
    is_asked: bool,
    /// Whether some material or image is being loaded.
    loads: bool,
    /// Whether the terrain's own textures are to be resampled.
    resizes: bool,
    /// What is on the device; `None` for the plugin's own.
    arrays: Option<GroundArrays>,
    /// What was wrong at the last search, and in the last task.
    refused: Option<String>,
    errors: Vec<String>,
}

impl Packing {
    /// Has the terrain's own textures packed again, in another size. Without any, nothing changes.
    fn resize(&mut self) {
        if !self.wanted.is_empty() {
            (self.resizes, self.is_stale, self.is_asked) = (true, true, true);
        }
    }

    /// How far its textures are, of so many materials; `None` if they are as they should be.
    pub(super) fn progress(&self, materials: usize) -> Option<GroundTexturesProgress> {
        let (done, total) = match &self.task {
            Some(_) if !self.wanted.is_empty() => {
                (self.progress.load(Ordering::Relaxed), self.wanted.len())
            }
            _ if self.loads || self.is_stale => (0, materials),
            _ => return None,
        };
        (total > 0).then_some(GroundTexturesProgress { done, total })
    }

    /// Whether the texture of a source stays as it was packed last.
    fn keeps(&self, source: &Source) -> bool {
        !self.resizes && self.own.iter().any(|slot| slot.source == *source)
    }

    /// Lists what is wrong, or that nothing is any more.
    fn report(&self, entity: Entity, problems: &mut TerrainProblems) {
        let all: Vec<&str> = self.refused.iter().chain(&self.errors).map(String::as_str).collect();
        if all.is_empty() {
            let is_own = |problem: &_| matches!(problem, TerrainProblem::GroundTexture { .. });
            problems.clear(Some(entity), is_own);
        } else {
            let error = all.join("; ");
            problems.report(Some(entity), TerrainProblem::GroundTexture { error });
        }
    }
}

/// Finds out what each terrain's textures are packed from, and starts packing them if that changed.
fn want(
    mut commands: Commands,
    mut terrains: Query<
        (Entity, Ref<ShownAppearance>, Option<Ref<GroundTextures>>, Option<&mut Packing>),
        (With<Terrain>, With<MeshMaterial3d<TerrainMaterial>>),
    >,
    materials: Res<Assets<GroundMaterial>>,
    images: Res<Assets<Image>>,
    follower: AssetFollower,
    quality: Res<TerrainQuality>,
    device: Option<Res<RenderDevice>>,
    mut problems: ResMut<TerrainProblems>,
) {
    let device = device.map_or(u32::MAX, |device| device.limits().max_texture_dimension_2d);
    let largest = quality.clamped().texture_size.min(device);
    for (entity, shown, textures, packing) in &mut terrains {
        let Some(mut packing) = packing else {
            commands.entity(entity).try_insert(Packing::default());
            continue;
        };
        let is_asked = shown.is_changed()
            || textures.as_ref().is_some_and(Ref::is_changed)
            || packing.is_added();
        let has_changed =
            follower.update(&mut packing.assets) || textures.is_some() != packing.had_textures;
        packing.is_asked |= is_asked;
        packing.is_stale |= is_asked || has_changed;
        // What changes all the time would never be packed if that began again each time.
        if !packing.is_stale || packing.task.is_some() {
            continue;
        }
        packing.is_stale = false;
        packing.had_textures = textures.is_some();
        let finder = Finder { materials: &materials, images: &images, follower: &follower };
        let Packing { wanted, assets, .. } = &mut *packing;
        let found = finder.sources(shown.0.as_ref(), textures.as_deref(), wanted, assets);
        packing.is_asked |= found.loads || found.error != packing.refused;
        packing.loads = found.loads;
        packing.refused = found.error;
        // Without any of its own it has those that all terrains share.
        let has_others = !found.sources.is_empty() && found.kinds != packing.kinds;
        let differs = found.sources != packing.wanted || packing.resizes || has_others;
        let starts = !found.loads && differs;
        if starts {
            packing.errors.clear();
        }
        packing.report(entity, &mut problems);
        if !starts {
            // Everything is as it was, or refused.
            if packing.is_asked && !packing.loads && shown.0.is_some() {
                packing.is_asked = false;
                if textures.is_some() {
                    commands.trigger(GroundTexturesReady { terrain: entity });
                }
            }
            continue;
        }
        // Pixels are copied for the task, but not those that it does not need.
        let input =
            |source| if packing.keeps(source) { Input::default() } else { finder.input(source) };
        let own = found.sources.iter().map(|source| (source.clone(), input(source))).collect();
        let (kinds, known) = (found.kinds.clone(), packing.own.clone());
        let resizes = core::mem::take(&mut packing.resizes);
        let request = Request { own, kinds, known, largest, resizes };
        (packing.wanted, packing.kinds) = (found.sources, found.kinds);
        packing.progress = Arc::default();
        let progress = packing.progress.clone();
        packing.task = Some(slices::spawn(async move { pack(request, &progress).await }));
    }
}

/// Gives terrains the textures that are packed.
fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Packing, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
    default: Res<DefaultTextures>,
    (quality, decals): (Res<TerrainQuality>, Res<TerrainDecals>),
    mut problems: ResMut<TerrainProblems>,
) {
    let quality = quality.clamped();
    for (entity, mut packing, material) in &mut terrains {
        if let Some(done) = packing.task.as_mut().and_then(check_ready) {
            packing.task = None;
            packing.errors = done.errors;
            packing.report(entity, &mut problems);
            let is_own = !done.own.is_empty();
            packing.arrays =
                is_own.then(|| done.packed.into_arrays(&mut images, quality.anisotropy));
            packing.own = done.own;
            packing.is_asked = false;
            commands.trigger(GroundTexturesReady { terrain: entity });
        }
        let Some(old) = materials.get(&material.0) else { continue };
        // The game may also have given the terrain another material.
        let arrays = packing.arrays.as_ref().unwrap_or(&default.arrays);
        let differs = !old.extension.has_arrays(arrays)
            || old.extension.edges.is_none()
            || old.extension.sampled_layers != quality.layers
            || old.extension.has_decals != decals.0;
        if differs && let Some(mut material) = materials.get_mut(&material.0) {
            material.extension.sampled_layers = quality.layers;
            material.extension.has_decals = decals.0;
            material.extension.edges = Some(default.edges.clone());
            material.extension.set_arrays(arrays.clone());
        }
    }
}

/// Filters all textures as the quality says, and has a game's own resampled to another size.
fn filter(
    quality: Res<TerrainQuality>,
    mut old: Local<Option<TerrainQuality>>,
    mut terrains: Query<&mut Packing>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let quality = quality.clamped();
    let old = old.replace(quality).unwrap_or_default();
    if quality.texture_size != old.texture_size {
        terrains.iter_mut().for_each(|mut packing| packing.resize());
    }
    if quality.anisotropy == old.anisotropy {
        return;
    }
    // Materials are touched, since they bind the sampler.
    for (_, material) in materials.iter_mut() {
        for image in material.extension.images() {
            if let Some(mut image) = images.get_mut(image) {
                image.sampler = ImageSampler::Descriptor(sampler(quality.anisotropy));
            }
        }
    }
}

/// Finds what textures are made from.
struct Finder<'a> {
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

impl Finder<'_> {
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

/// Shows how far the textures of terrains are. One whose material is replaced meanwhile needs none.
fn show_progress(
    mut commands: Commands,
    mut terrains: Query<(
        Entity,
        &Packing,
        Option<&GroundTextures>,
        Has<MeshMaterial3d<TerrainMaterial>>,
        Option<&mut GroundTexturesProgress>,
    )>,
) {
    for (entity, packing, textures, is_ours, shown) in &mut terrains {
        let materials = textures.map_or(0, |textures| textures.materials.len());
        match (packing.progress(materials).filter(|_| is_ours), shown) {
            (Some(now), Some(mut shown)) => {
                shown.set_if_neq(now);
            }
            (Some(now), None) => {
                commands.entity(entity).try_insert(now);
            }
            (None, Some(_)) => {
                commands.entity(entity).try_remove::<GroundTexturesProgress>();
            }
            (None, None) => {}
        }
        if !is_ours {
            commands.entity(entity).try_remove::<Packing>();
        }
    }
}
