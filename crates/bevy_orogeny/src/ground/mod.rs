//! Drawing the ground: textured layers of cover, ours baked at start-up, or a game's own.
//!
//! `ground_textures` is what a game gives: materials for some kinds of ground. `follow` keeps the
//! textures of terrains as they ask, `pack` makes them on tasks, from recipes or from images, and
//! `arrays` has them on the device, with the plugin's own. `forms` are the larger forms of each
//! kind of ground. `terrain_material` draws them, and `uniform` is what its shader knows of the
//! cover. Start reading at `ground.wgsl`, the fragment shader.

mod arrays;
mod follow;
mod forms;
pub(crate) mod ground_textures;
mod pack;
pub(crate) mod terrain_material;
mod uniform;

use bevy_app::App;
use bevy_asset::{AssetApp, embedded_asset};
use bevy_shader::load_shader_library;

use ground_textures::{
    GroundMaterial, GroundMaterialLoader, GroundTextures, GroundTexturesProgress,
};

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
    terrain_material::build(app);
}
