//! Which kinds of ground have textures of their own.

use bevy_asset::{AssetServer, Handle};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::reflect::ReflectComponent;
use bevy_image::Image;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::cover::CoverKind;

use crate::ground::ground_material::GroundMaterial;

/// A game's own textures, on a terrain: one [`GroundMaterial`] for each kind of cover that has one.
/// All other kinds have the plugin's textures, which are baked when the program starts.
///
/// A kind that is not in the list keeps the plugin's texture, and a custom one that of its layer,
/// so the list may be shorter than the cover. Paint and edits name layers by number: if the preset
/// changes, they show what the new cover has there.
///
/// You may change it at any time. New textures are packed in the background, and the ground keeps
/// its old ones until then. A texture that cannot be used is reported in
/// [`TerrainProblems`](crate::TerrainProblems).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::orogeny::cover::CoverKind;
/// use bevy_orogeny::prelude::*;
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     let grass = GroundMaterial {
///         base_color_texture: Some(assets.load("textures/grass_color.png")),
///         normal_map_texture: Some(assets.load("textures/grass_normal.png")),
///         width: 3.0,
///         ..default()
///     };
///     commands.spawn((
///         Terrain::default(),
///         GroundTextures::default()
///             .with(CoverKind::Grass, assets.add(grass))
///             .with(CoverKind::Rock, assets.load("textures/rock.ground.ron")),
///     ));
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct GroundTextures {
    /// The kinds with their materials. The first of a kind counts.
    pub materials: Vec<(CoverKind, Handle<GroundMaterial>)>,
}

impl GroundTextures {
    /// The same with a material for a kind, instead of one that it had.
    pub fn with(mut self, kind: CoverKind, material: Handle<GroundMaterial>) -> Self {
        self.materials.retain(|(known, _)| *known != kind);
        self.materials.push((kind, material));
        self
    }

    /// Kinds that have one image each, of their colours: repeated every 2 m, without relief.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny::prelude::*;
    ///
    /// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    ///     let images = ["grass.png", "rock.png"].map(|file| assets.load(file));
    ///     let kinds = [CoverKind::Grass, CoverKind::Rock].into_iter().zip(images);
    ///     commands.spawn((Terrain::default(), GroundTextures::of_images(kinds, &assets)));
    /// }
    /// ```
    pub fn of_images(
        images: impl IntoIterator<Item = (CoverKind, Handle<Image>)>,
        assets: &AssetServer,
    ) -> Self {
        images.into_iter().fold(Self::default(), |textures, (kind, image)| {
            let material =
                GroundMaterial { base_color_texture: Some(image), ..GroundMaterial::default() };
            textures.with(kind, assets.add(material))
        })
    }

    /// The material of a kind.
    pub fn of(&self, kind: &CoverKind) -> Option<&Handle<GroundMaterial>> {
        self.materials.iter().find(|(known, _)| known == kind).map(|(_, material)| material)
    }
}

/// The textures that a terrain asks for are drawn, or those that cannot be used are reported in
/// [`TerrainProblems`](crate::TerrainProblems). Triggered on the terrain.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct GroundTexturesReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}
