//! Packs the textures of terrains on tasks, whenever they change.

use std::sync::Arc;

use bevy_app::{App, PreUpdate};
use bevy_asset::{AssetEvent, AssetId, AssetServer, Assets, Handle, LoadState};
use bevy_color::{ColorToComponents, LinearRgba};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageSampler};
use bevy_pbr::MeshMaterial3d;
use bevy_platform::collections::HashMap;
use bevy_render::renderer::RenderDevice;
use bevy_tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use orogeny::cover::CoverKind;

use crate::ground::arrays::{GroundArrays, Packed, Slot, Source, edges, sampler};
use crate::ground::baked;
use crate::ground::ground_cover::{GroundCover, TerrainMaterial};
use crate::ground::ground_material::GroundMaterial;
use crate::ground::ground_textures::{GroundTextures, GroundTexturesReady};
use crate::ground::images::{Maps, pixels};
use crate::lod::quality::TerrainQuality;
use crate::streaming::components::ShownAppearance;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::{Appearance, Terrain};

pub(super) fn build(app: &mut App) {
    app.init_resource::<DefaultTextures>().init_resource::<Versions>().add_systems(
        StreamTerrain,
        (filter, count_changes, want, receive)
            .chain()
            .after(TerrainSystems::Show)
            .before(TerrainSystems::Dispatch),
    );
    app.add_systems(PreUpdate, restore.run_if(resource_exists_and_changed::<RenderDevice>));
}

/// The plugin's own textures on the device, which all terrains share that have no others.
#[derive(Resource)]
pub(crate) struct DefaultTextures {
    pub(super) arrays: GroundArrays,
    pub(super) edges: Handle<Image>,
}

impl DefaultTextures {
    /// The material's extension with them.
    pub(crate) fn ground_cover(&self) -> GroundCover {
        GroundCover::with_arrays(self.arrays.clone(), self.edges.clone())
    }
}

impl FromWorld for DefaultTextures {
    fn from_world(world: &mut World) -> Self {
        let images = &mut *world.resource_mut::<Assets<Image>>();
        let anisotropy = TerrainQuality::default().anisotropy;
        let arrays = Packed::new(baked::slots().into()).into_arrays(images, anisotropy);
        Self { arrays, edges: edges(images) }
    }
}

/// How often each image and each material of a game has changed.
#[derive(Resource, Default)]
struct Versions {
    images: HashMap<AssetId<Image>, u64>,
    /// Changes of any of them.
    all: u64,
}

fn count_changes(
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
        let (AssetEvent::Modified { id } | AssetEvent::Added { id }) = event else { continue };
        let uses = |material: &GroundMaterial| {
            material.images().into_iter().flatten().any(|image| image.id() == *id)
        };
        if materials.iter().any(|(_, material)| uses(material)) {
            *versions.images.entry(*id).or_default() += 1;
            versions.all += 1;
        }
    }
}

/// What a terrain's textures are packed from, and the task that packs them.
#[derive(Component, Default)]
struct Packing {
    wanted: Vec<Source>,
    /// The textures of the terrain's own that were packed last.
    own: Vec<Slot>,
    task: Option<Task<Done>>,
    /// The version of [`Versions`] that was looked at, and whether there were [`GroundTextures`].
    seen: u64,
    had_textures: bool,
    /// Whether some image is still being loaded.
    loads: bool,
}

impl Packing {
    /// Has the terrain's own textures packed again.
    fn forget(&mut self) {
        self.wanted.clear();
        self.own.clear();
        // Looked at again in this frame.
        self.loads = true;
    }
}

/// What a task returns.
struct Done {
    packed: Packed,
    own: Vec<Slot>,
    errors: Vec<String>,
}

