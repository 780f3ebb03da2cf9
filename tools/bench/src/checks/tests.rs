//! The checks find every kind of fault.

use bevy_orogeny::advanced::display_cut::display;
use bevy_orogeny::advanced::morph::{Morph, Neighbour, Neighbours};
use bevy_orogeny::advanced::selection::{View, select};
use bevy_orogeny::advanced::{ChunkErrors, ChunkKey, Layout};

use super::{Drawn, holes_and_seams};

const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };
const RANGE: f64 = 1000.0;

/// The chunks drawn for a viewer at the origin once all are ready.
fn drawn() -> Vec<Drawn> {
    let view = View::at([0.0; 2], RANGE, 1000.0);
    let selection = select(&LAYOUT, &ChunkErrors::default(), &[view]);
    let cut = display(&selection, |_| true);
    let tag = |key| Morph::new([0.0; 4], cut.neighbours(key), 0.0).tag();
    cut.iter().map(|key| Drawn { key, revision: 1, tag: tag(key) }).collect()
}

fn check(drawn: &[Drawn]) -> [Result<(), String>; 2] {
    holes_and_seams(&LAYOUT, drawn, &[[0.0; 2]], RANGE)
}

#[track_caller]
fn finds(fault: &str, checked: &Result<(), String>) {
    let found = checked.as_ref().expect_err(fault);
    assert!(found.contains(fault), "{found}");
}

#[test]
fn the_checks_find_every_kind_of_fault() {
    let good = drawn();
    assert_eq!(check(&good), [Ok(()), Ok(())]);
    let here = |lod| good.iter().position(|chunk| chunk.key == LAYOUT.key_at(lod, [0.0; 2]));
    let below = here(0).expect("the finest chunk lies below the viewer");

    finds("nothing", &check(&[])[0]);
    let mut missing = good.clone();
    missing.swap_remove(below);
    finds("not covered", &check(&missing)[0]);
    let mut twice = good.clone();
    twice.push(good[below]);
    finds("twice", &check(&twice)[0]);
    let mut over = good.clone();
    over.push(Drawn { key: good[below].key.parent(), ..good[below] });
    finds("lies over", &check(&over)[0]);
    let mut mixed = good.clone();
    mixed[below].revision = 2;
    finds("mixed", &check(&mixed)[0]);
    // All finer chunks in a chunk of level 2 are replaced by it, next to others of level 0.
    let coarse = good[below].key.ancestor(2);
    let within = |key: ChunkKey| key.lod < 2 && key.ancestor(2) == coarse;
    let mut unbalanced: Vec<_> = good.iter().copied().filter(|c| !within(c.key)).collect();
    unbalanced.push(Drawn { key: coarse, ..good[below] });
    finds("touches", &check(&unbalanced)[0]);

    // Every bit of the tag that describes borders.
    let all = |weight, neighbour| {
        let neighbours = Neighbours { sides: [neighbour; 4], ..Neighbours::default() };
        Morph::new([weight; 4], neighbours, 0.0).tag()
    };
    let (weights, sides) =
        (all(1.0, Neighbour::Same), all(0.0, Neighbour::Coarser) | all(0.0, Neighbour::Finer));
    assert_eq!((weights | sides).count_ones(), 28);
    for bit in (0..32).map(|shift| 1 << shift).filter(|bit| (weights | sides) & bit != 0) {
        let mut torn = good.clone();
        torn[below].tag ^= bit;
        finds(if weights & bit != 0 { "weights" } else { "side" }, &check(&torn)[1]);
    }
}
