//! Keeps sources above the ground: when the ground changes, and when a source falls through it.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use orogeny::Region;

use super::PhysicsEngine;
use super::reach::check_source;
use super::tiles::{TileGround, Tiles};
use crate::base::events::WaitsForGround;
use crate::base::origin::TerrainOrigin;
use crate::chunk::height_field::normal;
use crate::colliders::source::TerrainColliderSource;
use crate::query::adopted_ground::AdoptedGround;

/// How deep under the ground a source's origin must be to count as fallen through, in radii. The
/// origin of a character may be at its feet, and engines let bodies sink in a little.
const DEPTH: f32 = 0.1;
/// The maximum height above the ground, in radii, to which a source is put back on steep ground.
const MAX_LIFT: f32 = 4.0;

/// A source with its velocity, and whether it still waits to be put on the ground.
type Body<E> = (
    &'static TerrainColliderSource,
    &'static mut Transform,
    Option<&'static mut <E as PhysicsEngine>::Velocity>,
    Has<WaitsForGround>,
);

/// Runs before the tiles of a changed or moved ground are replaced. Raises sources that the new
/// ground would bury, by as much as it rises under them, and wakes those that rest on it. Stops the
/// fall of sources that wait for [`SpawnOnGround`](crate::SpawnOnGround).
pub(super) fn raise<E: PhysicsEngine>(
    terrains: Query<(&AdoptedGround, &Tiles<E>)>,
    mut sources: Query<Body<E>, Without<ChildOf>>,
    origin: Res<TerrainOrigin>,
) {
    for (.., velocity, waiting) in &mut sources {
        if let Some(mut velocity) = velocity.filter(|_| waiting) {
            E::set_linear(&mut velocity, Vec3::ZERO);
        }
    }
    for (adopted, Tiles { ground: old, .. }) in &terrains {
        let Some(new) = TileGround::newest(adopted).filter(|new| !new.is(old)) else { continue };
        let changes = new.changes(old);
        for (source, mut transform, velocity, _) in &mut sources {
            let position = new.local(horizontal(origin.position(transform.translation)));
            // A vertex that moves takes its triangles along.
            let reach = f64::from(source.radius) + new.ground.layout().spacing;
            let around = Region::around(position, [reach; 2]);
            if changes.as_ref().is_some_and(|all| !all.iter().any(|region| region.meets(&around))) {
                continue;
            }
            if let Some(mut velocity) = velocity {
                velocity.set_changed();
            }
            let rise = rise(old, &new, origin.position(transform.translation), source.radius);
            if let Some(rise) = rise {
                transform.translation.y += rise;
            }
        }
    }
}

fn horizontal([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}

/// How far to raise a ball around a point, in metres, so that it is above the new ground wherever
/// it was above the old one. `None` if the new ground does not reach it, or if it was under the old
/// one.
///
/// Both surfaces are linear over the triangles of the finer one, so their difference is largest at
/// one of its vertices. (This is approximate if a terrain has moved by a fraction of a cell.)
fn rise(old: &TileGround, new: &TileGround, [x, y, z]: [f64; 3], radius: f32) -> Option<f32> {
    check_source(new.ground.layout(), radius, new.local([x, z])).ok()?;
    let spacing = new.ground.layout().spacing.min(old.ground.layout().spacing);
    let (position, radius) = (new.local([x, z]), f64::from(radius));
    let [low, high] = [-radius, radius].map(|by| position.map(|x| ((x + by) / spacing).floor()));
    // Up to the first vertex beyond the ball. If that is more than 256 cells of a fine old ground,
    // only every n-th vertex is compared.
    let cells = [0, 1].map(|k| high[k] - low[k] + 1.0);
    let stride = (cells[0].max(cells[1]) / 256.0).ceil();
    let [nx, nz] = cells.map(|cells| (cells / stride).ceil() as u32);
    let (mut rise, mut highest, mut lowest) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
    for (i, j) in (0..=nz).flat_map(|j| (0..=nx).map(move |i| (i, j))) {
        let vertex = [low[0] + stride * f64::from(i), low[1] + stride * f64::from(j)];
        let at = [0, 1].map(|k| vertex[k] * spacing + new.position[2 * k]);
        // Where a hole opens or closes, nothing rises.
        let (Some(was), Some(is)) = (old.height(at), new.height(at)) else { continue };
        rise = f64::max(rise, is - was);
        highest = highest.max(is);
        lowest = lowest.min(was);
    }
    let reached = highest > y - radius && y + radius > lowest;
    (reached && rise > 0.0).then_some(rise as f32)
}

/// Runs after the step. Puts sources that are under the ground back on it, and removes the part of
/// their velocity that points into it. With several terrains, a source has fallen through only if
/// it is under all of them.
pub(super) fn put_back<E: PhysicsEngine>(
    terrains: Query<&AdoptedGround>,
    mut sources: Query<Body<E>, Without<ChildOf>>,
    origin: Res<TerrainOrigin>,
) {
    for (source, mut transform, velocity, _) in &mut sources {
        if !source.keep_above {
            continue;
        }
        let [x, y, z] = origin.position(transform.translation);
        // The depth under each terrain. The smallest counts.
        let depths = terrains.iter().filter_map(|adopted| {
            let (ground, [ox, oy, oz]) = (adopted.newest()?, adopted.position?);
            let position = [x - ox, z - oz];
            check_source(ground.layout(), source.radius, position).ok()?;
            let surface = ground.surface(position).ok()?;
            Some((f64::from(surface.value) + oy - y, normal(surface)))
        });
        let Some((depth, normal)) = depths.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        let depth = depth as f32;
        if depth > DEPTH * source.radius {
            transform.translation.y += depth + source.radius * (1.0 / normal.y).min(MAX_LIFT);
            if let Some(mut velocity) = velocity {
                let linear = E::linear(&velocity);
                E::set_linear(&mut velocity, linear - linear.dot(normal).min(0.0) * normal);
            }
        }
    }
}
