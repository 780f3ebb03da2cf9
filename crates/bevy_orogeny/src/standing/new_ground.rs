//! Puts walkers on ground that is shown from this frame on.

use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};

use super::walk::TerrainWalker;
use crate::base::origin::TerrainOrigin;
use crate::base::rebase::shift;
use crate::base::world_position::WorldPosition;
use crate::query::adopted_ground::AdoptedGround;
use crate::query::terrain_query::TerrainQuery;

/// Lifts walkers that would be below new ground in the frame in which it is drawn. Where that is
/// too steep they slide, and those above it fall or step down, when they walk next.
pub(crate) fn lift(
    changed: Query<(), Changed<AdoptedGround>>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut walkers: Query<(Entity, &mut TerrainWalker, &mut WorldPosition), Without<ChildOf>>,
    mut transforms: Query<(&mut Transform, &mut GlobalTransform)>,
    children: Query<&Children>,
) {
    if changed.is_empty() || walkers.is_empty() {
        return;
    }
    let all = terrains.shown().grounds(None);
    for (entity, mut walker, mut position) in &mut walkers {
        let named = walker.terrain.map(|terrain| terrains.shown().grounds(Some(terrain)));
        let Ok(grounds) = named.as_ref().unwrap_or(&all) else { continue };
        let Ok((transform, _)) = transforms.get(entity) else { continue };
        let old = transform.translation;
        let [x, y, z] = position.current(old, &origin);
        let Ok(floor) = grounds.footing([x, z]) else { continue };
        let eyes = floor.height + f64::from(walker.height);
        if eyes <= y || !eyes.is_finite() {
            continue;
        }
        let mut next = *walker;
        next.comes_up(&floor, y - f64::from(walker.height));
        walker.set_if_neq(next);
        if let Some(new) = position.go_to([x, eyes, z], &origin) {
            shift(entity, new - old, &mut transforms, &children);
            if let Ok((mut transform, _)) = transforms.get_mut(entity) {
                transform.translation = new;
            }
        }
    }
}
