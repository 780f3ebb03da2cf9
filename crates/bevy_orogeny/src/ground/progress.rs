//! Shows games how far the textures of terrains are.

use bevy_ecs::prelude::*;
use bevy_pbr::MeshMaterial3d;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::ground::follow::Packing;
use crate::ground::ground_cover::TerrainMaterial;
use crate::ground::ground_textures::GroundTextures;

/// On a terrain while textures of its own are loaded or packed, those of its recipe included: how
/// far that is. It is removed when they are drawn or refused.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct GroundTexturesProgress {
    /// The textures that have been dealt with. 0 while images are loading.
    pub done: usize,
    /// The textures that the terrain asks for, at least 1.
    pub total: usize,
}

/// Shows how far the textures of terrains are. One whose material is replaced meanwhile needs none.
pub(super) fn show_progress(
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
