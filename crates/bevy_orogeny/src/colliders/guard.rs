//! Sources stay above the ground: when it changes, and when the engine has let them through.

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use orogeny::Grid;

use super::stream::ColliderGround;
use super::tile::with_heights;
use super::{PhysicsEngine, TerrainColliderSource};
use crate::mesh::normal;
use crate::origin::TerrainOrigin;
use crate::query::GroundQuery;
use crate::streaming::Streaming;

/// A source counts as let through when its origin is so deep under the ground, in parts of its radius: the origin of a figure may be at its feet, and
/// engines let bodies sink in a little.
const DEPTH: f32 = 0.1;

/// Before the tiles of a changed ground are replaced: raises the sources that it would bury, by as much as it rises under them, and wakes those that rest on it.
pub(super) fn raise<E: PhysicsEngine>(
    terrains: Query<(&Streaming, &ColliderGround)>,
    mut sources: Query<
        (&TerrainColliderSource, &mut Transform, Option<&mut E::Velocity>),
        Without<ChildOf>,
    >,
    origin: Res<TerrainOrigin>,
) {
    for (streaming, ColliderGround(old)) in &terrains {
        let (Some(new), Some(place)) = (streaming.last_ground(), streaming.place) else { continue };
        if new.is(old) {
            continue;
        }
        for (source, mut transform, velocity) in &mut sources {
            if let Some(mut velocity) = velocity {
                velocity.set_changed();
            }
            let [x, y, z] = origin.position(transform.translation);
            let (position, lowest) = ([x - place[0], z - place[2]], y - place[1]);
            let rise = rise(old, new, position, source.radius.into(), lowest);
            if let Some(rise) = rise {
                transform.translation.y += rise;
            }
        }
    }
}

/// By how much a ball around a point must be raised, in metres, to be above the new ground wherever it was above the old one; none where
/// the new ground does not reach it.
///
/// Both surfaces are linear over the same triangles, so their difference is largest at a vertex.
fn rise(
    old: &GroundQuery,
    new: &GroundQuery,
    position: [f64; 2],
    radius: f64,
    height: f64,
) -> Option<f32> {
    let spacing = new.layout().spacing;
    let [low, high] = [-radius, radius].map(|by| position.map(|x| ((x + by) / spacing).floor()));
    // The last vertex is the one beyond the ball.
    let size = [0, 1].map(|k| (high[k] - low[k]) as usize + 2);
    // No source is that large, and none can be told apart that far out.
    if !(size[0] < 256 && size[1] < 256) {
        return None;
    }
    let grid = Grid { origin: low.map(|i| i * spacing), spacing, size };
    let heights = |ground| with_heights(ground, &grid, <[f32]>::to_vec);
    let (old, new) = (heights(old), heights(new));
    let highest = new.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rise = new.iter().zip(&old).map(|(new, old)| new - old).fold(0.0, f32::max);
    (f64::from(highest) > height - radius && rise > 0.0).then_some(rise)
}

/// After the step: puts sources that are under the ground back on it, and takes from their velocity what goes into it.
pub(super) fn put_back<E: PhysicsEngine>(
    terrains: Query<&Streaming>,
    mut sources: Query<
        (&TerrainColliderSource, &mut Transform, Option<&mut E::Velocity>),
        Without<ChildOf>,
    >,
    origin: Res<TerrainOrigin>,
) {
    for streaming in &terrains {
        let (Some(ground), Some(place)) = (streaming.last_ground(), streaming.place) else {
            continue;
        };
        for (source, mut transform, velocity) in &mut sources {
            let [x, y, z] = origin.position(transform.translation);
            let surface = ground.surface([x - place[0], z - place[2]]);
            let Ok(surface) = surface else { continue };
            let above = (y - place[1] - f64::from(surface.value)) as f32;
            if source.keep_above && above < -DEPTH * source.radius {
                let normal = normal(surface);
                transform.translation.y += source.radius / normal.y - above;
                if let Some(mut velocity) = velocity {
                    let linear = E::linear(&velocity);
                    E::set_linear(&mut velocity, linear - linear.dot(normal).min(0.0) * normal);
                }
            }
        }
    }
}
