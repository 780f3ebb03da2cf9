//! What a game gives for its own textures of the ground, and the state and errors of these.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, AssetServer, Handle, LoadContext, ParseAssetPathError};
use bevy_color::{Color, LinearRgba};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_image::Image;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, TypePath};
use orogeny::cover::CoverKind;
use orogeny::limits::{Limit, OutOfLimits};
use serde::Deserialize;

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

/// The textures of one kind of ground, for [`GroundTextures`](crate::GroundTextures).
///
/// Images may have any size, and 8, 16 or 32 bits a channel, or a compressed format: BC1 to 5, BC7,
/// ETC2, or ASTC without HDR. They are decompressed and resampled into array textures on a task.
/// What is missing has a neutral value, so a colour alone is enough. Images are read as they are
/// meant, whatever their format: colours of 8 and 16 bits as sRGB, all others as numbers.
///
/// A file `*.ground.ron` has the same fields. Its images are paths beside it, and it is reloaded
/// when it or one of its images changes:
///
/// ```ron
/// (
///     base_color_texture: Some("meadow_color.png"),
///     normal_map_texture: Some("meadow_normal.png"),
///     metallic_roughness_texture: Some("meadow_orm.png"),
///     depth_map: Some("meadow_height.png"),
///     width: 2.5,
/// )
/// ```
#[derive(Asset, Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct GroundMaterial {
    /// The colour.
    #[dependency]
    pub base_color_texture: Option<Handle<Image>>,
    /// The normals: x to the right, y upwards, as glTF has them.
    #[dependency]
    pub normal_map_texture: Option<Handle<Image>>,
    /// Occlusion in the red channel.
    #[dependency]
    pub occlusion_texture: Option<Handle<Image>>,
    /// Roughness in the green channel, as glTF packs it. The image may be the same as that of the
    /// occlusion. Ground is never metallic: the blue channel is not used.
    #[dependency]
    pub metallic_roughness_texture: Option<Handle<Image>>,
    /// Heights in the red channel, white on top. They decide where this ground ends beside others:
    /// stones stick out of sand.
    #[dependency]
    pub depth_map: Option<Handle<Image>>,
    /// The image of each array texture that counts: 0 for plain images.
    pub array_layer: u32,
    /// Whether y of the normals points down, as DirectX has them.
    pub flip_normal_map_y: bool,
    /// The width of the images on the ground in metres, 0.05 to 4096. It is rounded to a whole
    /// number of tiles in 8,192 m, the step of the origin. Where a tile is only some tens of pixels
    /// wide, its mean colour and larger forms are left.
    pub width: f32,
    /// The strength of the larger forms of its kind, which lie over the images
    /// ([`CoverKind::forms`](crate::orogeny::cover::CoverKind::forms)), 0 to 1: with 0 the images
    /// are drawn as they are.
    pub forms: f32,
    /// Multiplies the colour. A layer of cover with a colour of its own has that as its mean
    /// instead.
    pub tint: Color,
    /// Multiplies the roughness, 0 to 2.
    pub roughness: f32,
    /// Multiplies the slopes of normals, 0 to 4.
    pub bump: f32,
    /// How much heights decide where this ground ends beside others, 0 to 1.
    pub height_blend: f32,
}

impl Default for GroundMaterial {
    fn default() -> Self {
        Self {
            base_color_texture: None,
            normal_map_texture: None,
            occlusion_texture: None,
            metallic_roughness_texture: None,
            depth_map: None,
            array_layer: 0,
            flip_normal_map_y: false,
            width: 2.0,
            forms: 1.0,
            tint: Color::srgb(1.0, 1.0, 1.0),
            roughness: 1.0,
            bump: 1.0,
            height_blend: 1.0,
        }
    }
}

/// A limit of a number of [`GroundMaterial`].
const fn limit(name: &'static str, unit: &'static str, min: f64, max: f64) -> Limit {
    Limit { name, unit, min, max, default: 1.0, help: "" }
}