/// Finds out what each terrain's textures are packed from, and starts packing them if that changed.
fn want(
    mut commands: Commands,
    mut terrains: Query<
        (
            Entity,
            Ref<ShownAppearance>,
            Option<Ref<GroundTextures>>,
            Option<&mut Packing>,
            &MeshMaterial3d<TerrainMaterial>,
        ),
        With<Terrain>,
    >,
    materials: Res<Assets<GroundMaterial>>,
    images: Res<Assets<Image>>,
    server: Res<AssetServer>,
    versions: Res<Versions>,
    quality: Res<TerrainQuality>,
    mut problems: ResMut<TerrainProblems>,
) {
    let largest = quality.clamped().texture_size;
    for (entity, shown, textures, packing, _) in &mut terrains {
        let Some(mut packing) = packing else {
            commands.entity(entity).try_insert(Packing::default());
            continue;
        };
        let is_same = !shown.is_changed()
            && textures.as_ref().is_none_or(|textures| !textures.is_changed())
            && (packing.seen == versions.all || textures.is_none())
            && textures.is_some() == packing.had_textures
            && !packing.loads
            && !packing.is_added();
        if is_same {
            continue;
        }
        packing.seen = versions.all;
        packing.had_textures = textures.is_some();
        let look =
            Look { materials: &materials, images: &images, server: &server, versions: &versions };
        let found = look.sources(shown.0.as_ref(), textures.as_deref(), &packing.wanted);
        packing.loads = found.loads;
        match found.error {
            Some(error) => problems.report(Some(entity), TerrainProblem::GroundTexture { error }),
            None => clear(&mut problems, entity),
        }
        if found.loads || found.sources == packing.wanted {
            continue;
        }
        let inputs: Vec<Input> = found.sources.iter().map(|source| look.input(source)).collect();
        let (known, sources) = (packing.own.clone(), found.sources.clone());
        packing.wanted = found.sources;
        let pack = async move { pack(sources, inputs, &known, largest) };
        packing.task = Some(AsyncComputeTaskPool::get().spawn(pack));
    }
}

fn clear(problems: &mut TerrainProblems, entity: Entity) {
    problems.clear(Some(entity), |problem| matches!(problem, TerrainProblem::GroundTexture { .. }));
}

/// Where sources are looked up.
struct Look<'a> {
    materials: &'a Assets<GroundMaterial>,
    images: &'a Assets<Image>,
    server: &'a AssetServer,
    versions: &'a Versions,
}

/// The sources of a terrain.
#[derive(Default)]
struct Found {
    sources: Vec<Source>,
    loads: bool,
    error: Option<String>,
}

/// The images of a material; none for other sources.
type Input = [Option<Box<Image>>; 5];

impl Look<'_> {
    /// The sources beside the plugin's own textures: of recipes, and of materials whose images are
    /// loaded.
    fn sources(
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

    fn input(&self, source: &Source) -> Input {
        let Source::Own { material, .. } = source else { return Input::default() };
        material.images().map(|image| {
            let image = image.as_ref().and_then(|image| self.images.get(image));
            image.map(|image| Box::new(image.clone()))
        })
    }
}

/// Packs the plugin's textures and a terrain's own. One that fails stays as it was.
fn pack(sources: Vec<Source>, inputs: Vec<Input>, known: &[Slot], largest: u32) -> Done {
    let (mut own, mut errors) = (Vec::new(), Vec::new());
    for (source, input) in sources.into_iter().zip(inputs) {
        if let Some(slot) = known.iter().find(|slot| slot.source == source) {
            own.push(slot.clone());
            continue;
        }
        let before = match &source {
            Source::Own { kind, .. } => known.iter().find(|slot| slot.source.is_of(kind)).cloned(),
            _ => None,
        };
        match slot(source, input, largest) {
            Ok(slot) => own.push(slot),
            Err(error) => {
                errors.push(error);
                own.extend(before);
            }
        }
    }
    let replaced = |slot: &Slot| {
        let Source::Baked(kind) = &slot.source else { return None };
        own.iter().find(|own| own.source.is_of(kind))
    };
    let mut slots: Vec<Slot> =
        baked::slots().iter().map(|slot| replaced(slot).unwrap_or(slot).clone()).collect();
    let more: Vec<Slot> = own.iter().filter(|own| !slots.contains(own)).cloned().collect();
    slots.extend(more);
    Done { packed: Packed::new(slots.into()), own, errors }
}

