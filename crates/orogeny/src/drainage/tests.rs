//! Tests of networks and of the ground around them.

use alloc::vec::Vec;
use std::collections::HashMap;

use super::blocks::Blocks;
use super::land::Land;
use super::lattice::{NEIGHBOURS, neighbour};
use super::network::Network;
use super::node::{Node, distance};
use super::paths::{HOPS, rise};
use super::survey::{Around, Survey};
use super::valley::Parts;
use super::window::{Area, Table, grown};
use super::{Drainage, Drained, RiverPart, WaterKind};
use crate::field::Field;
use crate::fractal::Fractal;
use crate::node::Node as Description;
use crate::node::Tree;
use crate::noise::GradientNoise;
use crate::samples::Samples;
use crate::samples::grid::Grid;
use crate::simd::levels;
use crate::tests::random::Random;

/// Hills and seas of 1,000 m.
fn continents(seed: u64) -> Tree<2> {
    let noise = GradientNoise::seeded(seed);
    let fractal = Fractal { frequency: 1.0 / 60e3, ..Fractal::fbm(3.0, noise) };
    (Description::from(fractal) * 1000.0 + 200.0).build().unwrap()
}

fn drainage(seed: u64) -> Drainage {
    Drainage { seed, levels: 4.0, ..Drainage::default() }
}

/// Slopes that leave some land flat.
fn relief(seed: u64) -> Description {
    let noise = GradientNoise::seeded(seed);
    let fractal = Fractal { frequency: 1.0 / 30e3, ..Fractal::fbm(3.0, noise) };
    Description::from(fractal) * 1.5 + 0.5
}

fn reliefs(seed: u64) -> Tree<2> {
    relief(seed).build().unwrap()
}

/// Calls `run` with land that has flat parts.
fn with_land<T>(seed: u64, run: impl FnOnce(&Land) -> T) -> T {
    let (heights, reliefs) = (continents(seed), reliefs(seed + 1));
    run(&Land { height: &heights, relief: Some(&reliefs), sea_level: 0.0, lakes: 0.3 })
}

/// Squares near the origin and far out.
fn areas(random: &mut Random, size: f64) -> Vec<Area> {
    let mut area = |far: f64| {
        let first = [0; 2].map(|_| random.within(-far, far));
        [first, first.map(|x| x + size)]
    };
    [1e4, 1e5, 1e7, 1e10].map(&mut area).into()
}

fn is_right(network: &Network, level: usize, index: [i64; 2], [min, max]: Area) -> bool {
    let point = network.levels[level].lattice.point(index);
    (0..2).all(|k| (min[k]..=max[k]).contains(&point[k]))
}

fn target(nodes: &Table<Node>, index: [i64; 2]) -> Option<[i64; 2]> {
    Some(neighbour(index, NEIGHBOURS[usize::from(nodes[index].target?)]))
}