impl GroundMaterial {
    /// Its images, in the order of the fields.
    pub(super) fn images(&self) -> [&Option<Handle<Image>>; 5] {
        [
            &self.base_color_texture,
            &self.normal_map_texture,
            &self.occlusion_texture,
            &self.metallic_roughness_texture,
            &self.depth_map,
        ]
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// The first number outside its limits.
    pub fn check(&self) -> Result<(), OutOfLimits> {
        let LinearRgba { red, green, blue, .. } = self.tint.into();
        let numbers = [
            (limit("tint", "", 0.0, 16.0), red),
            (limit("tint", "", 0.0, 16.0), green),
            (limit("tint", "", 0.0, 16.0), blue),
            (limit("width", "m", 0.05, 4096.0), self.width),
            (limit("forms", "", 0.0, 1.0), self.forms),
            (limit("roughness", "", 0.0, 2.0), self.roughness),
            (limit("bump", "", 0.0, 4.0), self.bump),
            (limit("height_blend", "", 0.0, 1.0), self.height_blend),
        ];
        numbers.into_iter().try_for_each(|(limit, value)| limit.check(value.into()))
    }
}

/// [`GroundMaterial`] as in a file.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    base_color_texture: Option<String>,
    normal_map_texture: Option<String>,
    occlusion_texture: Option<String>,
    metallic_roughness_texture: Option<String>,
    depth_map: Option<String>,
    array_layer: u32,
    flip_normal_map_y: bool,
    width: f32,
    forms: f32,
    tint: [f32; 3],
    roughness: f32,
    bump: f32,
    height_blend: f32,
}

impl Default for File {
    fn default() -> Self {
        let GroundMaterial {
            array_layer,
            flip_normal_map_y,
            width,
            forms,
            roughness,
            bump,
            height_blend,
            ..
        } = GroundMaterial::default();
        Self {
            base_color_texture: None,
            normal_map_texture: None,
            occlusion_texture: None,
            metallic_roughness_texture: None,
            depth_map: None,
            array_layer,
            flip_normal_map_y,
            width,
            forms,
            tint: [1.0; 3],
            roughness,
            bump,
            height_blend,
        }
    }
}

/// Reads [`GroundMaterial`]s from files `*.ground.ron`.
#[derive(Default, TypePath)]
pub struct GroundMaterialLoader;

/// Why a file of a [`GroundMaterial`] was refused.
#[derive(Debug, thiserror::Error)]
pub enum GroundMaterialError {
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is not RON, or has a field that is not known.
    #[error("{0}")]
    Ron(#[from] ron::error::SpannedError),
    /// The path of an image is not valid.
    #[error("{0}")]
    Path(#[from] ParseAssetPathError),
    /// A number is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
}

impl AssetLoader for GroundMaterialLoader {
    type Asset = GroundMaterial;
    type Settings = ();
    type Error = GroundMaterialError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<GroundMaterial, GroundMaterialError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let file: File = options.from_bytes(&bytes)?;
        let mut image = |path: Option<String>| -> Result<_, ParseAssetPathError> {
            let beside = |path: String| context.path().resolve_embed_str(&path);
            let path = path.map(beside).transpose()?;
            Ok(path.map(|path| context.load(path)))
        };
        let [r, g, b] = file.tint;
        let material = GroundMaterial {
            base_color_texture: image(file.base_color_texture)?,
            normal_map_texture: image(file.normal_map_texture)?,
            occlusion_texture: image(file.occlusion_texture)?,
            metallic_roughness_texture: image(file.metallic_roughness_texture)?,
            depth_map: image(file.depth_map)?,
            array_layer: file.array_layer,
            flip_normal_map_y: file.flip_normal_map_y,
            width: file.width,
            forms: file.forms,
            tint: Color::srgb(r, g, b),
            roughness: file.roughness,
            bump: file.bump,
            height_blend: file.height_blend,
        };
        material.check()?;
        Ok(material)
    }

    fn extensions(&self) -> &[&str] {
        &["ground.ron"]
    }
}

/// On a terrain while textures of its own are loaded or packed, those of its recipe included: how
/// far that is. It is removed when they are drawn or refused.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
// As scenes name it.
#[type_path = "bevy_orogeny::ground::progress"]
pub struct GroundTexturesProgress {
    /// The textures that have been dealt with. 0 while images are loading.
    pub done: usize,
    /// The textures that the terrain asks for, at least 1.
    pub total: usize,
}
