//! The nodes of all levels.

use super::{drainage, regions, with_catchment};
use crate::drainage::Drainage;
use crate::drainage::network::Network;
use crate::drainage::network::lattice::{NEIGHBOURS, Table, neighbour};
use crate::drainage::network::level::{HOPS, rise};
use crate::drainage::network::node::{NetworkNode, distance};
use crate::region::Region;
use crate::tests::random::Random;

fn is_right(network: &Network, level: usize, index: [i64; 2], region: Region) -> bool {
    region.contains(network.levels[level].lattice.point(index))
}

fn target(nodes: &Table<NetworkNode>, index: [i64; 2]) -> Option<[i64; 2]> {
    Some(neighbour(index, NEIGHBOURS[usize::from(nodes[index].target?)]))
}

#[test]
fn every_node_has_a_way_down() {
    let mut random = Random::new(1);
    let mut counts = [[0; 2]; 4];
    for seed in 0..3 {
        let network = Network::new(&drainage(seed), seed);
        with_catchment(seed, |catchment| {
            for (level, [all, ends]) in counts.iter_mut().enumerate() {
                let size = 25.0 * network.levels[level].lattice.spacing;
                for region in regions(&mut random, size) {
                    let nodes = network.nodes(level, region, catchment);
                    for (index, node) in nodes.iter() {
                        if !is_right(&network, level, index, region) {
                            continue;
                        }
                        *all += 1;
                        match target(&nodes, index) {
                            Some(target) => assert!(nodes[target].height < node.height),
                            // A basin of the coarsest level, or a river that ends in one.
                            None => {
                                assert!(level == 0 || node.is_on_river);
                                *ends += usize::from(node.height > 0.0);
                            }
                        }
                    }
                }
            }
        });
    }
    for [all, ends] in counts {
        assert!(all > 5000 && ends * 100 < all, "{counts:?}");
    }
}

/// So networks branch like real ones.
#[test]
fn streams_join_each_other_rather_than_rivers() {
    let mut random = Random::new(6);
    let network = Network::new(&drainage(6), 6);
    let last = network.levels.len() - 1;
    let spacing = network.levels[last].lattice.spacing;
    let (mut streams, mut joined_rivers) = (0, 0);
    with_catchment(6, |catchment| {
        for region in regions(&mut random, 25.0 * spacing) {
            let nodes = network.nodes(last, region, catchment);
            // Their neighbours are right, too.
            let inner = region.grown(-1.01 * spacing);
            let is_in = |index| is_right(&network, last, index, inner);
            for (index, node) in nodes.iter().filter(|(index, _)| is_in(*index)) {
                let lower = NEIGHBOURS.map(|step| &nodes[neighbour(index, step)]);
                let lower = lower.into_iter().filter(|other| other.height < node.height);
                let is_beside = |river| lower.clone().any(|other| other.is_on_river == river);
                if !node.is_on_river && is_beside(true) && is_beside(false) {
                    streams += 1;
                    let target = target(&nodes, index).expect("a lower neighbour");
                    joined_rivers += usize::from(nodes[target].is_on_river);
                }
            }
        }
    });
    assert!(streams > 500 && joined_rivers * 5 < streams, "{joined_rivers} of {streams}");
}

#[test]
fn nodes_do_not_depend_on_the_region() {
    let mut random = Random::new(2);
    let network = Network::new(&drainage(5), 5);
    with_catchment(5, |catchment| {
        for level in 0..4 {
            let spacing = network.levels[level].lattice.spacing;
            for region in regions(&mut random, 12.0 * spacing) {
                let own = network.nodes(level, region, catchment);
                let around = network.nodes(level, region.grown(7.3 * spacing), catchment);
                for (index, node) in own.iter() {
                    if is_right(&network, level, index, region) {
                        let other = &around[index];
                        assert_eq!(node.position, other.position);
                        assert_eq!(node.height.to_bits(), other.height.to_bits());
                        assert_eq!(node.area.to_bits(), other.area.to_bits());
                        assert_eq!(node.target, other.target);
                        assert_eq!(node.lake, other.lake);
                        assert_eq!(node.relief.to_bits(), other.relief.to_bits());
                        assert_eq!(node.floor.to_bits(), other.floor.to_bits());
                    }
                }
            }
        }
    });
}

