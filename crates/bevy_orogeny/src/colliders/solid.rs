//! What is solid on a tile: trunks and rocks.

use bevy_log::warn_once;
use orogeny::scatter::{Instance, Placement, ScatterKind};

use crate::chunk::height_field::is_ground;
use crate::chunk::key::{ChunkKey, Layout};
use crate::query::GroundQuery;

/// An upright cylinder: the trunk of a tree, or a rock. Its size is that of
/// [`ScatterKind::solid_radius`] and [`ScatterKind::solid_height`], times the size of the instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// The position (x, z) of its axis in metres, from the tile's corner with the smallest
    /// coordinates.
    pub position: [f32; 2],
    /// Its radius in metres.
    pub radius: f32,
    /// The height of its bottom in metres above the terrain's origin. It is below the ground, by
    /// more than the radius.
    pub bottom: f32,
    /// The height of its top in metres above the terrain's origin.
    pub top: f32,
}

/// The solids that stand on a tile, even if they overhang others.
pub(super) fn solids(ground: &GroundQuery, layout: &Layout, key: ChunkKey) -> Vec<Solid> {
    let Some(placement) = ground.solid_scatter() else { return Vec::new() };
    let (square, mut solids) = (layout.square(key), Vec::new());
    let add = |it| solids.extend(solid(placement, &it, square.min, layout.spacing));
    // Of a tile with too many there are none, rather than colliders without end.
    if let Err(error) = placement.each_in_region(square, 0.0..1.0, ScatterKind::is_solid, add) {
        warn_once!("some trunks and rocks have no colliders: {error}");
    }
    solids
}

/// The solid of an instance on a tile with this corner. `None` if it stands in a hole.
fn solid(
    placement: &Placement,
    instance: &Instance,
    corner: [f64; 2],
    spacing: f64,
) -> Option<Solid> {
    let kind = placement.kind(instance.kind)?;
    let ground = placement.standing(instance);
    if !is_ground(ground.value) {
        return None;
    }
    let [radius, height] = [kind.solid_radius, kind.solid_height].map(|x| x * instance.size);
    let [x, z] = ground.gradient;
    let slope = x.hypot(z);
    // Deep enough for the lower side of a slope that grows steeper, and for triangles that are
    // below the field. Deeper by another radius, so that no body above the ground is pushed out
    // through the bottom.
    let depth = radius * (1.5 + if slope.is_finite() { slope } else { 0.0 });
    Some(Solid {
        position: [0, 1].map(|k| (instance.position[k] - corner[k]) as f32),
        radius,
        bottom: ground.value - depth - 0.5 * spacing as f32,
        top: ground.value + height,
    })
}

#[cfg(test)]
mod tests {
    use orogeny::edits::{EditLog, Plant};
    use orogeny::scatter::{KindId, Scatter};
    use orogeny::{Fractal, GradientNoise, Recipe, Region};

    use super::*;
    use crate::Terrain;
    use crate::colliders::tile::{Tile, layout};

    fn ground(spacing: f64) -> GroundQuery {
        let noise = Fractal { frequency: 0.004, ..Fractal::fbm(4.0, GradientNoise::seeded(0)) };
        let grows = |seed, radius| ScatterKind {
            seed,
            radius,
            grass: 1.0,
            forest: 1.0,
            ..Default::default()
        };
        let solid =
            |kind, solid_radius, solid_height| ScatterKind { solid_radius, solid_height, ..kind };
        let kinds =
            vec![solid(grows(1, 4.0), 0.3, 8.0), solid(grows(2, 9.0), 2.0, 1.5), grows(3, 1.0)];
        let scatter = Scatter { kinds, ..Scatter::default() };
        let terrain = Terrain::recipe(Recipe { scatter, ..Recipe::new(3, 60.0, noise) });
        GroundQuery::of(&Terrain { spacing, ..terrain }).unwrap()
    }

