//! Drawing the ground: textured layers of cover, ours baked at start-up, or a game's own.
//!
//! `ground_material` describes the textures of one kind of ground, and `ground_textures` says which
//! kinds of a terrain have their own. `follow` keeps the textures of terrains as they ask: `look`
//! finds out what they are made from, `pack` makes them on tasks, from recipes or from images, of
//! which `maps` makes one texture, and `arrays` has them on the device; `progress` tells the game.
//! `baked` has the plugin's own. `ground_cover` is the material, `uniform` what its shader knows of
//! the cover; `default_material` gives it to terrains, with the pipelines of painted chunks.
//! Start reading at `ground.wgsl`, the fragment shader.

mod arrays;
mod baked;
mod default_material;
pub(crate) mod follow;
pub(crate) mod ground_cover;
pub(crate) mod ground_material;
pub(crate) mod ground_textures;
mod look;
mod maps;
mod pack;
pub(crate) mod progress;
pub(crate) mod uniform;

use bevy_app::App;
use bevy_asset::{AssetApp, embedded_asset};
use bevy_shader::load_shader_library;

use ground_material::{GroundMaterial, GroundMaterialLoader};
use ground_textures::GroundTextures;
use progress::GroundTexturesProgress;

pub(crate) fn build(app: &mut App) {
    embedded_asset!(app, "ground.wgsl");
    load_shader_library!(app, "bindings.wgsl");
    load_shader_library!(app, "io.wgsl");
    load_shader_library!(app, "cover.wgsl");
    load_shader_library!(app, "surface.wgsl");
    load_shader_library!(app, "canopy.wgsl");
    load_shader_library!(app, "shore.wgsl");
    app.init_asset::<GroundMaterial>()
        .register_asset_reflect::<GroundMaterial>()
        .init_asset_loader::<GroundMaterialLoader>()
        .register_type::<GroundTextures>()
        .register_type::<GroundTexturesProgress>();
    follow::build(app);
    default_material::build(app);
}