#[test]
fn every_node_has_a_way_down() {
    let mut random = Random::new(1);
    let mut counts = [[0; 2]; 4];
    for seed in 0..3 {
        let network = Network::new(&drainage(seed), seed);
        with_land(seed, |land| {
            for (level, [all, ends]) in counts.iter_mut().enumerate() {
                let size = 25.0 * network.levels[level].lattice.spacing;
                for area in areas(&mut random, size) {
                    let nodes = network.nodes(level, area, land);
                    for (index, node) in nodes.iter() {
                        if !is_right(&network, level, index, area) {
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

#[test]
fn nodes_do_not_depend_on_the_area() {
    let mut random = Random::new(2);
    let network = Network::new(&drainage(5), 5);
    with_land(5, |land| {
        for level in 0..4 {
            let spacing = network.levels[level].lattice.spacing;
            for area in areas(&mut random, 12.0 * spacing) {
                let own = network.nodes(level, area, land);
                let around = network.nodes(level, grown(area, 7.3 * spacing), land);
                for (index, node) in own.iter() {
                    if is_right(&network, level, index, area) {
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
        nodes: &Table<Node>,
        rise: &dyn Fn(&Node, &Node) -> f64,
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
    with_land(3, |land| {
        let level = &network.levels[2];
        let area = [[40e3, -20e3], [44e3, -16e3]];
        let nodes = network.nodes(2, area, land);
        let mut away = 0;
        for (index, node) in nodes.iter() {
            if is_right(&network, 2, index, area) {
                let rise = |one: &Node, other: &Node| {
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
    let area = [[-5e4, 7e4], [-4e4, 8e4]];
    with_land(9, |land| {
        let nodes = network.nodes(2, area, land);
        for (index, node) in nodes.iter() {
            let near = |k: usize| nodes.get(neighbour(index, NEIGHBOURS[k]));
            let (Some(a), Some(b)) = (near(0), near(1)) else { continue };
            let to = |other: &Node| [0, 1].map(|k| other.position[k] - node.position[k]);
            let ([ax, az], [bx, bz]) = (to(a), to(b));
            assert!(ax * bz - az * bx > 0.0);
            assert!(distance(node, a) > 0.4 * network.levels[2].lattice.spacing);
        }
    });
}

/// Far fewer reaches, and all of them.
#[test]
fn the_ground_is_the_smooth_minimum_of_all_valleys() {
    let network = Network::new(&drainage(4), 4);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(4);
    with_land(4, |land| {
        for area in areas(&mut random, 900.0) {
            let survey = Survey::new(&network, area, land);
            let ground = survey.all();
            let wet = survey.reaches.iter().zip(0..).filter(|(reach, _)| reach.half_width > 0.0);
            let wet = wet.map(|(_, i)| i).collect();
            let all = Around { ground, wet };
            for _ in 0..200 {
                let p = [0, 1].map(|k| random.within(area[0][k], area[1][k]));
                let (ground, left) = blocks.ground(p, land);
                let (whole, all_left) = survey.ground(&all, p, &mut Parts::default());
                assert_eq!(left.value.to_bits(), all_left.value.to_bits());
                assert_eq!(ground.value.to_bits(), whole.value.to_bits());
                assert_eq!(ground.gradient.map(f64::to_bits), whole.gradient.map(f64::to_bits));
            }
        }
    });
}

#[test]
fn gradients_are_difference_quotients() {
    let network = Network::new(&drainage(6), 6);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(6);
    with_land(6, |land| {
        let ground = |p| {
            let (ground, left) = blocks.ground(p, land);
            [ground, left]
        };
        let (mut errors, mut faded) = ([Vec::new(), Vec::new()], 0);
        for _ in 0..3000 {
            let p = [0; 2].map(|_| random.within(-3e4, 3e4));
            let step = 1e-4;
            for k in 0..2 {
                let at = |by: f64| {
                    let mut q = p;
                    q[k] += by;
                    ground(q).map(|slope| slope.value)
                };
                let ([after, before], own) = ([step, -step].map(at), ground(p));
                for i in 0..2 {
                    let quotient = (after[i] - before[i]) / (2.0 * step);
                    errors[i].push((quotient - own[i].gradient[k]).abs());
                }
                faded += i32::from(own[1].value > 0.0 && own[1].value < 1.0);
            }
        }
        assert!(faded > 100, "{faded}");
        // In the narrow parts between valleys, the slope changes within centimetres.
        for mut errors in errors {
            errors.sort_by(f64::total_cmp);
            let [most, worst] = [errors.len() * 99 / 100, errors.len() - 1].map(|i| errors[i]);
            assert!(most < 1e-5 && worst < 0.05, "{most} {worst}");
        }
    });
}

#[test]
fn points_and_grids_of_all_levels_have_the_same_bits() {
    let mut random = Random::new(7);
    let field = Drained::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
    for (name, level) in levels() {
        for (far, spacing) in [(1e4, 0.3), (1e5, 7.0), (1e12, 40.0), (1e6, -900.0)] {
            let origin = [0; 2].map(|_| random.within(-far, far));
            let grid = Grid::new(origin, spacing, [1 + random.below(39), 23]);
            let mut samples = Samples::new().with_level(level);
            // A field without anything kept: another order.
            let other = Drained::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
            other.sample_grid(&grid, &mut samples);
            let mut values = vec![0.0; grid.len()];
            field.value_grid(&grid, &mut values);
            for ((p, sample), value) in grid.points().zip(samples.iter()).zip(values) {
                let own = field.sample(p);
                assert!(own.value.is_finite(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), sample.value.to_bits(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), value.to_bits(), "{name} {p:?}");
                assert_eq!(own.gradient.map(f32::to_bits), sample.gradient.map(f32::to_bits));
            }
        }
    }
}

#[test]
fn rivers_flow_on_and_water_lies_in_their_beds() {
    let field = Drained::new(continents(11), &drainage(11)).unwrap().with_sea(0.0);
    let bounds = field.bounds();
    let (min, max) = ([-30e3, 20e3], [-22e3, 28e3]);
    let parts: Vec<RiverPart> = field.rivers(min, max);
    let bits = |p: [f64; 2]| p.map(f64::to_bits);
    let starts: HashMap<_, f64> =
        parts.iter().map(|part| (bits(part.ends[0]), part.surface[0])).collect();
    let (mut wet, mut gaps, mut on, mut still) = (0, 0, 0, 0);
    for part in &parts {
        assert!(part.surface[1] <= part.surface[0]);
        let [start, end] = part.ends;
        if let Some(next) = starts.get(&bits(end)) {
            on += 1;
            assert!(*next <= part.surface[1] + 1e-9);
        }
        let ground = field.sample(start);
        assert!((bounds.min..=bounds.max).contains(&f64::from(ground.value)));
        if part.width[0] < 1.0 || part.surface[1] < 1.0 {
            continue;
        }
        wet += 1;
        let middle = [0, 1].map(|k| 0.5 * (start[k] + end[k]));
        let surface = 0.5 * (part.surface[0] + part.surface[1]);
        let Some(water) = field.water(middle) else {
            gaps += 1;
            continue;
        };
        assert!(water.depth > 0.0);
        if water.kind == WaterKind::Lake {
            continue;
        }
        assert!(water.width > 0.5);
        // Some begin in lakes without a river.
        still += i32::from(water.discharge == 0.0);
        // Beside a confluence, or where a river bends sharply, the surface is a mean.
        gaps += i32::from((water.surface - surface).abs() > 1.0);
    }
    assert!(still * 20 < wet, "{still} of {wet}");
    assert!(wet > 300 && gaps * 50 < wet, "{gaps} of {wet}");
    assert!(on * 100 > parts.len() * 95, "{on} of {}", parts.len());
}

/// How high the water of each part of the rivers in a square is above a bank, or below its bed.
fn gaps(field: &Drained, corner: [f64; 2]) -> Vec<f64> {
    let parts = field.rivers(corner, corner.map(|x| x + 8000.0));
    let gap = |part: &RiverPart| {
        let width = 0.5 * (part.width[0] + part.width[1]);
        let surface = 0.5 * (part.surface[0] + part.surface[1]);
        if width < 0.5 || surface <= 0.0 {
            return None;
        }
        let middle = [0, 1].map(|k| 0.5 * (part.ends[0][k] + part.ends[1][k]));
        let mut gap = f64::from(field.value(middle)) - surface;
        let [x, z] = [0, 1].map(|k| part.ends[1][k] - part.ends[0][k]);
        let length = x.hypot(z);
        for side in [-0.5, 0.5] {
            let at = [middle[0] - side * width * z / length, middle[1] + side * width * x / length];
            // The bed of another river may begin there.
            if field.bank_distance(at) >= -0.01 * width {
                gap = gap.max(surface - f64::from(field.value(at)));
            }
        }
        Some(gap)
    };
    parts.iter().filter_map(gap).collect()
}

#[test]
fn water_stands_between_its_banks() {
    let mut all = Vec::new();
    for (seed, far) in [(1, 1e4), (2, -1e6), (3, 1e9)] {
        let drainage = Drainage { relief: Some(relief(seed)), lakes: 0.5, ..drainage(seed) };
        let drainage = Drainage { levels: 3.0, spacing: 4000.0, plain: 10.0, ..drainage };
        let field = Drained::new(continents(seed), &drainage).unwrap().with_sea(0.0);
        for k in 0..4 {
            all.extend(gaps(&field, [far + 9e3 * f64::from(k), 0.3 * far]));
        }
    }
    let bad = all.iter().filter(|gap| **gap > 0.05).count();
    // Two rivers may cross at different heights.
    assert!(all.len() > 3000 && bad * 200 < all.len(), "{bad} of {}", all.len());
}

#[test]
fn distances_of_banks_are_those_of_points() {
    let field = Drained::new(continents(12), &drainage(12)).unwrap();
    let grid = Grid::new([31e3, -8e3], 23.0, [150, 170]);
    let mut found = vec![f64::INFINITY; grid.len()];
    field.bank_distances(&grid, |i, distance| found[i] = distance);
    for (p, found) in grid.points().zip(&found) {
        assert_eq!(field.bank_distance(p).to_bits(), found.to_bits());
    }
    let near = found.iter().filter(|distance| distance.is_finite()).count();
    assert!(near > 100 && near < grid.len(), "{near}");
}

#[test]
fn lakes_are_level_and_have_outlets() {
    let drainage = Drainage { lakes: 1.0, levels: 3.0, spacing: 4000.0, ..drainage(13) };
    let field = Drained::new(continents(13), &drainage).unwrap().with_sea(0.0);
    let (min, max) = ([20e3, 20e3], [36e3, 36e3]);
    let parts = field.rivers(min, max);
    let bits = |p: [f64; 2]| p.map(f64::to_bits);
    let starts: HashMap<_, &RiverPart> =
        parts.iter().map(|part| (bits(part.ends[0]), part)).collect();
    let mut lakes = 0;
    for part in parts.iter().filter(|part| part.surface[1] > 1.0) {
        let is_in_lake = |p| field.water(p).is_some_and(|water| water.kind == WaterKind::Lake);
        let [start, end] = part.ends;
        if is_in_lake(start) && is_in_lake(end) && part.width[1] > 50.0 {
            lakes += 1;
            let length = (end[0] - start[0]).hypot(end[1] - start[1]);
            assert!(part.surface[0] - part.surface[1] < 1e-3 * length + 0.01, "{part:?}");
            let inside = (0..2).all(|k| (min[k]..max[k]).contains(&end[k]));
            assert!(!inside || starts.contains_key(&bits(end)), "{part:?}");
        }
    }
    assert!(lakes > 50, "{lakes}");
}

#[test]
fn bad_numbers_are_errors_and_bad_positions_have_no_ground() {
    let field = || continents(1);
    for (bad, name) in [
        (Drainage { spacing: f64::NAN, ..drainage(1) }, "spacing"),
        (Drainage { levels: 9.0, ..drainage(1) }, "levels"),
        (Drainage { levels: 0.0, ..drainage(1) }, "levels"),
        (Drainage { steepness: f32::INFINITY, ..drainage(1) }, "steepness"),
        (Drainage { gain: 1.0, ..drainage(1) }, "gain"),
        (Drainage { floor: -1.0, ..drainage(1) }, "floor"),
    ] {
        let error = Drained::new(field(), &bad).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let field = Drained::new(field(), &drainage(1)).unwrap();
    for p in [[f64::NAN, 0.0], [0.0, f64::INFINITY], [1e300, 0.0]] {
        assert!(field.sample(p).value.is_nan());
    }
    let mut samples = Samples::new();
    field.sample_grid(&Grid::new([f64::MAX, 0.0], 1.0, [3, 2]), &mut samples);
    assert!(samples.iter().all(|sample| sample.value.is_nan()));
    field.sample_grid(&Grid::new([0.0; 2], 1.0, [0, 2]), &mut samples);
    assert_eq!(samples.iter().count(), 0);
}
