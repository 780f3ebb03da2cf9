//! The surfaces of rivers and lakes on a chunk: ribbons along their middle lines.
//!
//! A ribbon is as wide as the water. Its edges lie at the height of the water in the bank, so the
//! ground hides them. A part of a river belongs to the chunk in which it begins, and shares its
//! ends with the next, so ribbons that both chunks draw meet exactly, whatever their levels, with
//! the same depth and speed. At steep falls the next part may begin lower. Where a river begins, or
//! ends in a larger one, its depth is 0, so that it fades out.

use bevy_math::Vec3;
use orogeny::Landscape;
use orogeny::drainage::RiverReach;

use crate::chunk::height_field::sparse;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::water_surface::{WaterParts, WaterVertex};

/// The narrowest rivers that are drawn: in metres, and over the spacing of the chunk's vertices.
/// Narrower ones cannot be seen at the distances at which a level is drawn.
const NARROWEST: [f64; 2] = [0.5, 0.25];

/// Adds the ribbons of the rivers that begin in a chunk. Parts below the water of a flood are left
/// out, and all at levels whose ground leaves out rivers.
pub(super) fn add_ribbons(
    ground: &Landscape,
    layout: &Layout,
    key: ChunkKey,
    water: &mut WaterParts,
) {
    let Some(rivers) = ground.rivers() else { return };
    let origin = layout.origin(key);
    let [least, part] = NARROWEST;
    let narrowest = least.max(part * layout.spacing(key.lod));
    // The sparse ground is built to know it, so this comes last.
    if narrowest > rivers.widest() || sparse(rivers, layout, key.lod).is_some() {
        return;
    }
    let sea = rivers.sea_level().unwrap_or(f64::NEG_INFINITY);
    let is_flooded = |part: &RiverReach| {
        let is_below = |k: usize| {
            let flood = ground.edits().flooding(part.ends[k]);
            flood.is_some_and(|flood| !flood.joins(part.surface[k]))
        };
        (0..2).all(is_below)
    };
    // Beyond their domain there are no rivers, nor ground.
    let _ = rivers.each_reach(layout.square(key), |reach| {
        let is_wide = reach.width[0].max(reach.width[1]) >= narrowest;
        if is_wide && reach.surface[0] > sea && !is_flooded(&reach) {
            add(&reach, origin, water);
        }
    });
}

/// Adds a part, for a chunk with this origin.
fn add(part: &RiverReach, origin: [f64; 2], water: &mut WaterParts) {
    let [start, end] = part.ends;
    let [x, z] = [0, 1].map(|k| end[k] - start[k]);
    let length = (x * x + z * z).sqrt().max(1e-3);
    let [x, z] = [x / length, z / length];
    let slope = ((part.surface[0] - part.surface[1]) / length) as f32;
    let normal = Vec3::new(slope * x as f32, 1.0, slope * z as f32).normalize();
    let [a, b, c, d] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)].map(|(k, side): (usize, f64)| {
        let [dx, dz] = part.directions[k];
        let aside = 0.5 * side * part.width[k];
        let place = [part.ends[k][0] - aside * dz, part.ends[k][1] + aside * dx];
        let [px, pz] = [0, 1].map(|k| (place[k] - origin[k]) as f32);
        water.vertex(WaterVertex {
            position: [px, part.surface[k] as f32, pz],
            normal,
            section: [side as f32, part.depth[k] as f32],
            flow: [dx, dz].map(|d| (part.speed[k] * d) as f32),
        })
    });
    water.triangle([a, b, c]);
    water.triangle([c, b, d]);
}
