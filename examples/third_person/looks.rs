//! What is the game's own on the ground: paving, and a tree.

use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::CoverLayer;
use bevy_orogeny::orogeny::scatter::{Model, ScatterKind};
use bevy_orogeny::orogeny::{DataError, Recipe};
use bevy_orogeny::prelude::*;

use crate::paving;

/// The kind of ground where houses are built.
pub fn paving() -> CoverKind {
    CoverKind::Custom("paving".into())
}

/// The texture of the paving.
pub fn textures(
    images: &mut Assets<Image>,
    materials: &mut Assets<GroundMaterial>,
) -> GroundTextures {
    let stones = paving::images(256);
    let paved = GroundMaterial {
        base_color_texture: Some(images.add(stones.colour)),
        normal_map_texture: Some(images.add(stones.normal)),
        depth_map: Some(images.add(stones.height)),
        width: 2.0,
        ..default()
    };
    GroundTextures::default().with(paving(), materials.add(paved))
}

/// The land of a new world.
const LAND: &str = include_str!("../../assets/presets/valleys.terrain.ron");

/// The terrain of a new world: valleys, with cypresses on their meadows, and paving that lies only
/// where it is painted.
///
/// # Errors
/// What is wrong with the land's file.
pub fn terrain() -> Result<Terrain, DataError> {
    let mut recipe = Recipe::from_ron(LAND)?;
    recipe.cover.layers.push(CoverLayer { coverage: 0.0, ..CoverLayer::of(paving()) });
    recipe.scatter.kinds.push(ScatterKind {
        name: "Cypress".into(),
        seed: 100,
        model: Model::Custom("cypress".into()),
        radius: 5.0,
        grass: 0.25,
        coverage: 0.3,
        cluster_size: 150.0,
        depth: ScatterKind::DEPTH.below(-1.0),
        solid_radius: 0.2,
        solid_height: 6.0,
        ..default()
    });
    Ok(Terrain::recipe(recipe))
}

/// Makes the model of the cypresses. A game would load a glTF file, with `PlantModel::scene`.
pub fn load(
    mut models: ResMut<PlantModels>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut part = |mesh: Mesh, color: Color| PlantPart {
        mesh: meshes.add(mesh),
        material: materials.add(StandardMaterial {
            base_color: color,
            perceptual_roughness: 0.9,
            ..default()
        }),
    };
    let up = |mesh: Mesh, by: f32| mesh.translated_by(Vec3::Y * by);
    let trunk = up(Cylinder::new(0.12, 1.2).mesh().resolution(8).build(), 0.6);
    let crown = Sphere::new(1.0).mesh().ico(3).unwrap_or_else(|_| Sphere::new(1.0).into());
    let crown = up(crown.scaled_by(Vec3::new(0.8, 3.4, 0.8)), 4.2);
    let parts =
        vec![part(trunk, Color::srgb(0.25, 0.18, 0.12)), part(crown, Color::srgb(0.09, 0.2, 0.09))];
    models.insert("cypress", PlantModel::levels(vec![parts]));
}