#[test]
fn heights_are_those_of_the_shortest_paths_to_rivers() {
    /// All paths of some edges, one by one.
    fn lowest(
        nodes: &Table<NetworkNode>,
        rise: &dyn Fn(&NetworkNode, &NetworkNode) -> f64,
        index: [i64; 2],
        edges: i64,
    ) -> f64 {
        let node = &nodes[index];
        if node.is_on_river {
            return node.height;
        }
        if edges == 0 {
            return f64::INFINITY;
        }
        let by = |step| {
            let next = neighbour(index, step);
            lowest(nodes, rise, next, edges - 1) + rise(node, &nodes[next])
        };
        NEIGHBOURS.map(by).into_iter().fold(f64::INFINITY, f64::min)
    }
    let network = Network::new(&drainage(3), 3);
    with_catchment(3, |catchment| {
        let level = &network.levels[2];
        let region = Region { min: [40e3, -20e3], max: [44e3, -16e3] };
        let nodes = network.nodes(2, region, catchment);
        let mut away = 0;
        for (index, node) in nodes.iter() {
            if is_right(&network, 2, index, region) {
                let rise = |one: &NetworkNode, other: &NetworkNode| {
                    rise(level.slope, [one, other], distance(one, other))
                };
                let height = lowest(&nodes, &rise, index, HOPS);
                assert!((node.height - height).abs() < 1e-9, "{} {height}", node.height);
                away += i32::from(!node.is_on_river);
            }
        }
        assert!(away > 50);
    });
}

#[test]
fn triangles_of_nodes_never_turn_over() {
    let network = Network::new(&drainage(9), 9);
    let region = Region { min: [-5e4, 7e4], max: [-4e4, 8e4] };
    with_catchment(9, |catchment| {
        let nodes = network.nodes(2, region, catchment);
        for (index, node) in nodes.iter() {
            let near = |k: usize| nodes.get(neighbour(index, NEIGHBOURS[k]));
            let (Some(a), Some(b)) = (near(0), near(1)) else { continue };
            let to = |other: &NetworkNode| [0, 1].map(|k| other.position[k] - node.position[k]);
            let ([ax, az], [bx, bz]) = (to(a), to(b));
            assert!(ax * bz - az * bx > 0.0);
            assert!(distance(node, a) > 0.4 * network.levels[2].lattice.spacing);
        }
    });
}

/// Blocks beside each other share nodes of the coarser levels for a wide region.
#[test]
fn nodes_do_not_depend_on_how_many_of_coarser_levels_are_known() {
    let mut random = Random::new(11);
    for levels in [1.0, 2.0, 3.0, 4.0] {
        let drainage = Drainage { levels, ..drainage(11) };
        let network = Network::new(&drainage, 11);
        let spacing = network.shape.spacing;
        with_catchment(11, |catchment| {
            for region in regions(&mut random, 30.0 * spacing) {
                let above = network.above(region, catchment);
                assert_eq!(above.is_some(), levels > 1.0);
                let min = region.min.map(|x| x + random.within(0.0, 22.0) * spacing);
                let part = Region { min, max: min.map(|x| x + 8.0 * spacing) };
                let lattice = &network.levels[network.levels.len() - 1].lattice;
                let nodes = |above: Option<&Table<NetworkNode>>| {
                    let table = network.finest(above, part, catchment);
                    let inside = table.iter().filter(|(at, _)| part.contains(lattice.point(*at)));
                    inside.map(|node| format!("{node:?}")).collect::<Vec<_>>()
                };
                let own = nodes(None);
                assert!(own.len() > 50 && own == nodes(above.as_ref()));
            }
        });
    }
}
