//! The material of terrains that have no other: [`TerrainMaterial`] with the plugin's textures.

use bevy_app::{App, Startup};
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_pbr::{MaterialPlugin, MeshMaterial3d, StandardMaterial};

use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::chunk::seams::Seams;
use crate::ground::follow::DefaultTextures;
use crate::ground::ground_cover::TerrainMaterial;
use crate::render::drawn_parts::DrawnParts;
use crate::render::material_plugin::{MaterialType, TerrainMaterialPlugin, assign};
use crate::render::unseen_chunk::{Vertices, unseen};
use crate::streaming;
use crate::streaming::components::ShownAppearance;
use crate::terrain::Terrain;

pub(super) fn build(app: &mut App) {
    app.add_plugins((
        MaterialPlugin::<TerrainMaterial>::default(),
        TerrainMaterialPlugin::<TerrainMaterial>::geomorphing(),
    ))
    .init_resource::<Spare>()
    .add_systems(Startup, prepare_for_paint)
    .add_systems(
        StreamTerrain,
        (
            give.in_set(TerrainSystems::Adopt).after(assign).before(streaming::adopt),
            (cover, prepare_for_climates).in_set(TerrainSystems::Follow),
        ),
    );
}

/// The material for the next terrain without one. It is created in advance, so that the renderer
/// has prepared it when the terrain's first chunks appear.
#[derive(Resource)]
struct Spare(Handle<TerrainMaterial>);

impl FromWorld for Spare {
    fn from_world(world: &mut World) -> Self {
        Self::new(world)
    }
}

impl Spare {
    fn new(world: &mut World) -> Self {
        let extension = world.resource::<DefaultTextures>().ground_cover();
        // The textures have the roughness.
        let base =
            StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.2, ..Default::default() };
        let mut materials = world.resource_mut::<Assets<TerrainMaterial>>();
        Self(materials.add(TerrainMaterial { base, extension }))
    }

    /// Takes the material and creates the next one.
    fn take(world: &mut World) -> Handle<TerrainMaterial> {
        let next = Self::new(world);
        core::mem::replace(&mut *world.resource_mut::<Self>(), next).0
    }
}

/// The vertices of most chunks.
const PLAIN: Vertices =
    Vertices { seams: Seams::Morph, is_kept: false, is_painted: false, has_climate: false };

/// Has the pipelines of painted chunks compiled.
fn prepare_for_paint(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, spare: Res<Spare>) {
    let painted = Vertices { is_painted: true, ..PLAIN };
    commands.spawn(unseen(&mut meshes, MeshMaterial3d(spare.0.clone()), painted));
}

/// The same for chunks with a climate, when a terrain has one: they are built meanwhile.
fn prepare_for_climates(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    spare: Res<Spare>,
    terrains: Query<&Terrain, Changed<Terrain>>,
    mut is_done: Local<bool>,
) {
    if !*is_done && terrains.iter().any(|terrain| terrain.ground.has_climates()) {
        *is_done = true;
        for is_painted in [false, true] {
            let vertices = Vertices { is_painted, has_climate: true, ..PLAIN };
            commands.spawn(unseen(&mut meshes, MeshMaterial3d(spare.0.clone()), vertices));
        }
    }
}

/// Gives each terrain without a material one of its own.
fn give(mut commands: Commands, terrains: Query<Entity, (With<Terrain>, Without<MaterialType>)>) {
    for entity in &terrains {
        commands.entity(entity).queue_silenced(|mut terrain: EntityWorldMut| {
            let material = terrain.world_scope(Spare::take);
            terrain.insert(MeshMaterial3d(material));
        });
    }
}

/// Tells the material of the displayed chunks their cover and sea level, and what is drawn beside
/// them.
fn cover(
    terrains: Query<(&ShownAppearance, &MeshMaterial3d<TerrainMaterial>)>,
    mut materials: ResMut<Assets<TerrainMaterial>>,
    drawn: Res<DrawnParts>,
) {
    for (shown, material) in &terrains {
        let Some(appearance) = &shown.0 else { continue };
        let differs = |TerrainMaterial { extension, .. }: &TerrainMaterial| {
            extension.appearance != *appearance || extension.drawn != *drawn
        };
        if materials.get(&material.0).is_some_and(differs)
            && let Some(mut material) = materials.get_mut(&material.0)
        {
            material.extension.appearance = appearance.clone();
            material.extension.drawn = *drawn;
        }
    }
}