/// Makes a texture, of images at most that large.
fn slot(source: Source, input: Input, largest: u32) -> Result<Slot, String> {
    match (&source, input) {
        (Source::Recipe(recipe), _) => {
            let recipe = recipe.clone();
            baked::slot(source, &recipe).map_err(|error| error.to_string())
        }
        (Source::Own { kind, material, .. }, images) => {
            let layer = material.array_layer;
            let mut maps = [const { None }; 5];
            for (k, image) in images.iter().enumerate() {
                let Some(image) = image else { continue };
                let read = pixels(image, layer, k == 0);
                let map = read.map_err(|error| format!("{}: {} {error}", kind.name(), MAPS[k]))?;
                maps[k] = Some(map);
            }
            let maps = Maps {
                images: maps,
                flip_normal_map_y: material.flip_normal_map_y,
                roughness: material.roughness,
            };
            let size = maps.natural_size(largest);
            let tint = LinearRgba::from(material.tint).to_f32_array_no_alpha();
            let (width, far_scale) = (material.width, material.far_scale);
            let (bump, height_blend) = (material.bump, material.height_blend);
            let texture = Arc::new(maps.texture(size));
            Ok(Slot { source, texture, width, far_scale, tint: Some(tint), bump, height_blend })
        }
        _ => Err("a texture of the plugin's own is always there".into()),
    }
}

/// What the images of a material are called in errors.
const MAPS: [&str; 5] = [
    "base_color_texture",
    "normal_map_texture",
    "occlusion_texture",
    "metallic_roughness_texture",
    "depth_map",
];

/// Gives terrains the textures that are packed.
fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Packing, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
    default: Res<DefaultTextures>,
    quality: Res<TerrainQuality>,
    mut problems: ResMut<TerrainProblems>,
) {
    let quality = quality.clamped();
    for (entity, mut packing, material) in &mut terrains {
        let Some(old) = materials.get(&material.0) else { continue };
        let is_new = !old.extension.has_edges();
        if (is_new || old.extension.sampled_layers != quality.layers)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.extension.sampled_layers = quality.layers;
            if is_new {
                // A material of the game's own.
                material.extension.set_edges(default.edges.clone());
                material.extension.set_arrays(default.arrays.clone());
            }
        }
        let Some(task) = &mut packing.task else { continue };
        let Some(done) = check_ready(task) else { continue };
        packing.task = None;
        if let Some(error) = done.errors.into_iter().next() {
            problems.report(Some(entity), TerrainProblem::GroundTexture { error });
        }
        let arrays = if done.own.is_empty() {
            default.arrays.clone()
        } else {
            done.packed.into_arrays(&mut images, quality.anisotropy)
        };
        packing.own = done.own;
        if let Some(mut material) = materials.get_mut(&material.0)
            && !material.extension.has_arrays(&arrays)
        {
            material.extension.set_arrays(arrays);
        }
        commands.trigger(GroundTexturesReady { terrain: entity });
    }
}

/// Filters all textures as the quality says, and has a game's own resampled to another size.
fn filter(
    quality: Res<TerrainQuality>,
    mut old: Local<Option<TerrainQuality>>,
    mut terrains: Query<(&mut Packing, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let quality = quality.clamped();
    let old = old.replace(quality).unwrap_or_default();
    if quality.texture_size != old.texture_size {
        for (mut packing, _) in &mut terrains {
            packing.forget();
        }
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

/// Uploads textures again after a device was lost.
fn restore(
    mut materials: ResMut<Assets<TerrainMaterial>>,
    mut images: ResMut<Assets<Image>>,
    default: Res<DefaultTextures>,
    mut knows: Local<bool>,
) {
    // The first device loses nothing.
    if !core::mem::replace(&mut *knows, true) {
        return;
    }
    let mut mark = |image: &Handle<Image>| drop(images.get_mut(image));
    mark(&default.edges);
    for (_, material) in materials.iter_mut() {
        material.extension.images().for_each(&mut mark);
    }
}
