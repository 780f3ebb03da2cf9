//! A recipe that is moved by 2^40 m gives the same chunks at the new position, byte for byte.

use orogeny::Recipe;

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::terrain::{Ground, Terrain};

const FAR: f64 = (1u64 << 40) as f64;

#[test]
fn chunks_far_away_are_those_at_home() {
    let layout = Layout { cells: 16, spacing: 0.5 };
    let Ground::Recipe(recipe) = Terrain::default().ground else { panic!("a recipe") };
    let moved = Recipe { field: recipe.field.clone().translate([-FAR, FAR]), ..recipe.clone() };
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let [home, far] = [&recipe, &moved]
            .map(|recipe| ChunkBuilder::new(recipe.build().unwrap(), layout, seams, true));
        for (lod, x, z) in [(0, 0, 0), (0, -7, 12), (3, 5, -2), (9, -1, 0)] {
            let key = ChunkKey { lod, x, z };
            let d = (FAR / layout.size(lod)) as i64;
            let there = ChunkKey { x: x + d, z: z - d, ..key };
            let [a, b] = [home.build(key).unwrap(), far.build(there).unwrap()];
            let attributes = a.mesh.attributes().zip(b.mesh.attributes());
            let mut compared = 0;
            for ((one, here), (other, there)) in attributes {
                assert_eq!(one.id, other.id);
                assert_eq!(here.get_bytes(), there.get_bytes(), "{} of {key:?}", one.name);
                compared += 1;
            }
            assert_eq!(compared, a.mesh.attributes().count());
            assert!(compared >= 3);
            assert_eq!(format!("{:?}", a.mesh.indices()), format!("{:?}", b.mesh.indices()));
            assert_eq!(a.aabb, b.aabb);
        }
    }
}