    /// Compares the solids of all tiles of a square around the origin with the instances there.
    fn compare(ground: &GroundQuery, half: f64) {
        let placement = ground.placement();
        let layout = layout(ground);
        let is_solid = |kind: &ScatterKind| kind.solid_height > 0.0;
        let square = Region { min: [-half; 2], max: [half; 2] };
        let mut expected = placement.in_region(square, is_solid).unwrap();
        assert!(expected.len() > 20);
        let (first, last) = (layout.key_at(0, [-half; 2]), layout.key_at(0, [half; 2]));
        for (x, z) in (first.x..last.x).flat_map(|x| (first.z..last.z).map(move |z| (x, z))) {
            let key = ChunkKey { lod: 0, x, z };
            let [cx, cz] = layout.origin(key);
            for solid in Tile::build(ground, key).solids {
                let [x, z] = solid.position.map(f64::from);
                assert!((0.0..=layout.size(0)).contains(&x) && (0.0..=layout.size(0)).contains(&z));
                let is_it = |tree: &Instance| {
                    (tree.position[0] - cx - x).abs() + (tree.position[1] - cz - z).abs() < 1e-4
                };
                let tree = expected.iter().position(is_it).expect("an instance");
                let tree = expected.swap_remove(tree);
                let kind = placement.kind(tree.kind).unwrap();
                let height = ground.field(tree.position).unwrap().value;
                assert_eq!(solid.radius, kind.solid_radius * tree.size);
                assert_eq!(solid.top, height + kind.solid_height * tree.size);
                // No lower side of a slope shows its bottom.
                for turn in 0..16 {
                    let (sin, cos) = (f64::from(turn) / 16.0 * std::f64::consts::TAU).sin_cos();
                    let radius = f64::from(solid.radius);
                    let rim = [tree.position[0] + radius * cos, tree.position[1] + radius * sin];
                    let surface = ground.surface(rim).unwrap().value;
                    assert!(solid.bottom < surface - solid.radius, "{solid:?} under {surface} m");
                }
            }
        }
        assert!(expected.is_empty(), "no tile has {expected:?}");
    }

    #[test]
    fn tiles_have_the_solid_instances_and_no_others() {
        for (spacing, half) in [(1.0, 96.0), (0.25, 32.0), (8.0, 192.0)] {
            let ground = ground(spacing);
            compare(&ground, half);
            let placement = ground.placement();
            let tree = placement.nearest([5.0, 5.0], 50.0, ScatterKind::is_solid).unwrap().unwrap();
            let mut log = EditLog::new();
            log.add(1, tree.felling()).unwrap();
            log.add(1, Plant { center: [1.5, -2.5], kind: KindId(2), ..Plant::default() }).unwrap();
            compare(&ground.with_edits(log.edits()), half);
        }
    }

    #[test]
    fn only_felled_and_planted_solids_change_tiles() {
        let old = ground(1.0);
        let [x, z] = [400.0, -70.0];
        let mut log = EditLog::new();
        log.add(1, Plant { center: [x, z], kind: KindId(1), ..Plant::default() }).unwrap();
        let new = old.with_edits(log.edits());
        assert_eq!(new.edited_since(&old), Some(Vec::new()), "the ground stays");
        let changed = new.solids_since(&old).unwrap();
        assert!(changed.len() == 1 && changed[0].contains([x, z]));
        assert_eq!(new.solids_since(&new.clone()), Some(Vec::new()));
        // A ground on which nothing is solid keeps its tiles, whatever else grows there.
        let bare = |kinds| {
            let scatter = Scatter { kinds, ..Scatter::default() };
            GroundQuery::of(&Terrain::default().with_scatter(scatter)).unwrap()
        };
        let grass = bare(vec![ScatterKind { grass: 1.0, ..ScatterKind::default() }]);
        assert_eq!(grass.solids_since(&bare(Vec::new())), Some(Vec::new()));
        assert_eq!(grass.widest_solid(), 0.0);
        assert!(Tile::build(&grass, ChunkKey { lod: 0, x: 3, z: 5 }).solids.is_empty());
    }
}
