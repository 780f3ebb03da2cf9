//! In steady flight only the data of new meshes is allocated.

use allocation_counter::{AllocationInfo, measure};
use bevy_orogeny::advanced::display_cut::Cut;
use bevy_orogeny::advanced::selection::{Selection, View};
use bevy_orogeny::advanced::{ChunkBuilder, ChunkErrors, ChunkKey, Layout, Relief, Seams};
use bevy_orogeny::{GroundQuery, Terrain};

const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };

fn view(frame: u32) -> View {
    let position = [f64::from(frame) * 8.3, f64::from(frame) * -2.1];
    let ahead = [position[0] + 125.0, position[1] - 30.0];
    View { ahead, height: 900.0, ..View::at(position, 30_000.0, 650.0) }
}

#[test]
fn decisions_allocate_nothing() {
    let mut errors = ChunkErrors::default();
    let (mut selection, mut cut) = (Selection::default(), Cut::default());
    let mut drawn = 0;
    let mut fly = |frames: core::ops::Range<u32>| {
        for frame in frames {
            let views = [view(frame)];
            selection.update(&LAYOUT, &errors, &views, 1.0);
            for key in selection.wanted() {
                let error = 0.02 * LAYOUT.spacing(key.lod);
                errors.set(key, Relief { error, highest: 0.0, ..Relief::default() });
            }
            // As for a moving viewer: nearly all chunks are ready, and some are not.
            let ready = |key: ChunkKey| key.lod > 3 || (key.x ^ key.z) % 64 != 5;
            cut.update(&selection, ready, |_| false);
            drawn += cut.len();
            for key in cut.iter() {
                core::hint::black_box((
                    cut.neighbours(key),
                    selection.morph(&LAYOUT, &views, key.lod, LAYOUT.origin(key)),
                ));
            }
        }
    };
    // Long enough to include the largest selection. Errors are known from the first time.
    fly(0..4000);
    let AllocationInfo { count_total, .. } = measure(|| fly(3000..4000));
    println!("{} chunks drawn a frame, {count_total} allocations in 1,000 frames", drawn / 5000);
    // A set may still grow once, when it has more entries than before.
    assert!(count_total <= 2, "{count_total} allocations");
}

#[test]
fn a_chunk_allocates_its_mesh() {
    let ground = GroundQuery::of(&Terrain::default()).unwrap();
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let builder = ChunkBuilder::new(ground.landscape().clone(), LAYOUT, seams, false);
        let key = |x| ChunkKey { lod: 3, x, z: 5 };
        // Buffers of this thread and the fields of both levels are created once.
        builder.build(key(0)).unwrap();
        let mut chunk = None;
        let building = measure(|| chunk = Some(builder.build(key(1)).unwrap()));
        let chunk = chunk.unwrap();
        let mut copy = None;
        let copying = measure(|| copy = Some(chunk.mesh.clone()));
        println!(
            "{seams:?}: {} allocations, {} bytes; a copy {}, {}",
            building.count_total, building.bytes_total, copying.count_total, copying.bytes_total
        );
        assert!(building.count_total <= copying.count_total + 1);
        assert!(building.bytes_total <= copying.bytes_total + copying.bytes_total / 50);
    }
}
